//! The build tree of a project that is built, for those who run its tests.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::progress::Sink;
use mondo_plan::manifest::Project;
use mondo_toolchain::{Instrumentation, Toolchain};

use crate::configure::Folders;
use crate::ninja::Ninja;
use crate::record::Record;
use crate::tools::Tools;

/// A project's build tree.
#[derive(Debug, Clone)]
pub struct BuildTree {
    /// The project's name.
    pub name: String,
    /// The folder.
    pub build: Utf8PathBuf,
    /// The folder of all that mondo makes for the project.
    pub own: Utf8PathBuf,
    folders: Folders,
    /// The programs in whose place the bundle's tools run.
    replaced: BTreeSet<String>,
}

impl BuildTree {
    /// The build tree of a project, below the folder of intermediate files.
    #[must_use]
    pub fn of(project: &Project, work: &Utf8Path) -> Self {
        let folders = Folders::of(project, work, Instrumentation::None);
        Self {
            name: project.name.get_ref().clone(),
            own: folders.own.clone(),
            build: folders.build.clone(),
            folders,
            replaced: project.tools.keys().cloned().collect(),
        }
    }

    /// Builds the project's programs and plug-ins, or only those whose names are in `text`; none in whose place a tool of
    /// the bundle runs. Returns how many steps Ninja ran.
    ///
    /// # Errors
    /// `ErrorKind::Compile`, with the compiler's message, if one cannot be made.
    pub fn build_programs(
        &self,
        text: Option<&str>,
        tools: &Tools,
        toolchain: &Toolchain,
        sink: &dyn Sink,
    ) -> Result<usize> {
        let record = Record::read(&self.folders.record)?;
        let programs = record.targets.iter();
        let programs = programs
            .filter(|target| target.kind == "EXECUTABLE" || target.kind == "MODULE_LIBRARY");
        let names = programs.map(|target| target.name.clone());
        let names = wanted(names, text, &self.replaced);
        if names.is_empty() {
            return Ok(0);
        }
        let ninja = Ninja {
            tools,
            name: &self.name,
            folders: &self.folders,
            toolchain,
        };
        ninja.build(&names, sink)
    }
}

/// Those of the programs that the tests run: all, or those whose names are in `text`, without `replaced`.
fn wanted(
    programs: impl Iterator<Item = String>,
    text: Option<&str>,
    replaced: &BTreeSet<String>,
) -> Vec<String> {
    programs
        .filter(|name| text.is_none_or(|text| text.contains(name)) && !replaced.contains(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_a_tool_replaces_is_not_built() {
        let all = || ["toy-opt", "toy-run"].map(str::to_owned).into_iter();
        let replaced = BTreeSet::from(["toy-opt".to_owned()]);
        assert_eq!(wanted(all(), None, &replaced), ["toy-run"]);
        assert_eq!(
            wanted(all(), Some("RUN: toy-opt"), &BTreeSet::new()),
            ["toy-opt"]
        );
        assert!(wanted(all(), Some("RUN: toy-opt"), &replaced).is_empty());
    }
}
