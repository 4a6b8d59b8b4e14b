//! Precompiled headers of the edit loop.
//!
//! A file of C++ begins with a list of headers of LLVM and of the system: those that it names itself, and those
//! that its own headers include before any declaration. Exactly this list is precompiled, so that a file which
//! needs a header that it does not include is still refused. The object has the same bytes, and the record of the
//! compilation does not say whether a precompiled header was used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_core::interrupt::Stop;
use rayon::prelude::*;

use crate::cpp::{Compiler, Sources};
use crate::step::{Digests, Header, Step};

/// The largest number of precompiled headers in the folder: each is 200 MB by GCC, 40 MB by Clang.
const KEPT: usize = 4;

/// The number of files, the last edited ones, that get a precompiled header if they can.
const LOOKED_AT: usize = 16;

/// The file with the list, and the start of the name of what it is compiled to.
const LIST: &str = "precompiled.h";

/// The precompiled headers of some files.
#[derive(Debug, Default)]
struct Headers {
    all: Vec<Arc<Header>>,
    /// The header of each file; several files may share one.
    of: BTreeMap<Utf8PathBuf, Arc<Header>>,
}

/// Compiles the files whose objects are out of date, with the precompiled headers that an earlier run left in `folder`;
/// at the same time it makes those that the next run will use. Returns the objects as [`Compiler::compile`] does.
pub(crate) fn compile(
    compiler: Compiler<'_>,
    sets: &[Sources<'_>],
    folder: &Utf8Path,
) -> Result<Vec<Vec<Utf8PathBuf>>> {
    let stop = Arc::new(Stop::default());
    let headers = Headers::of(compiler, sets, folder, &stop);
    let objects = || {
        let objects = compiler.compile_from(sets, &|file| headers.of_file(file));
        if objects.is_err() {
            stop.set();
        }
        objects
    };
    rayon::join(objects, || headers.make(compiler.digests)).0
}

impl Headers {
    /// The headers of the files of `sets` that were edited last; all others are removed from `folder`. Setting `stop`
    /// ends the compilers that make headers.
    fn of(
        compiler: Compiler<'_>,
        sets: &[Sources<'_>],
        folder: &Utf8Path,
        stop: &Arc<Stop>,
    ) -> Self {
        // A compiler launcher finds its cached objects by the headers that it reads itself, and knows of no precompiled
        // one. With instrumentation, debug information names each header.
        let linker = compiler.linker;
        let usable = linker.launcher.is_none() && linker.instrumentation.is_none();
        let mut of = BTreeMap::new();
        let mut kept: BTreeMap<String, Option<Arc<Header>>> = BTreeMap::new();
        for (set, file) in usable.then(|| last_edited(sets)).into_iter().flatten() {
            let Some(list) = list(compiler, set, file) else {
                continue;
            };
            let command = compiler.preface(set).command_line();
            let key = digest::short(format!("{}\n{command}\n{list}", set.root.0));
            if kept.len() == KEPT && !kept.contains_key(&key) {
                break;
            }
            let place = folder.join(&key);
            let header = kept
                .entry(key)
                .or_insert_with(|| header(compiler, set, &place, &list, stop).map(Arc::new));
            if let Some(header) = header {
                of.insert(file.to_owned(), Arc::clone(header));
            }
        }
        remove_others(folder, &kept.keys().collect());
        Self {
            all: kept.into_values().flatten().collect(),
            of,
        }
    }

    /// The header that a file begins with, if it is precompiled.
    fn of_file(&self, file: &Utf8Path) -> Option<&Header> {
        self.of.get(file).map(Arc::as_ref)
    }

    /// Makes the headers that are not in the folder yet.
    fn make(&self, digests: &Digests) {
        self.all.par_iter().for_each(|header| {
            // Files whose header fails are compiled without it, and that compilation reports the error.
            let _ = header.step.run(digests);
        });
    }
}

/// The last edited files with their sets, the last one first.
fn last_edited<'a>(sets: &'a [Sources<'a>]) -> Vec<(&'a Sources<'a>, &'a Utf8Path)> {
    let time = |file: &Utf8Path| {
        let metadata = fs_err::metadata(file).ok();
        metadata
            .and_then(|metadata| metadata.modified().ok())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let mut files: Vec<_> = sets
        .iter()
        .flat_map(|set| set.files.iter().map(move |file| (set, file.as_path())))
        .map(|(set, file)| (std::cmp::Reverse(time(file)), set, file))
        .collect();
    files.sort_by_key(|(time, _, _)| *time);
    files.truncate(LOOKED_AT);
    files
        .into_iter()
        .map(|(_, set, file)| (set, file))
        .collect()
}

/// The header for a list. `None` if it cannot be written.
fn header(
    compiler: Compiler<'_>,
    set: &Sources<'_>,
    place: &Utf8Path,
    text: &str,
    stop: &Arc<Stop>,
) -> Option<Header> {
    let list = place.join(LIST);
    if fs_err::read(&list).ok().as_deref() != Some(text.as_bytes()) {
        fs_err::create_dir_all(place).ok()?;
        replace(&list, text.as_bytes()).ok()?;
    }
    let output = place.join(format!("{LIST}.gch"));
    let depfile = place.join(format!("{LIST}.d"));
    // Otherwise each file instantiates the templates of its headers anew.
    let instantiated = compiler.linker.is_clang();
    let tool = compiler
        .preface(set)
        .args(instantiated.then_some("-fpch-instantiate-templates"))
        .args(["-x", "c++-header", "-MD", "-MF", depfile.as_str(), "-o"])
        .args([output.as_str(), list.as_str()])
        .until(stop);
    let step = Step {
        tool,
        version: compiler.linker.cxx_version.clone(),
        output,
        folder: set.root.0.to_owned(),
        depfile,
        launcher: None,
        what: format!("{}: the headers of a file do not compile", set.owner),
        place: list.clone(),
    };
    Some(Header { list, step })
}

/// Removes all files of `folder` but `kept`. A file that cannot be removed does no harm.
fn remove_others(folder: &Utf8Path, kept: &BTreeSet<&String>) {
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        if !kept.iter().any(|name| *name == entry.file_name()) {
            let _ = fs_err::remove_dir_all(entry.path());
        }
    }
}

/// The list of headers that a file begins with, as C++. None where no header of LLVM is among them: then the file
/// compiles fast without a precompiled header.
fn list(compiler: Compiler<'_>, set: &Sources<'_>, file: &Utf8Path) -> Option<String> {
    let mut walk = Walk {
        compiler,
        set,
        seen: BTreeMap::new(),
        lines: Vec::new(),
    };
    walk.file(file);
    let slow = |line: &String| {
        ["mlir/", "llvm/"]
            .iter()
            .any(|prefix| line[1..].starts_with(prefix))
    };
    if !walk.lines.iter().any(slow) {
        return None;
    }
    let lines = walk.lines.iter().map(|name| format!("#include {name}\n"));
    Some(lines.collect())
}

/// A look at the beginning of a file and of the headers that it names there.
struct Walk<'a> {
    compiler: Compiler<'a>,
    set: &'a Sources<'a>,
    /// The files that were read so far; true for those with an include guard.
    seen: BTreeMap<Utf8PathBuf, bool>,
    /// The names of the headers of LLVM and of the system, in their quotes or brackets.
    lines: Vec<String>,
}

/// The place of a header.
enum Place {
    /// Among the files that are edited.
    Own(Utf8PathBuf),
    /// In LLVM or in the system.
    Others,
    Unknown,
}

impl Walk<'_> {
    /// Reads one file. Returns true if the file consists of `#include` lines only, so that the lines after its
    /// inclusion still belong to the list.
    fn file(&mut self, path: &Utf8Path) -> bool {
        let Ok(text) = fs_err::read_to_string(path) else {
            return false;
        };
        let text = without_comments(&text);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.collect();
        let inside = self.inside_of_guard(&lines);
        self.seen.insert(path.to_owned(), inside.is_some());
        let mut lines = inside.unwrap_or(&lines).iter();
        lines.all(|line| self.line(line, path))
    }

    /// The lines inside the include guard. `None` if the file has no guard.
    fn inside_of_guard<'a>(&self, lines: &'a [&'a str]) -> Option<&'a [&'a str]> {
        match lines {
            ["#pragma once", inside @ ..] => Some(inside),
            [first, second, inside @ .., "#endif"] => {
                let name = first.strip_prefix("#ifndef ")?.trim();
                let same = second.strip_prefix("#define ")?.trim() == name;
                (same && !self.is_defined(name)).then_some(inside)
            }
            _ => None,
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        let flag = format!("-D{name}");
        self.set.flags.iter().any(|word| word.starts_with(&flag))
    }

    fn line(&mut self, line: &str, from: &Utf8Path) -> bool {
        let Some(name) = line.strip_prefix("#include").map(str::trim) else {
            return false;
        };
        match self.place(name, from) {
            Place::Own(path) => match self.seen.get(&path) {
                Some(guarded) => *guarded,
                None => self.file(&path),
            },
            Place::Others => {
                self.lines.push(name.to_owned());
                true
            }
            Place::Unknown => false,
        }
    }

    fn place(&self, name: &str, from: &Utf8Path) -> Place {
        let unquoted = |open, close| name.strip_prefix(open)?.strip_suffix(close);
        let (name, beside) = match (unquoted('"', '"'), unquoted('<', '>')) {
            (Some(name), _) => (name, from.parent()),
            (None, Some(name)) => (name, None),
            (None, None) => return Place::Unknown,
        };
        let searched = self.set.include.iter().chain(&self.set.system_include);
        let folders = beside.into_iter().chain(searched.map(Utf8PathBuf::as_path));
        let found = folders
            .map(|folder| folder.join(name))
            .find(|path| path.is_file());
        match found {
            Some(path) if self.compiler.moves(&path) => Place::Own(path),
            Some(_) => Place::Others,
            None if self
                .compiler
                .toolchain
                .prefix
                .join("include")
                .join(name)
                .is_file() =>
            {
                Place::Others
            }
            // The compiler's own, such as `<vector>`.
            None if beside.is_none() => Place::Others,
            None => Place::Unknown,
        }
    }
}

/// The text with the lines joined that go on in the next, and without comments. In literals it finds some too, but
/// no list of headers goes on after a literal.
fn without_comments(text: &str) -> String {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut code = String::new();
    let mut rest = text.as_str();
    while let Some(at) = [rest.find("/*"), rest.find("//")]
        .into_iter()
        .flatten()
        .min()
    {
        let (before, comment) = rest.split_at(at);
        code.push_str(before);
        code.push(' ');
        let end = match comment.starts_with("/*") {
            true => comment.find("*/").map(|end| end + 2),
            false => comment.find('\n'),
        };
        rest = &comment[end.unwrap_or(comment.len())..];
    }
    code + rest
}

#[cfg(test)]
mod tests;
