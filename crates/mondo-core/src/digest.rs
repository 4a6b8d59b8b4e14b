//! SHA-256 as the hexadecimal text that locks, stamps and reports hold.

use std::fmt::Write as _;
use std::io::Read;

use camino::{Utf8Path, Utf8PathBuf};

use crate::ancestors::Ancestors;
use crate::error::Result;
use crate::{file, interrupt};

/// An incremental SHA-256. The implementation is ring's, as in mondo-audit: without SHA instructions of the processor
/// it is twice as fast as the one of the crate `sha2`.
#[derive(Clone)]
pub struct Sha256(ring::digest::Context);

/// The 32 bytes of a SHA-256.
pub type Sha256Digest = [u8; 32];

impl Sha256 {
    /// The state before any input.
    #[must_use]
    pub fn new() -> Self {
        Self(ring::digest::Context::new(&ring::digest::SHA256))
    }

    /// The digest of `bytes`.
    #[must_use]
    pub fn digest(bytes: impl AsRef<[u8]>) -> Sha256Digest {
        let mut state = Self::new();
        state.update(bytes);
        state.finalize()
    }

    /// Appends `bytes` to the input.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    /// The digest of all input.
    #[must_use]
    pub fn finalize(self) -> Sha256Digest {
        let mut bytes = [0; 32];
        // The digest has 32 bytes by definition of SHA-256.
        bytes.copy_from_slice(self.0.finish().as_ref());
        bytes
    }
}

impl Default for Sha256 {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sha256")
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// SHA-256 of `bytes`.
#[must_use]
pub fn of(bytes: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(bytes))
}

/// The first 16 digits of the SHA-256 of `bytes`: enough to name a file by its contents.
#[must_use]
pub fn short(bytes: impl AsRef<[u8]>) -> String {
    let mut text = of(bytes);
    text.truncate(16);
    text
}

/// SHA-256 of a file, read in pieces.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be read.
pub fn of_file(path: &Utf8Path) -> Result<String> {
    let mut file = file::open(path)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 1 << 20];
    loop {
        interrupt::check()?;
        let read = file.read(&mut piece)?;
        if read == 0 {
            return Ok(hex(digest.finalize()));
        }
        digest.update(&piece[..read]);
    }
}

/// SHA-256 of a folder: of the names and contents of its files, without the caches of Python and the build folders of
/// cargo.
///
/// # Errors
/// `ErrorKind::Io` where a file cannot be read.
pub fn of_tree(folder: &Utf8Path) -> Result<String> {
    let mut digest = Sha256::new();
    hash_tree(folder, folder, &mut digest)?;
    Ok(hex(digest.finalize()))
}

/// SHA-256 of a file, or of a folder as [`of_tree`] computes it.
///
/// # Errors
/// `ErrorKind::Io` where a file cannot be read.
pub fn of_path(path: &Utf8Path) -> Result<String> {
    if path.is_dir() {
        return of_tree(path);
    }
    of_file(path)
}

/// Adds the file `path`, or every file of the folder `path` in sorted order, to `digest`, with its name relative to
/// `base`.
///
/// # Errors
/// `ErrorKind::Io` where a file cannot be read.
pub fn hash_tree(base: &Utf8Path, path: &Utf8Path, digest: &mut Sha256) -> Result<()> {
    for file in files_under(path)? {
        interrupt::check()?;
        let bytes = file::read(&file, u64::MAX)?;
        digest.update(file.strip_prefix(base).unwrap_or(&file).as_str().as_bytes());
        digest.update([0]);
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(&bytes);
    }
    Ok(())
}

/// Every file under `path` (or `path` itself), sorted, without the caches of Python and the build folders of cargo. A
/// symbolic link to a folder that it is in is passed over.
///
/// # Errors
/// `ErrorKind::Io` where a folder cannot be read.
pub fn files_under(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![(path.to_owned(), Ancestors::default())];
    while let Some((next, above)) = pending.pop() {
        if !fs_err::metadata(&next)?.is_dir() {
            found.push(next);
            continue;
        }
        let Some(here) = above.enter(&next)? else {
            continue;
        };
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name();
            let leaving = matches!(
                name,
                "__pycache__" | "target" | ".mypy_cache" | ".ruff_cache"
            ) || name.ends_with(".pyc");
            if !leaving {
                pending.push((entry.into_path(), here.clone()));
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_links_to_itself_is_walked_once() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let link = |target: &str, name: &str| {
            fs_err::os::unix::fs::symlink(target, dir.join(name)).unwrap();
        };
        for name in ["a", "b"] {
            fs_err::create_dir(dir.join(name)).unwrap();
            fs_err::write(dir.join(name).join("x"), name).unwrap();
            for number in 0..9 {
                link("..", &format!("{name}/up{number}"));
            }
        }
        link("../b", "a/b");
        link("../a", "b/a");
        let found = files_under(dir).unwrap();
        let names: Vec<&str> = found
            .iter()
            .map(|file| file.strip_prefix(dir).unwrap().as_str())
            .collect();
        assert_eq!(names, ["a/b/x", "a/x", "b/a/x", "b/x"]);
    }

    #[test]
    fn agrees_with_the_standards_example() {
        assert_eq!(
            super::of("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
