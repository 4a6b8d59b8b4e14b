//! The newest glibc, libstdc++ and libgcc that an image needs, and the symbols that need them; the oldest macOS or Windows that it says it runs on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};

use crate::image_facts::{Arch, Facts, Format};

/// A version: `2.17`, `2.2.5`, `3.4.30`. Missing components are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// `2` of `2.17`.
    pub major: u32,
    /// `17` of `2.17`.
    pub minor: u32,
    /// `5` of `2.2.5`.
    pub patch: u32,
}

impl Version {
    /// A version by its components.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self {
            major,
            minor,
            patch,
        }
    }

    /// The first two components.
    fn pair(self) -> (u32, u32) {
        (self.major, self.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            major,
            minor,
            patch,
        } = self;
        match patch {
            0 => write!(f, "{major}.{minor}"),
            _ => write!(f, "{major}.{minor}.{patch}"),
        }
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A run-time library whose symbol versions count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Family {
    /// glibc.
    Glibc,
    /// libstdc++.
    Glibcxx,
    /// libstdc++'s language support.
    Cxxabi,
    /// libgcc.
    Gcc,
    /// macOS itself.
    MacOs,
    /// Windows itself, by the version of its subsystem: 6.0 is Vista, 10.0 Windows 10.
    Windows,
    /// Windows' C run-time library, a part of Windows since 10.0.
    Ucrt,
}

impl Family {
    /// Every family.
    pub const ALL: &[Family] = &[
        Self::Glibc,
        Self::Glibcxx,
        Self::Cxxabi,
        Self::Gcc,
        Self::MacOs,
        Self::Windows,
        Self::Ucrt,
    ];

    /// Prefix of its symbol versions, without the underscore.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Glibc => "GLIBC",
            Self::Glibcxx => "GLIBCXX",
            Self::Cxxabi => "CXXABI",
            Self::Gcc => "GCC",
            Self::MacOs => "MACOS",
            Self::Windows => "WINDOWS",
            Self::Ucrt => "UCRT",
        }
    }
}

/// The glibc of the oldest distributions that have all that an image needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OldestGlibc {
    /// glibc's version.
    pub version: (u32, u32),
    /// The library that needs this glibc's distributions, if glibc's own symbols do not.
    pub cause: Option<NeededLibrary>,
}

/// A version of libstdc++ or libgcc that an image needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededLibrary {
    /// The library.
    pub family: Family,
    /// Its version.
    pub version: Version,
}

/// A glibc version, and the newest versions of libstdc++ and libgcc that all usual distributions with this glibc have.
struct Distribution {
    glibc: (u32, u32),
    glibcxx: Version,
    cxxabi: Version,
    gcc: Version,
}

impl Distribution {
    const fn new(glibc: (u32, u32), glibcxx: u32, cxxabi: u32, gcc: (u32, u32)) -> Self {
        Self {
            glibc,
            glibcxx: Version::new(3, 4, glibcxx),
            cxxabi: Version::new(1, 3, cxxabi),
            gcc: Version::new(gcc.0, gcc.1, 0),
        }
    }

    /// The newest version of a library other than glibc.
    fn newest(&self, family: Family) -> Option<Version> {
        match family {
            Family::Glibcxx => Some(self.glibcxx),
            Family::Cxxabi => Some(self.cxxabi),
            Family::Gcc => Some(self.gcc),
            Family::Glibc | Family::MacOs | Family::Windows | Family::Ucrt => None,
        }
    }
}

/// The rows in the order of glibc versions: Enterprise Linux 5, 6 and 7, Debian 9, Ubuntu 18.04 (with Enterprise
/// Linux 8), Ubuntu 20.04, Enterprise Linux 9, Ubuntu 22.04 (with Debian 12), Ubuntu 24.04. The columns are glibc,
/// `GLIBCXX_3.4.x`, `CXXABI_1.3.x` and `GCC_x`.
const DISTRIBUTIONS: &[Distribution] = &[
    Distribution::new((2, 5), 8, 1, (4, 2)),
    Distribution::new((2, 12), 13, 3, (4, 3)),
    Distribution::new((2, 17), 19, 7, (4, 8)),
    Distribution::new((2, 24), 22, 10, (4, 8)),
    Distribution::new((2, 27), 24, 11, (7, 0)),
    Distribution::new((2, 31), 28, 12, (7, 0)),
    Distribution::new((2, 34), 29, 13, (7, 0)),
    Distribution::new((2, 35), 30, 13, (12, 0)),
    Distribution::new((2, 39), 33, 15, (14, 0)),
];

/// Newest version of a library that systems with this glibc have.
pub(crate) fn of_systems_with(glibc: (u32, u32), family: Family) -> Option<Version> {
    let mut rows = DISTRIBUTIONS.iter();
    rows.rfind(|row| row.glibc <= glibc)
        .or(DISTRIBUTIONS.first())?
        .newest(family)
}

/// A version that an image needs, with the symbols that need it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Needed {
    /// The version.
    pub version: Version,
    /// The symbols that need just this version, sorted. Empty where the image needs the version
    /// itself, as it does `GLIBC_ABI_DT_RELR`.
    pub symbols: BTreeSet<String>,
}

/// The highest version of each family that an image needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct MinimumVersions {
    /// By family; a family that is not needed is not there.
    pub needed: BTreeMap<Family, Needed>,
}

impl MinimumVersions {
    /// The glibc that is needed: `(2, 28)`; `None` if no versioned symbol of glibc is needed.
    #[must_use]
    pub fn glibc(&self) -> Option<(u32, u32)> {
        self.needed
            .get(&Family::Glibc)
            .map(|needed| needed.version.pair())
    }

    /// The glibc of the oldest systems that have all needed versions of glibc, libstdc++ and libgcc. If libstdc++ or
    /// libgcc requires a newer system than glibc itself, its version is returned, too. By PEP 600 a platform tag
    /// promises the libraries of the distributions with that glibc.
    #[must_use]
    pub fn distribution(&self) -> Option<OldestGlibc> {
        let mut found = self.glibc().map(|version| OldestGlibc {
            version,
            cause: None,
        });
        for (&family, needed) in &self.needed {
            let mut rows = DISTRIBUTIONS.iter();
            let row = rows.find(|row| {
                let newest = row.newest(family);
                newest.is_none_or(|newest| needed.version <= newest)
            });
            // A version newer than every row is newer than the last one.
            let row = row.or(DISTRIBUTIONS.last());
            if let Some(row) = row.filter(|row| row.newest(family).is_some())
                && found.is_none_or(|found| found.version < row.glibc)
            {
                found = Some(OldestGlibc {
                    version: row.glibc,
                    cause: Some(NeededLibrary {
                        family,
                        version: needed.version,
                    }),
                });
            }
        }
        found
    }

    /// The macOS that is needed: `(11, 0)`; `None` if no image states one.
    #[must_use]
    pub fn macos(&self) -> Option<(u32, u32)> {
        self.needed
            .get(&Family::MacOs)
            .map(|needed| needed.version.pair())
    }

    /// For each family, the higher version of the two.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        for (family, needed) in &other.needed {
            for symbol in &needed.symbols {
                self.raise(*family, needed.version, Some(symbol));
            }
            self.raise(*family, needed.version, None);
        }
        self
    }

    /// The platform tag that follows. For Linux that of PEP 600: `manylinux_2_28_x86_64`; no tag is
    /// lower than the lowest that installers know for the machine: 2.5 on x86, 2.17 on others. For
    /// macOS `macosx_11_0_arm64`; from 11 on, installers count whole versions only, and no Mac with
    /// arm64 had an older one. `None` for machines that have no tags.
    #[must_use]
    pub fn platform_tag(&self, arch: Arch) -> Option<String> {
        if let Some(macos) = self.macos() {
            let lowest = match arch {
                Arch::Aarch64 => (11, 0),
                Arch::X86_64 => (10, 4),
                _ => return None,
            };
            let (major, minor) = macos.max(lowest);
            let minor = if major >= 11 { 0 } else { minor };
            return Some(format!(
                "macosx_{major}_{minor}_{}",
                arch.name(Format::MachO)
            ));
        }
        if self.needed.contains_key(&Family::Windows) {
            let tag = match arch {
                Arch::X86 => "win32",
                Arch::X86_64 => "win_amd64",
                Arch::Aarch64 => "win_arm64",
                _ => return None,
            };
            return Some(tag.to_owned());
        }
        let lowest = match arch {
            Arch::X86 | Arch::X86_64 => (2, 5),
            _ => (2, 17),
        };
        let needed = self.distribution().map_or(lowest, |glibc| glibc.version);
        let (major, minor) = needed.max(lowest);
        Some(format!("manylinux_{major}_{minor}_{}", arch.tag()?))
    }

    fn raise(&mut self, family: Family, version: Version, symbol: Option<&str>) {
        let needed = self.needed.entry(family).or_insert_with(|| Needed {
            version,
            symbols: BTreeSet::new(),
        });
        if needed.version < version {
            *needed = Needed {
                version,
                symbols: BTreeSet::new(),
            };
        }
        if needed.version == version {
            needed.symbols.extend(symbol.map(str::to_owned));
        }
    }
}

/// The highest versions that this image needs.
#[must_use]
pub fn minimum_versions(facts: &Facts<'_>) -> MinimumVersions {
    let mut minimum = MinimumVersions::default();
    if let Some(system) = facts.minimum_os {
        let family = match system.platform {
            "macos" => Some(Family::MacOs),
            "windows" => Some(Family::Windows),
            _ => None,
        };
        let [major, minor, patch] = system.version;
        if let Some(family) = family {
            minimum.raise(family, Version::new(major, minor, patch), None);
        }
    }
    if facts.format == Format::Pe {
        for library in facts.needed.iter().filter(|library| is_ucrt(library)) {
            minimum.raise(Family::Ucrt, Version::new(10, 0, 0), Some(library));
        }
    }
    for need in &facts.version_needs {
        if let Some((family, version)) = parse(need.version).filter(|_| is_shared(need.library)) {
            minimum.raise(family, version, None);
        }
    }
    for import in &facts.imports {
        let version = import
            .version
            .filter(|_| import.library.is_none_or(is_shared));
        if let Some((family, version)) = version.and_then(parse) {
            minimum.raise(family, version, Some(import.name));
        }
    }
    minimum
}

/// Returns whether a library is the system's own libstdc++ or libgcc. A copy in a wheel has a different name.
pub(crate) fn is_shared(library: &str) -> bool {
    ["libstdc++", "libgcc_s"].iter().all(|name| {
        !library.starts_with(name)
            || library
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with(".so."))
    })
}

/// Returns whether a library is the C run-time library, under its own name or those of its parts.
pub(crate) fn is_ucrt(library: &str) -> bool {
    let library = library.to_ascii_lowercase();
    library == "ucrtbase.dll" || library.starts_with("api-ms-win-crt-")
}

/// `GLIBC_2.17` and its kin. `GLIBC_ABI_DT_RELR` came with glibc 2.36.
pub(crate) fn parse(version: &str) -> Option<(Family, Version)> {
    if version == "GLIBC_ABI_DT_RELR" {
        return Some((Family::Glibc, Version::new(2, 36, 0)));
    }
    let (prefix, numbers) = version.split_once('_')?;
    let family = *Family::ALL
        .iter()
        .find(|family| family.prefix() == prefix)?;
    let mut parts = numbers.split('.');
    let major = parts.next()?.parse().ok()?;
    let mut rest = parts.map(str::parse);
    let mut next = || rest.next().unwrap_or(Ok(0)).ok();
    Some((family, Version::new(major, next()?, next()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let mut minimum = MinimumVersions::default();
        for (version, symbol) in [
            ("GLIBC_2.4", "a"),
            ("GLIBC_2.17", "b"),
            ("GLIBC_2.2.5", "c"),
        ] {
            let (family, version) = parse(version).expect("a version");
            minimum.raise(family, version, Some(symbol));
        }
        assert_eq!(minimum.glibc(), Some((2, 17)));
        assert_eq!(
            minimum.needed[&Family::Glibc].symbols,
            BTreeSet::from(["b".to_owned()])
        );
        assert_eq!(
            minimum.platform_tag(Arch::X86_64).as_deref(),
            Some("manylinux_2_17_x86_64")
        );
    }

    #[test]
    fn what_is_no_version_is_not_guessed_at() {
        assert_eq!(parse("GLIBC_PRIVATE"), None);
        assert_eq!(parse("OPENSSL_1.1"), None);
        assert_eq!(parse("GLIBC_2.x"), None);
        assert_eq!(parse("GLIBC_99999999999.1"), None);
        assert_eq!(
            parse("CXXABI_1.3.13"),
            Some((Family::Cxxabi, Version::new(1, 3, 13)))
        );
    }

    #[test]
    fn libstdcxx_raises_the_tag_to_the_distributions_that_have_it() {
        let mut minimum = MinimumVersions::default();
        minimum.raise(Family::Glibc, Version::new(2, 17, 0), None);
        minimum.raise(Family::Glibcxx, Version::new(3, 4, 21), None);
        let oldest = minimum.distribution().unwrap();
        assert_eq!(oldest.version, (2, 24));
        let cause = oldest.cause.unwrap();
        assert_eq!(
            (cause.family, cause.version),
            (Family::Glibcxx, Version::new(3, 4, 21))
        );
        minimum.raise(Family::Glibc, Version::new(2, 28, 0), None);
        let oldest = minimum.distribution().unwrap();
        assert_eq!((oldest.version, oldest.cause), ((2, 28), None));
        assert!(is_shared("libstdc++.so.6") && is_shared("libc.so.6"));
        assert!(!is_shared("libstdc++-1234abcd.so.6.0.33"));
    }

    #[test]
    fn a_minimum_is_never_below_the_lowest_known_tag() {
        let tag = |arch| MinimumVersions::default().platform_tag(arch);
        assert_eq!(tag(Arch::X86_64).as_deref(), Some("manylinux_2_5_x86_64"));
        assert_eq!(
            tag(Arch::Aarch64).as_deref(),
            Some("manylinux_2_17_aarch64")
        );
        assert_eq!(tag(Arch::Other(243)), None);
    }

    #[test]
    fn tags_of_macos_have_whole_versions_from_11_on() {
        let tag = |version, arch| {
            let mut minimum = MinimumVersions::default();
            minimum.raise(Family::MacOs, version, None);
            minimum.platform_tag(arch)
        };
        assert_eq!(
            tag(Version::new(10, 13, 0), Arch::X86_64).as_deref(),
            Some("macosx_10_13_x86_64")
        );
        assert_eq!(
            tag(Version::new(12, 3, 0), Arch::X86_64).as_deref(),
            Some("macosx_12_0_x86_64")
        );
        assert_eq!(
            tag(Version::new(10, 13, 0), Arch::Aarch64).as_deref(),
            Some("macosx_11_0_arm64")
        );
    }
}
