//! Options of a project's `CMake` that are not possible in a bundle. An error names the option and the target that
//! has it.

use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::compiler_flags::first_forbidden;

use crate::closure::{Closure, Trees};
use crate::file_api::{CompileGroup, Fragment, Reply, Target};
use crate::record::Record;

const RUNTIME: &str =
    "mondo decides how the C++ runtime gets into the library, which is one for all projects";

const RTTI: &str = "LLVM and the other projects of the bundle are compiled without: its classes would refer to type \
                    information of theirs that does not exist";

impl Trees<'_> {
    /// Refuses options of the link.
    pub(crate) fn allowed_link(&self, fragments: &[Fragment]) -> Result<()> {
        let words = self.words(fragments);
        let runtime = ["-static-libstdc++", "-static-libgcc"];
        let runtime = words.iter().find(|word| runtime.contains(*word));
        let refused = runtime.map(|word| (*word, RUNTIME));
        let Some((word, why)) = refused.or_else(|| first_forbidden(&words)) else {
            return Ok(());
        };
        Err(Error::new(
            ErrorKind::Compile,
            format!(
                "the project `{}` is linked with `{word}`",
                self.project.name.get_ref()
            ),
        )
        .at(self.project.folder.join("CMakeLists.txt"))
        .because(why)
        .help("take it out of the project's link options"))
    }

    /// The options in `fragments`, without those that this bundle sets itself. The split at spaces is enough, because
    /// options with spaces in them are not checked.
    fn words<'f>(&self, fragments: &'f [Fragment]) -> Vec<&'f str> {
        let words = fragments
            .iter()
            .flat_map(|it| it.fragment.split_whitespace());
        let instrumented = !self.instrumentation.is_none();
        let ours = |word: &str| instrumented && word.starts_with("-fsanitize");
        words.filter(|word| !ours(word)).collect()
    }

    /// Refuses options of the compiler.
    fn allowed(&self, target: &str, group: &CompileGroup, record: &Record) -> Result<()> {
        let mut words = self.words(&group.compile_command_fragments);
        let defines: Vec<String> = group
            .defines
            .iter()
            .map(|it| format!("-D{}", it.define))
            .collect();
        words.extend(defines.iter().map(String::as_str));
        let rtti = words
            .iter()
            .rfind(|it| matches!(**it, "-frtti" | "-fno-rtti"));
        let rtti = rtti.is_some_and(|it| *it == "-frtti");
        let (flag, why, help) = match first_forbidden(&words) {
            Some((flag, why)) => (flag, why, ""),
            None if rtti => ("-frtti", RTTI, "; LLVM's `isa` and `dyn_cast` need no RTTI"),
            None => return Ok(()),
        };
        let place = record
            .targets
            .iter()
            .find(|it| it.name == target)
            .map_or_else(|| self.project.folder.clone(), |it| it.folder.clone());
        Err(Error::new(
            ErrorKind::Compile,
            format!(
                "the target `{target}` of the project `{}` is compiled with `{flag}`",
                self.project.name.get_ref()
            ),
        )
        .at(place.join("CMakeLists.txt"))
        .because(why)
        .help(format!("take it out of the project's options{help}")))
    }

    /// Checks the options that the targets of these archives are compiled with.
    pub(crate) fn check_options(
        &self,
        closure: &Closure,
        reply: &Reply,
        record: &Record,
    ) -> Result<Vec<(String, Target)>> {
        let mut targets = Vec::new();
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
                continue;
            }
            for group in &target.compile_groups {
                self.allowed(object.unwrap_or(name), group, record)?;
            }
            targets.push((name.to_owned(), target));
        }
        Ok(targets)
    }
}
