//! `CMake` and Ninja: pinned wheels of the package index, fetched once by pip and kept in the cache.

use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_toolchain::{PinnedWheel, cache_dir};

/// A program in a wheel.
struct Program {
    wheel: PinnedWheel,
    /// The path of the program in the unpacked wheel.
    path: &'static str,
    /// Names a program to use instead.
    variable: &'static str,
}

const CMAKE: Program = Program {
    wheel: PinnedWheel {
        name: "cmake",
        version: "4.4.4",
        sha256: &[
            "f773a0544c66370408f451acd487c2c643b0dfebb48c5d64f3638bc1bb820238",
            "b3029f586853e01ddf2824c1ff124a1c5284f8ae897994758e9c4eeb45903b58",
        ],
        instead: "MONDO_CMAKE to a program",
    },
    path: "cmake/data/bin/cmake",
    variable: "MONDO_CMAKE",
};

const NINJA: Program = Program {
    wheel: PinnedWheel {
        name: "ninja",
        version: "1.13.2",
        sha256: &[
            "65a24341b5ac09fcadcc37082660be40a94174e51a937fabf6e2cae26225fa2c",
            "d775a5e43e9088f507a6250d57fcf5678eb31268c545feb5064ffeee33735622",
        ],
        instead: "MONDO_NINJA to a program",
    },
    path: "ninja-1.13.2.data/scripts/ninja",
    variable: "MONDO_NINJA",
};

/// Variables that keep the programs which a project's build starts from fetching anything: git knows no other protocol than files,
/// pip no index, and nothing listens where the rest looks for its proxy. Those who fetch by another way are the
/// project's.
const OFFLINE: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "file"),
    ("PIP_NO_INDEX", "1"),
    ("http_proxy", NOBODY),
    ("https_proxy", NOBODY),
    ("HTTPS_PROXY", NOBODY),
    ("ftp_proxy", NOBODY),
    ("all_proxy", NOBODY),
    ("ALL_PROXY", NOBODY),
    ("no_proxy", ""),
    ("NO_PROXY", ""),
];

/// The port for what is thrown away.
const NOBODY: &str = "http://127.0.0.1:9";

/// The two programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tools {
    /// `cmake`.
    pub cmake: Utf8PathBuf,
    /// `ninja`.
    pub ninja: Utf8PathBuf,
    /// True if a project's build may fetch nothing.
    pub offline: bool,
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
            offline,
        })
    }

    /// A run of one of them, with the environment of a bundle that is made without the network.
    pub(crate) fn run(&self, tool: Tool) -> Tool {
        let variables = OFFLINE.iter().filter(|_| self.offline);
        variables.fold(tool, |tool, (key, value)| tool.env(key, value))
    }
}

impl Program {
    fn find(&self, cache: &Utf8Path, python: &OsStr, offline: bool) -> Result<Utf8PathBuf> {
        match std::env::var(self.variable) {
            Ok(program) if !program.is_empty() => Ok(program.into()),
            _ => self.pinned(cache, python, offline),
        }
    }

    fn pinned(&self, cache: &Utf8Path, python: &OsStr, offline: bool) -> Result<Utf8PathBuf> {
        let (name, version) = (self.wheel.name, self.wheel.version);
        let machine = std::env::consts::ARCH;
        let place = cache.join(format!("{name}-{version}-{machine}"));
        self.wheel.at(&place, cache, python, offline)?;
        let program = place.join(self.path);
        if program.is_file() {
            return Ok(program);
        }
        Err(
            Error::new(ErrorKind::MissingTool, format!("{name} was not found"))
                .at(program)
                .because("the wheel does not have it")
                .help(format!("remove {place}, or set {}", self.wheel.instead)),
        )
    }
}
