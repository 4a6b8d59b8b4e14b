//! Pinned wheels of the package index, which pip fetches once into the cache.

use std::ffi::OsStr;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path::utf8;

/// A release whose wheels are known by their digests.
#[derive(Debug, Clone, Copy)]
pub struct PinnedWheel {
    /// The distribution.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// SHA-256 of the wheels of that release that are taken, such as one for each machine.
    pub sha256: &'static [&'static str],
    /// The end of a sentence that begins with "set": the way to do without the wheel.
    pub instead: &'static str,
}

impl PinnedWheel {
    /// Sees to it that the unpacked wheel is at `place`, a folder of `cache`, and fetches it with the pip of
    /// `python` if it is not. pip looks up its index and mirrors as its user has told it to, and checks
    /// the digest.
    ///
    /// # Errors
    /// [`ErrorKind::Network`] where it is not there and cannot be fetched.
    pub fn at(
        &self,
        place: &Utf8Path,
        cache: &Utf8Path,
        python: &OsStr,
        offline: bool,
    ) -> Result<()> {
        if place.is_dir() {
            return Ok(());
        }
        let Self {
            name,
            version,
            instead,
            ..
        } = self;
        if offline {
            return Err(Error::new(
                ErrorKind::Network,
                format!("{name} {version} is not in the cache, and this run is offline"),
            )
            .at(place)
            .help(format!("run once without --offline, or set {instead}")));
        }
        fs_err::create_dir_all(cache)?;
        let dir = tempfile::Builder::new()
            .prefix(&format!(".{name}-"))
            .tempdir_in(cache)?;
        let dir = utf8(dir.path())?;
        let hashes = self
            .sha256
            .iter()
            .map(|hash| format!(" --hash=sha256:{hash}"));
        let requirements = dir.join("requirements.txt");
        let line = format!("{name}=={version}{}\n", hashes.collect::<String>());
        fs_err::write(&requirements, line)?;
        let run =
            || Tool::new(python, format!("fetch {name} {version}")).fails_as(ErrorKind::Network);
        run()
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .args(["--require-hashes", "--requirement", requirements.as_str()])
            .args(["--dest", dir.as_str()])
            .output()
            .map_err(|error| {
                error.help(format!(
                    "check the network and pip's settings, or set {instead}"
                ))
            })?;
        let mut files = dir.read_dir_utf8()?.filter_map(std::result::Result::ok);
        let wheel = files.find(|entry| entry.file_name().ends_with(".whl"));
        let Some(wheel) = wheel else {
            let what = format!("pip fetched no wheel of {name}");
            return Err(Error::new(ErrorKind::Network, what).at(dir));
        };
        let unpacked = dir.join("unpacked");
        run()
            .args([
                "-m",
                "zipfile",
                "-e",
                wheel.path().as_str(),
                unpacked.as_str(),
            ])
            .output()?;
        // Python's zipfile leaves out the permissions.
        executable(&unpacked)?;
        match fs_err::rename(&unpacked, place) {
            // Another run may have been faster; what it put there is the same.
            Err(_) if place.is_dir() => Ok(()),
            renamed => Ok(renamed?),
        }
    }
}

/// Makes the files of folders of programs executable.
fn executable(folder: &Utf8Path) -> Result<()> {
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            executable(entry.path())?;
        } else if matches!(folder.file_name(), Some("bin" | "scripts")) {
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            fs_err::set_permissions(entry.path(), mode)?;
        }
    }
    Ok(())
}
