//! The facts that a reader reports about an image: names by aspect, in one notation for all readers.

use mondo_audit::{Binding, Facts};
use std::collections::{BTreeMap, BTreeSet};

/// Names by aspect. An aspect that a reader does not report is missing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(BTreeMap<Aspect, BTreeSet<String>>);

/// An aspect that can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aspect {
    /// Definitions for other images: `name`, `name@version`, `name@@version`.
    Exports,
    /// Exports of which a process has one definition: `STB_GNU_UNIQUE`.
    Shared,
    /// References to other images, with their version.
    Imports,
    /// Required symbol versions, as `library:version`.
    Versions,
    /// Required libraries.
    Needed,
    /// `DT_RPATH`.
    Rpath,
    /// `DT_RUNPATH`.
    Runpath,
    /// `DT_SONAME`.
    Soname,
}

impl Aspect {
    const ALL: [Self; 8] = [
        Self::Exports,
        Self::Shared,
        Self::Imports,
        Self::Versions,
        Self::Needed,
        Self::Rpath,
        Self::Runpath,
        Self::Soname,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Exports => "exports",
            Self::Shared => "shared",
            Self::Imports => "imports",
            Self::Versions => "versions",
            Self::Needed => "needed",
            Self::Rpath => "rpath",
            Self::Runpath => "runpath",
            Self::Soname => "soname",
        }
    }
}

impl Seen {
    /// The facts of a reader that reports these aspects, without names.
    pub(super) fn of(aspects: &[Aspect]) -> Self {
        let empty = |&aspect: &Aspect| (aspect, BTreeSet::new());
        Self(aspects.iter().map(empty).collect())
    }

    /// Adds a name.
    pub(super) fn add(&mut self, aspect: Aspect, name: impl Into<String>) {
        self.0.entry(aspect).or_default().insert(name.into());
    }

    /// A line for each aspect of `theirs` in which the names differ, with the first `shown` names.
    pub(super) fn differences(&self, theirs: &Self, shown: usize) -> impl Iterator<Item = String> {
        theirs.0.iter().filter_map(move |(aspect, theirs)| {
            let none = BTreeSet::new();
            let ours = self.0.get(aspect).unwrap_or(&none);
            let list = |names: &mut dyn Iterator<Item = &String>| {
                let names: Vec<&str> = names.take(shown).map(String::as_str).collect();
                names.join(", ")
            };
            let only_ours = list(&mut ours.difference(theirs));
            let only_theirs = list(&mut theirs.difference(ours));
            (ours != theirs).then(|| {
                format!(
                    "{}: only mondo-audit has {only_ours:?}, only the other has {only_theirs:?}",
                    aspect.name()
                )
            })
        })
    }
}

/// The facts of mondo-audit.
pub(super) fn ours(facts: &Facts<'_>) -> Seen {
    let mut seen = Seen::of(&Aspect::ALL);
    for export in &facts.exports {
        let name = match (export.version, export.default_version) {
            (None, _) => export.name.to_string(),
            (Some(version), true) => format!("{}@@{version}", export.name),
            (Some(version), false) => format!("{}@{version}", export.name),
        };
        if export.binding == Binding::Unique {
            seen.add(Aspect::Shared, &*export.name);
        }
        seen.add(Aspect::Exports, name);
    }
    for import in &facts.imports {
        let version = import.version.map(|version| format!("@{version}"));
        seen.add(
            Aspect::Imports,
            format!("{}{}", import.name, version.unwrap_or_default()),
        );
    }
    for need in &facts.version_needs {
        let version = format!("{}:{}", need.library, need.version);
        seen.add(Aspect::Versions, version);
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
    seen
}
