//! The check of what a crate registers: C functions that its headers declare, C++ classes and functions
//! with the header that declares them.

use std::collections::BTreeSet;

use mondo_core::error::Result;

use super::{DialectKeys, Placer};
use crate::archive_symbols;
use crate::dialect_crate::command::Command;
use crate::dialect_crate::file;
use crate::dialect_crate::functions::{Functions, UndefinedFunction};
use crate::dialect_crate::model::{
    Code, CppName, DialectCrate, DialectRegistration, PassGroup, Registrar,
};
use crate::document::suggest;
use crate::names::{COMMAND_HELP, is_command, is_identifier};
use crate::spanned::Spanned;

impl Placer<'_> {
    fn c_function(&self, key: &str, name: &Spanned<String>) -> Result<()> {
        if is_identifier(name.get_ref()) {
            return Ok(());
        }
        Err(self
            .refuse(
                name.span(),
                format!("invalid `{key}`: {:?}", name.get_ref()),
            )
            .because("it must be the name of a C function"))
    }

    pub(super) fn dialect_registration(
        &self,
        dialect: &Spanned<String>,
        keys: DialectKeys,
    ) -> Result<DialectRegistration> {
        let DialectKeys {
            handle,
            register,
            class,
            header,
        } = keys;
        if let (None, Some(header)) = (&class, &header) {
            let what = format!(
                "the dialect `{}` has `header` without `class`",
                dialect.get_ref()
            );
            return Err(self
                .refuse(header.span(), what)
                .help("list the headers of C functions in `cpp.headers`"));
        }
        match (handle, register, class) {
            (Some(handle), None, None) => {
                self.c_function("dialect.handle", &handle)?;
                Ok(DialectRegistration::Handle(handle))
            }
            (None, Some(register), None) => {
                self.c_function("dialect.register", &register)?;
                Ok(DialectRegistration::Register(register))
            }
            (None, None, Some(class)) => {
                let class = self.cpp_name("dialect.class", class, header)?;
                Ok(DialectRegistration::Class(class))
            }
            (handle, _, _) => {
                let span = handle.map_or_else(|| dialect.span(), |handle| handle.span());
                let what = format!(
                    "the dialect `{}` needs one of `handle`, `register` and `class`",
                    dialect.get_ref()
                );
                Err(self.refuse(span, what).because(
                    "mondo registers a dialect through the C function `MlirDialectHandle \
                     f(void)` or `void f(MlirDialectRegistry)`, or through its C++ class",
                ))
            }
        }
    }

    pub(super) fn pass_group(&self, group: file::PassGroup) -> Result<PassGroup> {
        Ok(PassGroup {
            name: group.name,
            register: self.registrar("pass-group.register", group.register, group.header)?,
        })
    }

    pub(super) fn dialect_extension(
        &self,
        name: &Spanned<String>,
        extension: file::DialectExtension,
    ) -> Result<Registrar> {
        let header = extension.header;
        match (extension.register, extension.class) {
            (Some(register), None) => {
                self.registrar("dialect-extension.register", register, header)
            }
            (None, Some(class)) => self
                .cpp_name("dialect-extension.class", class, header)
                .map(Registrar::Class),
            (register, class) => {
                let word = class.or(register);
                let span = word.map_or_else(|| name.span(), |word| word.span());
                let what = "a `[[dialect-extension]]` needs one of `register` and `class`";
                Err(self.refuse(span, what))
            }
        }
    }

    pub(super) fn translation(&self, translation: file::Translation) -> Result<Registrar> {
        let file::Translation { register, header } = translation;
        self.registrar("translation.register", register, header)
    }

    pub(super) fn tool_translation(&self, translation: file::ToolTranslation) -> Result<Registrar> {
        let file::ToolTranslation { register, header } = translation;
        self.registrar("tool-translation.register", register, header)
    }

    pub(super) fn command(&self, command: file::Command) -> Result<Command> {
        let file::Command { name, main } = command;
        self.c_function("command.main", &main)?;
        if is_command(name.get_ref()) {
            return Ok(Command { name, main });
        }
        let what = format!("invalid `command.name`: {:?}", name.get_ref());
        Err(self.refuse(name.span(), what).help(COMMAND_HELP))
    }

    /// A C function, or with a header a C++ one.
    fn registrar(
        &self,
        key: &str,
        name: Spanned<String>,
        header: Option<Spanned<String>>,
    ) -> Result<Registrar> {
        if header.is_some() || name.get_ref().contains("::") {
            return self.cpp_name(key, name, header).map(Registrar::Function);
        }
        self.c_function(key, &name)?;
        Ok(Registrar::C(name))
    }

    fn cpp_name(
        &self,
        key: &str,
        name: Spanned<String>,
        header: Option<Spanned<String>>,
    ) -> Result<CppName> {
        let word = name.get_ref();
        let mut parts = word.strip_prefix("::").unwrap_or(word).split("::");
        if !parts.all(is_identifier) {
            return Err(self
                .refuse(name.span(), format!("invalid `{key}`: {word:?}"))
                .because("it must be a qualified C++ name, such as `acme::AcmeDialect`"));
        }
        let Some(header) = header else {
            let what = format!("`{key}` is the C++ name `{word}`, but `header` is missing");
            return Err(self
                .refuse(name.span(), what)
                .help("add `header`, the name of the file that declares it, as in `#include`"));
        };
        let file = header.get_ref();
        if file.is_empty() || file.contains(|c: char| c.is_control() || "\"\\<>".contains(c)) {
            return Err(self.refuse(header.span(), format!("invalid `header`: {file:?}")));
        }
        Ok(CppName { name, header })
    }

    /// A class is registered by C++ that is compiled against the crate's headers.
    pub(super) fn code_for_classes(&self, one: &DialectCrate) -> Result<()> {
        let mut symbols = BTreeSet::new();
        for registration in one.cpp_registrations() {
            let (span, name) = (
                registration.target.name.span(),
                registration.target.name.get_ref(),
            );
            if matches!(one.code, Code::Rust(_)) {
                return Err(self
                    .refuse(span, format!("`{name}` is a C++ name"))
                    .because(
                        "the crate's code is Rust, and mondo registers Rust dialects through \
                         a C function",
                    ));
            }
            if !symbols.insert(registration.symbol) {
                return Err(self.refuse(span, format!("`{name}` is registered twice")));
            }
        }
        Ok(())
    }

    /// Every C function that registers something is declared by the crate's headers, where their text says
    /// all that they declare. Returns the functions that no source seems to define, or no archive defines.
    pub(super) fn registered(&self, one: &DialectCrate) -> Result<Vec<UndefinedFunction>> {
        let headers = one.headers();
        if headers.is_empty() {
            return Ok(Vec::new());
        }
        let include = one.include();
        let files: Vec<_> = headers
            .iter()
            .filter_map(|name| self.below_include(name.get_ref(), include))
            .collect();
        let sources = match &one.code {
            Code::Cpp(cpp) => cpp.sources.as_slice(),
            Code::Prebuilt(_) | Code::Rust(_) => &[],
        };
        let functions = Functions::of(&files, sources, include)?;
        if functions.complete {
            self.declared(one, &functions)?;
        }
        // The objects of a crate in Rust are compiled later, so that their symbols cannot be looked
        // up here.
        let defines: &dyn Fn(&str) -> bool = match &one.code {
            Code::Cpp(_) => &|name| functions.may_define(name),
            Code::Prebuilt(prebuilt) => {
                let archives = prebuilt.whole.iter().chain(&prebuilt.by_need);
                let Some(defined) = archive_symbols::defined(archives) else {
                    return Ok(Vec::new());
                };
                &move |name| defined.contains(name)
            }
            Code::Rust(_) => return Ok(Vec::new()),
        };
        let undefined = functions.declared.iter();
        let undefined = undefined.filter(|(name, _)| !defines(name));
        // The handle of a dialect of others, such as MLIR's own, is defined where that dialect is.
        let dialects: Vec<&String> = one
            .dialects
            .iter()
            .map(|dialect| dialect.registration.name().get_ref())
            .collect();
        let undefined =
            undefined.filter(|(name, _)| !name.starts_with(HANDLE) || dialects.contains(name));
        Ok(undefined
            .map(|(function, (header, line))| UndefinedFunction {
                function: function.clone(),
                header: header.clone(),
                line: *line,
            })
            .collect())
    }

    fn declared(&self, one: &DialectCrate, functions: &Functions) -> Result<()> {
        for (key, name) in c_functions(one) {
            let word = name.get_ref();
            if functions.declared.contains_key(word) || functions.may_define(word) {
                continue;
            }
            let headers: Vec<&str> = one
                .headers()
                .iter()
                .map(|header| header.get_ref().as_str())
                .collect();
            let known = functions.declared.keys().map(String::as_str);
            let key = match one.is_of_project() {
                true => key_of_project(key),
                false => key,
            };
            return Err(self
                .refuse(
                    name.span(),
                    format!("`{key}` is `{word}`, which no header of the crate declares"),
                )
                .because(format!("its headers are {}", headers.join(", ")))
                .help(suggest(word, known)));
        }
        Ok(())
    }
}

/// The beginning of the names of functions that return handles of dialects.
const HANDLE: &str = "mlirGetDialectHandle__";

/// The key of a project's entry that this one of the crate is made from.
fn key_of_project(key: &str) -> &str {
    match key {
        "pass-group.register" => "project.passes",
        "dialect-extension.register" => "project.dialect-extensions",
        "translation.register" => "project.translations",
        key => key,
    }
}

/// The C functions that register something of a crate, with the keys that name them.
fn c_functions(one: &DialectCrate) -> Vec<(&'static str, &Spanned<String>)> {
    let mut found = Vec::new();
    for dialect in &one.dialects {
        match &dialect.registration {
            DialectRegistration::Handle(name) => found.push(("dialect.handle", name)),
            DialectRegistration::Register(name) => found.push(("dialect.register", name)),
            DialectRegistration::Class(_) => {}
        }
    }
    let groups = one.pass_groups.iter().map(|group| &group.register);
    let groups = groups.map(|register| ("pass-group.register", register));
    let extensions = one.dialect_extensions.iter();
    let extensions = extensions.map(|register| ("dialect-extension.register", register));
    let translations = one.translations.iter();
    let translations = translations.map(|register| ("translation.register", register));
    let of_tools = one.tool_translations.iter();
    let of_tools = of_tools.map(|register| ("tool-translation.register", register));
    let others = extensions.chain(translations).chain(of_tools);
    for (key, registrar) in groups.chain(others) {
        if let Registrar::C(name) = registrar {
            found.push((key, name));
        }
    }
    found
}
