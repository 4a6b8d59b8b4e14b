//! The check of the values in a `dialect.toml`, and the checked form that they become.

use std::collections::BTreeSet;
use std::ops::Range;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use toml::Spanned;

use super::file::{self, File};
use super::glob;
use super::model::{
    Code, Cpp, Dialect, DialectCrate, DialectRegistration, Extension, PassGroup, Prebuilt, Rust,
    Tblgen,
};
use crate::document::Document;
use crate::names::{is_identifier, is_keyword};

/// The module that every bundle has.
const OWN_EXTENSION: &str = "_mlir";

pub(super) fn check(file: File, source: Document) -> Result<DialectCrate> {
    let File {
        name,
        dialects,
        pass_groups,
        cpp,
        prebuilt,
        rust,
        python,
        extensions,
        ..
    } = file;
    let folder = camino::absolute_utf8(source.folder())?;
    let folder = folder.canonicalize_utf8().unwrap_or(folder);
    let at = Placer {
        source: &source,
        name: name.get_ref().clone(),
        folder,
    };
    at.crate_name(&name)?;
    if dialects.is_empty() && pass_groups.is_empty() {
        return Err(at
            .refuse(
                name.span(),
                "it has neither `[[dialect]]` nor `[[pass-group]]`",
            )
            .help("add what its code registers"));
    }
    let dialects = dialects
        .into_iter()
        .map(|dialect| at.dialect(dialect))
        .collect::<Result<_>>()?;
    let pass_groups = pass_groups
        .into_iter()
        .map(|group| at.pass_group(group))
        .collect::<Result<_>>()?;
    let code = at.code(&name, cpp, prebuilt, rust)?;
    let python = python
        .map(|python| at.folder("python.sources", &python.sources))
        .transpose()?;
    let extensions = at.extensions(extensions)?;
    let folder = at.folder;
    Ok(DialectCrate {
        name,
        folder,
        dialects,
        pass_groups,
        code,
        python,
        extensions,
        source,
    })
}

/// Checks words, and places what is wrong with them.
struct Placer<'a> {
    source: &'a Document,
    name: String,
    folder: Utf8PathBuf,
}

impl Placer<'_> {
    fn refuse(&self, span: Range<usize>, what: impl AsRef<str>) -> Error {
        self.source.error(
            ErrorKind::Manifest,
            span,
            format!("the dialect crate `{}`: {}", self.name, what.as_ref()),
        )
    }

    /// It names files of the build and stands in reports.
    fn crate_name(&self, name: &Spanned<String>) -> Result<()> {
        let word = name.get_ref();
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        if word.bytes().all(good) && word.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) {
            return Ok(());
        }
        Err(self
            .refuse(name.span(), format!("`name` cannot be {word:?}"))
            .help("write lower-case letters, digits, `-` and `_`, a letter first"))
    }

    fn c_function(&self, key: &str, name: &Spanned<String>) -> Result<()> {
        if is_identifier(name.get_ref()) {
            return Ok(());
        }
        Err(self
            .refuse(
                name.span(),
                format!("`{key}` cannot be {:?}", name.get_ref()),
            )
            .because("it is the name of a C function"))
    }

    fn dialect(&self, dialect: file::Dialect) -> Result<Dialect> {
        let file::Dialect {
            name,
            handle,
            register,
            depends,
            ods,
            enums,
            python,
        } = dialect;
        if !is_identifier(name.get_ref()) {
            return Err(self
                .refuse(
                    name.span(),
                    format!("`dialect.name` cannot be {:?}", name.get_ref()),
                )
                .because("it begins the names of operations: letters, digits and `_`"));
        }
        let registration = match (handle, register) {
            (Some(handle), None) => {
                self.c_function("dialect.handle", &handle)?;
                DialectRegistration::Handle(handle)
            }
            (None, Some(register)) => {
                self.c_function("dialect.register", &register)?;
                DialectRegistration::Register(register)
            }
            (handle, _) => {
                let span = handle.map_or_else(|| name.span(), |handle| handle.span());
                let what = format!(
                    "the dialect `{}` needs one of `handle` and `register`",
                    name.get_ref()
                );
                return Err(self.refuse(span, what).because(
                    "that is the C function by which it gets into a registry: \
                     `MlirDialectHandle f(void)` or `void f(MlirDialectRegistry)`",
                ));
            }
        };
        if let Some(module) = &python {
            let word = module.get_ref();
            if !is_identifier(word) || is_keyword(word) || word.starts_with('_') {
                return Err(self
                    .refuse(
                        module.span(),
                        format!("`dialect.python` cannot be {word:?}"),
                    )
                    .because("it is the name of a Python module in `dialects`"));
            }
        }
        Ok(Dialect {
            name,
            registration,
            depends,
            ods,
            enums,
            python,
        })
    }

    fn pass_group(&self, group: file::PassGroup) -> Result<PassGroup> {
        self.c_function("pass-group.register", &group.register)?;
        Ok(PassGroup {
            name: group.name,
            register: group.register,
        })
    }

    fn code(
        &self,
        name: &Spanned<String>,
        cpp: Option<Spanned<file::Cpp>>,
        prebuilt: Option<Spanned<file::Prebuilt>>,
        rust: Option<Spanned<file::Rust>>,
    ) -> Result<Code> {
        match (cpp, prebuilt, rust) {
            (Some(cpp), None, None) => self.cpp(cpp.into_inner()).map(Code::Cpp),
            (None, Some(prebuilt), None) => {
                self.prebuilt(prebuilt.into_inner()).map(Code::Prebuilt)
            }
            (None, None, Some(rust)) => self.rust(rust.into_inner()).map(Code::Rust),
            (None, None, None) => Err(self
                .refuse(name.span(), "it has no code")
                .help("add `[cpp]`, `[prebuilt]` or `[rust]`")),
            (cpp, prebuilt, rust) => {
                let last = rust
                    .map(|it| it.span())
                    .or(prebuilt.map(|it| it.span()))
                    .or(cpp.map(|it| it.span()));
                Err(self
                    .refuse(
                        last.unwrap_or_default(),
                        "it has more than one of `[cpp]`, `[prebuilt]` and `[rust]`",
                    )
                    .help("make one crate of each, and let their dialects depend on each other"))
            }
        }
    }

    fn cpp(&self, cpp: file::Cpp) -> Result<Cpp> {
        let include = self.folders("cpp.include", &cpp.include)?;
        Ok(Cpp {
            sources: self.sources("cpp.sources", &cpp.sources)?,
            headers: self.headers("cpp.headers", &cpp.headers, &include)?,
            include,
            defines: cpp.defines,
            archives: cpp.archives,
            tblgen: self.tblgen(cpp.tblgen)?,
        })
    }

    fn prebuilt(&self, prebuilt: file::Prebuilt) -> Result<Prebuilt> {
        let include = self.folders("prebuilt.include", &prebuilt.include)?;
        let whole = self.files("prebuilt.whole", &prebuilt.whole)?;
        let mut by_need = self.files("prebuilt.archives", &prebuilt.archives)?;
        by_need.retain(|archive| !whole.contains(archive));
        Ok(Prebuilt {
            headers: self.headers("prebuilt.headers", &prebuilt.headers, &include)?,
            whole,
            by_need,
            include,
            archives: prebuilt.links,
        })
    }

    fn rust(&self, rust: file::Rust) -> Result<Rust> {
        if !self.folder.join("Cargo.toml").is_file() {
            return Err(self
                .refuse(
                    rust.package.span(),
                    format!(
                        "`rust.package` is {:?}, but there is no Cargo.toml",
                        rust.package.get_ref()
                    ),
                )
                .because(format!(
                    "`{}` was looked for",
                    self.folder.join("Cargo.toml")
                )));
        }
        let word = rust.package.get_ref();
        let good = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if word.is_empty() || !word.bytes().all(good) {
            return Err(self.refuse(
                rust.package.span(),
                format!("`rust.package` cannot be {word:?}"),
            ));
        }
        Ok(Rust {
            package: rust.package,
        })
    }

    fn tblgen(&self, runs: Vec<file::Tblgen>) -> Result<Vec<Tblgen>> {
        let mut seen = BTreeSet::new();
        let mut checked = Vec::new();
        for run in runs {
            let to = Utf8PathBuf::from(run.to.get_ref());
            let plain = to
                .components()
                .all(|part| matches!(part, Utf8Component::Normal(_)));
            if !plain || to.as_str().is_empty() {
                return Err(self
                    .refuse(
                        run.to.span(),
                        format!("`cpp.tblgen.to` cannot be {:?}", to.as_str()),
                    )
                    .because("it is a path below the folder of generated files"));
            }
            if !seen.insert(to.clone()) {
                return Err(
                    self.refuse(run.to.span(), format!("`cpp.tblgen.to` names `{to}` twice"))
                );
            }
            checked.push(Tblgen {
                tool: run.tool,
                from: self.file("cpp.tblgen.from", &run.from)?,
                to,
                args: run.args,
            });
        }
        Ok(checked)
    }

    fn extensions(&self, extensions: Vec<file::Extension>) -> Result<Vec<Extension>> {
        let mut checked: Vec<Extension> = Vec::new();
        for extension in extensions {
            let word = extension.module.get_ref();
            let refused = |why: &str| {
                Err(self
                    .refuse(
                        extension.module.span(),
                        format!("`extension.module` cannot be {word:?}"),
                    )
                    .because(why))
            };
            if !is_identifier(word) || is_keyword(word) {
                return refused("it is the name of a Python module");
            }
            if word == OWN_EXTENSION {
                return refused("that is the module that every bundle has");
            }
            if let Some(first) = checked.first()
                && first.wheel.get_ref() != extension.wheel.get_ref()
            {
                return Err(self
                    .refuse(
                        extension.wheel.span(),
                        format!(
                            "`extension.wheel` is `{}` here and `{}` before",
                            extension.wheel.get_ref(),
                            first.wheel.get_ref()
                        ),
                    )
                    .because("a crate's extensions ship in one wheel, with its Python sources"));
            }
            checked.push(Extension {
                sources: self.sources("extension.sources", &extension.sources)?,
                module: extension.module,
                archives: extension.archives,
                wheel: extension.wheel,
            });
        }
        Ok(checked)
    }

    /// Every pattern fits something: one that does not is a typing error.
    fn sources(&self, key: &str, patterns: &[Spanned<String>]) -> Result<Vec<Utf8PathBuf>> {
        let mut all = Vec::new();
        for pattern in patterns {
            let found = glob::files(&self.folder, pattern.get_ref()).map_err(|error| {
                self.refuse(
                    pattern.span(),
                    format!(
                        "`{key}` has `{}`, which cannot be looked up",
                        pattern.get_ref()
                    ),
                )
                .because(error.to_string())
            })?;
            if found.is_empty() {
                return Err(self
                    .refuse(
                        pattern.span(),
                        format!("`{key}` has `{}`, which no file fits", pattern.get_ref()),
                    )
                    .because(format!("looked in {}", self.folder))
                    .help("`*` stands for any part of a name, `**` for any folders"));
            }
            all.extend(found);
        }
        all.sort();
        all.dedup();
        Ok(all)
    }

    /// Headers as they are included: relative to the include folder that they are below.
    fn headers(
        &self,
        key: &str,
        headers: &[Spanned<String>],
        include: &[Utf8PathBuf],
    ) -> Result<Vec<String>> {
        headers
            .iter()
            .map(|header| {
                let path = self.file(key, header)?;
                let below = include.iter().find_map(|dir| path.strip_prefix(dir).ok());
                below.map(ToString::to_string).ok_or_else(|| {
                    self.refuse(
                        header.span(),
                        format!(
                            "`{key}` has `{}`, which is below no include folder",
                            header.get_ref()
                        ),
                    )
                    .because("a header ships under the name by which it is included")
                    .help("add the folder to `include`")
                })
            })
            .collect()
    }

    fn folders(&self, key: &str, paths: &[Spanned<String>]) -> Result<Vec<Utf8PathBuf>> {
        paths.iter().map(|path| self.folder(key, path)).collect()
    }

    fn folder(&self, key: &str, path: &Spanned<String>) -> Result<Utf8PathBuf> {
        self.existing(key, path, "folder", Utf8Path::is_dir)
    }

    fn files(&self, key: &str, paths: &[Spanned<String>]) -> Result<Vec<Utf8PathBuf>> {
        paths.iter().map(|path| self.file(key, path)).collect()
    }

    fn file(&self, key: &str, path: &Spanned<String>) -> Result<Utf8PathBuf> {
        self.existing(key, path, "file", Utf8Path::is_file)
    }

    fn existing(
        &self,
        key: &str,
        path: &Spanned<String>,
        what: &str,
        is_there: fn(&Utf8Path) -> bool,
    ) -> Result<Utf8PathBuf> {
        let joined = self.folder.join(path.get_ref());
        if is_there(&joined) {
            return Ok(joined.canonicalize_utf8()?);
        }
        Err(self
            .refuse(
                path.span(),
                format!(
                    "`{key}` names a {what} that is not there: `{}`",
                    path.get_ref()
                ),
            )
            .because(format!("`{joined}` was looked for"))
            .help("paths are relative to the folder of dialect.toml"))
    }
}
