//! Configuring and building one project.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;

use super::{Built, Configured, Preparation, words};
use crate::built_archives::BuiltArchives;
use crate::dialects;
use crate::file_api::{self, Reply};
use crate::programs::Program;
use crate::record::{GroupKind, Package, Record};
use crate::source_tree::Stand;
use crate::{names, precompiled, python};

/// The most times that the build tree may change while it is built.
const ROUNDS: usize = 3;

impl Preparation<'_> {
    /// Configures the project, and builds what the bundle takes of it and of the projects that it needs.
    pub(super) fn built(&self) -> Result<Built> {
        let name = self.project.name.get_ref();
        fs_err::create_dir_all(&self.folders.own)?;
        if self.project.unified {
            Stand::make(&self.folders.shared, self.prefix)?;
        }
        self.request.sink.update(&format!("configure {name}"));
        self.configure(&self.needs()).run()?;
        let archives = BuiltArchives::verify(&self.folders.shared, name, self.request.sink)?;
        let (configured, mut steps) = self.build()?;
        let trees = self.trees(self.project, &self.folders.build, &[]);
        let closures = configured.closures();
        for closure in closures.clone() {
            trees.check_rtti(closure, &configured.record, self.ninja())?;
        }
        let of_others: BTreeSet<&Utf8PathBuf> =
            closures.flat_map(|closure| &closure.needed).collect();
        for needed in self.needed() {
            steps += self.build_more(needed, &of_others)?;
        }
        Ok(Built {
            configured,
            archives,
            steps,
        })
    }

    /// Builds the targets that the bundle takes. Ninja reruns `CMake` if one of the project's `CMake` files has
    /// changed. After that the set of targets may differ, so the build is repeated.
    fn build(&self) -> Result<(Configured, usize)> {
        let name = self.project.name.get_ref();
        let mut steps = 0;
        for _ in 0..ROUNDS {
            let before = file_api::newest(&self.folders.build)?;
            let configured = self.configured()?;
            self.check_contents(&configured)?;
            (self.request.check_wheel)(self.project, !configured.extensions.is_empty())?;
            let package = self.packages(&configured.record).find_map(Package::root);
            python::root(self.project, package)?;
            let targets = self.wanted(&configured);
            self.request.sink.update(&format!(
                "build {name}: {} archives",
                configured.closure.own.len()
            ));
            if !targets.is_empty() {
                self.precompile(before.as_deref())?;
                steps += self.ninja().build(&targets, self.request.sink)?;
            }
            if file_api::newest(&self.folders.build)? == before {
                return Ok((configured, steps));
            }
        }
        Err(Error::new(
            ErrorKind::Compile,
            format!("the project `{name}` runs CMake again in every build"),
        )
        .at(&self.folders.build)
        .because("after each run of CMake, one of its inputs is newer than its outputs")
        .help(
            "check whether its CMake writes files into the source tree, and whether the clock \
             is correct",
        ))
    }

    /// Compiles MLIR's headers for the project's code, once for each of `CMake`'s replies.
    fn precompile(&self, reply: Option<&str>) -> Result<()> {
        let uses_script = self.request.linker.launcher.is_none()
            && precompiled::are_wanted(self.project, self.request.linker);
        let mark = self.folders.shared.join("precompiled");
        let reply = reply.unwrap_or_default();
        if !uses_script || fs_err::read_to_string(&mark).is_ok_and(|there| there == reply) {
            return Ok(());
        }
        let commands = self.ninja().all_commands()?;
        precompiled::make(self.prefix, &commands, self.request.sink)?;
        replace(&mark, reply.as_bytes())
    }

    fn configured(&self) -> Result<Configured> {
        let record = Record::read(&self.folders.record)?;
        let reply = Reply::read(&self.folders.build)?;
        names::exist_all(self.project, &record, &reply.off, self.prefix)?;
        names::targets_exist(self.project, &reply, self.ninja())?;
        let needed: Vec<Utf8PathBuf> = self
            .needed()
            .map(|prepared| prepared.build.clone())
            .collect();
        let trees = self.trees(self.project, &self.folders.build, &needed);
        let mut closure = trees.closure(&reply, &record)?;
        trees.check_options(&mut closure, &reply, &record, self.ninja())?;
        let mut extensions = BTreeMap::new();
        for group in self.groups(&record) {
            if group.kind == GroupKind::Extension {
                let mut own = trees.of_extension(group, &reply, &record)?;
                trees.check_options(&mut own, &reply, &record, self.ninja())?;
                extensions.insert(group.name.clone(), own);
            }
        }
        let mut programs = Vec::new();
        for (word, command) in self.project.own_programs() {
            if let Some(target) = reply.target(word.get_ref())? {
                let mut own = trees.of_program(&target, &record)?;
                trees.check_options(&mut own, &reply, &record, self.ninja())?;
                let paths = target
                    .artifacts
                    .iter()
                    .map(|artifact| artifact.path.to_string());
                let inputs = self.ninja().objects(&paths.collect::<Vec<_>>())?;
                programs.push(Program::new(&word, command, &target, own, inputs));
            }
        }
        Ok(Configured {
            record,
            reply,
            closure,
            extensions,
            programs,
        })
    }

    /// Refuses a project that brings nothing before it is compiled, where that is certain: no run of mlir-tblgen makes a
    /// dialect for its archives, and no header of the project declares the handle of one.
    fn check_contents(&self, configured: &Configured) -> Result<()> {
        if !dialects::names_nothing(self.project) {
            return Ok(());
        }
        let commands = self.ninja().commands(&configured.closure.own)?;
        if commands.contains("-gen-dialect-") {
            return Ok(());
        }
        for root in self.roots() {
            if dialects::declares_handle(&root)? {
                return Ok(());
            }
        }
        Err(dialects::brings_nothing(self.project, &configured.record))
    }

    /// The targets to build: the archives, and the targets that make files for ODS and Python.
    fn wanted(&self, configured: &Configured) -> Vec<String> {
        let mut targets = configured.closure.own.clone();
        let of_extensions = configured.extensions.values();
        targets.extend(of_extensions.flat_map(|extension| extension.own.iter().cloned()));
        targets.extend(
            configured
                .programs
                .iter()
                .flat_map(Program::targets)
                .cloned(),
        );
        let known: BTreeSet<&str> = configured.reply.names().collect();
        for group in self.groups(&configured.record) {
            targets.extend(
                group
                    .depends
                    .iter()
                    .filter(|name| known.contains(name.as_str()))
                    .cloned(),
            );
            if group.kind == GroupKind::Extension {
                let private = group.private.iter();
                targets.extend(
                    private
                        .filter(|library| known.contains(library.as_str()))
                        .cloned(),
                );
            }
            // A generated Python file is a target of Ninja under its path.
            if let Ok(root) = group.root.strip_prefix(&self.folders.build) {
                let files = group
                    .sources
                    .iter()
                    .filter(|source| source.ends_with(".py"));
                targets.extend(files.map(|file| root.join(file).into_string()));
            }
        }
        targets.extend(words(&self.project.targets));
        targets.sort();
        targets.dedup();
        targets
    }
}
