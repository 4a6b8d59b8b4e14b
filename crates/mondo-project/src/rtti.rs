//! Targets of a project that are compiled with RTTI. What belongs to MLIR is compiled without; a library of a third
//! party that knows nothing of LLVM may have it.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::demangle::demangled;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::archive_symbols;

use crate::closure::{Closure, Trees};
use crate::file_api::{CompileGroup, Target};
use crate::headers;
use crate::ninja::Ninja;
use crate::record::Record;

/// The option that switches it on.
pub(crate) const FLAG: &str = "-frtti";

pub(crate) const WHY: &str = "LLVM is released without RTTI, and the other code of the bundle is compiled without: \
                              its classes have no type information that `dynamic_cast`, `typeid` or a derived class \
                              could refer to";

pub(crate) const HELP: &str = "; LLVM's `isa` and `dyn_cast` need no RTTI, and a static library that neither links nor \
                               includes LLVM or MLIR may have it";

/// True if these sources are compiled with it: the last option decides.
pub(crate) fn is_on(group: &CompileGroup) -> bool {
    let fragments = group.compile_command_fragments.iter();
    let mut words = fragments.flat_map(|it| it.fragment.split_whitespace());
    words.rfind(|it| matches!(*it, FLAG | "-fno-rtti")) == Some(FLAG)
}

/// True if the target links LLVM or MLIR, by itself or through other targets of the project.
pub(crate) fn links_llvm(name: &str, record: &Record) -> bool {
    let mut seen = BTreeSet::from([name]);
    let mut pending = vec![name];
    while let Some(next) = pending.pop() {
        let object = format!("obj.{next}");
        let mut targets = record
            .targets
            .iter()
            .filter(|it| it.name == next || it.name == object)
            .peekable();
        if targets.peek().is_none() && (next.starts_with("LLVM") || next.starts_with("MLIR")) {
            return true;
        }
        for link in targets.flat_map(|it| &it.links) {
            // The name may be in a generator expression: `$<LINK_ONLY:MLIRIR>`.
            let part_of_name = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
            let words = link.split(|c| !part_of_name(c)).filter(|it| !it.is_empty());
            pending.extend(words.filter(|it| seen.insert(it)));
        }
    }
    false
}

impl Trees<'_> {
    /// Refuses RTTI that meets the bundle's other code: what the compiler has read tells it, once the project is
    /// built.
    pub(crate) fn check_rtti(
        &self,
        closure: &Closure,
        record: &Record,
        ninja: Ninja<'_>,
    ) -> Result<()> {
        let on = |target: &Target| target.compile_groups.iter().any(is_on);
        let with: Vec<&(String, Target)> =
            closure.targets.iter().filter(|(_, it)| on(it)).collect();
        if with.is_empty() {
            return Ok(());
        }
        let objects = ninja.objects(&closure.own)?;
        for (name, target) in &with {
            let own: Vec<&String> = headers::objects(name, target, &objects).collect();
            let read = ninja.read_by(&own)?;
            if let Some(header) = read.iter().find(|it| self.is_of_llvm(it)) {
                let why = format!("it includes {}, and {WHY}", self.as_included(header));
                return Err(self.with_rtti(name, target, record).because(why));
            }
        }
        self.check_tables(&with, &closure.targets, record)
    }

    /// Refuses a class that has its table of virtual functions in an archive with RTTI and in one without: the link
    /// keeps one of the two, and `dynamic_cast` follows a null pointer in the other.
    fn check_tables(
        &self,
        with: &[&(String, Target)],
        targets: &[(String, Target)],
        record: &Record,
    ) -> Result<()> {
        let others = targets
            .iter()
            .filter(|one| !with.iter().any(|it| it.0 == one.0));
        let others: Vec<Utf8PathBuf> = others.flat_map(|(_, it)| self.archives(it)).collect();
        for (name, target) in with {
            let Some(defined) = archive_symbols::defined(&self.archives(target)) else {
                continue;
            };
            for other in &others {
                let Some(class) = without_type(&defined, other) else {
                    continue;
                };
                let why = format!(
                    "{} in {} has no type information, since that is compiled without RTTI, and the link keeps one \
                     of the tables of virtual functions that it has in both",
                    demangled(&class).trim_start_matches("vtable for "),
                    other.file_name().unwrap_or_default(),
                );
                return Err(self.with_rtti(name, target, record).because(why));
            }
        }
        Ok(())
    }

    fn with_rtti(&self, name: &str, target: &Target, record: &Record) -> Error {
        let what = format!(
            "the target `{name}` of the project `{}` is compiled with `{FLAG}`",
            self.project.name.get_ref()
        );
        let group = target.compile_groups.iter().find(|it| is_on(it));
        let place = group.map(|group| self.place_of(FLAG, name, group, target, record));
        Error::new(ErrorKind::Compile, what)
            .at(place.unwrap_or_else(|| self.project.folder.to_string()))
            .help(format!("take it out of the project's options{HELP}"))
    }

    fn archives(&self, target: &Target) -> Vec<Utf8PathBuf> {
        let paths = target.artifacts.iter().map(|it| self.build.join(&it.path));
        paths.filter(|it| it.extension() == Some("a")).collect()
    }

    /// True for a file of LLVM's: in one of its folders, or in the folder that stands for its sources.
    fn is_of_llvm(&self, file: &Utf8Path) -> bool {
        let sources = self.build.with_file_name("llvm-project");
        file.starts_with(self.prefix)
            || file.starts_with(&self.toolchain.prefix)
            || file.starts_with(sources)
    }

    /// A header of LLVM's as an `#include` names it.
    fn as_included<'p>(&self, header: &'p Utf8Path) -> &'p str {
        let path = header.as_str();
        path.rsplit_once("/include/").map_or(path, |(_, name)| name)
    }
}

/// The table of virtual functions of a class whose type information is among `types`, and which `archive` has without.
fn without_type(types: &BTreeSet<String>, archive: &Utf8PathBuf) -> Option<String> {
    let defined = archive_symbols::defined([archive])?;
    let tables = defined.iter().filter_map(|it| it.strip_prefix("_ZTV"));
    let mut missing = tables.filter(|class| {
        let information = format!("_ZTI{class}");
        types.contains(&information) && !defined.contains(&information)
    });
    missing.next().map(|class| format!("_ZTV{class}"))
}
