//! nanobind's headers and its one source file: pinned, fetched once by pip, kept in the cache.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_toolchain as toolchain;

use super::interpreter;

/// The release that extensions are compiled with.
pub const VERSION: &str = "3.1.0";

/// Of the wheel of that release, which is for every platform.
pub const SHA256: &str = "96984dbe8154ffb86e653b1b60aaeed6985c710c5e75ad0279eb87943c66292d";

/// The folder to use instead, laid out like the Python package: `include`, `src`, `ext`.
const VARIABLE: &str = "MONDO_NANOBIND_DIR";

/// The nanobind that it will be.
pub(super) fn fingerprint() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| SHA256.into())
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
    pub(crate) fn find(offline: bool) -> Result<Self> {
        match std::env::var(VARIABLE) {
            Ok(dir) if !dir.is_empty() => Self::at(camino::absolute_utf8(&dir)?, None),
            _ => Self::pinned(&toolchain::cache_dir()?, offline),
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
        Err(Error::new(ErrorKind::Toolchain, "this is no nanobind")
            .at(&found.folder)
            .because("these are missing")
            .details(missing)
            .help(format!(
                "{VARIABLE} is the folder of the Python package `nanobind`; without it mondo fetches \
                 its own"
            )))
    }

    fn pinned(cache: &Utf8Path, offline: bool) -> Result<Self> {
        let place = cache.join(format!("nanobind-{VERSION}-{}", &SHA256[..12]));
        if !place.is_dir() {
            if offline {
                return Err(Error::new(
                    ErrorKind::Network,
                    format!("nanobind {VERSION} is not in the cache, and this run is offline"),
                )
                .at(&place)
                .help(format!(
                    "run once without --offline, or set {VARIABLE} to the folder of the Python \
                     package"
                )));
            }
            fetch(cache, &place)?;
        }
        let license = place.join(format!("nanobind-{VERSION}.dist-info/licenses/LICENSE"));
        Self::at(place.join("nanobind"), Some(license))
    }
}

/// pip looks up its index and mirrors as its user has told it to, and checks the digest.
fn fetch(cache: &Utf8Path, place: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(cache)?;
    let dir = tempfile::Builder::new()
        .prefix(".nanobind-")
        .tempdir_in(cache)?;
    let dir = Utf8Path::from_path(dir.path()).ok_or_else(|| {
        Error::new(ErrorKind::Io, "a path is not UTF-8").because(dir.path().display().to_string())
    })?;
    let requirements = dir.join("requirements.txt");
    fs_err::write(
        &requirements,
        format!("nanobind=={VERSION} --hash=sha256:{SHA256}\n"),
    )?;
    let python =
        || Tool::new(interpreter::program(), "fetch nanobind").fails_as(ErrorKind::Network);
    let fetched = python()
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary=:all:",
        ])
        .args(["--disable-pip-version-check", "--require-hashes"])
        .args(["-r", requirements.as_str(), "-d", dir.as_str()])
        .output();
    fetched.map_err(|error| {
        error.help(format!(
            "check the network and pip's settings, or set {VARIABLE} to the folder of the Python \
             package `nanobind`"
        ))
    })?;
    let wheel = dir.join(format!("nanobind-{VERSION}-py3-none-any.whl"));
    let unpacked = dir.join("unpacked");
    python()
        .args(["-m", "zipfile", "-e", wheel.as_str(), unpacked.as_str()])
        .output()?;
    // Another run may have been faster; what it put there is the same.
    match fs_err::rename(&unpacked, place) {
        Err(_) if place.is_dir() => Ok(()),
        renamed => Ok(renamed?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offline_with_an_empty_cache_says_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Utf8Path::from_path(dir.path()).unwrap();
        let error = Nanobind::pinned(cache, true).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Network);
        let said = error.to_string();
        assert!(said.contains(VERSION) && said.contains(VARIABLE), "{said}");
    }

    #[test]
    fn a_folder_without_nanobind_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        let error = Nanobind::at(folder, None).unwrap_err();
        assert!(error.to_string().contains("nb_combined.cpp"), "{error}");
    }
}
