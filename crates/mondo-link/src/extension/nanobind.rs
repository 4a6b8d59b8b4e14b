//! nanobind's headers and its one source file: pinned, fetched once, kept in the cache.

use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::Sink;
use mondo_toolchain::{self as toolchain, PinnedWheel};

/// The release that extensions are compiled with: the newest of those that LLVM 22's own Python package takes
/// (`mlir/python/requirements.txt`: `>=2.9, <3.0`), which is what extensions of projects are written for.
pub const VERSION: &str = "2.15.0";

/// SHA-256 of that release's wheel; one wheel serves every platform.
pub const SHA256: &str = "91dae9305c6242cf63ab11a5c41594e234e7a22fd9fcc2c5c4ba80724abc1787";

/// The same release, as one asks an index for it.
pub const REQUIREMENT: &str = "nanobind==2.15.0";

const WHEEL: PinnedWheel = PinnedWheel {
    name: "nanobind",
    version: VERSION,
    sha256: &[SHA256],
    contents: &["nanobind", "nanobind-2.15.0.dist-info/licenses"],
    trees: &["0c546431d4b0862522562cdc48a933259313add2750696cb40c55a92c6b91a75"],
    instead: "MONDO_NANOBIND_DIR to the folder of the Python package",
};

/// The environment variable with a folder to use instead of the pinned release. The folder is laid out like the
/// Python package: `include`, `src`, `ext`.
const VARIABLE: &str = "MONDO_NANOBIND_DIR";

/// A text that identifies the nanobind that [`Nanobind::find`] will return: the folder of the variable, or the digest
/// of the pinned wheel.
pub(super) fn fingerprint() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| SHA256.into())
}

/// The requirement of the pinned release, where it is neither in the cache nor replaced by a variable.
///
/// # Errors
/// `ErrorKind::Io` where there is no folder for the cache.
pub fn missing() -> Result<Option<String>> {
    let named = std::env::var(VARIABLE).is_ok_and(|dir| !dir.is_empty());
    let is_present = named || place(&toolchain::cache_dir()?).is_dir();
    Ok((!is_present).then(|| REQUIREMENT.to_owned()))
}

fn place(cache: &Utf8Path) -> Utf8PathBuf {
    cache.join(format!("nanobind-{VERSION}-{}", &SHA256[..12]))
}

/// An unpacked nanobind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nanobind {
    /// The package's folder.
    pub folder: Utf8PathBuf,
    /// Its licence text, where it is the pinned release.
    pub license: Option<Utf8PathBuf>,
}

impl Nanobind {
    /// The folder that `MONDO_NANOBIND_DIR` names, else the cache's, fetched if it is not there yet.
    /// `python` is the interpreter that has it installed or has a pip.
    pub(crate) fn find(python: &OsStr, offline: bool, sink: &dyn Sink) -> Result<Self> {
        match std::env::var(VARIABLE) {
            Ok(dir) if !dir.is_empty() => Self::at(camino::absolute_utf8(&dir)?, None),
            _ => Self::pinned(&toolchain::cache_dir()?, python, offline, sink),
        }
    }

    pub(crate) fn source(&self) -> Utf8PathBuf {
        self.folder.join("src/nb_combined.cpp")
    }

    pub(crate) fn include(&self) -> Vec<Utf8PathBuf> {
        ["include", "ext/robin_map/include"]
            .map(|dir| self.folder.join(dir))
            .into()
    }

    fn at(folder: Utf8PathBuf, license: Option<Utf8PathBuf>) -> Result<Self> {
        let found = Self { folder, license };
        let mut needed = found.include();
        needed.push(found.source());
        let missing = needed.into_iter().filter(|path| !path.exists());
        let missing: Vec<String> = missing.map(Into::into).collect();
        if missing.is_empty() {
            return Ok(found);
        }
        Err(Error::new(
            ErrorKind::Toolchain,
            "the folder does not contain the Python package nanobind",
        )
        .at(&found.folder)
        .because("these files are missing")
        .details(missing)
        .help(format!(
            "set {VARIABLE} to the folder of the Python package `nanobind`, or unset it to \
             let mondo download the package"
        )))
    }

    fn pinned(cache: &Utf8Path, python: &OsStr, offline: bool, sink: &dyn Sink) -> Result<Self> {
        let place = place(cache);
        WHEEL.at(&place, cache, python, offline, sink)?;
        let license = place.join(format!("nanobind-{VERSION}.dist-info/licenses/LICENSE"));
        Self::at(place.join("nanobind"), Some(license))
    }
}

#[cfg(test)]
mod tests {
    use mondo_core::progress::Silent;

    use super::*;

    #[test]
    fn offline_with_an_empty_cache_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Utf8Path::from_path(dir.path()).unwrap();
        let error = Nanobind::pinned(cache, "python3".as_ref(), true, &Silent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network);
        let message = error.to_string();
        assert!(
            message.contains(VERSION) && message.contains(VARIABLE),
            "{message}"
        );
    }

    #[test]
    fn the_requirement_is_the_release() {
        assert_eq!(WHEEL.requirement(), REQUIREMENT);
    }

    #[test]
    fn projects_find_the_same_release() {
        let root = mondo_core::source::Source::locate().unwrap();
        let config = root
            .root()
            .join("crates/mondo-project/data/nanobind-config.cmake");
        let config = fs_err::read_to_string(config).unwrap();
        let line = format!("set(nanobind_VERSION {VERSION})");
        assert!(config.lines().any(|text| text == line), "{line}");
    }

    #[test]
    fn a_folder_without_nanobind_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let error = Nanobind::at(folder, None).unwrap_err();
        assert!(error.to_string().contains("nb_combined.cpp"), "{error}");
    }
}
