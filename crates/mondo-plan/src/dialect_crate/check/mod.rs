//! The check of the values in a `dialect.toml`, and the checked form that they become.

mod code;
mod files;
mod flags;
mod registrations;

use std::collections::BTreeSet;
use std::ops::Range;

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};

use super::file::{self, File};
use super::model::{DataClasses, Dialect, DialectCrate, Extension, Package, PythonFiles};
use crate::document::Document;
use crate::metadata;
use crate::names::{is_identifier, is_keyword};
use crate::spanned::Spanned;

/// The module that every bundle has.
const OWN_EXTENSION: &str = "_mlir";

pub(super) fn check(file: File, source: Document) -> Result<DialectCrate> {
    let File {
        name,
        package,
        dialects,
        pass_groups,
        dialect_extensions,
        translations,
        tool_translations,
        commands,
        cpp,
        prebuilt,
        rust,
        generators,
        python,
        extensions,
        ..
    } = file;
    // The folder of a bare file name is empty, which cannot be made absolute.
    let folder = camino::absolute_utf8(camino::Utf8Path::new(".").join(source.folder()))?;
    let folder = folder.canonicalize_utf8().unwrap_or(folder);
    let at = Placer {
        source: &source,
        name: name.get_ref().clone(),
        folder,
    };
    at.crate_name(&name)?;
    if dialects.is_empty() && pass_groups.is_empty() && dialect_extensions.is_empty() {
        return Err(at
            .refuse(
                name.span(),
                "the crate has no `[[dialect]]`, `[[pass-group]]` or `[[dialect-extension]]`",
            )
            .help("add a table for what its code registers"));
    }
    let package = at.package(package)?;
    let dialects: Vec<Dialect> = dialects
        .into_iter()
        .map(|dialect| at.dialect(dialect))
        .collect::<Result<_>>()?;
    let pass_groups = pass_groups
        .into_iter()
        .map(|group| at.pass_group(group))
        .collect::<Result<_>>()?;
    let dialect_extensions = dialect_extensions
        .into_iter()
        .map(|extension| at.dialect_extension(&name, extension))
        .collect::<Result<_>>()?;
    let translations = translations
        .into_iter()
        .map(|translation| at.translation(translation))
        .collect::<Result<_>>()?;
    let tool_translations = tool_translations
        .into_iter()
        .map(|translation| at.tool_translation(translation))
        .collect::<Result<_>>()?;
    let commands = commands
        .into_iter()
        .map(|command| at.command(command))
        .collect::<Result<_>>()?;
    let code = at.code(&name, &dialects, cpp, prebuilt, rust)?;
    let generators = at.generators(generators)?;
    let python = python.into_iter().map(|python| at.python(python));
    let python = python.collect::<Result<_>>()?;
    let extensions = at.extensions(extensions)?;
    let mut checked = DialectCrate {
        name,
        folder: at.folder.clone(),
        package,
        dialects,
        pass_groups,
        dialect_extensions,
        translations,
        tool_translations,
        commands,
        code,
        generators,
        python,
        extensions,
        undefined: Vec::new(),
        source: source.clone(),
    };
    at.generated_names(&checked)?;
    at.code_for_classes(&checked)?;
    checked.undefined = at.registered(&checked)?;
    Ok(checked)
}

/// The keys of which a dialect has one.
struct DialectKeys {
    handle: Option<Spanned<String>>,
    register: Option<Spanned<String>>,
    class: Option<Spanned<String>>,
    header: Option<Spanned<String>>,
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

    /// Checks the name of a crate: it becomes part of file names of the build, and stands in
    /// reports.
    fn crate_name(&self, name: &Spanned<String>) -> Result<()> {
        let word = name.get_ref();
        let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
        if word.bytes().all(good) && word.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) {
            return Ok(());
        }
        Err(self
            .refuse(name.span(), format!("invalid `name`: {word:?}"))
            .help("use lower-case letters, digits, `-` and `_`, beginning with a letter"))
    }

    fn dialect(&self, dialect: file::Dialect) -> Result<Dialect> {
        let file::Dialect {
            name,
            handle,
            register,
            class,
            header,
            depends,
            ods,
            enums,
            python,
            classes,
        } = dialect;
        if !is_identifier(name.get_ref()) {
            return Err(self
                .refuse(
                    name.span(),
                    format!("invalid `dialect.name`: {:?}", name.get_ref()),
                )
                .because("it is the prefix of operation names: letters, digits and `_`"));
        }
        let keys = DialectKeys {
            handle,
            register,
            class,
            header,
        };
        let registration = self.dialect_registration(&name, keys)?;
        if let Some(module) = &python {
            let word = module.get_ref();
            if !is_identifier(word) || is_keyword(word) || word.starts_with('_') {
                return Err(self
                    .refuse(module.span(), format!("invalid `dialect.python`: {word:?}"))
                    .because("it must be the name of a Python module in `dialects`"));
            }
        }
        let classes = classes
            .map(|classes| self.data_classes(&name, classes, !ods.is_empty() && python.is_some()))
            .transpose()?;
        Ok(Dialect {
            name,
            registration,
            depends,
            ods,
            enums,
            python,
            classes,
        })
    }

    /// Classes of types and attributes. They are read from the dialect's ODS files, and go into its module.
    fn data_classes(
        &self,
        dialect: &Spanned<String>,
        classes: Spanned<file::DataClasses>,
        has_module: bool,
    ) -> Result<DataClasses> {
        if !has_module {
            let what = format!(
                "the dialect `{}` has `classes` without `ods` and `python`",
                dialect.get_ref()
            );
            return Err(self.refuse(classes.span(), what).because(
                "mondo generates the classes from the ODS files, into the dialect's module",
            ));
        }
        let file::DataClasses { header, only } = classes.into_inner();
        if header.get_ref().contains(['"', '\n', '\\']) || header.get_ref().is_empty() {
            let what = format!("invalid `dialect.classes.header`: {:?}", header.get_ref());
            return Err(self
                .refuse(header.span(), what)
                .because("it must be the name of a header, as in `#include`"));
        }
        if let Some(word) = only.iter().find(|word| !is_identifier(word.get_ref())) {
            let what = format!("invalid `dialect.classes.only`: {:?}", word.get_ref());
            return Err(self
                .refuse(word.span(), what)
                .because("it must be the name of a C++ class without its namespace: `TagAttr`"));
        }
        Ok(DataClasses {
            header,
            only,
            manifest: None,
        })
    }

    fn package(&self, package: Option<file::Package>) -> Result<Package> {
        let Some(package) = package else {
            return Ok(Package::default());
        };
        if let Some(license) = &package.license {
            metadata::check_license(license.get_ref()).map_err(|error| {
                let refused = self
                    .refuse(
                        license.span(),
                        format!("invalid `package.license`: {:?}", license.get_ref()),
                    )
                    .because("it is not an SPDX expression");
                match error.next_step() {
                    Some(help) => refused.help(help),
                    None => refused,
                }
            })?;
        }
        let line = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
        if let Some(version) = package
            .version
            .as_ref()
            .filter(|version| !line(version.get_ref()))
        {
            return Err(self.refuse(
                version.span(),
                format!("invalid `package.version`: {:?}", version.get_ref()),
            ));
        }
        let license_files = self.sources("package.license-files", &package.license_files)?;
        let mut names = BTreeSet::new();
        for file in &license_files {
            if !names.insert(file.file_name()) {
                let span = package.license_files.first().map(Spanned::span);
                return Err(self
                    .refuse(
                        span.unwrap_or_default(),
                        format!(
                            "`package.license-files` lists two files named `{}`",
                            file.file_name().unwrap_or_default()
                        ),
                    )
                    .because("both would be in one folder of the wheel"));
            }
        }
        for author in &package.authors {
            if let Some(flaw) = author.get_ref().flaw() {
                return Err(self.refuse(author.span(), format!("`package.authors`: {flaw}")));
            }
        }
        let authors = package.authors.into_iter().map(Spanned::into_inner);
        Ok(Package {
            license: package.license.map(Spanned::into_inner),
            license_files,
            authors: authors.collect(),
            version: package.version.map(Spanned::into_inner),
        })
    }

    fn python(&self, python: file::Python) -> Result<PythonFiles> {
        let folder = self.folder("python.sources", &python.sources)?;
        let found = python.files.as_ref();
        let found = found.map(|patterns| self.files_below(&folder, "python.files", patterns));
        let files = found.transpose()?.map(|found| {
            let below = found
                .iter()
                .filter_map(|path| path.strip_prefix(&folder).ok());
            below.map(ToOwned::to_owned).collect()
        });
        if let Some(root) = &python.root {
            let word = root.get_ref();
            let mut parts = word.strip_prefix('.').unwrap_or(word).split('.');
            if !parts.all(|part| is_identifier(part) && !is_keyword(part)) {
                return Err(self
                    .refuse(root.span(), format!("invalid `python.root`: {word:?}"))
                    .because(
                        "it must be the name of a Python package, or `.` and a name relative \
                         to the import root",
                    ));
            }
        }
        Ok(PythonFiles {
            folder,
            files,
            root: python.root.map(Spanned::into_inner),
        })
    }

    fn extensions(&self, extensions: Vec<file::Extension>) -> Result<Vec<Extension>> {
        let mut checked: Vec<Extension> = Vec::new();
        for extension in extensions {
            let word = extension.module.get_ref();
            let refused = |why: &str| {
                Err(self
                    .refuse(
                        extension.module.span(),
                        format!("invalid `extension.module`: {word:?}"),
                    )
                    .because(why))
            };
            if !is_identifier(word) || is_keyword(word) {
                return refused("it must be the name of a Python module");
            }
            if word == OWN_EXTENSION {
                return refused("every bundle already has a module of this name");
            }
            if let Some(first) = checked.first()
                && first.wheel.get_ref() != extension.wheel.get_ref()
            {
                return Err(self
                    .refuse(
                        extension.wheel.span(),
                        format!(
                            "`extension.wheel` is `{}` here, but `{}` in an earlier \
                             `[[extension]]`",
                            extension.wheel.get_ref(),
                            first.wheel.get_ref()
                        ),
                    )
                    .because(
                        "all extensions of a crate ship in one wheel, with its Python sources",
                    ));
            }
            checked.push(Extension {
                sources: self.sources("extension.sources", &extension.sources)?,
                module: extension.module,
                archives: extension.archives,
                options: self.options(
                    "extension",
                    extension.std,
                    extension.flags,
                    extension.defines,
                )?,
                wheel: extension.wheel,
            });
        }
        Ok(checked)
    }
}
