//! `manifests/toolchain.lock`: the packages of Debian that an LLVM for one machine consists of, with the path in the
//! archive and the SHA-256 of each package file. The lock names no server: [mirrors](crate::mirrors) are the user's.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use camino::Utf8Path;
use mondo_core::digest::{Sha256, hex};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use serde::{Deserialize, Serialize};

use crate::host::Target;
use crate::installation::{Moved, Package, SYSROOT, compiler_packages};

/// The only version of the lock's format.
const FORMAT: u32 = 2;

/// The whole lock.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The format's version, 2.
    lock: u32,
    /// One set for each LLVM and machine.
    #[serde(default, rename = "set")]
    pub sets: Vec<PackageSet>,
    /// The LLVMs that only a suite has whose packages change.
    #[serde(default)]
    pub moving: Vec<MovingSet>,
}

/// The packages that make up one LLVM for one machine, whatever the host.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PackageSet {
    /// LLVM's full version: `22.1.8`.
    pub llvm: String,
    /// The release of Debian that the packages are from, by its code name: `bookworm`.
    pub suite: String,
    /// The architecture of the machine, as Debian names it: `amd64`.
    pub architecture: String,
    /// LLVM's packages and the libraries that its programs load, sorted by name.
    pub packages: Vec<LockedPackage>,
    /// The packages of the C and C++ runtime, sorted by name. They are unpacked to a folder of their own.
    #[serde(default)]
    pub sysroot: Vec<LockedPackage>,
    /// Further packages of the same LLVM, sorted by name, which only manifests that name them get: Flang's
    /// archives, for one.
    #[serde(default)]
    pub optional: Vec<LockedPackage>,
    /// The archive of LLVM's sources, which the distribution's source package has and only tests need. Its
    /// version is LLVM's own.
    #[serde(default)]
    pub source: Option<LockedPackage>,
    /// The origin of the packages where they are not those of the lock.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// The set that the compiler, the linker and libclang are from where they are not from this one.
    #[serde(skip)]
    pub base: Option<Box<PackageSet>>,
}

/// An LLVM whose packages are those that a suite has on the day of the build.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MovingSet {
    /// LLVM's major version.
    pub llvm: u32,
    /// The suite, by its code name: `sid`.
    pub suite: String,
    /// The architecture of the machine, as Debian names it: `amd64`.
    pub architecture: String,
    /// The LLVM whose locked set has the compiler, the linker and libclang. Those of the suite need a newer C library than
    /// hosts have.
    pub base: u32,
    /// The packages of the program and the keys that verify the suite's index, sorted by name.
    pub verifier: Vec<LockedPackage>,
}

/// One package file, pinned.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LockedPackage {
    /// `libmlir-22-dev`.
    pub name: String,
    /// The distribution's version with its epoch: `1:22.1.8-1~deb12u1`.
    pub version: String,
    /// SHA-256 of the package file, lower-case hexadecimal.
    pub sha256: String,
    /// Size of the package file in bytes.
    pub size: u64,
    /// The path of the package file below an archive: `pool/main/…`, or `pool/updates/main/…` in the archive of
    /// security updates.
    pub path: String,
}

/// What a lock has for an LLVM and a machine.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice<'a> {
    /// Packages that the lock names.
    Pinned(&'a PackageSet),
    /// A suite whose packages change, and the locked set that has the compiler.
    Moving {
        row: &'a MovingSet,
        base: &'a PackageSet,
    },
    /// Neither.
    Absent,
}

/// What a set says about the tree that its packages are unpacked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TreeFacts {
    /// A digest of everything that decides the contents of the tree.
    pub(super) digest: String,
    /// The name of the tree's folder in the cache: `llvm-22.1.8-1-deb12u1-amd64-0123456789ab`. It ends with the start
    /// of the digest, so that checkouts with different locks use different folders.
    pub(super) folder: String,
    /// The folder of LLVM in the tree: `usr/lib/llvm-22`.
    pub(super) prefix: String,
    /// The packages in the tree, and those of the set's base that have the compiler and the linker, sorted.
    pub(super) packages: Vec<Package>,
}

impl Lock {
    /// An empty lock of the current format.
    #[must_use]
    pub fn new() -> Self {
        Self {
            lock: FORMAT,
            sets: Vec::new(),
            moving: Vec::new(),
        }
    }

    /// Reads and checks a lock; [`ErrorKind::Toolchain`] says line and column of what is wrong.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` where it cannot be read, parsed or accepted.
    pub fn read(path: &Utf8Path) -> Result<Self> {
        if !path.exists() {
            return Err(
                Error::new(ErrorKind::Toolchain, "the toolchain lock does not exist")
                    .at(path.as_str())
                    .help(
                        "run again with `--update-lock` to create it from the packages that \
                         apt offers now",
                    ),
            );
        }
        let text = file::text(path)?;
        Self::parse(&text).map_err(|error| {
            let place = match error.place() {
                Some(inner) => format!("{path}: {inner}"),
                None => path.to_string(),
            };
            error.at(place)
        })
    }

    /// Parses and checks a lock's text.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` where it cannot be parsed or accepted.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = |why: String| {
            Error::new(ErrorKind::Toolchain, "the toolchain lock is invalid")
                .because(why)
                .help("restore the file from version control, or run with `--update-lock`")
        };
        let lock: Self = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        if lock.lock != FORMAT {
            return Err(bad(format!(
                "its format is {}; this mondo supports format {FORMAT}",
                lock.lock
            )));
        }
        let mut seen = BTreeSet::new();
        for set in &lock.sets {
            let place = format!("set {} {}", set.llvm, set.architecture);
            if !seen.insert((set.major(), &set.architecture)) {
                return Err(bad(format!("a second set for LLVM {}", set.llvm)).at(place));
            }
            set.check().map_err(|why| bad(why).at(place))?;
        }
        for set in &lock.moving {
            let place = format!("moving set {} {}", set.llvm, set.architecture);
            if !seen.insert((Some(set.llvm), &set.architecture)) {
                return Err(bad(format!("a second set for LLVM {}", set.llvm)).at(place));
            }
            if !lock.sets.iter().any(|base| set.is_based_on(base)) {
                return Err(
                    bad(format!("it has no set for its base, LLVM {}", set.base)).at(place),
                );
            }
            set.check().map_err(|why| bad(why).at(place))?;
        }
        Ok(lock)
    }

    /// What the lock has for an LLVM and a machine. Pinned packages come before a suite that moves.
    #[must_use]
    pub(super) fn choose(&self, major: u32, target: &Target) -> Choice<'_> {
        if let Some(set) = self.set(major, target) {
            return Choice::Pinned(set);
        }
        let wanted =
            |row: &&MovingSet| row.llvm == major && row.architecture == target.architecture;
        let row = self.moving.iter().find(wanted);
        row.and_then(|row| {
            let base = self.sets.iter().find(|set| row.is_based_on(set))?;
            Some(Choice::Moving { row, base })
        })
        .unwrap_or(Choice::Absent)
    }

    /// The set for an LLVM and a machine.
    #[must_use]
    pub fn set(&self, major: u32, target: &Target) -> Option<&PackageSet> {
        self.sets
            .iter()
            .find(|set| set.major() == Some(major) && set.architecture == target.architecture)
    }

    /// Puts a set in place of the one for the same LLVM and machine.
    pub fn replace(&mut self, set: PackageSet) {
        self.sets
            .retain(|old| (old.major(), &old.architecture) != (set.major(), &set.architecture));
        self.sets.push(set);
        self.sets
            .sort_by(|a, b| (&a.architecture, a.major()).cmp(&(&b.architecture, b.major())));
    }

    /// The lock as text, one line for each package so that a change reads well as a diff.
    #[must_use]
    pub fn render(&self) -> String {
        let mut text = String::from(
            "# The packages of Debian that make up each LLVM, by machine; the host makes no difference.\n\
             # Written by `--update-lock`; nothing newer is ever taken without it.\n\n",
        );
        // Writing to a String cannot fail.
        let _ = writeln!(text, "lock = {}", self.lock);
        for set in &self.sets {
            let _ = write!(
                text,
                "\n[[set]]\nllvm = \"{}\"\nsuite = \"{}\"\narchitecture = \"{}\"\npackages = [\n",
                set.llvm, set.suite, set.architecture
            );
            render_packages(&mut text, &set.packages);
            text.push_str("]\n");
            if !set.sysroot.is_empty() {
                text.push_str("# The C and C++ runtime.\nsysroot = [\n");
                render_packages(&mut text, &set.sysroot);
                text.push_str("]\n");
            }
            if !set.optional.is_empty() {
                text.push_str("# A manifest gets these by `llvm.packages`.\noptional = [\n");
                render_packages(&mut text, &set.optional);
                text.push_str("]\n");
            }
            if let Some(source) = &set.source {
                let _ = writeln!(
                    text,
                    "# `mondo sources` fetches it.\nsource = {}",
                    render_package(source)
                );
            }
        }
        for set in &self.moving {
            let _ = write!(
                text,
                "\n# A build takes what the suite has that day, verified by the suite's signature.\n\
                 [[moving]]\nllvm = {}\nsuite = \"{}\"\narchitecture = \"{}\"\n\
                 # The LLVM whose compiler, linker and libclang are used.\nbase = {}\n\
                 # They check the signature.\nverifier = [\n",
                set.llvm, set.suite, set.architecture, set.base
            );
            render_packages(&mut text, &set.verifier);
            text.push_str("]\n");
        }
        text
    }
}

fn render_packages(text: &mut String, packages: &[LockedPackage]) {
    for package in packages {
        let _ = writeln!(text, "    {},", render_package(package));
    }
}

fn render_package(package: &LockedPackage) -> String {
    format!(
        "{{ name = \"{}\", version = \"{}\", size = {}, path = \"{}\", sha256 = \"{}\" }}",
        package.name, package.version, package.size, package.path, package.sha256
    )
}

impl PackageSet {
    /// The set with those of its optional packages that are `wanted`. The error is the name of a package that the set
    /// does not have.
    pub(super) fn with(mut self, wanted: &[String]) -> std::result::Result<Self, String> {
        for name in wanted {
            let Some(at) = self
                .optional
                .iter()
                .position(|package| &package.name == name)
            else {
                if self.packages.iter().any(|package| &package.name == name) {
                    continue;
                }
                return Err(name.clone());
            };
            self.packages.push(self.optional.remove(at));
        }
        self.packages.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(self)
    }

    /// LLVM's major version.
    #[must_use]
    pub fn major(&self) -> Option<u32> {
        self.llvm.split('.').next()?.parse().ok()
    }

    /// The packages that are unpacked.
    pub fn unpacked(&self) -> impl Iterator<Item = &LockedPackage> {
        self.packages.iter().chain(&self.sysroot)
    }

    /// Bytes to download for the whole set.
    #[must_use]
    pub fn download_size(&self) -> u64 {
        self.unpacked().map(|package| package.size).sum()
    }

    /// The facts about the tree that the packages are unpacked to. `recipe` is the version of the code that unpacks.
    #[must_use]
    pub(super) fn tree(&self, recipe: u32) -> TreeFacts {
        let digest = self.digest(recipe);
        TreeFacts {
            folder: self.folder(&digest),
            prefix: format!("usr/lib/llvm-{}", self.major().unwrap_or_default()),
            packages: self.all_packages(),
            digest,
        }
    }

    pub(super) fn digest(&self, recipe: u32) -> String {
        let mut hash = Sha256::new();
        hash.update(format!("{recipe}\n{}\n", self.architecture));
        for package in &self.packages {
            hash.update(format!("{} {}\n", package.name, package.sha256));
        }
        for package in &self.sysroot {
            hash.update(format!("{SYSROOT}/{} {}\n", package.name, package.sha256));
        }
        if let Some(base) = &self.base {
            hash.update(format!("base {}\n", base.digest(recipe)));
        }
        hex(hash.finalize())
    }

    fn folder(&self, digest: &str) -> String {
        let development = format!("libmlir-{}-dev", self.major().unwrap_or_default());
        let version = self
            .packages
            .iter()
            .find(|package| package.name == development)
            .map_or(self.llvm.as_str(), |package| package.version.as_str());
        let version: String = version
            .split_once(':')
            .map_or(version, |(_epoch, rest)| rest)
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || c == '.' {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        let digest = digest.get(..12).unwrap_or(digest);
        format!("llvm-{version}-{}-{digest}", self.architecture)
    }

    /// The unpacked packages, and those of the base that have the compiler and the linker.
    fn all_packages(&self) -> Vec<Package> {
        let mut packages: Vec<Package> = self.listed().collect();
        if let Some(base) = &self.base {
            let programs = compiler_packages(base.major().unwrap_or_default());
            let used = |package: &Package| {
                package.name.starts_with("lld-") || programs.contains(&package.name)
            };
            packages.extend(base.listed().filter(used));
        }
        packages.sort();
        packages
    }

    /// The unpacked packages as a toolchain lists them.
    fn listed(&self) -> impl Iterator<Item = Package> {
        self.unpacked().map(|package| Package {
            name: package.name.clone(),
            version: package.version.clone(),
            architecture: self.architecture.clone(),
            sha256: Some(package.sha256.clone()),
        })
    }

    /// Checks names, versions and paths. They become file names and parts of addresses, so only the characters that
    /// Debian's policy manual allows are accepted.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.major().is_none() || !plain(&self.llvm, ".") {
            return Err(format!("invalid version: `llvm = \"{}\"`", self.llvm));
        }
        check_origin(&self.suite, &self.architecture)?;
        if self.packages.is_empty() {
            return Err("it has no packages".to_owned());
        }
        let all = self.unpacked().chain(&self.optional);
        check_packages(all.chain(&self.source))
    }
}

impl MovingSet {
    /// Whether `set` has the compiler for this one.
    fn is_based_on(&self, set: &PackageSet) -> bool {
        set.major() == Some(self.base) && set.architecture == self.architecture
    }

    fn check(&self) -> Result<(), String> {
        check_origin(&self.suite, &self.architecture)?;
        check_packages(&self.verifier)
    }
}

/// Whether `text` begins with a letter or digit and has no other characters but those in `more`.
fn plain(text: &str, more: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || more.contains(c))
}

fn check_origin(suite: &str, architecture: &str) -> Result<(), String> {
    if !plain(suite, "-.") {
        return Err(format!("invalid code name: `suite = \"{suite}\"`"));
    }
    if !plain(architecture, "-") {
        return Err(format!(
            "unknown dpkg architecture: `architecture = \"{architecture}\"`"
        ));
    }
    Ok(())
}

fn check_packages<'p>(packages: impl IntoIterator<Item = &'p LockedPackage>) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for package in packages {
        let name = &package.name;
        if !plain(name, "+-.") {
            return Err(format!("`{name}` is not a package name"));
        }
        if !names.insert(name) {
            return Err(format!("package `{name}` is listed twice"));
        }
        if !plain(&package.version, ".+~:-") {
            return Err(format!(
                "`{}` is not a version (package {name})",
                package.version
            ));
        }
        if !package.path.starts_with("pool/")
            || !package.path.split('/').all(|part| plain(part, "._+~:-"))
        {
            return Err(format!(
                "`{}` is not a path in an archive of packages (package {name})",
                package.path
            ));
        }
        let hexadecimal = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if package.sha256.len() != 64 || !package.sha256.chars().all(hexadecimal) {
            return Err(format!(
                "`{}` is not a SHA-256 in lower-case hexadecimal (package {name})",
                package.sha256
            ));
        }
    }
    Ok(())
}

impl LockedPackage {
    /// The name of this package's file in the distribution's archive.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// The possible names of this package's file: the one in the distribution's archive, which has no epoch, and apt's,
    /// in which the epoch's colon is escaped.
    #[must_use]
    pub(super) fn file_names(&self) -> [String; 2] {
        let name = self.file_name();
        let apt = match self.version.split_once(':') {
            Some((epoch, _)) => name.replacen('_', &format!("_{epoch}%3a"), 1),
            None => name.to_owned(),
        };
        [name.to_owned(), apt]
    }

    /// The paths at which an archive may have the file. A security update moves to the main archive with the next point
    /// release, and its bytes stay the same.
    #[must_use]
    pub(super) fn paths(&self) -> Vec<String> {
        let mut paths = vec![self.path.clone()];
        paths.extend(
            self.path
                .strip_prefix("pool/updates/")
                .map(|rest| format!("pool/{rest}")),
        );
        paths
    }
}

/// LLVM's version out of the distribution's: `22.1.8` from `1:22.1.8-1~deb12u1`.
#[must_use]
pub fn upstream_version(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let end = version
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(version.len());
    &version[..end]
}

#[cfg(test)]
mod tests;
