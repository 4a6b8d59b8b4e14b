//! The parts of a built project that its `dialect.toml` names: headers, generated files, archives, include folders,
//! compiler options and extensions.

use camino::Utf8PathBuf;
use mondo_core::error::Result;
use mondo_plan::archive_symbols;
use mondo_plan::manifest::Word;

use super::{Configured, Preparation};
use crate::closure::Closure;
use crate::cpp_options::CppOptions;
use crate::dialect_toml::Extension;
use crate::extensions::Extensions;
use crate::file_api::{Reply, Target};
use crate::headers::{self, Headers};
use crate::record::{Group, GroupKind, Record};
use crate::tablegen::Generated;

/// The parts of a project, except its dialects and programs.
pub(super) struct Parts<'r> {
    /// The Python groups of its package.
    pub(super) groups: Vec<&'r Group>,
    pub(super) headers: Headers,
    /// The output of mlir-tblgen.
    pub(super) generated: Generated,
    /// The folders in which headers and ODS files are looked up.
    pub(super) include: Vec<Utf8PathBuf>,
    /// The archives that are linked whole.
    pub(super) whole: Vec<Utf8PathBuf>,
    /// The archives that are linked by need.
    pub(super) by_need: Vec<Utf8PathBuf>,
    /// The options for C++ that includes the libraries' headers.
    pub(super) options: CppOptions,
    pub(super) extensions: Vec<Extension>,
}

impl Preparation<'_> {
    pub(super) fn parts<'r>(&self, configured: &'r Configured) -> Result<Parts<'r>> {
        let Configured {
            record,
            reply,
            closure,
            ..
        } = configured;
        let targets = &closure.targets;
        let groups = self.groups(record);
        let objects = self.ninja().objects(&closure.own)?;
        let headers = self.headers(record, targets, &objects)?;
        let generated = self.generated(&headers, &groups, closure, targets, &objects)?;
        let whole = self.whole(record, closure, targets);
        Ok(Parts {
            include: self.include(targets, &groups, reply, &generated)?,
            by_need: self.by_need(configured.of_the_library()),
            options: self.options(record, targets),
            extensions: self.extensions(&groups, configured, &whole)?,
            groups,
            headers,
            generated,
            whole,
        })
    }

    fn headers(
        &self,
        record: &Record,
        targets: &[(String, Target)],
        objects: &[String],
    ) -> Result<Headers> {
        let libraries: Vec<(&str, &Target)> = targets
            .iter()
            .filter(|(name, _)| {
                let library = name.strip_prefix("obj.").unwrap_or(name);
                record.libraries.iter().any(|taken| taken == library)
            })
            .map(|(name, target)| (name.as_str(), target))
            .collect();
        // A library with an object library (`obj.…`) is skipped: its objects are those of the object library.
        let has_objects = |name: &str| {
            let object = format!("obj.{name}");
            libraries.iter().any(|(other, _)| *other == object)
        };
        let compiled: Vec<(&str, &Target)> = libraries
            .iter()
            .copied()
            .filter(|(name, _)| !has_objects(name))
            .collect();
        headers::headers(&compiled, objects, &self.roots(), self.ninja())
    }

    /// The outputs of mlir-tblgen. They are not read if the C API and the Python package tell all that is needed.
    fn generated(
        &self,
        headers: &Headers,
        groups: &[&Group],
        closure: &Closure,
        targets: &[(String, Target)],
        objects: &[String],
    ) -> Result<Generated> {
        let has_handle = |word: &Word| headers.dialects.contains(word.get_ref());
        let chosen = self.project.dialects.as_deref().unwrap_or_default();
        let registered = [
            &self.project.passes,
            &self.project.dialect_extensions,
            &self.project.translations,
            &self.project.tool_translations,
        ];
        let of_cpp = registered.into_iter().flatten();
        let of_cpp = of_cpp.filter(|word| word.get_ref().contains("::")).count() > 0;
        let package = !self.project.modules.is_empty() && self.project.libraries.is_empty();
        // The handle of a dialect may be named by another word.
        let has_own_word = |it: &&Group| {
            it.kind != GroupKind::Dialect
                || headers.dialects.contains(&it.dialect)
                || self.upstream.contains(&it.dialect)
        };
        let has_own_words = groups.iter().all(has_own_word);
        if package && !of_cpp && chosen.iter().all(has_handle) && has_own_words {
            return Ok(Generated::default());
        }
        let objects: Vec<&String> = targets
            .iter()
            .flat_map(|(name, target)| headers::objects(name, target, objects))
            .collect();
        let ninja = self.ninja();
        let compiled = ninja.read_by(&objects)?;
        let commands = ninja.commands(&closure.own)?;
        Ok(Generated::of(&commands, &self.folders.build, &compiled))
    }

    /// The archives of the C API libraries, and the archives that the project itself links whole.
    fn whole(
        &self,
        record: &Record,
        closure: &Closure,
        targets: &[(String, Target)],
    ) -> Vec<Utf8PathBuf> {
        let of_c_api = targets
            .iter()
            .filter(|(name, _)| record.libraries.contains(name));
        let mut whole: Vec<Utf8PathBuf> = of_c_api
            .flat_map(|(_, target)| &target.artifacts)
            .filter(|artifact| artifact.path.extension() == Some("a"))
            .map(|artifact| self.folders.build.join(&artifact.path))
            .collect();
        // A pass that registers itself is in an object that nothing refers to.
        let own = closure.own.iter().map(|path| self.folders.build.join(path));
        let of_passes = own.filter(archive_symbols::registers_passes);
        for path in closure.whole.iter().cloned().chain(of_passes) {
            if !whole.contains(&path) && !self.is_linked(&path) {
                whole.push(path);
            }
        }
        whole
    }

    fn by_need<'c>(&self, closures: impl Iterator<Item = &'c Closure>) -> Vec<Utf8PathBuf> {
        let mut all = Vec::new();
        for closure in closures {
            let own = closure.own.iter().map(|path| self.folders.build.join(path));
            let others = closure.given.iter().chain(&closure.needed);
            let others = others.filter(|archive| !self.is_linked(archive)).cloned();
            for archive in own.chain(others) {
                if !all.contains(&archive) {
                    all.push(archive);
                }
            }
        }
        all
    }

    /// The folders in which headers and ODS files are looked up, those of the C API libraries first.
    fn include(
        &self,
        targets: &[(String, Target)],
        groups: &[&Group],
        reply: &Reply,
        generated: &Generated,
    ) -> Result<Vec<Utf8PathBuf>> {
        let mut folders: Vec<Utf8PathBuf> = Vec::new();
        let roots = self.roots();
        let mut add = |folder: &Utf8PathBuf| {
            let inside = roots.iter().any(|root| folder.starts_with(root));
            if inside && folder.is_dir() && !folders.contains(folder) {
                folders.push(folder.clone());
            }
        };
        for group in targets
            .iter()
            .flat_map(|(_, target)| &target.compile_groups)
        {
            group.includes.iter().for_each(|include| add(&include.path));
        }
        for group in groups {
            group.include.iter().for_each(&mut add);
            if group.kind == GroupKind::Extension
                && let Some(probe) = reply.target(&group.probe)?
            {
                let includes = probe
                    .compile_groups
                    .iter()
                    .flat_map(|group| &group.includes);
                includes.for_each(|include| add(&include.path));
            }
        }
        if self.project.modules.is_empty() {
            generated.include.iter().for_each(&mut add);
        }
        Ok(folders)
    }

    /// The options for C++ that includes the libraries' headers: the first library's, with the newest standard of all.
    fn options(&self, record: &Record, targets: &[(String, Target)]) -> CppOptions {
        let own = targets.iter().filter(|(name, _)| {
            let library = name.strip_prefix("obj.").unwrap_or(name);
            record.libraries.iter().any(|taken| taken == library)
        });
        let compiled = own.filter(|(_, target)| !target.compile_groups.is_empty());
        let mut all = compiled.map(|(_, target)| CppOptions::of_library(&target.compile_groups));
        let mut options = all.next().unwrap_or_default();
        options.std = all
            .filter_map(|options| options.std)
            .chain(options.std.take())
            .max();
        options
    }

    fn extensions(
        &self,
        groups: &[&Group],
        configured: &Configured,
        whole: &[Utf8PathBuf],
    ) -> Result<Vec<Extension>> {
        let of_needed = self
            .needed()
            .flat_map(|prepared| prepared.whole.iter().cloned());
        let extensions = Extensions {
            reply: &configured.reply,
            closure: &configured.closure,
            build: &self.folders.build,
            whole: &whole.iter().cloned().chain(of_needed).collect(),
        };
        let mut made = Vec::new();
        for group in groups
            .iter()
            .filter(|group| group.kind == GroupKind::Extension)
        {
            if let Some(own) = configured.extensions.get(&group.name) {
                made.extend(extensions.one(group, own)?);
            }
        }
        Ok(made)
    }
}
