//! Pinned wheels that are fetched from a package index, once, into the cache.

use std::ffi::OsStr;

use camino::Utf8Path;
use mondo_core::cache_entry;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path::utf8;
use mondo_core::progress::Sink;

use crate::host::path_dirs;
use crate::installed_wheel::{PinnedWheel, folders};

impl PinnedWheel {
    /// Makes sure that the unpacked wheel is at `place`, a folder of `cache`. If it is not there, it is copied from
    /// an installed package, else fetched with the pip of `python`, else with uv. Both installers use the index and
    /// the mirrors that the user configured, and check the digest.
    ///
    /// # Errors
    /// [`ErrorKind::Network`] where it is not there and cannot be fetched.
    pub fn at(
        &self,
        place: &Utf8Path,
        cache: &Utf8Path,
        python: &OsStr,
        offline: bool,
        sink: &dyn Sink,
    ) -> Result<()> {
        let Self {
            name,
            version,
            instead,
            ..
        } = self;
        let damaged = place.is_dir();
        if cache_entry::usable(place, &format!("{name} {version}"), sink)? {
            return Ok(());
        }
        fs_err::create_dir_all(cache)?;
        let dir = tempfile::Builder::new()
            .prefix(&format!(".{name}-"))
            .tempdir_in(cache)?;
        let dir = utf8(dir.path())?;
        let unpacked = dir.join("unpacked");
        if !self.copy_installed(&folders(python)?, &unpacked)? {
            if offline {
                let (kind, state) = match damaged {
                    true => (ErrorKind::Integrity, "damaged"),
                    false => (ErrorKind::Network, "not"),
                };
                return Err(Error::new(
                    kind,
                    format!("{name} {version} is {state} in the cache, and `--offline` is set"),
                )
                .at(place)
                .help(format!("run once without `--offline`, or set {instead}")));
            }
            self.fetch(dir, python, &unpacked)?;
        }
        // Python's zipfile and some installers do not restore permissions.
        executable(&unpacked)?;
        cache_entry::seal(&unpacked, self.version)?;
        cache_entry::install(&unpacked, place, dir)
    }

    /// Fetches the wheel into `dir`, and unpacks it.
    fn fetch(&self, dir: &Utf8Path, python: &OsStr, unpacked: &Utf8Path) -> Result<()> {
        let Self { name, version, .. } = self;
        let hashes = self
            .sha256
            .iter()
            .map(|hash| format!(" --hash=sha256:{hash}"));
        let requirements = dir.join("requirements.txt");
        let line = format!("{}{}\n", self.requirement(), hashes.collect::<String>());
        fs_err::write(&requirements, line)?;
        let purpose = format!("fetch {name} {version}");
        let tool = |program: &OsStr| Tool::new(program, &purpose).fails_as(ErrorKind::Network);
        let only_this = |tool: Tool| {
            tool.args(["--quiet", "--no-deps", "--only-binary", ":all:"])
                .args(["--require-hashes", "--requirement", requirements.as_str()])
        };
        let advice = |error: Error, whose: &str| {
            let instead = self.instead;
            error.help(format!(
                "check the network and {whose} settings, install {name}=={version}, or set {instead}"
            ))
        };
        let has_pip = tool(python).args(["-c", "import pip"]).output_unchecked()?;
        if !has_pip.status.success() {
            let uv = path_dirs()
                .map(|dir| dir.join("uv"))
                .find(|program| program.is_file());
            let Some(uv) = uv else {
                return Err(self.no_installer(python));
            };
            // uv has no command that only downloads.
            let target = dir.join("installed");
            only_this(tool(uv.as_str().as_ref()).args(["pip", "install"]))
                .args(["--target", target.as_str(), "--python"])
                .arg(python)
                .output()
                .map_err(|error| advice(error, "uv's"))?;
            return match self.copy_installed(&[target], unpacked)? {
                true => Ok(()),
                false => Err(Error::new(
                    ErrorKind::Integrity,
                    format!("uv installed files that differ from the wheel of {name} {version}"),
                )),
            };
        }
        only_this(tool(python).args(["-m", "pip", "download"]))
            .args(["--disable-pip-version-check", "--dest", dir.as_str()])
            .output()
            .map_err(|error| advice(error, "pip's"))?;
        let mut files = dir.read_dir_utf8()?.filter_map(std::result::Result::ok);
        let wheel = files.find(|entry| entry.file_name().ends_with(".whl"));
        let Some(wheel) = wheel else {
            let what = format!("pip downloaded no wheel of {name}");
            return Err(Error::new(ErrorKind::Network, what).at(dir));
        };
        tool(python)
            .args(["-m", "zipfile", "-e", wheel.path().as_str()])
            .arg(unpacked)
            .output()
            .map(drop)
    }

    /// An error where neither pip nor uv is there.
    fn no_installer(&self, python: &OsStr) -> Error {
        let Self { name, version, .. } = self;
        Error::new(
            ErrorKind::Network,
            format!("could not download {name} {version}"),
        )
        .at(python.to_string_lossy())
        .because("this Python has no pip, and `uv` is not on PATH")
        .help(format!(
            "install {name}=={version} into this Python's environment, or set {}",
            self.instead
        ))
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
