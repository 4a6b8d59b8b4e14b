//! The archives that the last build of a project made. An archive that changed since is removed, so that Ninja, which
//! compares only times, makes it again.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_core::taken_digest::TakenDigest;

/// A project's archives that are as the last build made them, and the place of their record.
#[derive(Debug)]
pub(crate) struct BuiltArchives {
    record: Utf8PathBuf,
    unchanged: BTreeMap<Utf8PathBuf, TakenDigest>,
}

impl BuiltArchives {
    /// Compares the archives with the record in `own`, the folder of mondo's files about the project. An archive whose
    /// bytes are not those that the last build made is removed, with a line about it. The record is removed as well: a
    /// build that fails may have made some archives anew.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] if an archive cannot be read or removed.
    pub(crate) fn verify(own: &Utf8Path, project: &str, sink: &dyn Sink) -> Result<Self> {
        let record = own.join("archives.json");
        let bytes = fs_err::read(&record).unwrap_or_default();
        let recorded: BTreeMap<Utf8PathBuf, TakenDigest> =
            serde_json::from_slice(&bytes).unwrap_or_default();
        let mut unchanged = BTreeMap::new();
        for (path, built) in recorded.into_iter().filter(|(path, _)| path.exists()) {
            let digest = TakenDigest::updated(&path, Some(&built))?;
            if digest.sha256 == built.sha256 {
                unchanged.insert(path, digest);
                continue;
            }
            sink.note(&format!(
                "the project `{project}`: an archive changed after it was built, rebuilding: {path}"
            ));
            fs_err::remove_file(&path)?;
        }
        if record.is_file() {
            fs_err::remove_file(&record)?;
        }
        Ok(Self { record, unchanged })
    }

    /// Records the archives of a finished build. Only those that it made are read.
    ///
    /// # Errors
    /// [`mondo_core::ErrorKind::Io`] if an archive cannot be read or the record cannot be written.
    pub(crate) fn write(&self, archives: &[&Utf8PathBuf]) -> Result<()> {
        let digests = archives.iter().filter(|path| path.is_file()).map(|&path| {
            let digest = TakenDigest::updated(path, self.unchanged.get(path))?;
            Ok((path.clone(), digest))
        });
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
        let verify = |sink: &dyn Sink| BuiltArchives::verify(dir, "toy", sink).unwrap();
        let built = verify(&Silent);
        built.write(&[&changed, &copied]).unwrap();

        // The clock of some file systems ticks every few milliseconds.
        std::thread::sleep(Duration::from_millis(20));
        fs_err::write(&changed, "!<arch>\nsoxnd").unwrap();
        fs_err::write(&copied, "!<arch>\nsound").unwrap();
        let lines = Recorded::default();
        verify(&lines);
        assert!(!changed.exists() && copied.exists());
        let lines = lines.into_lines();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(
            lines[0].contains("`toy`") && lines[0].contains("libToy.a"),
            "{lines:?}"
        );

        fs_err::write(&copied, "made by a build that failed later").unwrap();
        verify(&Silent);
        assert!(copied.exists(), "nothing is recorded during a build");
    }
}
