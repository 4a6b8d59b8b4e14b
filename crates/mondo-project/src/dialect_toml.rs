//! A project in the form of a dialect crate: the `dialect.toml` that a person would write for it.

use std::fmt::Write as _;

use camino::Utf8PathBuf;
use mondo_plan::manifest::ProjectClasses;
use mondo_plan::metadata::Person;

use crate::cpp_options::CppOptions;

/// A dialect and where its Python classes come from.
#[derive(Debug)]
pub(crate) struct Dialect {
    pub(crate) name: String,
    /// The ODS file of its operations.
    pub(crate) td: Option<String>,
    /// The ODS file of its enums.
    pub(crate) enums: Option<String>,
    /// The types and attributes that get Python classes.
    pub(crate) classes: Option<ProjectClasses>,
}

/// A Python extension.
#[derive(Debug)]
pub(crate) struct Extension {
    pub(crate) module: String,
    pub(crate) sources: Vec<String>,
    pub(crate) archives: Vec<String>,
    /// The options that its own `CMake` gives the compiler.
    pub(crate) options: CppOptions,
}

/// All that a `dialect.toml` says.
#[derive(Debug, Default)]
pub(crate) struct DialectToml {
    pub(crate) name: String,
    /// The distribution of its extensions.
    pub(crate) wheel: String,
    /// An SPDX expression.
    pub(crate) license: Option<String>,
    pub(crate) license_files: Vec<Utf8PathBuf>,
    pub(crate) authors: Vec<Person>,
    pub(crate) version: Option<String>,
    pub(crate) dialects: Vec<Dialect>,
    /// Dialects of the projects that it needs.
    pub(crate) depends: Vec<String>,
    pub(crate) passes: Vec<String>,
    pub(crate) whole: Vec<Utf8PathBuf>,
    pub(crate) by_need: Vec<Utf8PathBuf>,
    pub(crate) include: Vec<Utf8PathBuf>,
    pub(crate) headers: Vec<Utf8PathBuf>,
    /// MLIR's and LLVM's archives.
    pub(crate) links: Vec<String>,
    /// True if there is a folder `python`.
    pub(crate) python: bool,
    pub(crate) extensions: Vec<Extension>,
}

impl DialectToml {
    /// The file's text.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "# Written by mondo from the project's CMake.\n\ndialect-crate = 1\nname = {}\n",
            quoted(&self.name)
        );
        // Writing to a String cannot fail.
        text.push_str(&self.package());
        for dialect in &self.dialects {
            let handle = format!("mlirGetDialectHandle__{}__", dialect.name);
            let _ = write!(
                text,
                "\n[[dialect]]\nname = {}\nhandle = {}\ndepends = {}\n",
                quoted(&dialect.name),
                quoted(&handle),
                list(&self.depends)
            );
            if let Some(td) = &dialect.td {
                let _ = writeln!(
                    text,
                    "ods = [{}]\npython = {}",
                    quoted(td),
                    quoted(&dialect.name)
                );
            }
            if let Some(enums) = &dialect.enums {
                let _ = writeln!(text, "enums = {}", quoted(enums));
            }
            if let Some(classes) = &dialect.classes {
                let _ = write!(
                    text,
                    "\n[dialect.classes]\nheader = {}\nonly = {}\n",
                    quoted(&classes.header),
                    list(&classes.only)
                );
            }
        }
        for function in &self.passes {
            let _ = write!(
                text,
                "\n[[pass-group]]\nname = {}\nregister = {}\n",
                quoted(self.pass_group(function)),
                quoted(function)
            );
        }
        let _ = write!(
            text,
            "\n[prebuilt]\narchives = {}\nwhole = {}\ninclude = {}\nheaders = {}\nlinks = {}\n",
            list(&self.by_need),
            list(&self.whole),
            list(&self.include),
            list(&self.headers),
            list(&self.links)
        );
        if self.python {
            text.push_str("\n[python]\nsources = \"python\"\n");
        }
        for extension in &self.extensions {
            let _ = write!(
                text,
                "\n[[extension]]\nmodule = {}\nkind = \"nanobind\"\nsources = {}\narchives = {}\n\
                 wheel = {}\n",
                quoted(&extension.module),
                list(&extension.sources),
                list(&extension.archives),
                quoted(&self.wheel)
            );
            let options = &extension.options;
            if let Some(std) = &options.std {
                let _ = writeln!(text, "std = {}", quoted(std));
            }
            let (flags, defines) = (list(&options.flags), list(&options.defines));
            let _ = writeln!(text, "flags = {flags}\ndefines = {defines}");
        }
        text
    }

    /// The table `[package]`.
    fn package(&self) -> String {
        let mut text = String::from("\n[package]\n");
        for (key, value) in [("license", &self.license), ("version", &self.version)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {}", quoted(value));
            }
        }
        let _ = writeln!(text, "license-files = {}", list(&self.license_files));
        for person in &self.authors {
            text.push_str("[[package.authors]]\n");
            for (key, value) in [("name", &person.name), ("email", &person.email)] {
                if let Some(value) = value {
                    let _ = writeln!(text, "{key} = {}", quoted(value));
                }
            }
        }
        text
    }

    /// The name of the passes of one function: the project's, and the function's where it has several.
    fn pass_group(&self, function: &str) -> String {
        match self.passes.len() {
            1 => self.name.clone(),
            _ => format!("{}.{function}", self.name),
        }
    }
}

fn quoted(text: impl AsRef<str>) -> String {
    let mut quoted = String::from("\"");
    for c in text.as_ref().chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn list<S: AsRef<str>>(words: &[S]) -> String {
    if words.is_empty() {
        return "[]".to_owned();
    }
    let words: String = words
        .iter()
        .map(|word| format!("    {},\n", quoted(word)))
        .collect();
    format!("[\n{words}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        assert_eq!(quoted(r#"a "b" \c"#), r#""a \"b\" \\c""#);
        assert_eq!(list::<&str>(&[]), "[]");
        assert_eq!(list(&["a", "b"]), "[\n    \"a\",\n    \"b\",\n]");
    }
}
