//! Hashing, compressing and the one write.
//!
//! Deflate is libdeflate's: on the 83 MB library it takes 1.2 s of one core for fewer bytes than
//! gzip -6, where zlib-rs, cut into chunks for all cores, takes 2.9 s for 2 % more, and 6.9 s of
//! processor time to get below gzip. It has no streaming, so a file is one job, or one for each of its
//! [`pieces`]: files and pieces run beside each other, the largest file first, and a file's SHA-256 beside its
//! own compression. What comes out depends on the bytes and the level alone, never on the number of threads.

use std::fs::File;
use std::io::Write;

use camino::Utf8Path;
use libdeflater::{CompressionLvl, Compressor};
use mondo_core::digest::Sha256;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::{file, interrupt};
use rayon::prelude::*;

use super::archive::Member;
use super::pieces::{self, End, PIECE};
use super::stage::{Entry, Source};

/// A member and the hash of its content.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) member: Member,
    pub(crate) sha256: [u8; 32],
}

/// Hashes and compresses every entry; the result is in the order of `entries`.
pub(crate) fn pack(entries: &[Entry], level: u8) -> Result<Vec<Packed>> {
    let level = CompressionLvl::new(level.into()).map_err(|_| {
        Error::new(
            ErrorKind::Wheel,
            format!("invalid compression level `{level}`"),
        )
        .because("use a level from 0 (stored) to 12 (smallest)")
    })?;
    let mut order = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        order.push((size(entry)?, index));
    }
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut packed = order
        .par_iter()
        .with_max_len(1)
        .map_init(
            || Compressor::new(level),
            |compressor, (_, index)| Ok((*index, pack_one(&entries[*index], level, compressor)?)),
        )
        .collect::<Result<Vec<_>>>()?;
    packed.sort_unstable_by_key(|(index, _)| *index);
    Ok(packed.into_iter().map(|(_, packed)| packed).collect())
}

fn size(entry: &Entry) -> Result<u64> {
    Ok(match &entry.source {
        Source::Bytes(bytes) => bytes.len() as u64,
        Source::File(path) => {
            let metadata = fs_err::metadata(path)?;
            if !metadata.is_file() {
                return Err(
                    Error::new(ErrorKind::Wheel, format!("cannot pack `{}`", entry.path))
                        .at(path.as_str())
                        .because("it is not a regular file"),
                );
            }
            metadata.len()
        }
    })
}

fn pack_one(entry: &Entry, level: CompressionLvl, compressor: &mut Compressor) -> Result<Packed> {
    interrupt::check()?;
    let read;
    let content: &[u8] = match &entry.source {
        Source::Bytes(bytes) => bytes,
        Source::File(path) => {
            read = file::read(path, u64::MAX)?;
            &read
        }
    };
    let (deflated, sha256) = rayon::join(
        || deflate_all(content, level, compressor),
        || Sha256::digest(content),
    );
    let deflated = deflated.map_err(|error| error.at(entry.path.as_str()))?;
    Ok(Packed {
        member: Member {
            path: entry.path.clone(),
            permissions: if entry.executable { 0o755 } else { 0o644 },
            crc: libdeflater::crc32(content),
            size: content.len() as u64,
            deflated,
        },
        sha256,
    })
}

/// Compresses a file: in one go, or in pieces beside each other where it is large.
fn deflate_all(
    content: &[u8],
    level: CompressionLvl,
    compressor: &mut Compressor,
) -> Result<Vec<u8>> {
    if content.len() <= PIECE {
        return deflate(content, compressor);
    }
    let streams = content
        .par_chunks(PIECE)
        .with_max_len(1)
        .map_init(
            || Compressor::new(level),
            |compressor, piece| {
                interrupt::check()?;
                let stream = deflate(piece, compressor)?;
                let end = End::of(&stream)?;
                Ok((stream, end))
            },
        )
        .collect::<Result<Vec<_>>>()?;
    Ok(pieces::join(streams))
}

fn deflate(content: &[u8], compressor: &mut Compressor) -> Result<Vec<u8>> {
    let mut out = vec![0; compressor.deflate_compress_bound(content.len())];
    let len = compressor
        .deflate_compress(content, &mut out)
        .map_err(|error| {
            // The bound makes this error impossible. The error is reported all the same, because a wrong bound must
            // not damage a wheel.
            Error::new(ErrorKind::Wheel, "cannot compress file").because(error.to_string())
        })?;
    out.truncate(len);
    out.shrink_to_fit();
    Ok(out)
}

/// Makes `bytes` the content of `target`: all of it or, after any error, none of it. `write` writes the bytes to a
/// temporary file. The file is then read back and given to `verify`, while `check` inspects `bytes` in parallel.
/// After an error of any of the three, `target` is not touched.
///
/// Returns the SHA-256.
pub(crate) fn commit(
    bytes: &[u8],
    target: &Utf8Path,
    write: impl FnOnce(&mut File, &[u8]) -> std::io::Result<()> + Send,
    verify: impl FnOnce(&[u8]) -> Result<()> + Send,
    check: impl FnOnce(&[u8]) -> Result<()> + Send,
) -> Result<[u8; 32]> {
    let dir = target
        .parent()
        .filter(|dir| !dir.as_str().is_empty())
        .unwrap_or(Utf8Path::new("."));
    fs_err::create_dir_all(dir)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".mondo-").suffix(".whl.part");
    // A temporary file is private to its owner by default; a wheel is not.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    let failed = |error| failed_write(error, target);
    let mut file = builder.tempfile_in(dir).map_err(failed)?;
    let written = || -> Result<[u8; 32]> {
        write(file.as_file_mut(), bytes).map_err(failed)?;
        let (sha256, verified) = rayon::join(
            || Sha256::digest(bytes),
            || verify(&fs_err::read(file.path())?),
        );
        verified.map(|()| sha256)
    };
    let (written, checked) = rayon::join(written, || check(bytes));
    let sha256 = written?;
    checked?;
    interrupt::check()?;
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(sha256)
}

/// Writes the bytes to the file, and through to the disk.
pub(crate) fn write_through(file: &mut File, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

fn failed_write(error: std::io::Error, target: &Utf8Path) -> Error {
    let full = matches!(
        error.kind(),
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
    );
    let failed = Error::new(ErrorKind::Io, "cannot write the wheel")
        .at(target.as_str())
        .caused_by(error);
    if full {
        failed
            .because("the disk is full; an earlier wheel with this name is unchanged")
            .help("free some space, or use another output folder")
    } else {
        failed.help("check that the output folder is writable")
    }
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    /// Commits bytes that are not a zip file.
    fn commit(
        bytes: &[u8],
        target: &Utf8Path,
        check: impl FnOnce(&[u8]) -> Result<()> + Send,
    ) -> Result<[u8; 32]> {
        super::commit(bytes, target, write_through, |_| Ok(()), check)
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        (dir, path)
    }

    #[test]
    fn what_the_check_refuses_replaces_nothing() {
        let (_guard, dir) = folder();
        let target = dir.join("x.whl");
        commit(b"old", &target, |_| Ok(())).unwrap();
        let refuse = |bytes: &[u8]| {
            assert_eq!(bytes, b"new");
            Err(Error::new(ErrorKind::Audit, "no"))
        };
        assert_eq!(
            commit(b"new", &target, refuse).unwrap_err().kind(),
            ErrorKind::Audit
        );
        assert_eq!(fs_err::read(&target).unwrap(), b"old");
        assert_eq!(
            dir.read_dir_utf8().unwrap().count(),
            1,
            "a temporary file was left"
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_named() {
        let mut full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let error = write_through(&mut full, b"x").unwrap_err();
        let error = failed_write(error, Utf8Path::new("dist/x.whl"));
        assert_eq!(error.kind(), ErrorKind::Io);
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(error.place(), Some("dist/x.whl"));
    }

    #[test]
    fn a_failed_commit_leaves_the_folder_as_it_was() {
        let (_guard, dir) = folder();
        // A folder in the way makes the rename fail, after the temporary file was written.
        let target = dir.join("x.whl");
        fs_err::create_dir_all(target.join("in-the-way")).unwrap();
        let error = commit(b"new", &target, |_| Ok(())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io);
        let left: Vec<_> = fs_err::read_dir(&dir)
            .unwrap()
            .map(|item| item.unwrap().file_name())
            .collect();
        assert_eq!(left, ["x.whl"]);
        assert!(target.join("in-the-way").is_dir());
    }

    #[test]
    #[cfg(unix)]
    fn a_commit_replaces_and_is_readable_by_others() {
        use std::os::unix::fs::PermissionsExt;
        let (_guard, dir) = folder();
        let target = dir.join("new/x.whl");
        commit(b"old", &target, |_| Ok(())).unwrap();
        let sha256 = commit(b"new", &target, |_| Ok(())).unwrap();
        assert_eq!(fs_err::read(&target).unwrap(), b"new");
        assert_eq!(sha256, Sha256::digest(b"new"));
        let mode = fs_err::metadata(&target).unwrap().permissions().mode();
        assert_eq!(mode & 0o777 & 0o600, 0o600);
        assert_ne!(mode & 0o044, 0, "{mode:o}");
    }

    #[test]
    fn levels_out_of_range_are_refused() {
        assert!(pack(&[], 13).is_err());
        for level in 0..=12 {
            let entry = Entry {
                path: "a".to_owned(),
                source: Source::Bytes(vec![7; 5000]),
                executable: false,
            };
            let packed = pack(&[entry], level).unwrap();
            assert_eq!(packed[0].member.size, 5000);
        }
    }
}
