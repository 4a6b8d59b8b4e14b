//! A project's C++ headers, and the look-up of the header that declares a given class or function.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::document::suggest;
use mondo_plan::manifest::{Project, Word};

use crate::tablegen::{Declared, Generated};

/// The macro by which a header takes a generated file's functions that register passes.
const REGISTRATION: &str = "GEN_PASS_REGISTRATION";

/// The ends of names of headers.
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx"];

/// A header with its text.
#[derive(Debug)]
struct Header {
    /// Its name, as it is included.
    name: String,
    text: String,
}

/// A project's C++ headers.
#[derive(Debug)]
pub(crate) struct Headers<'a> {
    project: &'a Project,
    /// The headers that the manifest names come first, then those that are nearer to their include folder.
    all: Vec<Header>,
    /// Generated files that headers include.
    generated: Vec<(&'a Utf8Path, String)>,
}

impl<'a> Headers<'a> {
    /// Reads the headers below these include folders.
    pub(crate) fn read(
        project: &'a Project,
        include: &[Utf8PathBuf],
        generated: &'a Generated,
    ) -> Result<Self> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for folder in include {
            for path in headers_below(folder)? {
                let text = fs_err::read(&path)?;
                let Ok(name) = path.strip_prefix(folder) else {
                    continue;
                };
                // An include folder may be below another one.
                if seen.insert(path.clone()) {
                    all.push(Header {
                        name: name.to_string(),
                        text: String::from_utf8_lossy(&text).into_owned(),
                    });
                }
            }
        }
        let named: Vec<&str> = project
            .headers
            .iter()
            .map(|header| header.get_ref().as_str())
            .collect();
        let known: Vec<&str> = all.iter().map(|header| header.name.as_str()).collect();
        crate::names::exist(project, "headers", "header", &project.headers, &known)?;
        all.sort_by_cached_key(|header| {
            let at = named.iter().position(|name| *name == header.name);
            let depth = header.name.matches('/').count();
            (at.unwrap_or(usize::MAX), depth, header.name.clone())
        });
        let generated = generated.files.iter().filter_map(|path| {
            let text = fs_err::read_to_string(path).ok()?;
            Some((path.as_path(), text))
        });
        Ok(Self {
            project,
            all,
            generated: generated.collect(),
        })
    }

    /// The header that declares the class of a dialect: it includes the generated file with the class.
    pub(crate) fn of_dialect(&self, name: &str, declared: &Declared) -> Result<&str> {
        let includes = |header: &&Header| includes(&header.text, &declared.file);
        let found = self.all.iter().find(includes);
        found.map(|header| header.name.as_str()).ok_or_else(|| {
            let what = format!(
                "the project `{}`: no header declares the class `{}` of the dialect `{name}`",
                self.project.name.get_ref(),
                declared.class
            );
            Error::new(ErrorKind::Plan, what)
                .at(&self.project.folder)
                .because(format!("`{}` declares it", declared.file))
                .help(
                    "if a header in an include folder of another library declares it, add \
                     that library to `libraries`",
                )
        })
    }

    /// The header that declares a function: by its name, or by the generated file that has it.
    pub(crate) fn of_function(&self, function: &Word, key: &str) -> Result<&str> {
        let word = function.get_ref();
        let name = word.rsplit("::").next().unwrap_or(word);
        let direct = self.all.iter().find(|header| calls(&header.text, name));
        let by_generated = || {
            let with_it = self.generated.iter().filter(|(_, text)| calls(text, name));
            let files: Vec<&Utf8Path> = with_it.map(|(path, _)| *path).collect();
            self.all.iter().find(|header| {
                header.text.contains(REGISTRATION)
                    && files.iter().any(|file| includes(&header.text, file))
            })
        };
        let found = direct.or_else(by_generated);
        found.map(|header| header.name.as_str()).ok_or_else(|| {
            let what = format!(
                "`project.{key}` of `{}` is `{word}`, which no header declares",
                self.project.name.get_ref()
            );
            let error = self
                .project
                .error(ErrorKind::Plan, function, what)
                .because(format!(
                    "no header in the include folders of the libraries contains `{name}(` or \
                 includes a generated file that does"
                ));
            error.help(suggest(name, self.functions()))
        })
    }

    /// The texts of the headers and of the generated files.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let texts = self.all.iter().map(|header| header.text.as_str());
        texts.chain(self.generated.iter().map(|(_, text)| text.as_str()))
    }

    /// Names of the functions without arguments that register several passes or pipelines, without their namespaces.
    pub(crate) fn pass_functions(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.texts().flat_map(registers_passes).collect();
        names.into_iter().map(str::to_owned).collect()
    }

    /// Names of functions that the headers declare and that register something.
    fn functions(&self) -> BTreeSet<&str> {
        let texts = self.texts();
        let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let words = texts.flat_map(|text| text.split(word));
        words
            .filter(|word| word.starts_with("register") && word.len() > "register".len())
            .collect()
    }
}

/// True if the text includes this file: the path in an `#include` is the end of the file's.
pub(crate) fn includes(text: &str, file: &Utf8Path) -> bool {
    let lines = text.lines().map(str::trim_start);
    let mut lines =
        lines.filter_map(|line| line.strip_prefix('#')?.trim_start().strip_prefix("include"));
    lines.any(|rest| {
        let name = rest.trim().trim_start_matches(['"', '<']);
        let name = name.split(['"', '>']).next().unwrap_or(name);
        !name.is_empty() && file.ends_with(name)
    })
}

/// True if the function's name stands in the text before a parenthesis.
fn calls(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].trim_start();
        !before.is_some_and(word) && after.starts_with('(')
    })
}

/// The functions `void register…Passes()` and `void register…Pipelines()` of a text.
fn registers_passes(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split("void").skip(1).filter_map(move |rest| {
        let name = rest.trim_start();
        // The word `void` alone, and not the end of a parameter list.
        if name.len() == rest.len() {
            return None;
        }
        let (name, after) = name.split_at(name.find(|c| !word(c))?);
        let arguments = after.trim_start().strip_prefix('(')?.trim_start();
        let several = name.ends_with("Passes") || name.ends_with("Pipelines");
        (name.starts_with("register") && several && arguments.starts_with(')')).then_some(name)
    })
}

fn headers_below(folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() && !entry.file_name().starts_with('.') {
                pending.push(path.to_owned());
            } else if HEADERS.contains(&path.extension().unwrap_or_default()) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_include_is_the_end_of_a_path() {
        let text = "#pragma once\n# include <acme/AcmeDialect.h.inc>\n";
        assert!(includes(
            text,
            Utf8Path::new("/b/include/acme/AcmeDialect.h.inc")
        ));
        assert!(!includes(
            text,
            Utf8Path::new("/b/include/other/AcmeDialect.h.inc")
        ));
        assert!(!includes("include \"x.inc\"", Utf8Path::new("/b/x.inc")));
    }

    #[test]
    fn functions_that_register_passes_have_no_arguments() {
        let text = "void registerToyPasses();\ninline void registerToyPipelines( ) {}\nvoid registerToyPass();\n\
                    int registerIntPasses();\nvoid registerPassesOf(int);\nvoid registerOtherPasses(Registry &);\n\
                    void run(void) { registerToyPasses(); }";
        let found: Vec<&str> = registers_passes(text).collect();
        assert_eq!(found, ["registerToyPasses", "registerToyPipelines"]);
    }

    #[test]
    fn a_function_is_a_word_before_a_parenthesis() {
        assert!(calls("void registerPasses ();", "registerPasses"));
        assert!(!calls("void preregisterPasses();", "registerPasses"));
        assert!(!calls(
            "registerPassesOf(); // registerPasses",
            "registerPasses"
        ));
    }
}
