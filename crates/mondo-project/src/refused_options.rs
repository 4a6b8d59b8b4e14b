//! Options of a project's `CMake` that are not possible in a bundle. An error names the option, the target that has
//! it and the line that adds it.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::compiler_flags::first_forbidden;

use crate::closure::{Closure, Trees};
use crate::file_api::{BacktraceGraph, CompileGroup, Fragment, Reply, Target};
use crate::headers;
use crate::ninja::Ninja;
use crate::record::Record;
use crate::{rtti, written};

const RUNTIME: &str = "mondo links one C++ runtime into the library for all projects";

/// The next step for options of the link.
const FROM_LINK: &str = "remove it from the project's link options";

/// The option of LLVM's `CMake` (`HandleLLVMOptions`) that adds [`STATIC`] to all links.
const SWITCH: &str = "LLVM_STATIC_LINK_CXX_STDLIB";

const STATIC: &str = "-static-libstdc++";

/// The place of an option, and the next step.
struct Place {
    at: String,
    help: String,
}

impl Place {
    fn new(at: String, help: impl Into<String>) -> Self {
        let help = help.into();
        Self { at, help }
    }
}

/// `CMake`'s word for a library without an archive of its own. With RTTI it is refused whatever it links, since its
/// objects are in an archive with others.
const OBJECTS: &str = "OBJECT_LIBRARY";

impl Trees<'_> {
    /// Refuses options of the link.
    pub(crate) fn allowed_link(&self, probe: &Target, record: &Record) -> Result<()> {
        self.without_runtime(probe, "", record)?;
        let fragments = probe.link_fragments();
        match first_forbidden(&self.words(fragments)) {
            Some((word, why)) => Err(self.refused_link(word, why, probe, "", record)),
            None => Ok(()),
        }
    }

    /// Refuses the options by which a package links an extension. Only those about the C++ runtime would reach beyond
    /// the extension; mondo links it with options of its own.
    pub(crate) fn allowed_extension(
        &self,
        module: &str,
        reply: &Reply,
        record: &Record,
    ) -> Result<()> {
        for package in &self.project.modules {
            let name = format!("{}.extension.{module}.dso", package.get_ref());
            if let Some(target) = reply.target(&name)? {
                let of = format!("the extension `{module}` of ");
                self.without_runtime(&target, &of, record)?;
            }
        }
        Ok(())
    }

    fn without_runtime(&self, target: &Target, of: &str, record: &Record) -> Result<()> {
        let options = [STATIC, "-static-libgcc", "-l:libstdc++.a"];
        let is_runtime = |word: &&str| options.contains(word) || word.ends_with("/libstdc++.a");
        let words = self.words(target.link_fragments());
        match words.into_iter().find(is_runtime) {
            Some(word) => Err(self.refused_link(word, RUNTIME, target, of, record)),
            None => Ok(()),
        }
    }

    fn refused_link(
        &self,
        word: &str,
        why: &str,
        target: &Target,
        of: &str,
        record: &Record,
    ) -> Error {
        let line = self.line_of(word, target.link_fragments(), &target.backtrace_graph);
        let name = self.project.name.get_ref();
        let Place { at, help } = line
            .map(|at| Place::new(at, FROM_LINK))
            .or_else(|| self.written(word, FROM_LINK, record))
            .or_else(|| self.switched(word, record))
            .unwrap_or_else(|| {
                let at = self.project.folder.join("CMakeLists.txt").into_string();
                Place::new(at, FROM_LINK)
            });
        Error::new(
            ErrorKind::Compile,
            format!("{of}the project `{name}` is linked with `{word}`"),
        )
        .help(self.with_switch(&at, help))
        .at(at)
        .because(why)
    }

    /// The next step, with the project's own option if it is around the line.
    fn with_switch(&self, at: &str, help: String) -> String {
        let reply = Reply::read(self.build).ok();
        let switch = reply.and_then(|reply| written::switch_around(at, &reply.on));
        match switch {
            Some(switch) => format!("set `{switch} = \"OFF\"` in `define`, or {help}"),
            None => help,
        }
    }

    /// The place of an option that `CMake` cannot tell: in the manifest, else in the project's `CMake` files.
    fn written(&self, word: &str, help: &str, record: &Record) -> Option<Place> {
        if let Some(at) = written::option_with(word, self.project) {
            return Some(Place::new(at, "remove it from `define`"));
        }
        let at = written::line_with(word, self.lists(record))?;
        Some(Place::new(at, help))
    }

    /// The place that makes LLVM's `CMake` add the option.
    fn switched(&self, word: &str, record: &Record) -> Option<Place> {
        if word != STATIC {
            return None;
        }
        let at = written::option(SWITCH, self.project)
            .or_else(|| written::line_with(SWITCH, self.lists(record)))?;
        let help = format!("remove {SWITCH}, which makes LLVM's CMake add the option");
        Some(Place::new(at, help))
    }

    /// The folders of the project's `CMake` files, its own first.
    fn lists<'r>(&'r self, record: &'r Record) -> Vec<&'r Utf8Path> {
        let mut folders = vec![self.project.folder.as_path()];
        for target in &record.targets {
            let own = target.folder.starts_with(&self.project.folder);
            if own && !folders.contains(&target.folder.as_path()) {
                folders.push(&target.folder);
            }
        }
        folders
    }

    /// The options in `fragments`, without those that this bundle sets itself. The split at spaces is enough, because
    /// options with spaces in them are not checked.
    fn words<'f>(&self, fragments: &'f [Fragment]) -> Vec<&'f str> {
        let words = fragments
            .iter()
            .flat_map(|fragment| fragment.fragment.split_whitespace());
        let instrumented = !self.instrumentation.is_none();
        let ours = |word: &str| instrumented && word.starts_with("-fsanitize");
        words.filter(|word| !ours(word)).collect()
    }

    /// The project's line that adds `word`, where `CMake` tells it.
    fn line_of(
        &self,
        word: &str,
        fragments: &[Fragment],
        calls: &BacktraceGraph,
    ) -> Option<String> {
        let has =
            |fragment: &&Fragment| fragment.fragment.split_whitespace().any(|one| one == word);
        let fragment = fragments.iter().rfind(has)?;
        let mut calls = calls.calls(fragment.backtrace);
        calls.find_map(|(file, line)| Some(format!("{}:{line}", self.own_file(file)?)))
    }

    /// A file of the project as `CMake` names it, or none for files of others. Relative names start at the top of the
    /// build's sources, which is mondo's own folder for a unified project.
    fn own_file(&self, file: &Utf8Path) -> Option<Utf8PathBuf> {
        let relative = file.is_relative() && !self.project.unified;
        let own = relative || file.starts_with(&self.project.folder);
        own.then(|| self.project.folder.join(file))
    }

    /// An error about an option of a target, at the line that adds it, else at the file that makes the target. `more` is
    /// a further part of the next step.
    pub(crate) fn refused_flag(
        &self,
        flag: &str,
        more: &str,
        (name, target, fragments): (&str, &Target, &[Fragment]),
        record: &Record,
    ) -> Error {
        let line = self.line_of(flag, fragments, &target.backtrace_graph);
        const HELP: &str = "remove it from the project's options";
        let made = record.targets.iter().find(|target| target.name == name);
        let folder = made.map_or(&self.project.folder, |target| &target.folder);
        let Place { at, help } = line
            .map(|at| Place::new(at, HELP))
            .or_else(|| {
                // A definition is written with and without `-D`.
                let words = [flag, flag.strip_prefix("-D").unwrap_or(flag)];
                let at = words
                    .iter()
                    .find_map(|word| written::line_with(word, [folder.as_path()]))?;
                Some(Place::new(at, HELP))
            })
            .or_else(|| self.written(flag, HELP, record))
            .unwrap_or_else(|| Place::new(folder.join("CMakeLists.txt").into_string(), HELP));
        let what = format!(
            "the target `{name}` of the project `{}` is compiled with `{flag}`",
            self.project.name.get_ref()
        );
        Error::new(ErrorKind::Compile, what)
            .help(self.with_switch(&at, format!("{help}{more}")))
            .at(at)
    }

    /// Refuses options of the compiler.
    fn allowed(
        &self,
        name: &str,
        group: &CompileGroup,
        target: &Target,
        record: &Record,
    ) -> Result<()> {
        let fragments = &group.compile_command_fragments;
        let mut words = self.words(fragments);
        let defines: Vec<String> = group
            .defines
            .iter()
            .map(|define| format!("-D{}", define.define))
            .collect();
        words.extend(defines.iter().map(String::as_str));
        let (flag, why, help) = match first_forbidden(&words) {
            Some((flag, why)) => (flag, why, ""),
            None if rtti::is_on(group)
                && (target.kind == OBJECTS || rtti::links_llvm(name, record)) =>
            {
                (rtti::FLAG, rtti::WHY, rtti::HELP)
            }
            None => return Ok(()),
        };
        Err(self
            .refused_flag(flag, help, (name, target, fragments), record)
            .because(why))
    }

    /// Checks the options that the targets of these archives are compiled with, and adds the targets to the closure.
    pub(crate) fn check_options(
        &self,
        closure: &mut Closure,
        reply: &Reply,
        record: &Record,
        ninja: Ninja<'_>,
    ) -> Result<()> {
        let mut others = Vec::new();
        let names: Vec<&str> = reply.names().collect();
        for name in names {
            let Some(target) = reply.target(name)? else {
                continue;
            };
            let made = |it: &crate::file_api::Artifact| {
                closure.own.iter().any(|own| it.path.as_str() == own)
            };
            let object = name.strip_prefix("obj.");
            let of_library = object.is_some_and(|library| {
                closure
                    .own
                    .iter()
                    .any(|own| own.ends_with(&format!("lib{library}.a")))
            });
            if !target.artifacts.iter().any(made) && !of_library {
                if target.kind == OBJECTS && object.is_none() && !name.starts_with("mondo.") {
                    others.push((name, target));
                }
                continue;
            }
            for group in &target.compile_groups {
                self.allowed(object.unwrap_or(name), group, &target, record)?;
            }
            closure.targets.push((name.to_owned(), target));
        }
        // Object libraries of the project's own, of which only Ninja knows the archives that they are part of.
        if !others.is_empty() {
            let objects = ninja.objects(&closure.own)?;
            for (name, target) in others {
                if headers::objects(name, &target, &objects).next().is_none() {
                    continue;
                }
                for group in &target.compile_groups {
                    self.allowed(name, group, &target, record)?;
                }
            }
        }
        Ok(())
    }
}
