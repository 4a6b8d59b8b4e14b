//! The build tree of a project that is built, for those who run its tests.

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
        }
    }

    /// Builds the project's programs and plug-ins, or only those whose names are in `text`. Returns how many steps
    /// Ninja ran.
    ///
    /// # Errors
    /// `ErrorKind::Compile` where one cannot be made, with what its compiler said.
    pub fn build_programs(
        &self,
        text: Option<&str>,
        tools: &Tools,
        toolchain: &Toolchain,
        sink: &dyn Sink,
    ) -> Result<usize> {
        let record = Record::read(&self.folders.record)?;
        let programs = record.targets.iter();
        let programs = programs.filter(|it| it.kind == "EXECUTABLE" || it.kind == "MODULE_LIBRARY");
        let names = programs.map(|it| it.name.clone());
        let names: Vec<String> = names
            .filter(|name| text.is_none_or(|text| text.contains(name)))
            .collect();
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
