//! Names that a manifest picks from the catalogue.

use std::collections::BTreeSet;

use crate::spanned::Spanned;

/// The result of resolving a list of names and sets.
pub(super) struct Selection<'a> {
    /// True if `@all` is in the list.
    pub(super) all: bool,
    pub(super) names: BTreeSet<&'a str>,
}

impl Selection<'_> {
    /// True if all of `names` are in it.
    pub(super) fn has_all(&self, names: &[Spanned<String>]) -> bool {
        names
            .iter()
            .all(|name| self.names.contains(name.get_ref().as_str()))
    }
}

pub(super) fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
