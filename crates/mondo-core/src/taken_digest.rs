//! The digest of a file, with the file's stamp at that time, so that an unchanged file need not be read again.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;

use camino::{Utf8Path, Utf8PathBuf};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::digest;
use crate::error::{Error, ErrorKind, Result};
use crate::file::replace;

/// A digest and the stamp of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenDigest {
    /// SHA-256, hexadecimal.
    pub sha256: String,
    /// Device, inode, size, and the times of the last change to contents and to metadata, in nanoseconds. A program
    /// can set the first of these times, but not the second.
    stamp: String,
}

impl TakenDigest {
    /// Reads the file.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if it cannot be read, or changes while it is read.
    pub fn of(path: &Utf8Path) -> Result<Self> {
        let stamp = stamp(&fs_err::metadata(path)?);
        let sha256 = digest::of_file(path)?;
        let taken = Self { sha256, stamp };
        if taken.looks_the_same(&fs_err::metadata(path)?) {
            return Ok(taken);
        }
        Err(
            Error::new(ErrorKind::Io, "a file changed while mondo was reading it")
                .at(path)
                .help("run mondo again when no other program writes to it"),
        )
    }

    /// The digest of the file, which is read only if it changed since `earlier` was taken.
    ///
    /// # Errors
    /// Those of [`TakenDigest::of`].
    pub fn updated(path: &Utf8Path, earlier: Option<&Self>) -> Result<Self> {
        let metadata = fs_err::metadata(path)?;
        match earlier {
            Some(taken) if taken.looks_the_same(&metadata) => Ok(taken.clone()),
            _ => Self::of(path),
        }
    }

    /// Returns whether a file with this metadata is unchanged since its digest was taken.
    #[must_use]
    pub fn looks_the_same(&self, metadata: &Metadata) -> bool {
        self.stamp == stamp(metadata)
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        let size = self.stamp.split(' ').nth(2);
        size.and_then(|size| size.parse().ok()).unwrap_or_default()
    }

    /// The digests of `files`, in order. `memo` is a file with the digests of earlier builds; unchanged files are not
    /// read again.
    ///
    /// # Errors
    /// Those of [`TakenDigest::of`]; [`ErrorKind::Io`] if `memo` cannot be written.
    pub fn of_all(files: &[&Utf8Path], memo: &Utf8Path) -> Result<Vec<String>> {
        let bytes = fs_err::read(memo).unwrap_or_default();
        let mut known: BTreeMap<Utf8PathBuf, Self> =
            serde_json::from_slice(&bytes).unwrap_or_default();
        let take = |path: &&Utf8Path| -> Result<(Utf8PathBuf, Self)> {
            Ok((path.to_path_buf(), Self::updated(path, known.get(*path))?))
        };
        let all: Vec<(Utf8PathBuf, Self)> = files.par_iter().map(take).collect::<Result<_>>()?;
        let digests = all.iter().map(|(_, taken)| taken.sha256.clone()).collect();
        if all
            .iter()
            .any(|(path, taken)| known.get(path) != Some(taken))
        {
            known.extend(all);
            let text = serde_json::to_vec(&known).map_err(std::io::Error::from)?;
            replace(memo, &text)?;
        }
        Ok(digests)
    }
}

fn stamp(metadata: &Metadata) -> String {
    format!(
        "{} {} {} {}.{:09} {}.{:09}",
        metadata.dev(),
        metadata.ino(),
        metadata.size(),
        metadata.mtime(),
        metadata.mtime_nsec(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_its_size_and_time_restored_still_looks_changed() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (path, memo) = (dir.join("a"), dir.join("memo"));
        fs_err::write(&path, "one").unwrap();
        let taken = TakenDigest::of(&path).unwrap();
        assert_eq!(
            (taken.sha256.as_str(), taken.size()),
            (&*digest::of("one"), 3)
        );
        let metadata = fs_err::metadata(&path).unwrap();
        assert!(taken.looks_the_same(&metadata));
        let all = || TakenDigest::of_all(&[&path], &memo).unwrap();
        assert_eq!(all(), [digest::of("one")]);
        // The clock of some file systems ticks every few milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(20));
        fs_err::write(&path, "two").unwrap();
        let file = fs_err::OpenOptions::new().write(true).open(&path).unwrap();
        file.file()
            .set_modified(metadata.modified().unwrap())
            .unwrap();
        assert!(!taken.looks_the_same(&fs_err::metadata(&path).unwrap()));
        assert_eq!(all(), [digest::of("two")]);
        fs_err::write(&memo, "damaged").unwrap();
        assert_eq!(all(), [digest::of("two")]);
    }
}
