//! The link closures of a project: the archives that its C API libraries and its Python extensions need, as `CMake`'s
//! own link lines list them.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::document::did_you_mean;
use mondo_plan::manifest::Project;
use mondo_toolchain::{Instrumentation, Toolchain};

use crate::file_api::{Reply, Target};
use crate::link_line::{self, Linked};
use crate::record::{Group, Record};
use crate::{names, written};

/// A library that mondo adds to the project and that links all C API libraries, so that `CMake` computes their order
/// and dependencies.
pub(crate) const PROBE: &str = "mondo.closure";

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
    /// Archives in the build trees of other projects, which this project needs.
    pub(crate) needed: Vec<Utf8PathBuf>,
    /// Those of `own`, `given` and `needed` of which the project links every member.
    pub(crate) whole: Vec<Utf8PathBuf>,
    /// MLIR's and LLVM's archives, without `lib` and `.a`.
    pub(crate) llvm: Vec<String>,
    /// The targets that `own` is made by, as the check of their options adds them.
    pub(crate) targets: Vec<(String, Target)>,
}

/// The trees that a path of the link line may be in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trees<'a> {
    pub(crate) project: &'a Project,
    pub(crate) build: &'a Utf8Path,
    /// The LLVM prefix that `CMake` sees.
    pub(crate) prefix: &'a Utf8Path,
    pub(crate) toolchain: &'a Toolchain,
    /// Build trees of the projects that this one needs.
    pub(crate) needed: &'a [Utf8PathBuf],
    /// The additions that the bundle itself makes to all code.
    pub(crate) instrumentation: Instrumentation,
}

impl Trees<'_> {
    /// Reads the closure of the project's libraries.
    pub(crate) fn closure(&self, reply: &Reply, record: &Record) -> Result<Closure> {
        match reply.target(PROBE)? {
            Some(probe) => self.linked(&probe, None, record),
            None => Ok(Closure::default()),
        }
    }

    /// Reads the archives that an extension links itself.
    pub(crate) fn of_extension(
        &self,
        group: &Group,
        reply: &Reply,
        record: &Record,
    ) -> Result<Closure> {
        self.allowed_extension(&group.module, reply, record)?;
        match reply.target(&group.link_probe)? {
            Some(probe) => self.linked(&probe, Some(group), record),
            None => Ok(Closure::default()),
        }
    }

    /// Reads the archives that a program links.
    pub(crate) fn of_program(&self, program: &Target, record: &Record) -> Result<Closure> {
        self.linked(program, None, record)
    }

    /// Reads the link line of the project's libraries or of an extension.
    fn linked(
        &self,
        probe: &Target,
        extension: Option<&Group>,
        record: &Record,
    ) -> Result<Closure> {
        let mut closure = Closure::default();
        let mut shared = Vec::new();
        self.allowed_link(probe, record)?;
        for library in link_line::libraries(probe.link_fragments(), self.build) {
            if let Some(word) = self.library(&library, &mut closure) {
                // A target of MLIR's Python package, for which the bundle has its own.
                let of_llvm = word.starts_with("-lMLIR") || word.starts_with("-lLLVM");
                if extension.is_none() || !of_llvm {
                    shared.push(self.asked(word, record));
                }
            }
        }
        if shared.is_empty() {
            return Ok(closure);
        }
        let of_extension =
            extension.map(|extension| format!("the extension `{}` of ", extension.module));
        Err(Error::new(
            ErrorKind::Archive,
            format!(
                "{}the project `{}` links shared libraries, which a bundle cannot include",
                of_extension.unwrap_or_default(),
                self.project.name.get_ref()
            ),
        )
        .at(&self.project.folder)
        .because("a mondo library links everything statically and hides it")
        .details(shared)
        .help(
            "build or install a static library (`.a`, compiled with -fPIC), or disable the \
             part of the project that needs it in `define`",
        ))
    }

    /// Adds a library of a link line to the closure. Returns the library's word in the link line if it is a shared
    /// library, which a bundle cannot link.
    fn library<'w>(&self, library: &'w Linked, closure: &mut Closure) -> Option<&'w str> {
        let word = library.word.as_str();
        if let Some(name) = word.strip_prefix("-l") {
            return Some(word).filter(|_| !SYSTEM.contains(&name));
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
                return None;
            }
            if native && matches!(stem, "z" | "zstd") {
                // A bundle links these two with LLVM's archives anyway.
                return None;
            }
            if library.whole {
                closure.whole.push(path.clone());
            }
            if let Ok(own) = path.strip_prefix(self.build) {
                add(&mut closure.own, own.as_str().to_owned());
            } else if self.needed.iter().any(|tree| path.starts_with(tree)) {
                add(&mut closure.needed, path);
            } else {
                add(&mut closure.given, path);
            }
        } else if file.contains(".so") {
            // LLVM's own archives refer to the distribution's shared library; the bundle has all of it
            // as archives.
            let stem = stem.split(".so").next().unwrap_or(stem);
            // An extension finds Python's functions in the interpreter that loads it.
            let python = stem.starts_with("python3");
            return Some(word).filter(|_| !of_llvm && !python && !SYSTEM.contains(&stem));
        }
        // Other words are object files; they belong to a library that is on the link line, too.
        None
    }

    /// For an error: a shared library, with the targets that link it.
    fn asked(&self, word: &str, record: &Record) -> String {
        let names = who(word, record);
        let hint = self.misspelt(word, record);
        if names.is_empty() {
            return format!("{word}{hint}");
        }
        format!("{word}, which {} links{hint}", names.join(" and "))
    }

    /// The targets that a library without a file may be: CMake takes a misspelt target for a library of the machine.
    fn misspelt(&self, word: &str, record: &Record) -> String {
        let of_llvm = archives(&self.prefix.join("lib"));
        let mut known = names::libraries(record);
        known.extend(of_llvm.iter().map(String::as_str));
        let near = word
            .strip_prefix("-l")
            .and_then(|name| did_you_mean(name, &known));
        near.map_or_else(String::new, |near| {
            format!("; no target has this name: {near}")
        })
    }
}

/// The archives in a folder, without `lib` and `.a`.
fn archives(folder: &Utf8Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir_utf8() else {
        return Vec::new();
    };
    let names = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().strip_prefix("lib")?.strip_suffix(".a")?;
        Some(name.to_owned())
    });
    names.collect()
}

/// Adds `one` unless it is in the list: a link line may name an archive twice, once whole and once by need.
fn add<T: PartialEq>(list: &mut Vec<T>, one: T) {
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Sentences about the targets that link the archives which no target makes.
pub(crate) fn asked_for<'c>(
    project: &Project,
    record: &Record,
    closures: impl Iterator<Item = &'c Closure>,
) -> Vec<(Utf8PathBuf, String)> {
    let of_project = format!("the project `{}`", project.name.get_ref());
    let given = closures.flat_map(|closure| &closure.given);
    let one = |path: &Utf8PathBuf| {
        let file = path.file_name().unwrap_or_default();
        let names = who(file, record);
        let who = match names.is_empty() {
            true => of_project.clone(),
            false => format!("{} of {of_project}", names.join(" and ")),
        };
        (path.clone(), format!("{who} links {path}"))
    };
    given.map(one).collect()
}

/// The targets and extensions that say they link this library, each with the line.
fn who(word: &str, record: &Record) -> Vec<String> {
    // The line is that of the library's name as the target says it; one with a variable of CMake is not found.
    let place = |folder: &Utf8Path, written: &str| {
        let line = written::line_with(written, [folder]);
        line.unwrap_or_else(|| folder.join("CMakeLists.txt").into_string())
    };
    let targets = record.who_links(word).into_iter();
    let names = targets.map(|(it, link)| format!("`{}` ({})", it.name, place(&it.folder, link)));
    let of_extensions = record.extensions_that_link(word).into_iter();
    let of_extensions = of_extensions.map(|(it, link)| {
        format!(
            "the extension `{}` ({})",
            it.module,
            place(&it.source_dir, link)
        )
    });
    names.chain(of_extensions).collect()
}

/// The archives of LLVM's tree for the key `links`: MLIR's C API archives that the project's libraries and extensions
/// need, which are linked whole, and archives whose names begin with neither `MLIR` nor `LLVM`.
pub(crate) fn links<'c>(
    record: &Record,
    closures: impl Iterator<Item = &'c Closure>,
) -> Vec<String> {
    let c_api = closures
        .flat_map(|closure| &closure.llvm)
        .chain(&record.foreign);
    let mut links: Vec<String> = c_api
        .filter(|name| {
            let special = !name.starts_with("MLIR") && !name.starts_with("LLVM");
            // `MLIRCAPIRegisterEverything` is excluded: it registers all of MLIR, and in a bundle the manifest
            // decides that.
            (name.starts_with("MLIRCAPI") && *name != "MLIRCAPIRegisterEverything") || special
        })
        .filter(|name| !name.starts_with("MLIRPython"))
        .cloned()
        .collect();
    links.sort();
    links.dedup();
    links
}
