//! One set of metadata out of `[project]` and `[tool.mondo.package]`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use toml::Value;

use super::file::Project;
use crate::document::Document;
use crate::file_patterns;
use crate::manifest::file::{More, Package};
use crate::spanned::Spanned;

/// Fields of `[project]` that may be dynamic: `[tool.mondo.package]` has a key for each.
const DYNAMIC: &str = "version description license license-files authors urls readme keywords \
                       classifiers dependencies requires-python";

/// The licence texts of a project that names none (PEP 639).
const LICENSE_FILES: [&str; 4] = ["LICEN[CS]E*", "COPYING*", "NOTICE*", "AUTHORS*"];

/// Puts the metadata of `project` into `package`.
///
/// # Errors
/// `ErrorKind::Manifest` for a field that contradicts the package's key, and for a form that mondo
/// does not support.
pub(super) fn complete(
    document: &Document,
    package: &mut Package,
    project: Spanned<Project>,
) -> Result<()> {
    let table = project.span();
    let project = project.into_inner();
    let merge = Merge {
        document,
        table: table.clone(),
        dynamic: dynamic(document, &project)?,
    };
    let readme = merge.readme(project.readme)?;
    let license = merge.license(project.license)?;
    let license_files = match &project.license_files {
        Some(patterns) => merge.license_files(patterns.get_ref())?,
        None if package.license_files.is_empty() && !merge.is_dynamic("license-files") => {
            merge.usual_license_files()?
        }
        None => Vec::new(),
    };
    let python = project
        .requires_python
        .as_ref()
        .map(|specifiers| merge.lowest(specifiers))
        .transpose()?;

    let one = |own: &mut _, value, key| merge.one(own, value, key);
    one(&mut package.distribution, Some(project.name), "name")?;
    one(&mut package.version, project.version, "version")?;
    one(&mut package.summary, project.description, "description")?;
    one(&mut package.readme, readme, "readme")?;
    one(&mut package.license, license, "license")?;
    one(&mut package.python, python, "requires-python")?;
    let list = |own: &mut _, value, key| merge.list(own, value, key);
    list(&mut package.keywords, project.keywords, "keywords")?;
    list(&mut package.classifiers, project.classifiers, "classifiers")?;
    list(&mut package.requires, project.dependencies, "dependencies")?;
    list(&mut package.license_files, license_files, "license-files")?;
    merge.list(&mut package.authors, project.authors, "authors")?;
    merge.urls(&mut package.urls, project.urls)?;
    package.more = More {
        maintainers: project.maintainers,
        requires_python: project.requires_python,
        extras: project.optional_dependencies,
        import_names: project.import_names,
        import_namespaces: project.import_namespaces,
        entry_points: merge.entry_points(
            project.entry_points,
            project.scripts,
            project.gui_scripts,
        )?,
    };
    if package.license.is_none() {
        return Err(merge
            .refuse(table, "missing key `license` in [project]")
            .because("a wheel states its licence (PEP 639)")
            .help("add `license = …`, such as `license = \"Apache-2.0\"`"));
    }
    Ok(())
}

/// Checks `dynamic`: only what mondo can find out, and nothing that is given as well.
fn dynamic(document: &Document, project: &Project) -> Result<BTreeSet<String>> {
    let given = |field: &str| match field {
        "version" => project.version.is_some(),
        "description" => project.description.is_some(),
        "license" => project.license.is_some(),
        "license-files" => project.license_files.is_some(),
        "authors" => !project.authors.is_empty(),
        "urls" => !project.urls.is_empty(),
        "readme" => project.readme.is_some(),
        "keywords" => !project.keywords.is_empty(),
        "classifiers" => !project.classifiers.is_empty(),
        "dependencies" => !project.dependencies.is_empty(),
        _ => project.requires_python.is_some(),
    };
    for field in &project.dynamic {
        let word = field.get_ref().as_str();
        let refuse = |what: String| document.error(ErrorKind::Manifest, field.span(), what);
        if !DYNAMIC.split_whitespace().any(|known| known == word) {
            return Err(refuse(format!("`{word}` must not be dynamic"))
                .because("mondo cannot determine its value")
                .help("set it in [project]"));
        }
        if given(word) {
            return Err(
                refuse(format!("`{word}` is both in [project] and in `dynamic`"))
                    .because("by PEP 621, either [project] sets a field, or the build backend does")
                    .help("remove one of the two"),
            );
        }
    }
    Ok(project
        .dynamic
        .iter()
        .map(|field| field.get_ref().clone())
        .collect())
}

struct Merge<'a> {
    document: &'a Document,
    /// The place of `[project]`.
    table: Range<usize>,
    dynamic: BTreeSet<String>,
}

impl Merge<'_> {
    fn refuse(&self, span: Range<usize>, what: impl Into<String>) -> Error {
        self.document.error(ErrorKind::Manifest, span, what)
    }

    fn is_dynamic(&self, field: &str) -> bool {
        self.dynamic.contains(field)
    }

    /// The error of a key of `[tool.mondo.package]` that says otherwise than `[project]`.
    fn contradiction(&self, span: Range<usize>, field: &str, absent: bool) -> Error {
        let error = self.refuse(
            span,
            format!("the value differs from `{field}` in [project]"),
        );
        if absent {
            error
                .because(format!(
                    "[project] neither sets `{field}` nor lists it in `dynamic`, so the wheel \
                     would lack it"
                ))
                .help(format!(
                    "set `{field}` in [project], or add `dynamic = [\"{field}\"]` there"
                ))
        } else {
            error
                .because("a project's metadata must be in one place")
                .help("remove it; [project] already sets it")
        }
    }

    fn one(
        &self,
        own: &mut Option<Spanned<String>>,
        value: Option<Spanned<String>>,
        field: &str,
    ) -> Result<()> {
        match (own.as_ref(), &value) {
            (Some(own), Some(value)) if own.get_ref() != value.get_ref() => {
                return Err(self.contradiction(own.span(), field, false));
            }
            (Some(own), None) if !self.is_dynamic(field) => {
                return Err(self.contradiction(own.span(), field, true));
            }
            // The version of a bundle may follow that of its LLVM.
            (None, None) if field == "version" && !self.is_dynamic(field) => {
                return Err(self
                    .refuse(self.table.clone(), "missing key `version` in [project]")
                    .because("PEP 621 requires a version, unless it is dynamic")
                    .help("add `version = …`, or `dynamic = [\"version\"]` for LLVM's version"));
            }
            (None, None) if field != "version" && self.is_dynamic(field) => {
                return Err(self
                    .refuse(
                        self.table.clone(),
                        format!("`{field}` is dynamic, but nothing sets it"),
                    )
                    .help(
                        "set it in [project], set it in [tool.mondo.package] under the \
                         manifest's key, or remove it from `dynamic`",
                    ));
            }
            _ => {}
        }
        if value.is_some() {
            *own = value;
        }
        Ok(())
    }

    fn list<T: PartialEq + Clone>(
        &self,
        own: &mut Vec<Spanned<T>>,
        value: Vec<Spanned<T>>,
        field: &str,
    ) -> Result<()> {
        if let Some(first) = own.first()
            && !self.is_dynamic(field)
        {
            let same = own.len() == value.len()
                && own
                    .iter()
                    .zip(&value)
                    .all(|(a, b)| a.get_ref() == b.get_ref());
            if !same {
                return Err(self.contradiction(first.span(), field, value.is_empty()));
            }
        }
        if !value.is_empty() {
            *own = value;
        }
        Ok(())
    }

    fn urls(
        &self,
        own: &mut BTreeMap<String, Spanned<String>>,
        value: BTreeMap<String, Spanned<String>>,
    ) -> Result<()> {
        if let Some(first) = own.values().next()
            && !self.is_dynamic("urls")
        {
            let same = own.len() == value.len()
                && own
                    .iter()
                    .zip(&value)
                    .all(|(a, b)| a.0 == b.0 && a.1.get_ref() == b.1.get_ref());
            if !same {
                return Err(self.contradiction(first.span(), "urls", value.is_empty()));
            }
        }
        if !value.is_empty() {
            *own = value;
        }
        Ok(())
    }

    /// The file of a readme, which is its path, or a table with `file` and `content-type`.
    fn readme(&self, readme: Option<Spanned<Value>>) -> Result<Option<Spanned<String>>> {
        let Some(readme) = readme else {
            return Ok(None);
        };
        let span = readme.span();
        let refused = || self.refuse(span.clone(), "unsupported readme");
        match readme.get_ref() {
            Value::String(path) => Ok(Some(Spanned::new(span, path.clone()))),
            Value::Table(table) => {
                let Some(file) = table.get("file").and_then(Value::as_str) else {
                    return Err(refused()
                        .because("its text is not in a file")
                        .help("write `readme = \"README.md\"`"));
                };
                let kind = match Utf8Path::new(file).extension() {
                    Some("md") => "text/markdown",
                    Some("rst") => "text/x-rst",
                    _ => "text/plain",
                };
                let declared = table.get("content-type").and_then(Value::as_str);
                let content_type =
                    declared.map(|declared| declared.split(';').next().unwrap_or_default().trim());
                if content_type.is_some_and(|content_type| content_type != kind) {
                    return Err(refused()
                        .because(format!("the suffix of `{file}` means {kind}"))
                        .help("use the suffix of its content type: `.md`, `.rst` or `.txt`"));
                }
                Ok(Some(Spanned::new(span, file.to_owned())))
            }
            _ => Err(refused().help("write `readme = \"README.md\"`")),
        }
    }

    /// The SPDX expression; the tables from before PEP 639 are refused.
    fn license(&self, license: Option<Spanned<Value>>) -> Result<Option<Spanned<String>>> {
        match license {
            None => Ok(None),
            Some(license) => match license.get_ref() {
                Value::String(text) => Ok(Some(Spanned::new(license.span(), text.clone()))),
                _ => Err(self
                    .refuse(license.span(), "`license` is not an SPDX expression")
                    .because("PEP 639 replaced the table with `text` or `file`")
                    .help(
                        "write `license = \"Apache-2.0\"`, and list the licence texts in \
                         `license-files`",
                    )),
            },
        }
    }

    /// The files that the patterns of `license-files` fit (PEP 639).
    fn license_files(&self, patterns: &[Spanned<String>]) -> Result<Vec<Spanned<String>>> {
        let mut found = Vec::new();
        for pattern in patterns {
            let files = self.files(pattern.get_ref())?;
            if files.is_empty() {
                return Err(self
                    .refuse(
                        pattern.span(),
                        format!("the licence file `{}` does not exist", pattern.get_ref()),
                    )
                    .help("patterns are relative to the folder of pyproject.toml"));
            }
            let place = |file| Spanned::new(pattern.span(), file);
            found.extend(files.into_iter().map(place));
        }
        Ok(found)
    }

    fn usual_license_files(&self) -> Result<Vec<Spanned<String>>> {
        let mut found = BTreeSet::new();
        for pattern in LICENSE_FILES {
            // The glob of sources takes a bracket for itself.
            for pattern in [pattern.replace("[CS]", "C"), pattern.replace("[CS]", "S")] {
                found.extend(self.files(&pattern)?);
            }
        }
        Ok(found
            .into_iter()
            .map(|file| Spanned::new(0..0, file))
            .collect())
    }

    /// Paths relative to the file's folder.
    fn files(&self, pattern: &str) -> Result<Vec<String>> {
        let folder = match self.document.folder() {
            here if here.as_str().is_empty() => Utf8Path::new("."),
            folder => folder,
        };
        let files = file_patterns::files(folder, pattern)?.into_iter();
        Ok(files
            .map(|path| path.strip_prefix(folder).unwrap_or(&path).to_string())
            .collect())
    }

    /// The lowest CPython that the specifiers allow, as the manifest writes it: `3.10`.
    fn lowest(&self, specifiers: &Spanned<String>) -> Result<Spanned<String>> {
        let lowest = specifiers.get_ref().split(',').find_map(|clause| {
            let clause = clause.trim();
            let version = [">=", "~=", "=="]
                .iter()
                .find_map(|operator| clause.strip_prefix(operator))?;
            let mut parts = version.trim().split('.');
            Some(format!("{}.{}", parts.next()?, parts.next()?))
        });
        match lowest {
            Some(lowest) => Ok(Spanned::new(specifiers.span(), lowest)),
            None => Err(self
                .refuse(
                    specifiers.span(),
                    format!("`{}` has no lower bound", specifiers.get_ref()),
                )
                .because("the lower bound selects the stable ABI that the wheel uses")
                .help("write `requires-python = \">=3.10\"`")),
        }
    }

    fn entry_points(
        &self,
        mut groups: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
        scripts: BTreeMap<String, Spanned<String>>,
        gui_scripts: BTreeMap<String, Spanned<String>>,
    ) -> Result<BTreeMap<String, BTreeMap<String, Spanned<String>>>> {
        for (group, key, names) in [
            ("console_scripts", "scripts", scripts),
            ("gui_scripts", "gui-scripts", gui_scripts),
        ] {
            if let Some(object) = groups.get(group).and_then(|names| names.values().next()) {
                return Err(self
                    .refuse(
                        object.span(),
                        format!("invalid entry point group: `{group}`"),
                    )
                    .because("PEP 621 has a separate table for it")
                    .help(format!("move it to [project.{key}]")));
            }
            if !names.is_empty() {
                groups.insert(group.to_owned(), names);
            }
        }
        Ok(groups)
    }
}
