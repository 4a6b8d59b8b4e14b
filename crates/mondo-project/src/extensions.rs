//! The Python extensions of a project, and the archives that each links itself.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

use crate::closure::Closure;
use crate::cpp_options::CppOptions;
use crate::dialect_toml::Extension;
use crate::file_api::Reply;
use crate::record::Group;

/// The inputs of all extensions of a project.
pub(crate) struct Extensions<'a> {
    pub(crate) reply: &'a Reply,
    /// The closure of the project's libraries.
    pub(crate) closure: &'a Closure,
    /// `CMake`'s build tree.
    pub(crate) build: &'a Utf8Path,
    /// Archives of which the bundle's library has all: an extension calls their functions there.
    pub(crate) whole: &'a BTreeSet<Utf8PathBuf>,
}

impl Extensions<'_> {
    /// The extension of a Python group, or `None` if the group has no C++. `own` has the archives that the extension
    /// links itself.
    pub(crate) fn one(&self, group: &Group, own: &Closure) -> Result<Option<Extension>> {
        let compiled = group.sources.iter().filter(|source| {
            matches!(
                Utf8Path::new(source).extension(),
                Some("c" | "cc" | "cpp" | "cxx")
            )
        });
        let sources: Vec<String> = compiled.cloned().collect();
        if sources.is_empty() {
            return Ok(None);
        }
        let probe = self.reply.target(&group.probe)?;
        let compiled = probe
            .as_ref()
            .map_or(&[][..], |target| &target.compile_groups);
        Ok(Some(Extension {
            module: group.module.clone(),
            sources,
            archives: self.archives(group, own)?,
            options: CppOptions::of(compiled),
        }))
    }

    fn archives(&self, group: &Group, own: &Closure) -> Result<Vec<String>> {
        let built = own.own.iter().map(|path| self.build.join(path));
        let others = own.given.iter().chain(&own.needed).cloned();
        let archives = built
            .chain(others)
            .filter(|archive| !self.whole.contains(archive));
        let mut archives: Vec<String> = archives.map(Utf8PathBuf::into_string).collect();
        for library in &group.private {
            let of_llvm = self.closure.llvm.contains(library) || library.starts_with("LLVM");
            if of_llvm && self.reply.target(library)?.is_none() {
                archives.push(library.clone());
            }
        }
        // LLVM's archives that the extension's own archives need. MLIR's archives are not added: their code must be
        // in the bundle's library only.
        let more = own
            .llvm
            .iter()
            .filter(|archive| archive.starts_with("LLVM"));
        let more: Vec<&String> = more
            .filter(|archive| self.closure.llvm.contains(archive) && !archives.contains(archive))
            .collect();
        archives.extend(more.into_iter().cloned());
        Ok(archives)
    }
}
