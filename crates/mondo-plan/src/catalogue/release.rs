//! The view of a catalogue for one LLVM version.

use std::collections::BTreeMap;

use super::model::{
    Archive, Catalogue, Dialect, DialectExtension, Everything, FunctionStubs, LlvmTarget,
    ModuleExtension, PassGroup, PassPart, RuntimeLibrary, Tool, ToolTranslation, Translation,
    Versions,
};

use crate::spanned::Spanned;

/// The entries of the catalogue for one LLVM version, by name.
#[derive(Debug, Clone)]
pub struct Release<'a> {
    /// LLVM's major version.
    pub major: u32,
    /// Archives that every bundle has.
    pub base: Vec<&'a str>,
    /// C API headers that declare no exported function.
    pub headers_without_functions: &'a [String],
    /// The archive of the execution engine.
    pub execution_engine: &'a str,
    /// C API archives.
    pub archives: BTreeMap<&'a str, &'a Archive>,
    /// Dialects.
    pub dialects: BTreeMap<&'a str, &'a Dialect>,
    /// Registration functions that need several dialects: external models of interfaces, and
    /// extensions.
    pub dialect_extensions: Vec<&'a DialectExtension>,
    /// Pass groups.
    pub pass_groups: BTreeMap<&'a str, &'a PassGroup>,
    /// Functions that a bundle without some dialects can never reach.
    pub stubs: Vec<&'a FunctionStubs>,
    /// Archives of LLVM whose code calls functions that MLIR hands to them.
    pub callback_archives: &'a [String],
    /// Groups of which a bundle may have some passes and not others.
    pub pass_parts: Vec<&'a PassPart>,
    /// Translations.
    pub translations: BTreeMap<&'a str, &'a Translation>,
    /// Libraries of functions that compiled modules call.
    pub runtime_libraries: BTreeMap<&'a str, &'a RuntimeLibrary>,
    /// MLIR's tools.
    pub tools: BTreeMap<&'a str, &'a Tool>,
    /// Translations as the tool `translate` has them.
    pub tool_translations: Vec<&'a ToolTranslation>,
    /// LLVM's code generators.
    pub llvm_targets: BTreeMap<&'a str, &'a LlvmTarget>,
    /// The functions that register all there is at once.
    pub everything: &'a Everything,
    /// Sets of dialects.
    pub dialect_sets: BTreeMap<&'a str, Vec<&'a str>>,
    /// Sets of pass groups.
    pub pass_sets: BTreeMap<&'a str, Vec<&'a str>>,
    /// The rows that a prefix does not have, with what it lacks for each.
    pub absent: &'a BTreeMap<String, String>,
}

/// An entry that is valid for a range of LLVM versions.
pub(super) trait Dated {
    fn versions(&self) -> Versions;
}

/// An entry that has a name, too.
pub(super) trait Entry: Dated {
    fn name(&self) -> &Spanned<String>;
}

macro_rules! dated {
    ($($entry:ty),*) => {$(
        impl Dated for $entry {
            fn versions(&self) -> Versions {
                Versions {
                    since: self.since,
                    until: self.until,
                }
            }
        }
    )*};
}

macro_rules! entries {
    ($($entry:ty),*) => {$(
        impl Entry for $entry {
            fn name(&self) -> &Spanned<String> {
                &self.name
            }
        }
    )*};
}

dated!(
    Archive,
    Dialect,
    DialectExtension,
    ModuleExtension,
    LlvmTarget,
    PassGroup,
    PassPart,
    FunctionStubs,
    RuntimeLibrary,
    Tool,
    ToolTranslation,
    Translation
);
entries!(
    Archive,
    Dialect,
    LlvmTarget,
    PassGroup,
    RuntimeLibrary,
    Tool,
    Translation
);

fn at<E: Entry>(entries: &[E], major: u32) -> BTreeMap<&str, &E> {
    entries
        .iter()
        .filter(|entry| entry.versions().contain(major))
        .map(|entry| (entry.name().get_ref().as_str(), entry))
        .collect()
}

/// Sets shrink to the members that this version has.
fn sets<'a, E>(
    sets: &'a BTreeMap<String, Vec<Spanned<String>>>,
    members: &BTreeMap<&'a str, E>,
) -> BTreeMap<&'a str, Vec<&'a str>> {
    let here = |set: &'a [Spanned<String>]| {
        set.iter()
            .map(|name| name.get_ref().as_str())
            .filter(|name| members.contains_key(name))
            .collect()
    };
    sets.iter()
        .map(|(name, set)| (name.as_str(), here(set)))
        .collect()
}

impl<'a> Release<'a> {
    pub(super) fn new(catalogue: &'a Catalogue, major: u32) -> Self {
        let dialects = at(&catalogue.dialects, major);
        let pass_groups = at(&catalogue.pass_groups, major);
        Self {
            major,
            base: catalogue
                .base
                .iter()
                .map(|name| name.get_ref().as_str())
                .collect(),
            headers_without_functions: &catalogue.headers_without_functions,
            dialect_extensions: catalogue
                .dialect_extensions
                .iter()
                .filter(|extension| extension.versions().contain(major))
                .collect(),
            stubs: catalogue
                .stubs
                .iter()
                .filter(|stub| stub.versions().contain(major))
                .collect(),
            callback_archives: &catalogue.callback_archives,
            pass_parts: catalogue
                .pass_parts
                .iter()
                .filter(|part| part.versions().contain(major))
                .collect(),
            execution_engine: catalogue.execution_engine.get_ref(),
            archives: at(&catalogue.archives, major),
            translations: at(&catalogue.translations, major),
            runtime_libraries: at(&catalogue.runtime_libraries, major),
            tools: at(&catalogue.tools, major),
            tool_translations: catalogue
                .tool_translations
                .iter()
                .filter(|row| row.versions().contain(major))
                .collect(),
            llvm_targets: at(&catalogue.llvm_targets, major),
            everything: &catalogue.everything,
            absent: &catalogue.absent,
            dialect_sets: sets(&catalogue.sets.dialects, &dialects),
            pass_sets: sets(&catalogue.sets.passes, &pass_groups),
            dialects,
            pass_groups,
        }
    }

    /// True if this release's C API has an entry with the key `c-api-since`.
    fn in_c_api(&self, since: Option<u32>) -> bool {
        since.is_none_or(|since| since <= self.major)
    }

    /// The dialect's own C API archive, with the function that returns its handle.
    #[must_use]
    pub fn archive_of(&self, dialect: &'a Dialect) -> Option<&'a Spanned<String>> {
        self.in_c_api(dialect.c_api_since)
            .then_some(&dialect.archive)
    }

    /// The C API archives that come with the dialect.
    pub fn archives_of(&self, dialect: &'a Dialect) -> impl Iterator<Item = &'a Spanned<String>> {
        self.archive_of(dialect).into_iter().chain(&dialect.also)
    }

    /// The C API archive with the function that registers the group.
    #[must_use]
    pub fn archive_of_group(&self, group: &'a PassGroup) -> Option<&'a Spanned<String>> {
        self.in_c_api(group.c_api_since).then_some(&group.archive)
    }

    /// The operations that other dialects add to the dialect.
    pub fn extensions_of(&self, dialect: &'a Dialect) -> impl Iterator<Item = &'a ModuleExtension> {
        let extensions = dialect.extensions.iter();
        extensions.filter(|extension| extension.versions().contain(self.major))
    }
}
