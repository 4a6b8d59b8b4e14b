//! `CMake` and Ninja: pinned wheels of the package index, fetched once and kept in the cache.

use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::progress::Sink;
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
        contents: &["cmake"],
        trees: &[
            "c181053a1bda8570807ba29ad7cbd2d9ec4ca3cd9cf274cf34112fd2f9a4dd5c",
            "cdc030659f5e95d03b32bf80c14da5456c4d488fd2d8fc0a42ad0afa0f8fedc5",
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
        contents: &["ninja-1.13.2.data/scripts/ninja"],
        trees: &[
            "5157a087118984037a96d936f5736fd91fdd623ab12ed3176b81bdd0b7695697",
            "1861ef4e6602c8849995bdd8dd34bb852abc8b32ed3aab33e8c13876f221ae10",
        ],
        instead: "MONDO_NINJA to a program",
    },
    path: "ninja-1.13.2.data/scripts/ninja",
    variable: "MONDO_NINJA",
};

/// The pinned releases as pip requirements.
pub const REQUIREMENTS: [&str; 2] = ["cmake==4.4.4", "ninja==1.13.2"];

/// Environment variables that keep the programs of a project's build from using the network: git may use the protocol
/// `file` only, pip has no index, and all proxies are an address at which nothing listens. They do not stop a program
/// that ignores these variables; that is the project's responsibility.
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

/// The discard port, at which nothing listens.
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
    /// The requirements of the pinned ones that are neither in the cache nor replaced by a variable.
    ///
    /// # Errors
    /// `ErrorKind::Io` where there is no folder for the cache.
    pub fn missing() -> Result<Vec<String>> {
        let cache = cache_dir()?;
        let programs = [CMAKE, NINJA].into_iter();
        let missing =
            programs.filter(|program| program.named().is_none() && !program.place(&cache).is_dir());
        Ok(missing.map(|program| program.wheel.requirement()).collect())
    }

    /// The programs that `MONDO_CMAKE` and `MONDO_NINJA` name, else the pinned ones. `python` is the
    /// interpreter whose pip fetches them.
    ///
    /// # Errors
    /// `ErrorKind::Network` where one is not in the cache and cannot be fetched.
    pub fn find(python: &OsStr, offline: bool, sink: &dyn Sink) -> Result<Self> {
        let cache = cache_dir()?;
        Ok(Self {
            cmake: CMAKE.find(&cache, python, offline, sink)?,
            ninja: NINJA.find(&cache, python, offline, sink)?,
            offline,
        })
    }

    /// Adds to a run of CMake or Ninja the environment that keeps a build offline, if the bundle is made without the
    /// network.
    pub(crate) fn run(&self, tool: Tool) -> Tool {
        let variables = OFFLINE.iter().filter(|_| self.offline);
        variables.fold(tool, |tool, (key, value)| tool.env(key, value))
    }
}

impl Program {
    /// The program that the environment variable names.
    fn named(&self) -> Option<Utf8PathBuf> {
        let named = std::env::var(self.variable).ok();
        named.filter(|path| !path.is_empty()).map(Utf8PathBuf::from)
    }

    fn place(&self, cache: &Utf8Path) -> Utf8PathBuf {
        let (name, version) = (self.wheel.name, self.wheel.version);
        cache.join(format!("{name}-{version}-{}", std::env::consts::ARCH))
    }

    fn find(
        &self,
        cache: &Utf8Path,
        python: &OsStr,
        offline: bool,
        sink: &dyn Sink,
    ) -> Result<Utf8PathBuf> {
        if let Some(named) = self.named() {
            return Ok(named);
        }
        let (name, place) = (self.wheel.name, self.place(cache));
        self.wheel.at(&place, cache, python, offline, sink)?;
        let program = place.join(self.path);
        if program.is_file() {
            return Ok(program);
        }
        Err(
            Error::new(ErrorKind::MissingTool, format!("{name} was not found"))
                .at(program)
                .because("the wheel does not contain it")
                .help(format!("remove {place}, or set {}", self.wheel.instead)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requirements_are_the_releases() {
        assert_eq!(
            [CMAKE, NINJA].map(|program| program.wheel.requirement()),
            REQUIREMENTS
        );
    }
}
