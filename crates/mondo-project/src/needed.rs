//! Archives of one project that another project links although the first project's own libraries do not.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

use crate::closure::Closure;
use crate::file_api::Reply;
use crate::ninja::Ninja;
use crate::prepare::{Preparation, Prepared};
use crate::record::Record;

impl Preparation<'_> {
    /// The projects that this one needs.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &Prepared> {
        let needs = &self.project.needs;
        self.done.iter().filter(|it| needs.contains(&it.name))
    }

    /// True for an archive that an earlier project already adds to the library.
    pub(crate) fn is_linked(&self, path: &Utf8Path) -> bool {
        self.done.iter().any(|it| it.linked.contains(path))
    }

    /// Builds those of `archives` that belong to the project `of` and that its own build did not make. Returns the
    /// number of steps that Ninja ran.
    pub(crate) fn build_more(
        &self,
        of: &Prepared,
        archives: &BTreeSet<&Utf8PathBuf>,
    ) -> Result<usize> {
        let new = archives.iter().filter(|it| !of.linked.contains(**it));
        let own: Vec<String> = new
            .filter_map(|it| it.strip_prefix(&of.build).ok())
            .map(|it| it.as_str().to_owned())
            .collect();
        let mut projects = self.request.projects.iter();
        let Some(project) = projects.find(|it| it.name.get_ref() == &of.name) else {
            return Ok(0);
        };
        if own.is_empty() {
            return Ok(0);
        }
        let closure = Closure {
            own,
            ..Closure::default()
        };
        let record = Record::read(&of.folders.record)?;
        let reply = Reply::read(&of.build)?;
        self.trees(project, &of.build, &[])
            .check_options(&closure, &reply, &record)?;
        let ninja = Ninja {
            tools: self.request.tools,
            name: &of.name,
            folders: &of.folders,
            toolchain: self.request.toolchain,
        };
        ninja.build(&closure.own, self.request.sink)
    }
}
