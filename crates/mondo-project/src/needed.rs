//! Archives of one project that another project links although the first project's own libraries do not.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

use crate::closure::Closure;
use crate::configure::Need;
use crate::file_api::Reply;
use crate::ninja::Ninja;
use crate::prepare::{Preparation, Prepared};
use crate::record::Record;

impl Preparation<'_> {
    /// The projects that this one needs.
    pub(crate) fn needed(&self) -> impl Iterator<Item = &Prepared> {
        let needs = &self.project.needs;
        self.done
            .iter()
            .filter(|prepared| needs.contains(&prepared.name))
    }

    /// One dialect of each project that this one needs, as dependencies that determine the order of the crates.
    pub(crate) fn depends(&self) -> Vec<String> {
        self.needed()
            .filter_map(|prepared| prepared.dialects.first().cloned())
            .collect()
    }

    pub(crate) fn needs(&self) -> Vec<Need> {
        let projects = self.request.projects;
        self.needed()
            .filter_map(|prepared| {
                let project = projects
                    .iter()
                    .find(|one| one.name.get_ref() == &prepared.name)?;
                Some((
                    prepared.name.clone(),
                    project.folder.clone(),
                    prepared.build.clone(),
                ))
            })
            .collect()
    }

    /// True for an archive that an earlier project already adds to the library.
    pub(crate) fn is_linked(&self, path: &Utf8Path) -> bool {
        self.done
            .iter()
            .any(|prepared| prepared.linked.contains(path))
    }

    /// Builds those of `archives` that belong to the project `of` and that its own build did not make. Returns the
    /// number of steps that Ninja ran.
    pub(crate) fn build_more(
        &self,
        of: &Prepared,
        archives: &BTreeSet<&Utf8PathBuf>,
    ) -> Result<usize> {
        let new = archives
            .iter()
            .filter(|archive| !of.linked.contains(**archive));
        let own: Vec<String> = new
            .filter_map(|archive| archive.strip_prefix(&of.build).ok())
            .map(|archive| archive.as_str().to_owned())
            .collect();
        let mut projects = self.request.projects.iter();
        let Some(project) = projects.find(|project| project.name.get_ref() == &of.name) else {
            return Ok(0);
        };
        if own.is_empty() {
            return Ok(0);
        }
        let mut closure = Closure {
            own,
            ..Closure::default()
        };
        let record = Record::read(&of.folders.record)?;
        let reply = Reply::read(&of.build)?;
        let ninja = Ninja {
            tools: self.request.tools,
            name: &of.name,
            folders: &of.folders,
            toolchain: self.request.toolchain,
        };
        let trees = self.trees(project, &of.build, &[]);
        trees.check_options(&mut closure, &reply, &record, ninja)?;
        let steps = ninja.build(&closure.own, self.request.sink)?;
        trees.check_rtti(&closure, &record, ninja)?;
        Ok(steps)
    }
}
