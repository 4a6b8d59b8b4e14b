//! The newest glibc, libstdc++ and libgcc that an image needs, and the symbols that need them; the oldest macOS or Windows that it says it runs on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Serialize, Serializer};

use crate::image_facts::{Arch, Facts, Format};

/// A version: `2.17`, `2.2.5`, `3.4.30`. Missing components are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32, pub u32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(major, minor, 0) => write!(f, "{major}.{minor}"),
            Self(major, minor, patch) => write!(f, "{major}.{minor}.{patch}"),
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

/// A glibc version, and the version of libstdc++ or libgcc that requires it, if glibc's own symbols do not.
pub type Promised = ((u32, u32), Option<(Family, Version)>);

/// A glibc version, and the newest versions of GLIBCXX, CXXABI and GCC that all usual distributions with this glibc
/// have.
type Distribution = ((u32, u32), Version, Version, Version);

/// The rows in the order of glibc versions: Enterprise Linux 5, 6 and 7, Debian 9, Ubuntu 18.04 (with Enterprise
/// Linux 8), Ubuntu 20.04, Enterprise Linux 9, Ubuntu 22.04 (with Debian 12), Ubuntu 24.04.
const DISTRIBUTIONS: &[Distribution] = &[
    ((2, 5), Version(3, 4, 8), Version(1, 3, 1), Version(4, 2, 0)),
    (
        (2, 12),
        Version(3, 4, 13),
        Version(1, 3, 3),
        Version(4, 3, 0),
    ),
    (
        (2, 17),
        Version(3, 4, 19),
        Version(1, 3, 7),
        Version(4, 8, 0),
    ),
    (
        (2, 24),
        Version(3, 4, 22),
        Version(1, 3, 10),
        Version(4, 8, 0),
    ),
    (
        (2, 27),
        Version(3, 4, 24),
        Version(1, 3, 11),
        Version(7, 0, 0),
    ),
    (
        (2, 31),
        Version(3, 4, 28),
        Version(1, 3, 12),
        Version(7, 0, 0),
    ),
    (
        (2, 34),
        Version(3, 4, 29),
        Version(1, 3, 13),
        Version(7, 0, 0),
    ),
    (
        (2, 35),
        Version(3, 4, 30),
        Version(1, 3, 13),
        Version(12, 0, 0),
    ),
    (
        (2, 39),
        Version(3, 4, 33),
        Version(1, 3, 15),
        Version(14, 0, 0),
    ),
];

/// Newest version of a library that systems with this glibc have.
pub(crate) fn of_systems_with(glibc: (u32, u32), family: Family) -> Option<Version> {
    let mut rows = DISTRIBUTIONS.iter();
    let row = rows.rfind(|row| row.0 <= glibc).or(DISTRIBUTIONS.first())?;
    match family {
        Family::Glibcxx => Some(row.1),
        Family::Cxxabi => Some(row.2),
        Family::Gcc => Some(row.3),
        _ => None,
    }
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
            .map(|needed| (needed.version.0, needed.version.1))
    }

    /// The glibc of the oldest systems that have all needed versions of glibc, libstdc++ and libgcc. If libstdc++ or
    /// libgcc requires a newer system than glibc itself, its version is returned, too. By PEP 600 a platform tag
    /// promises the libraries of the distributions with that glibc.
    #[must_use]
    pub fn distribution(&self) -> Option<Promised> {
        let mut found = self.glibc().map(|glibc| (glibc, None));
        for (family, needed) in &self.needed {
            let row = DISTRIBUTIONS.iter().find(|row| {
                let had = match family {
                    Family::Glibcxx => row.1,
                    Family::Cxxabi => row.2,
                    Family::Gcc => row.3,
                    _ => return true,
                };
                needed.version <= had
            });
            // A version newer than every row is newer than the last one.
            let glibc = row.or(DISTRIBUTIONS.last()).map(|row| row.0);
            if let Some(glibc) = glibc
                && matches!(family, Family::Glibcxx | Family::Cxxabi | Family::Gcc)
                && found.is_none_or(|(known, _)| known < glibc)
            {
                found = Some((glibc, Some((*family, needed.version))));
            }
        }
        found
    }

    /// The macOS that is needed: `(11, 0)`; `None` if no image states one.
    #[must_use]
    pub fn macos(&self) -> Option<(u32, u32)> {
        self.needed
            .get(&Family::MacOs)
            .map(|needed| (needed.version.0, needed.version.1))
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
        let needed = self.distribution().map_or(lowest, |(glibc, _)| glibc);
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
            minimum.raise(family, Version(major, minor, patch), None);
        }
    }
    if facts.format == Format::Pe {
        for library in facts.needed.iter().filter(|library| is_ucrt(library)) {
            minimum.raise(Family::Ucrt, Version(10, 0, 0), Some(library));
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
        return Some((Family::Glibc, Version(2, 36, 0)));
    }
    let (prefix, numbers) = version.split_once('_')?;
    let family = *Family::ALL
        .iter()
        .find(|family| family.prefix() == prefix)?;
    let mut parts = numbers.split('.');
    let major = parts.next()?.parse().ok()?;
    let mut rest = parts.map(str::parse);
    let mut next = || rest.next().unwrap_or(Ok(0)).ok();
    Some((family, Version(major, next()?, next()?)))
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
            Some((Family::Cxxabi, Version(1, 3, 13)))
        );
    }

    #[test]
    fn libstdcxx_raises_the_tag_to_the_distributions_that_have_it() {
        let mut minimum = MinimumVersions::default();
        minimum.raise(Family::Glibc, Version(2, 17, 0), None);
        minimum.raise(Family::Glibcxx, Version(3, 4, 21), None);
        let needed = Some((Family::Glibcxx, Version(3, 4, 21)));
        assert_eq!(minimum.distribution(), Some(((2, 24), needed)));
        minimum.raise(Family::Glibc, Version(2, 28, 0), None);
        assert_eq!(minimum.distribution(), Some(((2, 28), None)));
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
            tag(Version(10, 13, 0), Arch::X86_64).as_deref(),
            Some("macosx_10_13_x86_64")
        );
        assert_eq!(
            tag(Version(12, 3, 0), Arch::X86_64).as_deref(),
            Some("macosx_12_0_x86_64")
        );
        assert_eq!(
            tag(Version(10, 13, 0), Arch::Aarch64).as_deref(),
            Some("macosx_11_0_arm64")
        );
    }
}
