//! Targets of a project that are compiled with RTTI. What belongs to MLIR is compiled without; a library of a third
//! party that knows nothing of LLVM may have it.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::demangle::demangled;
use mondo_core::error::{Error, Result};
use mondo_plan::archive_symbols;

use crate::closure::{Closure, Trees};
use crate::file_api::{CompileGroup, Target};
use crate::headers;
use crate::ninja::Ninja;
use crate::record::Record;

/// The option that switches it on.
pub(crate) const FLAG: &str = "-frtti";

pub(crate) const WHY: &str = "LLVM and the rest of the bundle are compiled without RTTI, so their classes have no type \
     information for `dynamic_cast`, `typeid` or derived classes";

pub(crate) const HELP: &str = "; LLVM's `isa` and `dyn_cast` need no RTTI, and a static library that neither links nor \
     includes LLVM or MLIR may use it";

/// True if these sources are compiled with it: the last option decides. LLVM's own functions add `-fno-rtti` behind
/// the options of a folder, so that `add_compile_options(-frtti)` reaches none of the libraries that they make. C has
/// no RTTI.
pub(crate) fn is_on(group: &CompileGroup) -> bool {
    if group.language == "C" {
        return false;
    }
    let fragments = group.compile_command_fragments.iter();
    let mut words = fragments.flat_map(|fragment| fragment.fragment.split_whitespace());
    words.rfind(|word| matches!(*word, FLAG | "-fno-rtti")) == Some(FLAG)
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
            .filter(|target| target.name == next || target.name == object)
            .peekable();
        if targets.peek().is_none() && (next.starts_with("LLVM") || next.starts_with("MLIR")) {
            return true;
        }
        for link in targets.flat_map(|target| &target.links) {
            // The name may be in a generator expression: `$<LINK_ONLY:MLIRIR>`.
            let part_of_name = |c: char| c.is_alphanumeric() || "_.+-".contains(c);
            let words = link
                .split(|c| !part_of_name(c))
                .filter(|word| !word.is_empty());
            pending.extend(words.filter(|word| seen.insert(word)));
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
            if let Some(header) = read.iter().find(|file| self.is_of_llvm(file)) {
                let why = format!("it includes {}, but {WHY}", as_included(header));
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
            .filter(|one| !with.iter().any(|(name, _)| *name == one.0));
        let others: Vec<Utf8PathBuf> = others
            .flat_map(|(_, target)| self.archives(target))
            .collect();
        for (name, target) in with {
            let Some(defined) = archive_symbols::defined(&self.archives(target)) else {
                continue;
            };
            for other in &others {
                let symbols = archive_symbols::defined([other]);
                let class = symbols.and_then(|symbols| without_type(&defined, &symbols));
                let Some(class) = class else {
                    continue;
                };
                let why = format!(
                    "{} in {} is compiled without RTTI and has no type information, and the \
                     linker keeps only one copy of its virtual table",
                    demangled(&class).trim_start_matches("vtable for "),
                    other.file_name().unwrap_or_default(),
                );
                return Err(self.with_rtti(name, target, record).because(why));
            }
        }
        Ok(())
    }

    fn with_rtti(&self, name: &str, target: &Target, record: &Record) -> Error {
        let group = target.compile_groups.iter().find(|group| is_on(group));
        let fragments = group.map_or(&[][..], |group| &group.compile_command_fragments);
        self.refused_flag(FLAG, HELP, (name, target, fragments), record)
    }

    fn archives(&self, target: &Target) -> Vec<Utf8PathBuf> {
        let paths = target
            .artifacts
            .iter()
            .map(|artifact| self.build.join(&artifact.path));
        paths.filter(|path| path.extension() == Some("a")).collect()
    }

    /// True for a file of LLVM's: in one of its folders, or in the folder that stands for its sources.
    fn is_of_llvm(&self, file: &Utf8Path) -> bool {
        let sources = self.build.with_file_name("llvm-project");
        file.starts_with(self.prefix)
            || file.starts_with(&self.toolchain.prefix)
            || file.starts_with(sources)
    }
}

/// A header of LLVM's as an `#include` names it.
fn as_included(header: &Utf8Path) -> &str {
    let path = header.as_str();
    path.rsplit_once("/include/").map_or(path, |(_, name)| name)
}

/// The table of virtual functions of a class whose type information is among `types`, and which an archive that defines
/// `others` has without.
fn without_type(types: &BTreeSet<String>, others: &BTreeSet<String>) -> Option<String> {
    let tables = others
        .iter()
        .filter_map(|symbol| symbol.strip_prefix("_ZTV"));
    let mut missing = tables.filter(|class| {
        let information = format!("_ZTI{class}");
        types.contains(&information) && !others.contains(&information)
    });
    missing.next().map(|class| format!("_ZTV{class}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target as CMake 3.31 describes it, without most of its warnings and of its backtraces.
    fn target(groups: &str) -> Target {
        let text = format!(
            r#"{{"compileGroups":[{groups}],"paths":{{"build":"."}},"type":"OBJECT_LIBRARY","backtraceGraph":{{
                "commands":["add_library","llvm_add_library","add_mlir_library","target_compile_options"],
                "files":["/llvm/lib/cmake/llvm/AddLLVM.cmake","/llvm/lib/cmake/mlir/AddMLIR.cmake","CMakeLists.txt"],
                "nodes":[{{"file":2}},{{"command":2,"file":2,"line":14,"parent":0}},
                {{"command":1,"file":1,"line":399,"parent":1}},{{"command":3,"file":0,"line":78,"parent":2}},
                {{"command":3,"file":2,"line":15,"parent":0}},{{"command":3,"file":2,"line":16,"parent":5}},
                {{"command":3,"file":2,"line":-1,"parent":4}}]}}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn group(language: &str, fragments: &[&str]) -> String {
        let fragments: Vec<String> = fragments
            .iter()
            .map(|fragment| format!(r#"{{"backtrace":4,"fragment":"{fragment}"}}"#))
            .collect();
        format!(
            r#"{{"language":"{language}","compileCommandFragments":[{}]}}"#,
            fragments.join(",")
        )
    }

    #[test]
    fn the_last_option_decides() {
        let on = |language: &str, fragments: &[&str]| {
            target(&group(language, fragments))
                .compile_groups
                .iter()
                .any(is_on)
        };
        // `target_compile_options(obj.L PRIVATE -frtti)` and `set_source_files_properties`.
        assert!(on("CXX", &[" -fPIC -O2", "-fno-rtti", "-frtti"]));
        // `CMAKE_CXX_FLAGS` of a library that LLVM's functions do not make.
        assert!(on("CXX", &[" -fPIC -frtti -O2 -DNDEBUG"]));
        // `SHELL:-frtti -funroll-loops`.
        assert!(on("CXX", &["-frtti -funroll-loops"]));
        // `add_compile_options(-frtti)` and `CMAKE_CXX_FLAGS` of a library that LLVM's functions make.
        assert!(!on("CXX", &["-frtti", "-fno-exceptions", "-fno-rtti"]));
        assert!(!on("CXX", &[" -fPIC -O2"]));
        assert!(!on("C", &["-frtti"]));
    }

    #[test]
    fn the_calls_of_a_part_begin_with_the_innermost() {
        let target = target("");
        let calls = |at| -> Vec<String> {
            let calls = target.backtrace_graph.calls(at);
            calls.map(|(file, line)| format!("{file}:{line}")).collect()
        };
        assert_eq!(calls(Some(4)), ["CMakeLists.txt:15"]);
        assert_eq!(
            calls(Some(3)),
            [
                "/llvm/lib/cmake/llvm/AddLLVM.cmake:78",
                "/llvm/lib/cmake/mlir/AddMLIR.cmake:399",
                "CMakeLists.txt:14"
            ]
        );
        // A deferred call has no line, and those around it have theirs.
        assert_eq!(calls(Some(6)), ["CMakeLists.txt:15"]);
        // A variable's flag has no call, nor has an index beyond the list. A call in itself is no loop.
        assert!(calls(None).is_empty());
        assert!(calls(Some(9)).is_empty());
        assert_eq!(calls(Some(5)), ["CMakeLists.txt:16"]);
    }

    #[test]
    fn llvm_is_linked_through_other_targets() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path())
            .unwrap()
            .join("record.jsonl");
        let target = |(name, links): &(&str, &str)| {
            format!(
                r#"{{"kind":"target","name":"{name}","type":"STATIC_LIBRARY","c_api":"no","folder":"/","links":[{links}]}}"#
            )
        };
        let lines = [
            ("third", r#""-lz""#),
            // A project may have targets with the beginning of LLVM's names.
            ("MLIRTools", r#""third""#),
            ("over", r#""$<LINK_ONLY:obj.near>","over""#),
            ("obj.near", r#""$<$<CONFIG:Release>:MLIRIR>""#),
            ("Tiny", ""),
            ("obj.Tiny", r#""LLVMSupport""#),
        ];
        let lines: Vec<String> = lines.iter().map(target).collect();
        fs_err::write(&path, lines.join("\n")).unwrap();
        let record = Record::read(&path).unwrap();
        assert!(!links_llvm("third", &record));
        assert!(!links_llvm("MLIRTools", &record));
        assert!(links_llvm("over", &record));
        assert!(links_llvm("Tiny", &record));
    }

    #[test]
    fn a_class_with_and_without_type_information() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let with: BTreeSet<String> = names(&["_ZTV5Shape", "_ZTI5Shape"]);
        let without = names(&["_ZTV5Shape", "_ZTV6Square"]);
        assert_eq!(without_type(&with, &without).unwrap(), "_ZTV5Shape");
        assert_eq!(without_type(&with, &with), None);
        assert_eq!(without_type(&with, &names(&["_ZTV6Square"])), None);
    }

    #[test]
    fn a_header_is_named_as_it_is_included() {
        let path = Utf8Path::new("/llvm/include/mlir/IR/Dialect.h");
        assert_eq!(as_included(path), "mlir/IR/Dialect.h");
    }
}
