//! The facts that a reader reports about an image: names by aspect, in one notation for all readers.

use mondo_audit::{Binding, Facts, Format};
use std::collections::{BTreeMap, BTreeSet};

/// Names by aspect. An aspect that a reader does not report is missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(BTreeMap<Aspect, BTreeSet<String>>);

/// An aspect that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aspect {
    /// Definitions for other images: `name`, `name@version`, `name@@version`.
    Exports,
    /// Exports of which a process has one definition: `STB_GNU_UNIQUE`, Mach-O's weak definitions.
    Shared,
    /// References to other images, with their version or library.
    Imports,
    /// Required symbol versions, as `library:version`.
    Versions,
    /// Required libraries.
    Needed,
    /// `DT_RPATH`, `LC_RPATH`.
    Rpath,
    /// `DT_RUNPATH`.
    Runpath,
    /// `DT_SONAME`, Mach-O's install name, or the name in PE's export table.
    Soname,
    /// The minimum version of the operating system.
    MinimumOs,
    /// The platform tag that fits a wheel's contents.
    Tag,
    /// Names that are not in CPython's stable ABI.
    StableAbi,
    /// The image whose definition a name is bound to, if that image is in the set.
    Bindings,
    /// Names that are bound to a library outside of the set, although an image of the set defines them.
    Outside,
}

impl Aspect {
    /// The aspects of an image.
    pub(super) const OF_IMAGES: [Self; 9] = [
        Self::Exports,
        Self::Shared,
        Self::Imports,
        Self::Versions,
        Self::Needed,
        Self::Rpath,
        Self::Runpath,
        Self::Soname,
        Self::MinimumOs,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Exports => "exports",
            Self::Shared => "shared",
            Self::Imports => "imports",
            Self::Versions => "versions",
            Self::Needed => "needed",
            Self::Rpath => "rpath",
            Self::Runpath => "runpath",
            Self::Soname => "soname",
            Self::MinimumOs => "minimum-os",
            Self::Tag => "tag",
            Self::StableAbi => "stable-abi",
            Self::Bindings => "bindings",
            Self::Outside => "bindings-outside",
        }
    }
}

impl Seen {
    /// The facts of a reader that reports these aspects, without names.
    pub(super) fn of(aspects: &[Aspect]) -> Self {
        Self(
            aspects
                .iter()
                .map(|&aspect| (aspect, BTreeSet::new()))
                .collect(),
        )
    }

    /// Adds a name.
    pub(super) fn add(&mut self, aspect: Aspect, name: impl Into<String>) {
        self.0.entry(aspect).or_default().insert(name.into());
    }

    /// The aspects that the reader reports, with their names.
    pub(super) fn aspects(&self) -> impl Iterator<Item = (Aspect, &BTreeSet<String>)> {
        self.0.iter().map(|(&aspect, names)| (aspect, names))
    }

    /// The names of one aspect; empty if the reader does not report it.
    pub(super) fn names(&self, aspect: Aspect) -> BTreeSet<String> {
        self.0.get(&aspect).cloned().unwrap_or_default()
    }
}

/// The facts of mondo-audit.
pub(super) fn ours(facts: &Facts<'_>) -> Seen {
    let mut seen = Seen::of(&Aspect::OF_IMAGES);
    for export in &facts.exports {
        let name = match (export.version, export.default_version) {
            (None, _) => export.name.to_string(),
            (Some(version), true) => format!("{}@@{version}", export.name),
            (Some(version), false) => format!("{}@{version}", export.name),
        };
        let shared = match facts.format {
            Format::Elf => export.binding == Binding::Unique,
            Format::MachO => export.binding == Binding::Weak,
            Format::Pe => false,
        };
        if shared {
            seen.add(Aspect::Shared, &*export.name);
        }
        seen.add(Aspect::Exports, name);
    }
    for import in &facts.imports {
        let name = match import.ordinal {
            Some(ordinal) => format!("#{ordinal}"),
            None => import.name.to_owned(),
        };
        let name = match (facts.format, import.version, import.library) {
            (Format::Elf, Some(version), _) => format!("{name}@{version}"),
            (Format::MachO, _, Some(library)) => format!("{name} from {}", short(library)),
            (Format::Pe, _, Some(library)) => format!("{name} from {library}"),
            _ => name,
        };
        seen.add(Aspect::Imports, name);
    }
    for need in &facts.version_needs {
        seen.add(
            Aspect::Versions,
            format!("{}:{}", need.library, need.version),
        );
    }
    let lists = [
        (Aspect::Needed, &facts.needed),
        (Aspect::Rpath, &facts.rpath),
        (Aspect::Runpath, &facts.runpath),
    ];
    for (aspect, list) in lists {
        list.iter().for_each(|&name| seen.add(aspect, name));
    }
    if let Some(soname) = facts.soname {
        seen.add(Aspect::Soname, soname);
    }
    if let Some(minimum) = facts.minimum_os {
        let [major, minor, _] = minimum.version;
        seen.add(
            Aspect::MinimumOs,
            format!("{} {major}.{minor}", minimum.platform),
        );
    }
    seen
}

/// The name of a library in the output of `llvm-nm`: that of its file or framework up to the first dot
/// that begins a version or a suffix.
pub(super) fn short(library: &str) -> &str {
    let file = library.rsplit('/').next().unwrap_or(library);
    let stem = file
        .strip_suffix(".dylib")
        .or_else(|| file.strip_suffix(".so"));
    let stem = stem.unwrap_or(file);
    stem.split('.').next().unwrap_or(stem)
}
