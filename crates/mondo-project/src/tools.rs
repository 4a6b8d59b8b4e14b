//! `CMake` and Ninja: pinned wheels of the package index, fetched once by pip and kept in the cache.

use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_toolchain::cache_dir;

/// A program in a wheel.
struct Pinned {
    name: &'static str,
    version: &'static str,
    /// SHA-256 of the wheels of that release, one for each machine.
    sha256: &'static [&'static str],
    /// The path of the program in the unpacked wheel.
    program: &'static str,
    /// Names a program to use instead.
    variable: &'static str,
}

const CMAKE: Pinned = Pinned {
    name: "cmake",
    version: "4.4.4",
    sha256: &[
        "f773a0544c66370408f451acd487c2c643b0dfebb48c5d64f3638bc1bb820238",
        "b3029f586853e01ddf2824c1ff124a1c5284f8ae897994758e9c4eeb45903b58",
    ],
    program: "cmake/data/bin/cmake",
    variable: "MONDO_CMAKE",
};

const NINJA: Pinned = Pinned {
    name: "ninja",
    version: "1.13.2",
    sha256: &[
        "65a24341b5ac09fcadcc37082660be40a94174e51a937fabf6e2cae26225fa2c",
        "d775a5e43e9088f507a6250d57fcf5678eb31268c545feb5064ffeee33735622",
    ],
    program: "ninja-1.13.2.data/scripts/ninja",
    variable: "MONDO_NINJA",
};

/// The two programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// `cmake`.
    pub cmake: Utf8PathBuf,
    /// `ninja`.
    pub ninja: Utf8PathBuf,
}

impl Tools {
    /// The programs that `MONDO_CMAKE` and `MONDO_NINJA` name, else the pinned ones. `python` is the
    /// interpreter whose pip fetches them.
    ///
    /// # Errors
    /// `ErrorKind::Network` where one is not in the cache and cannot be fetched.
    pub fn find(python: &OsStr, offline: bool) -> Result<Self> {
        let cache = cache_dir()?;
        Ok(Self {
            cmake: CMAKE.find(&cache, python, offline)?,
            ninja: NINJA.find(&cache, python, offline)?,
        })
    }
}

impl Pinned {
    fn find(&self, cache: &Utf8Path, python: &OsStr, offline: bool) -> Result<Utf8PathBuf> {
        match std::env::var(self.variable) {
            Ok(program) if !program.is_empty() => Ok(program.into()),
            _ => self.pinned(cache, python, offline),
        }
    }

    fn pinned(&self, cache: &Utf8Path, python: &OsStr, offline: bool) -> Result<Utf8PathBuf> {
        let (name, version) = (self.name, self.version);
        let machine = std::env::consts::ARCH;
        let place = cache.join(format!("{name}-{version}-{machine}"));
        let program = place.join(self.program);
        if !program.is_file() {
            if offline {
                return Err(Error::new(
                    ErrorKind::Network,
                    format!("{name} {version} is not in the cache, and this run is offline"),
                )
                .at(&place)
                .help(format!(
                    "run once without --offline, or set {} to a program",
                    self.variable
                )));
            }
            self.fetch(cache, &place, python)?;
        }
        if program.is_file() {
            return Ok(program);
        }
        Err(
            Error::new(ErrorKind::MissingTool, format!("{name} was not found"))
                .at(program)
                .because("the wheel does not have it")
                .help(format!(
                    "remove {place}, or set {} to a program",
                    self.variable
                )),
        )
    }

    /// pip looks up its index and mirrors as its user has told it to, and checks the digest.
    fn fetch(&self, cache: &Utf8Path, place: &Utf8Path, python: &OsStr) -> Result<()> {
        fs_err::create_dir_all(cache)?;
        let dir = tempfile::Builder::new()
            .prefix(&format!(".{}-", self.name))
            .tempdir_in(cache)?;
        let dir = mondo_core::path::utf8(dir.path())?;
        let hashes: String = self
            .sha256
            .iter()
            .map(|hash| format!(" --hash=sha256:{hash}"))
            .collect();
        let requirements = dir.join("requirements.txt");
        let line = format!("{}=={}{hashes}\n", self.name, self.version);
        fs_err::write(&requirements, line)?;
        let run = || {
            Tool::new(python, format!("fetch {} {}", self.name, self.version))
                .fails_as(ErrorKind::Network)
        };
        run()
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .args(["--require-hashes", "--requirement", requirements.as_str()])
            .args(["--dest", dir.as_str()])
            .output()
            .map_err(|error| {
                error.help(format!(
                    "check the network and pip's settings, or set {} to a program",
                    self.variable
                ))
            })?;
        let mut wheels = dir.read_dir_utf8()?.filter_map(std::result::Result::ok);
        let wheel = wheels.find(|entry| entry.file_name().ends_with(".whl"));
        let Some(wheel) = wheel else {
            let what = format!("pip fetched no wheel of {}", self.name);
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
