//! The archives that the last build of a project made. An archive that changed since is removed, so that Ninja, which
//! compares only times, makes it again.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_core::taken_digest::TakenDigest;

/// The record of a project's archives.
#[derive(Debug)]
pub(crate) struct BuiltArchives {
    record: Utf8PathBuf,
}

impl BuiltArchives {
    /// The record in `own`, the folder of mondo's files about the project.
    pub(crate) fn of(own: &Utf8Path) -> Self {
        Self {
            record: own.join("archives.json"),
        }
    }

    /// Removes the archives whose bytes are not those that the last build made, and prints a line about each. The
    /// record is removed as well: a build that fails may have made some archives anew.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] if an archive cannot be read or removed.
    pub(crate) fn remove_changed(&self, project: &str, sink: &dyn Sink) -> Result<()> {
        let bytes = fs_err::read(&self.record).unwrap_or_default();
        let recorded: BTreeMap<Utf8PathBuf, TakenDigest> =
            serde_json::from_slice(&bytes).unwrap_or_default();
        for (path, digest) in recorded {
            let Ok(metadata) = fs_err::metadata(&path) else {
                continue;
            };
            if digest.looks_the_same(&metadata) || TakenDigest::of(&path)?.sha256 == digest.sha256 {
                continue;
            }
            sink.note(&format!(
                "the project `{project}`: an archive changed after it was built, rebuilding: {path}"
            ));
            fs_err::remove_file(&path)?;
        }
        if self.record.is_file() {
            fs_err::remove_file(&self.record)?;
        }
        Ok(())
    }

    /// Records the archives of a finished build.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] if an archive cannot be read or the record cannot be written.
    pub(crate) fn write(&self, archives: &[&Utf8PathBuf]) -> Result<()> {
        let digests = archives
            .iter()
            .filter(|path| path.is_file())
            .map(|path| Ok(((*path).clone(), TakenDigest::of(path)?)));
        let digests: BTreeMap<Utf8PathBuf, TakenDigest> = digests.collect::<Result<_>>()?;
        let text = serde_json::to_vec(&digests).map_err(std::io::Error::from)?;
        replace(&self.record, &text)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mondo_core::progress::{Recorded, Silent};

    use super::*;

    #[test]
    fn an_archive_with_a_changed_byte_is_removed_and_a_copy_stays() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let [changed, copied] = ["libToy.a", "libToyCAPI.a"].map(|name| dir.join(name));
        for path in [&changed, &copied] {
            fs_err::write(path, "!<arch>\nsound").unwrap();
        }
        let built = BuiltArchives::of(dir);
        built.write(&[&changed, &copied]).unwrap();

        // The clock of some file systems ticks every few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        fs_err::write(&changed, "!<arch>\nsoxnd").unwrap();
        fs_err::write(&copied, "!<arch>\nsound").unwrap();
        let lines = Recorded::default();
        built.remove_changed("toy", &lines).unwrap();
        assert!(!changed.exists() && copied.exists());
        let lines = lines.into_lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].contains("`toy`") && lines[0].contains("libToy.a"),
            "{lines:?}"
        );

        fs_err::write(&copied, "made by a build that failed later").unwrap();
        built.remove_changed("toy", &Silent).unwrap();
        assert!(copied.exists(), "nothing is recorded during a build");
    }
}
