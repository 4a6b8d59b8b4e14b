//! The dialects of a project: those whose handles its C API declares, and those that are classes of C++ alone.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest::{Project, Word};
use mondo_toolchain::Toolchain;

use crate::declaring_headers::Headers;
use crate::dialect_toml::{Cpp, Dialect, Registration};
use crate::names;
use crate::pass_calls::uncalled;
use crate::record::{Group, GroupKind, Record};
use crate::tablegen::Generated;

/// The names of the dialects that MLIR has in this LLVM.
pub(crate) fn upstream(toolchain: &Toolchain) -> Result<BTreeSet<String>> {
    let major = toolchain.version.split('.').next();
    let major = major
        .and_then(|major| major.parse().ok())
        .unwrap_or_default();
    let catalogue = Catalogue::upstream()?;
    let dialects = catalogue.release(major).map(|release| release.dialects);
    let names = dialects.into_iter().flat_map(BTreeMap::into_keys);
    Ok(names.map(str::to_owned).collect())
}

/// The dialects of these handles: each handle by the name of its dialect. A handle may be named by another word than its
/// dialect: that of CIRCT's `dbg` is `mlirGetDialectHandle__debug__`. The word is then that of the namespace or of the
/// class in C++ (`circt::debug::DebugDialect`).
pub(crate) fn by_dialect(words: &[String], generated: &Generated) -> BTreeMap<String, String> {
    let own = |word: &str| generated.dialects.contains_key(word);
    let pairs = words.iter().map(|word| {
        let mut others = generated
            .dialects
            .iter()
            .filter(|(name, declared)| !words.contains(name) && names_class(word, &declared.class));
        let name = match (own(word), others.next(), others.next()) {
            (false, Some((name, _)), None) => name,
            _ => word,
        };
        (name.clone(), word.clone())
    });
    pairs.collect()
}

/// True if the word of a handle is that of a dialect's class: of its innermost namespace, or of its name.
fn names_class(word: &str, class: &str) -> bool {
    let mut parts = class.rsplit("::");
    let name = parts.next().unwrap_or_default();
    let name = name.strip_suffix("Dialect").unwrap_or(name);
    parts.next() == Some(word) || name.eq_ignore_ascii_case(&word.replace('_', ""))
}

/// True if the entry of a project names nothing that it registers.
pub(crate) fn names_nothing(project: &Project) -> bool {
    project.passes.is_empty()
        && project.dialect_extensions.is_empty()
        && project.dialect_classes.is_empty()
}

/// True if a header in this folder may declare the handle of a dialect, by the name of the function or by MLIR's macro.
pub(crate) fn declares_handle(folder: &Utf8Path) -> Result<bool> {
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name();
            let kind = entry.file_type()?;
            if kind.is_dir() && !name.starts_with('.') {
                pending.push(entry.into_path());
            } else if kind.is_file()
                && matches!(entry.path().extension(), Some("h" | "hpp" | "inc" | "in"))
            {
                let text = fs_err::read(entry.path())?;
                let text = String::from_utf8_lossy(&text);
                if text.contains("CAPI_DIALECT_REGISTRATION") || text.contains("GetDialectHandle") {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The error for a project that brings nothing.
pub(crate) fn brings_nothing(project: &Project, record: &Record) -> Error {
    Error::new(
        ErrorKind::Plan,
        format!(
            "the project `{}` has no dialects or passes",
            project.name.get_ref()
        ),
    )
    .at(&project.folder)
    .because(
        "no header of its C API libraries declares a dialect handle \
         (MLIR_DECLARE_CAPI_DIALECT_REGISTRATION), mlir-tblgen declares no class of a dialect \
         for its libraries, and `passes` lists no function",
    )
    .help(remedy(project, record))
}

/// The next step for a project that brings nothing.
fn remedy(project: &Project, record: &Record) -> String {
    let list = |names: &[String]| format!("[\"{}\"]", names.join("\", \""));
    let passes = "the functions that register its passes in `passes`";
    let libraries = &record.dialect_libraries;
    if !project.libraries.is_empty() {
        return format!(
            "name its dialects that are written by hand, `dialect-classes = {{ toy = {{ class = \
             \"toy::ToyDialect\", header = \"toy/Toy.h\" }} }}`, the libraries of its other dialects in \
             `libraries`, and {passes}"
        );
    }
    if project.modules.is_empty() || libraries.is_empty() {
        return format!(
            "list its C API libraries in `c-api`, or, if it has none, the libraries of \
             its dialects in `libraries`, and {passes}"
        );
    }
    let c_api = match &record.libraries[..] {
        [] => String::new(),
        own => format!(
            ", and the libraries that the package embeds: `c-api = {}`",
            list(own)
        ),
    };
    format!(
        "the package embeds no C API library with its dialects: next to `modules`, list \
         their libraries, `libraries = {}`{c_api}; and {passes}",
        list(libraries)
    )
}

/// The facts about a configured and built project by which its dialects are determined.
#[derive(Debug)]
pub(crate) struct Known<'a> {
    pub(crate) project: &'a Project,
    pub(crate) record: &'a Record,
    /// The dialects whose handles the headers of its C API declare, each with the word for it in its handle's name:
    /// `toy` for `mlirGetDialectHandle__toy__`.
    pub(crate) handles: BTreeMap<String, String>,
    /// The names of MLIR's own dialects.
    pub(crate) upstream: &'a BTreeSet<String>,
    /// The output of mlir-tblgen for its archives.
    pub(crate) generated: &'a Generated,
    /// The groups of its Python package.
    pub(crate) groups: &'a [&'a Group],
    /// The include folders of its libraries.
    pub(crate) include: &'a [Utf8PathBuf],
    /// The headers below these folders, once something of C++ is looked for in them.
    pub(crate) headers: OnceCell<Headers<'a>>,
}

/// The dialects and functions that the bundle registers for a project.
#[derive(Debug)]
pub(crate) struct Registered {
    pub(crate) dialects: Vec<Dialect>,
    pub(crate) passes: Vec<Cpp>,
    pub(crate) dialect_extensions: Vec<Cpp>,
    pub(crate) translations: Vec<Cpp>,
    pub(crate) tool_translations: Vec<Cpp>,
    /// Functions of C++ that register passes, without their namespaces, if `passes` names none.
    pub(crate) unnamed_passes: Vec<String>,
    /// Functions of C++ that register passes and that no function of `passes` calls.
    pub(crate) uncalled_passes: Vec<String>,
}

impl<'a> Known<'a> {
    /// What the bundle registers. `sources` reads the texts of the project's sources; it is called only if the manifest
    /// names functions that register passes.
    pub(crate) fn registered(&self, sources: impl FnOnce() -> Vec<String>) -> Result<Registered> {
        let project = self.project;
        Ok(Registered {
            dialects: self.dialects()?,
            unnamed_passes: self.unnamed_pass_functions()?,
            uncalled_passes: self.uncalled_pass_functions(sources)?,
            passes: self.functions("passes", &project.passes)?,
            dialect_extensions: self
                .functions("dialect-extensions", &project.dialect_extensions)?,
            translations: self.functions("translations", &project.translations)?,
            tool_translations: self.functions("tool-translations", &project.tool_translations)?,
        })
    }

    fn has_handle(&self, dialect: &str) -> bool {
        self.handles.contains_key(dialect)
    }

    /// The names of the dialects that the bundle takes.
    fn names(&self) -> Result<Vec<String>> {
        let project = self.project;
        // All dialects of the project: those with a handle in its C API, and those of which only a C++ class is
        // known.
        let known: BTreeSet<&str> = self
            .handles
            .keys()
            .chain(self.generated.dialects.keys())
            .chain(project.dialect_classes.keys())
            .map(String::as_str)
            .collect();
        let known: Vec<&str> = known.into_iter().collect();
        let names: Vec<String> = match &project.dialects {
            Some(chosen) => {
                names::exist(project, "dialects", "dialect", chosen, &known)?;
                chosen.iter().map(|word| word.get_ref().clone()).collect()
            }
            None => {
                let has_libraries = !project.libraries.is_empty();
                let named = |name: &str| project.dialect_classes.contains_key(name);
                let all = known
                    .into_iter()
                    .filter(|name| has_libraries || self.has_handle(name) || named(name));
                // The project's headers may declare the handle of a dialect of MLIR, as a service to the project's
                // users.
                let own = all.filter(|name| {
                    !self.upstream.contains(*name)
                        || self.generated.dialects.contains_key(*name)
                        || named(name)
                });
                own.map(str::to_owned).collect()
            }
        };
        if names.is_empty() && names_nothing(project) {
            return Err(brings_nothing(project, self.record));
        }
        Ok(names)
    }

    /// The dialects that the bundle takes.
    fn dialects(&self) -> Result<Vec<Dialect>> {
        let names = self.names()?;
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let classes = self.project.classes.iter();
        let of_classes: Vec<Word> = classes.map(|classes| classes.dialect.clone()).collect();
        names::exist(self.project, "classes", "dialect", &of_classes, &known)?;
        let dialects = names.into_iter().map(|name| {
            let registration = if let Some(named) = self.project.dialect_classes.get(&name) {
                Registration::Class(Cpp {
                    name: named.get_ref().class.clone(),
                    header: named.get_ref().header.clone(),
                })
            } else if let Some(word) = self.handles.get(&name) {
                Registration::Handle(word.clone())
            } else {
                let declared = &self.generated.dialects[&name];
                Registration::Class(Cpp {
                    name: declared.class.clone(),
                    header: self.headers()?.of_dialect(&name, declared)?.to_owned(),
                })
            };
            Ok(self.dialect(name, registration))
        });
        dialects.collect()
    }

    fn dialect(&self, name: String, registration: Registration) -> Dialect {
        let mut classes = self.project.classes.iter();
        let classes = classes.find(|classes| classes.dialect.get_ref() == &name);
        let group = self.groups.iter().find(|group| {
            group.kind == GroupKind::Dialect && group.dialect == name && group.extension.is_empty()
        });
        let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        // A project without a Python package gets bindings generated from the ODS files that its C++ is generated
        // from.
        let (ods, enums) = match group {
            Some(group) => (text(&group.td).into_iter().collect(), text(&group.enums)),
            None if !self.project.modules.is_empty() => (Vec::new(), None),
            None => {
                let ods = self.generated.operations.get(&name).into_iter().flatten();
                let enums = self.generated.enums_of(&name);
                (
                    ods.map(ToString::to_string).collect(),
                    enums.map(ToString::to_string),
                )
            }
        };
        Dialect {
            ods,
            enums,
            classes: classes.cloned(),
            registration,
            name,
        }
    }

    /// The functions of one key, each with its header where it is one of C++.
    fn functions(&self, key: &str, words: &[Word]) -> Result<Vec<Cpp>> {
        let functions = words.iter().map(|word| {
            let header = match word.get_ref().contains("::") {
                true => self.headers()?.of_function(word, key)?.to_owned(),
                false => String::new(),
            };
            Ok(Cpp {
                name: word.get_ref().clone(),
                header,
            })
        });
        functions.collect()
    }

    fn unnamed_pass_functions(&self) -> Result<Vec<String>> {
        match self.project.passes.is_empty() {
            true => Ok(self.headers()?.pass_functions()),
            false => Ok(Vec::new()),
        }
    }

    fn uncalled_pass_functions(
        &self,
        sources: impl FnOnce() -> Vec<String>,
    ) -> Result<Vec<String>> {
        if self.project.passes.is_empty() {
            return Ok(Vec::new());
        }
        let headers = self.headers()?;
        let named = self.project.passes.iter().map(|word| {
            let word = word.get_ref();
            word.rsplit("::").next().unwrap_or(word)
        });
        let named: Vec<&str> = named.collect();
        let sources = sources();
        let texts = headers.texts().chain(sources.iter().map(String::as_str));
        Ok(uncalled(&named, &headers.pass_functions(), texts))
    }

    /// The headers below the include folders, which are read at the first call.
    fn headers(&self) -> Result<&Headers<'a>> {
        if let Some(headers) = self.headers.get() {
            return Ok(headers);
        }
        let headers = Headers::read(self.project, self.include, self.generated)?;
        Ok(self.headers.get_or_init(|| headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablegen::Declared;

    #[test]
    fn a_handle_may_have_another_word_than_its_dialect() {
        let declared = [
            ("dbg", "circt::debug::DebugDialect"),
            ("hw", "circt::hw::HWDialect"),
            ("two", "acme::TwoWordsDialect"),
            ("left", "acme::pair::LeftDialect"),
            ("right", "acme::pair::RightDialect"),
        ];
        let declared = declared.map(|(name, class)| {
            let class = class.to_owned();
            let file = Utf8PathBuf::new();
            (name.to_owned(), Declared { class, file })
        });
        let generated = Generated {
            dialects: declared.into_iter().collect(),
            ..Generated::default()
        };
        let words = ["debug", "hw", "two_words", "pair", "func"].map(str::to_owned);
        let found = by_dialect(&words, &generated);
        // Two dialects are in the namespace `pair`, and none of the project is `func`.
        let expected = [
            ("dbg", "debug"),
            ("func", "func"),
            ("hw", "hw"),
            ("pair", "pair"),
            ("two", "two_words"),
        ];
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(found, expected);
    }
}
