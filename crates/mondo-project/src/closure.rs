//! The closure of a project's C API libraries: which archives they need, by `CMake`'s own link line.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::manifest::Project;
use mondo_toolchain::Toolchain;

use crate::file_api::{Reply, Target};
use crate::record::Record;

/// The library that links the C API libraries, so that `CMake` says in which order and with what.
const PROBE: &str = "mondo.closure";

/// Libraries of the C and C++ runtimes, which every image may need.
const SYSTEM: &[&str] = &[
    "rt", "dl", "m", "pthread", "c", "util", "stdc++", "gcc", "gcc_s",
];

/// The archives of a closure.
#[derive(Debug, Default)]
pub(crate) struct Closure {
    /// The project's own archives, relative to its build tree, in link order.
    pub(crate) own: Vec<String>,
    /// Archives of the machine or of the source tree, which no target makes.
    pub(crate) given: Vec<Utf8PathBuf>,
    /// MLIR's and LLVM's archives, without `lib` and `.a`.
    pub(crate) llvm: Vec<String>,
}

/// The trees that a path of the link line may be in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trees<'a> {
    pub(crate) project: &'a Project,
    pub(crate) build: &'a Utf8Path,
    /// The LLVM prefix that `CMake` sees.
    pub(crate) prefix: &'a Utf8Path,
    pub(crate) toolchain: &'a Toolchain,
    /// Build trees of the projects that it needs: what is in them is linked with those.
    pub(crate) needed: &'a [Utf8PathBuf],
}

impl Trees<'_> {
    /// Reads the closure.
    pub(crate) fn closure(&self, reply: &Reply, record: &Record) -> Result<Closure> {
        let mut closure = Closure::default();
        let Some(probe) = reply.target(PROBE)? else {
            return Ok(closure);
        };
        let mut seen = BTreeSet::new();
        let mut shared = Vec::new();
        let link = probe
            .link
            .map(|it| it.command_fragments)
            .unwrap_or_default();
        for fragment in &link {
            self.allowed(PROBE, &fragment.fragment, record)?;
            if fragment.role != "libraries" {
                continue;
            }
            for word in fragment.fragment.split_whitespace() {
                let word = word.trim_matches('"');
                if !seen.insert(word.to_owned()) {
                    continue;
                }
                self.word(word, record, &mut closure, &mut shared);
            }
        }
        if shared.is_empty() {
            return Ok(closure);
        }
        Err(Error::new(
            ErrorKind::Archive,
            format!(
                "the project `{}` links shared libraries, which cannot be part of a bundle",
                self.project.name.get_ref()
            ),
        )
        .at(&self.project.folder)
        .because("everything in a mondo library is linked statically and hidden")
        .details(shared)
        .help(
            "build or install a static one (`.a`, compiled with -fPIC), or switch off the part of the \
             project that needs it with `define`",
        ))
    }

    fn word(&self, word: &str, record: &Record, closure: &mut Closure, shared: &mut Vec<String>) {
        if let Some(name) = word.strip_prefix("-l") {
            if !SYSTEM.contains(&name) {
                shared.push(asked(word, record));
            }
            return;
        }
        if word.starts_with('-') {
            return;
        }
        let path = self.build.join(word);
        let file = path.file_name().unwrap_or_default().to_owned();
        let stem = file.strip_prefix("lib").unwrap_or(&file);
        let of_llvm = path.starts_with(self.prefix) || path.starts_with(&self.toolchain.prefix);
        let native = self
            .toolchain
            .library_dirs
            .iter()
            .any(|dir| path.starts_with(dir));
        if file.ends_with(".a") {
            let stem = stem.trim_end_matches(".a");
            if of_llvm {
                closure.llvm.push(stem.to_owned());
            } else if native && matches!(stem, "z" | "zstd") {
                // Linked with LLVM's archives, for which they are.
            } else if let Ok(own) = path.strip_prefix(self.build) {
                closure.own.push(own.as_str().to_owned());
            } else if !self.needed.iter().any(|tree| path.starts_with(tree)) {
                closure.given.push(path);
            }
        } else if file.contains(".so") {
            // LLVM's own archives refer to the distribution's shared library; the bundle has all of it
            // as archives.
            if of_llvm {
                return;
            }
            let stem = stem.split(".so").next().unwrap_or(stem);
            if !SYSTEM.contains(&stem) {
                shared.push(asked(word, record));
            }
        } else if file.ends_with(".o") {
            // Objects of a library that is linked anyway.
        }
    }

    /// Refuses options that a bundle cannot have.
    fn allowed(&self, target: &str, flags: &str, record: &Record) -> Result<()> {
        let name = self.project.name.get_ref();
        let refused = |flag: &str, why: &str, help: &str| {
            let place = record
                .targets
                .iter()
                .find(|it| it.name == target)
                .map_or_else(|| self.project.folder.clone(), |it| it.folder.clone());
            let what = if target == PROBE {
                format!("the project `{name}` is compiled with `{flag}`")
            } else {
                format!("the target `{target}` of the project `{name}` is compiled with `{flag}`")
            };
            Err(Error::new(ErrorKind::Compile, what)
                .at(place.join("CMakeLists.txt"))
                .because(why)
                .help(help))
        };
        let mut rtti = false;
        let mut lto = None;
        for word in flags.split_whitespace() {
            match word {
                "-frtti" => rtti = true,
                "-fno-rtti" => rtti = false,
                "-fno-lto" => lto = None,
                flag if flag == "-flto" || flag.starts_with("-flto=") => lto = Some(flag),
                "-static-libstdc++" | "-static-libgcc" => {
                    return refused(
                        word,
                        "mondo decides how the C++ runtime gets into the library, which is one for all \
                         projects",
                        "take it out of the project's link options",
                    );
                }
                _ => {}
            }
        }
        if let Some(flag) = lto {
            return refused(
                flag,
                "the archives would have the compiler's intermediate code, which the bundle's linker cannot read",
                "take it out of the project's options; CMAKE_INTERPROCEDURAL_OPTIMIZATION is switched off by itself",
            );
        }
        if rtti {
            return refused(
                "-frtti",
                "LLVM and the other projects of the bundle are compiled without: its classes would refer \
                 to type information of theirs that does not exist",
                "take it out of the project's options; LLVM's `isa` and `dyn_cast` need no RTTI",
            );
        }
        Ok(())
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
                let flags: Vec<&str> = group
                    .compile_command_fragments
                    .iter()
                    .map(|it| it.fragment.as_str())
                    .collect();
                self.allowed(object.unwrap_or(name), &flags.join(" "), record)?;
            }
            targets.push((name.to_owned(), target));
        }
        Ok(targets)
    }
}

/// A shared library, and the targets that ask for it.
fn asked(word: &str, record: &Record) -> String {
    let targets = record.who_links(word);
    let names: Vec<String> = targets
        .iter()
        .map(|it| format!("`{}` ({}/CMakeLists.txt)", it.name, it.folder))
        .collect();
    if names.is_empty() {
        return word.to_owned();
    }
    format!("{word}, which {} links", names.join(" and "))
}

/// MLIR's C API archives that the project's own libraries and extensions need, which come whole, and
/// archives of LLVM's tree that go by other names than the rest.
pub(crate) fn links(record: &Record, closure: &Closure) -> Vec<String> {
    let c_api = closure.llvm.iter().chain(&record.foreign);
    let mut links: Vec<String> = c_api
        .filter(|name| {
            let special = !name.starts_with("MLIR") && !name.starts_with("LLVM");
            // It registers all there is; the manifest says what the bundle has.
            (name.starts_with("MLIRCAPI") && *name != "MLIRCAPIRegisterEverything") || special
        })
        .filter(|name| !name.starts_with("MLIRPython"))
        .cloned()
        .collect();
    links.sort();
    links.dedup();
    links
}
