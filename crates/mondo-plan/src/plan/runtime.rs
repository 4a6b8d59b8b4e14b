//! The runtime libraries of a bundle: functions that compiled modules call.

use std::collections::BTreeMap;

use super::Registration;
use super::selection::{Selection, sorted};
use crate::catalogue::Release;
use crate::manifest::Manifest;

/// The runtime libraries that an engine of the bundle could have, and does not, with their functions.
pub(super) fn excluded_runtime(
    manifest: &Manifest,
    release: &Release<'_>,
    chosen: &Selection<'_>,
) -> BTreeMap<String, Vec<String>> {
    if !*manifest.execution_engine.get_ref() {
        return BTreeMap::new();
    }
    let libraries = release.runtime_libraries.iter();
    libraries
        .filter(|(name, _)| !chosen.names.contains(*name))
        .map(|(name, library)| ((*name).to_owned(), library.functions.clone()))
        .collect()
}

impl Registration {
    /// Adds the functions of the chosen runtime libraries.
    pub(super) fn add_runtime(&mut self, release: &Release<'_>, chosen: &Selection<'_>) {
        let libraries = release.runtime_libraries.iter();
        let chosen: Vec<_> = libraries
            .filter(|(name, _)| chosen.names.contains(*name))
            .map(|(_, library)| library)
            .collect();
        self.runtime = sorted(
            chosen
                .iter()
                .flat_map(|library| library.functions.clone())
                .collect(),
        );
        self.finish = sorted(
            chosen
                .iter()
                .filter_map(|library| library.finish.clone())
                .collect(),
        );
    }
}
