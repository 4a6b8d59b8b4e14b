//! Where LLVM and MLIR, the linker and the C++ compiler come from.
//!
//! [`find`] tries `--llvm-dir`, `MONDO_LLVM_DIR`, a complete system install, and the per-user cache,
//! in this order. A folder that was asked for by name is taken or refused, never passed over; a
//! system install that lacks something is passed over, and [`doctor`] says why.

mod apt;
mod browser;
mod doctor;
#[cfg(test)]
mod fixture;
mod given;
mod inspect;
mod linker;
mod lock;
mod packages;
mod provision;
mod readers;
#[cfg(test)]
mod tests;
mod tree;
mod update;
mod userland;

use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::error::{Error, ErrorKind, Result};
use crate::progress::Sink;

pub use browser::{Browser, browser};
pub use doctor::{CacheFact, Candidate, DoctorReport, Problem, ToolFact, doctor};
pub use linker::{StripTool, linker, strip_tool};
pub(crate) use linker::{compiler_path, rustc};
pub use lock::{Lock, LockedPackage, PackageSet};
pub use readers::readers;
pub use tree::with_libraries;
pub use update::Change;
pub use userland::{Userland, userland};

/// An LLVM/MLIR installation that a bundle can be made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Toolchain {
    /// The full version, as `llvm/Config/llvm-config.h` says it: `22.1.8`.
    pub version: String,
    /// The prefix that holds `bin`, `include` and `lib`: `…/usr/lib/llvm-22`.
    pub prefix: Utf8PathBuf,
    /// How it was found.
    pub origin: Origin,
    /// The distribution's packages it consists of, sorted by name; empty where it is nobody's package.
    pub packages: Vec<Package>,
    /// Folders with the static libraries that LLVM's archives need (`libz.a`, `libzstd.a`), in order.
    pub library_dirs: Vec<Utf8PathBuf>,
    /// `LD_LIBRARY_PATH` for the prefix's own programs; empty for a system install.
    pub tool_library_dirs: Vec<Utf8PathBuf>,
    /// The folder of `libclang.so`, for bindgen.
    pub libclang_dir: Utf8PathBuf,
    /// LLVM's own licence text (the distribution's copyright file or the prefix's LICENSE).
    pub license_file: Option<Utf8PathBuf>,
}

/// How a toolchain was found, in the order in which the places are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// `--llvm-dir`.
    Flag,
    /// `MONDO_LLVM_DIR`.
    Environment,
    /// `/usr/lib/llvm-<major>`, with all that is needed.
    System,
    /// The per-user cache, from the distribution's packages.
    Provisioned,
}

/// A package of the distribution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Package {
    /// `libmlir-22-dev`.
    pub name: String,
    /// The distribution's version: `1:22.1.8-1~deb12u1`.
    pub version: String,
    /// `amd64`.
    pub architecture: String,
    /// SHA-256 of the package file, where it was downloaded.
    pub sha256: Option<String>,
}

/// The linker and the C++ compiler that drives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Linker {
    /// The folder with an `ld.lld`, for `g++ -B`.
    pub lld_dir: Utf8PathBuf,
    /// `LLD 22.1.2 …` as it says itself.
    pub lld_version: String,
    /// The C++ compiler: `g++` or `$CXX`.
    pub cxx: String,
    /// Its first line of `--version`.
    pub cxx_version: String,
    /// The compiler's own C headers (`stddef.h`), which libclang does not bring: bindgen needs them
    /// as `-isystem`.
    pub builtin_headers: Option<Utf8PathBuf>,
}

/// Which toolchain is wanted, and what finding it may use.
#[derive(Debug, Clone)]
pub struct Request {
    /// LLVM's major version: 22.
    pub major: u32,
    /// The full version where the manifest pins one: `22.1.8`.
    pub exact: Option<String>,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// `MONDO_LLVM_DIR`.
    pub env_llvm_dir: Option<Utf8PathBuf>,
    /// The path of `toolchain.lock`.
    pub lock: Utf8PathBuf,
    /// Never touch the network.
    pub offline: bool,
    /// Rewrite the lock with what apt offers now, before anything else.
    pub update_lock: bool,
    /// The per-user cache; see [`cache_dir`].
    pub cache_dir: Utf8PathBuf,
    /// `MONDO_DEB_DIR`: a folder with package files that are used before any download.
    pub deb_dir: Option<Utf8PathBuf>,
}

impl Request {
    /// A request for an LLVM, with all that the environment says: `MONDO_LLVM_DIR`,
    /// `MONDO_CACHE_DIR`, `MONDO_DEB_DIR`.
    pub fn from_environment(major: u32, lock: impl Into<Utf8PathBuf>) -> Result<Self> {
        Ok(Self {
            major,
            exact: None,
            llvm_dir: None,
            env_llvm_dir: variable("MONDO_LLVM_DIR")?,
            lock: lock.into(),
            offline: false,
            update_lock: false,
            cache_dir: cache_dir()?,
            deb_dir: variable("MONDO_DEB_DIR")?,
        })
    }
}

/// The per-user cache: `MONDO_CACHE_DIR`, else `$XDG_CACHE_HOME/mondo`, else `~/.cache/mondo`.
pub fn cache_dir() -> Result<Utf8PathBuf> {
    if let Some(dir) = variable("MONDO_CACHE_DIR")? {
        return absolute(&dir);
    }
    // The XDG base directory specification: a relative path is to be ignored.
    if let Some(dir) = variable("XDG_CACHE_HOME")?.filter(|dir| dir.is_absolute()) {
        return Ok(dir.join("mondo"));
    }
    match variable("HOME")? {
        Some(home) => Ok(absolute(&home)?.join(".cache/mondo")),
        None => Err(
            Error::new(ErrorKind::Io, "there is no folder for the cache")
                .because("neither MONDO_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set")
                .help("set MONDO_CACHE_DIR"),
        ),
    }
}

/// Finds LLVM, provisioning it where no installation serves.
///
/// # Errors
/// [`ErrorKind::Toolchain`] for an installation or a lock that is not what was asked for,
/// [`ErrorKind::Network`] and [`ErrorKind::Integrity`] for packages, [`ErrorKind::MissingTool`]
/// where there is no apt.
pub fn find(request: &Request, sink: &dyn Sink) -> Result<Toolchain> {
    find_on(request, &Machine::here(), sink)
}

/// Rewrites the lock's packages of `request.major` for this machine with what apt offers now;
/// `sink` is told every change. [`find`] does so itself where the request says `update_lock`.
pub fn update_lock(request: &Request, sink: &dyn Sink) -> Result<Vec<Change>> {
    update::update_lock(request, &Machine::here(), sink)
}

fn find_on(request: &Request, machine: &Machine, sink: &dyn Sink) -> Result<Toolchain> {
    if request.update_lock {
        update::update_lock(request, machine, sink)?;
    }
    if let Some((dir, origin)) = given::asked_for(request) {
        return given::take(dir, origin, request, machine);
    }
    match given::system(request, machine)? {
        Ok(toolchain) => Ok(toolchain),
        Err(reason) => {
            tracing::info!(reason, "the system's LLVM is not used");
            provision::provision(request, machine, sink)
        }
    }
}

/// The packages of the distribution that a toolchain is made of, without what their programs load.
fn wanted_packages(major: u32) -> Vec<String> {
    [
        format!("libmlir-{major}-dev"),
        format!("llvm-{major}-dev"),
        format!("mlir-{major}-tools"),
        format!("llvm-{major}-tools"),
        format!("libmlir-{major}"),
        format!("libllvm{major}"),
        format!("libclang1-{major}"),
        "libzstd-dev".to_owned(),
        "zlib1g-dev".to_owned(),
    ]
    .into()
}

/// The value of `LD_LIBRARY_PATH` for programs that load the toolchain's shared libraries: its own,
/// and whatever the variable has already. None where the system's loader finds them by itself.
#[must_use]
pub(crate) fn tool_path(toolchain: &Toolchain) -> Option<String> {
    if toolchain.tool_library_dirs.is_empty() {
        return None;
    }
    let mut dirs: Vec<String> = toolchain
        .tool_library_dirs
        .iter()
        .map(ToString::to_string)
        .collect();
    if let Ok(inherited) = std::env::var("LD_LIBRARY_PATH")
        && !inherited.is_empty()
    {
        dirs.push(inherited);
    }
    Some(dirs.join(":"))
}

/// What finding a toolchain needs to know of this machine; tests make their own.
#[derive(Debug, Clone)]
struct Machine {
    /// The root of the file system.
    root: Utf8PathBuf,
    /// `VERSION_CODENAME` of os-release(5).
    suite: Option<String>,
    /// The architecture as dpkg names it.
    architecture: String,
}

impl Machine {
    fn here() -> Self {
        Self::at(Utf8Path::new("/"))
    }

    fn at(root: &Utf8Path) -> Self {
        let release = fs_err::read_to_string(root.join("etc/os-release")).unwrap_or_default();
        let suite = release.lines().find_map(|line| {
            let name = line.strip_prefix("VERSION_CODENAME=")?;
            Some(name.trim_matches(['"', '\'']).to_owned())
        });
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "x86" => "i386",
            other => other,
        };
        Self {
            root: root.to_owned(),
            suite: suite.filter(|name| !name.is_empty()),
            architecture: architecture.to_owned(),
        }
    }
}

/// A path from the environment; unset and empty are the same.
fn variable(name: &str) -> Result<Option<Utf8PathBuf>> {
    match std::env::var_os(name) {
        Some(value) if !value.is_empty() => utf8(Path::new(&value))
            .map(|path| Some(path.to_owned()))
            .map_err(|error| error.at(name)),
        _ => Ok(None),
    }
}

fn utf8(path: &Path) -> Result<&Utf8Path> {
    Utf8Path::from_path(path).ok_or_else(|| {
        Error::new(ErrorKind::Io, "a path is not UTF-8").because(path.display().to_string())
    })
}

fn absolute(path: &Utf8Path) -> Result<Utf8PathBuf> {
    Ok(camino::absolute_utf8(path)?)
}
