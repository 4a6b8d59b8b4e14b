//! The answers to the linker's questions about projects: who asks for an archive, and which target defines a symbol
//! that is not linked.

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_link::link::{self, UnlinkedCode};
use mondo_project::Prepared;

/// The code of a bundle's projects.
pub(super) struct ProjectCode<'a> {
    projects: &'a [Prepared],
    /// Sentences about who asks for the archives that no project makes.
    pub(super) asked: BTreeMap<Utf8PathBuf, String>,
}

impl<'a> ProjectCode<'a> {
    pub(super) fn new(projects: &'a [Prepared]) -> Self {
        let asked = projects.iter().flat_map(|project| &project.asked);
        Self {
            projects,
            asked: asked.cloned().collect(),
        }
    }
}

impl UnlinkedCode for ProjectCode<'_> {
    fn definitions(&self, symbols: &[&str]) -> Result<BTreeMap<String, link::Unlinked>> {
        let mut all = BTreeMap::new();
        for prepared in self.projects {
            for (symbol, found) in prepared.unlinked(symbols)? {
                all.entry(symbol).or_insert_with(|| link::Unlinked {
                    place: format!(
                        "{} of the target `{}` of the project `{}`, which is not linked",
                        found.place, found.target, prepared.name
                    ),
                    target: found.target,
                    project: prepared.name.clone(),
                });
            }
        }
        Ok(all)
    }
}
