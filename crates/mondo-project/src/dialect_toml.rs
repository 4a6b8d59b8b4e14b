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
    /// The way that it is registered.
    pub(crate) registration: Registration,
    /// The ODS files of its operations.
    pub(crate) ods: Vec<String>,
    /// The ODS file of its enums.
    pub(crate) enums: Option<String>,
    /// The types and attributes that get Python classes.
    pub(crate) classes: Option<ProjectClasses>,
}

/// The way that a dialect is registered.
#[derive(Debug)]
pub(crate) enum Registration {
    /// By the handle that its C API declares, whose name has this word: `toy` for `mlirGetDialectHandle__toy__`.
    Handle(String),
    /// By its C++ class.
    Class(Cpp),
}

/// A function or class of C++ and the header that declares it, as it is included; without one, a function of C.
#[derive(Debug)]
pub(crate) struct Cpp {
    pub(crate) name: String,
    pub(crate) header: String,
}

impl Cpp {
    /// The keys of an entry that registers it: `register` or `class`.
    fn keys(&self, key: &str) -> String {
        let mut text = format!("{key} = {}\n", quoted(&self.name));
        if !self.header.is_empty() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "header = {}", quoted(&self.header));
        }
        text
    }
}

/// A command that runs a function of the project.
#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) main: String,
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
    pub(crate) passes: Vec<Cpp>,
    pub(crate) dialect_extensions: Vec<Cpp>,
    pub(crate) translations: Vec<Cpp>,
    /// Those of the tool `translate`.
    pub(crate) tool_translations: Vec<Cpp>,
    pub(crate) commands: Vec<Command>,
    /// The options of the C++ that registers what has no C API.
    pub(crate) options: CppOptions,
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
            let registration = match &dialect.registration {
                Registration::Handle(word) => {
                    let handle = format!("mlirGetDialectHandle__{word}__");
                    format!("handle = {}\n", quoted(handle))
                }
                Registration::Class(class) => class.keys("class"),
            };
            let _ = write!(
                text,
                "\n[[dialect]]\nname = {}\n{registration}depends = {}\n",
                quoted(&dialect.name),
                list(&self.depends)
            );
            if !dialect.ods.is_empty() {
                let python = quoted(&dialect.name);
                let _ = writeln!(text, "ods = {}\npython = {python}", list(&dialect.ods));
            }
            if let Some(enums) = &dialect.enums {
                let _ = writeln!(text, "enums = {}", quoted(enums));
            }
            if let Some(classes) = &dialect.classes {
                let only: Vec<&str> = classes
                    .only
                    .iter()
                    .map(|class| class.get_ref().as_str())
                    .collect();
                let _ = write!(
                    text,
                    "\n[dialect.classes]\nheader = {}\nonly = {}\n",
                    quoted(classes.header.get_ref()),
                    list(&only)
                );
            }
        }
        for function in &self.passes {
            let _ = write!(
                text,
                "\n[[pass-group]]\nname = {}\n{}",
                quoted(self.pass_group(&function.name)),
                function.keys("register")
            );
        }
        for function in &self.dialect_extensions {
            let keys = function.keys("register");
            let _ = write!(text, "\n[[dialect-extension]]\n{keys}");
        }
        for function in &self.translations {
            let _ = write!(text, "\n[[translation]]\n{}", function.keys("register"));
        }
        for function in &self.tool_translations {
            let keys = function.keys("register");
            let _ = write!(text, "\n[[tool-translation]]\n{keys}");
        }
        for Command { name, main } in &self.commands {
            let (name, main) = (quoted(name), quoted(main));
            let _ = write!(text, "\n[[command]]\nname = {name}\nmain = {main}\n");
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
        text.push_str(&options(&self.options));
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
            text.push_str(&options(&extension.options));
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
            _ => {
                let function = function.rsplit("::").next().unwrap_or(function);
                format!("{}.{function}", self.name)
            }
        }
    }
}

/// The keys of the compiler's options.
fn options(options: &CppOptions) -> String {
    let std = options.std.as_ref();
    let std = std.map(|std| format!("std = {}\n", quoted(std)));
    let (flags, defines) = (list(&options.flags), list(&options.defines));
    format!(
        "{}flags = {flags}\ndefines = {defines}\n",
        std.unwrap_or_default()
    )
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
