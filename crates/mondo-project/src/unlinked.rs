//! Definitions in targets of a project that the bundle does not link. Nothing has compiled these targets, so their sources
//! are searched for the name.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::demangle::demangled;
use mondo_core::error::Result;

use crate::file_api::Reply;
use crate::record::Record;

/// A definition in the source of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// `lib/Utils.cpp:12`.
    pub place: String,
    /// The target that compiles the file.
    pub target: String,
}

/// A source file, and the target that compiles it.
pub(crate) type Source = (Utf8PathBuf, String);

/// The sources of the libraries that the bundle does not link. `top` is the folder that relative names begin at.
pub(crate) fn sources(
    record: &Record,
    reply: &Reply,
    build: &Utf8Path,
    linked: &BTreeSet<&Utf8Path>,
    top: &Utf8Path,
) -> Result<Vec<Source>> {
    let mut all = Vec::new();
    let mut taken = BTreeSet::new();
    for target in &record.targets {
        if target.kind != "STATIC_LIBRARY" && target.kind != "OBJECT_LIBRARY" {
            continue;
        }
        // The objects of a library may be those of an object library beside it.
        let library = target.name.strip_prefix("obj.").unwrap_or(&target.name);
        let mut files = Vec::new();
        let mut is_linked = false;
        for name in [library.to_owned(), format!("obj.{library}")] {
            if let Some(described) = reply.target(&name)? {
                let mut artifacts = described.artifacts.iter();
                is_linked |=
                    artifacts.any(|artifact| linked.contains(build.join(&artifact.path).as_path()));
                files.extend(described.sources.into_iter().map(|source| source.path));
            }
        }
        if is_linked || library.starts_with("mondo.") || !taken.insert(library) {
            continue;
        }
        let files = files
            .into_iter()
            .filter(|path| is_cpp(path) || path.extension() == Some("c"));
        all.extend(files.map(|path| (top.join(path), library.to_owned())));
    }
    Ok(all)
}

/// Whether a source is C++.
pub(crate) fn is_cpp(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("cpp" | "cc" | "cxx" | "C"))
}

/// The places in `sources` that seem to define these symbols.
pub(crate) fn definitions(symbols: &[&str], sources: &[Source]) -> BTreeMap<String, Definition> {
    let names: Vec<(&str, Name)> = symbols
        .iter()
        .map(|symbol| (*symbol, Name::of(&demangled(symbol))))
        .collect();
    let mut found = BTreeMap::new();
    for (path, target) in sources {
        // An unreadable file is skipped, because this is for the help of another error.
        let Ok(text) = fs_err::read(path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&text);
        for (symbol, name) in &names {
            if found.contains_key(*symbol) {
                continue;
            }
            if let Some(line) = text.lines().position(|line| name.is_defined_in(line)) {
                let definition = Definition {
                    place: format!("{path}:{}", line + 1),
                    target: target.clone(),
                };
                found.insert((*symbol).to_owned(), definition);
            }
        }
    }
    found
}

/// The name of an undefined symbol, as a source would have it.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    /// Its last part: that of a function, or of a class for a virtual table and for a `TypeID`.
    last: String,
    /// Whether a list of parameters follows it.
    function: bool,
}

impl Name {
    fn of(symbol: &str) -> Self {
        for start in [
            "vtable for ",
            "typeinfo for ",
            "typeinfo name for ",
            "VTT for ",
        ] {
            if let Some(class) = symbol.strip_prefix(start) {
                return Self::class(class);
            }
        }
        if let Some((_, rest)) = symbol.split_once("TypeIDResolver<") {
            return Self::class(rest.split([',', '>']).next().unwrap_or(rest));
        }
        // A mangled name has its parameters, so that a name of C is a function or a variable.
        let (name, function) = match symbol.find('(') {
            Some(at) => (&symbol[..at], true),
            None => (symbol, !symbol.contains("::")),
        };
        let name = name.split('<').next().unwrap_or(name);
        let last = name.rsplit("::").next().unwrap_or(name);
        // The result of a function template stands before its name.
        let last = last.rsplit(' ').next().unwrap_or(last);
        Self {
            last: last.to_owned(),
            function,
        }
    }

    fn class(name: &str) -> Self {
        let last = name.trim().rsplit("::").next().unwrap_or(name);
        Self {
            last: last.to_owned(),
            function: false,
        }
    }

    /// Whether a line seems to define it: it stands in no call, no declaration and no comment.
    fn is_defined_in(&self, line: &str) -> bool {
        if self.last.is_empty() || line.starts_with([' ', '\t', '/', '*', '#']) {
            return false;
        }
        let part = |c: char| c.is_alphanumeric() || c == '_';
        line.match_indices(&self.last).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + self.last.len()..]);
            let whole = !before.ends_with(part) && !after.starts_with(part);
            let declared = self.function && line.trim_end().ends_with(';');
            whole && !declared && (!self.function || after.trim_start().starts_with('('))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_has_the_name_that_a_source_has() {
        for (symbol, last, function) in [
            (
                "mlir::torch::Torch::getType(mlir::Type, int)",
                "getType",
                true,
            ),
            ("toy::Color::~Color()", "~Color", true),
            ("int toy::get<int>(int)", "get", true),
            ("oneExtra", "oneExtra", true),
            ("toy::limit", "limit", false),
            ("vtable for toy::Color", "Color", false),
            (
                "mlir::detail::TypeIDResolver<toy::Color, void>::id",
                "Color",
                false,
            ),
        ] {
            let name = Name::of(symbol);
            assert_eq!(
                (name.last.as_str(), name.function),
                (last, function),
                "{symbol}"
            );
        }
    }

    #[test]
    fn a_definition_is_no_call_and_no_declaration() {
        let name = Name::of("toy::getType(int)");
        for line in [
            "int getType(int a) {",
            "int toy::getType(int a,",
            "Type Torch::getType (int a) { return a; }",
        ] {
            assert!(name.is_defined_in(line), "{line}");
        }
        for line in [
            "int getType(int a);",
            "  return getType(1);",
            "int getTypes(int a) {",
            "int forgetType(int a) {",
            "// getType(int) {",
            "struct getType;",
        ] {
            assert!(!name.is_defined_in(line), "{line}");
        }
    }
}
