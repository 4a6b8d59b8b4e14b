//! An installation of LLVM and MLIR: its folders, its packages, and the names of these in the
//! distribution.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::archive_traits::ArchiveTraits;
use crate::host::Target;
use crate::inspect::triplet;

/// An LLVM/MLIR installation that a bundle can be made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Toolchain {
    /// The full version, as `llvm/Config/llvm-config.h` says it: `22.1.8`.
    pub version: String,
    /// The prefix that holds `bin`, `include` and `lib`: `…/usr/lib/llvm-22`.
    pub prefix: Utf8PathBuf,
    /// The rule by which it was found.
    pub origin: Origin,
    /// The distribution's packages it consists of, sorted by name; empty where it is nobody's package.
    pub packages: Vec<Package>,
    /// Folders with the static libraries that LLVM's archives need (`libz.a`, `libzstd.a`), in order.
    pub library_dirs: Vec<Utf8PathBuf>,
    /// `LD_LIBRARY_PATH` for the prefix's shared libraries; empty for a system install.
    pub tool_library_dirs: Vec<Utf8PathBuf>,
    /// The folder of the C and C++ runtime that locked packages bring, whose loader starts their programs.
    pub sysroot: Option<Utf8PathBuf>,
    /// The locked packages that have what an LLVM which the user named lacks: the compiler, the linker, and perhaps
    /// `mlir-tblgen` and libraries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supplement: Option<Box<Toolchain>>,
    /// The folder that the user named, if `prefix` has links to its files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<Utf8PathBuf>,
    /// The way in which its archives were compiled.
    pub traits: ArchiveTraits,
    /// The folder of `libclang.so`, for bindgen.
    pub libclang_dir: Utf8PathBuf,
    /// The origin of the packages where they are those of a suite that moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// The toolchain of the compiler, the linker and libclang where they are not this one's.
    #[serde(skip)]
    pub base: Option<Box<Toolchain>>,
    /// LLVM's own licence text (the distribution's copyright file or the prefix's LICENSE).
    pub license_file: Option<Utf8PathBuf>,
}

/// The folder of the C and C++ runtime, below the root of unpacked packages.
pub(crate) const SYSROOT: &str = "sysroot";

impl Toolchain {
    /// The dynamic loader of the locked C library.
    pub(crate) fn loader(&self, target: &Target) -> Option<Utf8PathBuf> {
        Some(self.sysroot.as_ref()?.join(target.loader()?)).filter(|loader| loader.is_file())
    }

    /// The toolchain whose compiler, linker and libclang are used.
    #[must_use]
    pub fn base(&self) -> &Self {
        self.base.as_deref().unwrap_or(self)
    }

    /// The folder of the programs that belong to the locked lld: those of LLVM itself, or of another one.
    pub(crate) fn locked_programs(&self) -> Option<Utf8PathBuf> {
        if let Some(supplement) = &self.supplement {
            return supplement.locked_programs();
        }
        self.sysroot.as_ref()?;
        if let Some(base) = &self.base {
            return base.locked_programs();
        }
        let major = self.version.split('.').next()?.parse().ok()?;
        let prefix = self
            .prefix
            .with_file_name(format!("llvm-{}", lld_of(major)));
        Some(prefix.join("bin"))
    }

    /// The folders in which the loader of the locked C library finds the libraries of all locked packages.
    pub(crate) fn library_path(&self) -> String {
        let mut folders: Vec<String> = self
            .tool_library_dirs
            .iter()
            .map(Utf8PathBuf::to_string)
            .collect();
        if let Some(sysroot) = &self.sysroot {
            folders.extend(
                ["usr/lib", "lib"].map(|folder| sysroot.join(folder).join(triplet()).to_string()),
            );
        }
        folders.join(":")
    }
}

/// The rules by which a toolchain is found, in the order in which they are tried.
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

/// The origin of a set that moves.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Moved {
    /// The suite: `sid`.
    pub suite: String,
    /// The date of the suite's index, as the index says it.
    pub date: String,
    /// SHA-256 of the signed index, lower-case hexadecimal.
    pub index: String,
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

/// The value of `LD_LIBRARY_PATH` for the toolchain's own programs. None if they find their libraries by themselves, as those of
/// locked packages do: the variable would lead the host's programs, which they start, to the same libraries.
#[must_use]
pub(crate) fn own_programs_path(toolchain: &Toolchain) -> Option<String> {
    match toolchain.sysroot {
        Some(_) => None,
        None => joined(&toolchain.tool_library_dirs),
    }
}

/// The value of `LD_LIBRARY_PATH` for programs that load the toolchain's shared libraries: the toolchain's folders,
/// followed by the variable's present value. None where the system's loader finds the libraries by itself.
#[must_use]
pub fn tool_path(toolchain: &Toolchain) -> Option<String> {
    let supplement = toolchain.supplement.iter();
    let dirs = toolchain.tool_library_dirs.iter();
    joined(dirs.chain(supplement.flat_map(|locked| &locked.tool_library_dirs)))
}

fn joined<'a>(dirs: impl IntoIterator<Item = &'a Utf8PathBuf>) -> Option<String> {
    let mut dirs: Vec<String> = dirs.into_iter().map(ToString::to_string).collect();
    if dirs.is_empty() {
        return None;
    }
    if let Ok(inherited) = std::env::var("LD_LIBRARY_PATH")
        && !inherited.is_empty()
    {
        dirs.push(inherited);
    }
    Some(dirs.join(":"))
}

/// The first LLVM major version whose lld can sort functions for compression, which mondo's links ask for.
const FIRST_LLD: u32 = 20;

/// The LLVM whose lld links bundles of versions older than [`FIRST_LLD`].
const LLD_OF_OLDER: u32 = 22;

/// The LLVM whose lld links bundles of LLVM `major`.
pub(crate) fn lld_of(major: u32) -> u32 {
    if major < FIRST_LLD {
        LLD_OF_OLDER
    } else {
        major
    }
}

/// The packages of the distribution that a toolchain consists of; the shared libraries that their programs load are
/// not among them.
pub(crate) fn wanted_packages(major: u32) -> Vec<String> {
    let mut packages = Vec::from(development_packages(major));
    packages.push(format!("libclang1-{major}"));
    packages.push(format!("lld-{}", lld_of(major)));
    packages
}

/// The packages of the compiler, and of programs that work on archives, for LLVM `major`.
pub(crate) fn compiler_packages(major: u32) -> [String; 5] {
    let major = lld_of(major);
    [
        format!("clang-{major}"),
        format!("libclang-common-{major}-dev"),
        format!("libclang-cpp{major}"),
        format!("libclang-rt-{major}-dev"),
        format!("llvm-{major}"),
    ]
}

/// The packages of LLVM `major` and of the libraries in its archives, without a compiler, a linker or libclang.
pub(crate) fn development_packages(major: u32) -> [String; 8] {
    [
        format!("libmlir-{major}-dev"),
        format!("llvm-{major}-dev"),
        format!("mlir-{major}-tools"),
        format!("llvm-{major}-tools"),
        format!("libmlir-{major}"),
        format!("libllvm{major}"),
        "libzstd-dev".to_owned(),
        "zlib1g-dev".to_owned(),
    ]
}

/// The version of GCC whose libraries the packages of fixed sets were compiled with.
pub(crate) const GCC: u32 = 12;

/// Whether a package has parts of the locked compiler, which a build with another compiler does not use.
#[must_use]
pub fn is_of_compiler(package: &Package) -> bool {
    let runtime = ["libc6", "libgcc-", "libstdc++", "linux-libc-dev"];
    let starts = |start: &&str| package.name.starts_with(start);
    runtime.iter().any(starts) || package.name.starts_with("libclang-")
}

/// The packages of the C and C++ runtime with the libraries of this GCC: shared libraries, headers, archives and start
/// files.
pub(crate) fn runtime_packages(gcc: u32) -> [String; 7] {
    [
        "libc6".to_owned(),
        "libc6-dev".to_owned(),
        format!("libgcc-{gcc}-dev"),
        "libgcc-s1".to_owned(),
        format!("libstdc++-{gcc}-dev"),
        "libstdc++6".to_owned(),
        "linux-libc-dev".to_owned(),
    ]
}

/// Libraries that only those programs load which no build starts: one that downloads, and one that measures processors.
const OF_OTHER_PROGRAMS: &[&str] = &["libcurl4", "libpfm4"];

/// Whether the dependency of `package` on the package `name` is that of a program on a library. The packages of the `runtime`
/// are listed apart.
pub(crate) fn follows(package: &str, name: &str, runtime: &[String]) -> bool {
    !package.ends_with("-dev")
        && (name.starts_with("lib") || name == "zlib1g")
        && !name.ends_with("-dev")
        && !runtime.iter().any(|package| package == name)
        && !OF_OTHER_PROGRAMS.contains(&name)
}
