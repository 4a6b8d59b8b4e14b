//! `[[project]]`: an existing MLIR project that the bundle takes from its own `CMake`.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{Document, Origin, suggest};
use crate::metadata::{Person, check_license};
use crate::names::{is_identifier, is_keyword, is_plain_word};
use crate::spanned::Spanned;

use super::dialect_classes::{self, DialectClass};
use super::project_sources::{self, ProjectSource};
use super::project_tools::{self, OwnProgram, ProjectTool};
use super::{define, order};

/// The file that makes a folder a `CMake` project.
const CMAKE_LISTS: &str = "CMakeLists.txt";

/// An MLIR project with its own CMake.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct File {
    /// The project's name in messages, reports and `needs`: `toy`.
    name: Spanned<String>,
    /// The folder with the project's `CMakeLists.txt`.
    cmake: Spanned<String>,
    /// The `add_mlir_python_modules` targets. Python sources, bindings, extensions and C API
    /// libraries follow from them. A name or a list.
    modules: Option<Spanned<Words>>,
    /// C API libraries, for a project without Python or to select some. Default: those of
    /// `modules`, otherwise all.
    c_api: Option<Spanned<Words>>,
    /// C++ libraries of dialects and passes to link completely, for a project without a C API. A
    /// name or a list.
    libraries: Option<Spanned<Words>>,
    /// C++ headers, as they are included, to search first for classes and functions.
    headers: Option<Spanned<Words>>,
    /// The dialects to include, among those with a handle in the C API headers or a class generated
    /// for the libraries. Default: all; with `c-api` or `modules` alone, those with handles.
    dialects: Option<Vec<Spanned<String>>>,
    /// C++ classes of dialects that are written by hand, so that no run of mlir-tblgen declares them: `{
    /// toy = { class = "toy::ToyDialect", header = "toy/Toy.h" } }`. Default: none.
    #[serde(default)]
    dialect_classes: BTreeMap<String, Spanned<DialectClass>>,
    /// Python classes to generate for types and attributes, by dialect: `{ toy = { header =
    /// "toy/Toy.h" } }`.
    #[serde(default)]
    classes: BTreeMap<String, Spanned<ClassesOf>>,
    /// C or C++ functions `void f(void)` that register passes: `acme::registerPasses`. A name or a
    /// list.
    passes: Option<Spanned<Words>>,
    /// Functions that extend other dialects, for example with external models of interfaces: `void
    /// f(mlir::DialectRegistry &)` in C++, or `void f(MlirDialectRegistry)` in C.
    dialect_extensions: Option<Spanned<Words>>,
    /// Functions that extend translations, such as the one to LLVM IR: `void
    /// f(mlir::DialectRegistry &)` in C++, or `void f(MlirContext)` in C.
    translations: Option<Spanned<Words>>,
    /// C or C++ functions `void f(void)` that register translations of the tool `translate`
    /// (`mlir::TranslateFromMLIRRegistration` and others). Bundles without the tool do not call
    /// them.
    tool_translations: Option<Spanned<Words>>,
    /// A folder of Python to install below the import root, in addition to `modules`.
    python: Option<Spanned<String>>,
    /// The package that the project's users import: `toy` makes `toy.ir` and `toy.dialects.toy`
    /// aliases of the modules below the import root. `true` uses the package that the project's
    /// `CMake` defines (`MLIR_PYTHON_PACKAGE_PREFIX`, otherwise the last folder of `ROOT_PREFIX`).
    /// Default: none.
    python_root: Option<Spanned<Root>>,
    /// Options for the project's `CMake`, passed as `-D`. `{toy.source}` and `{toy.build}` are the
    /// folders of the project `toy`, `{llvm}` is the prefix of the bundle's LLVM and MLIR.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Define>")]
    define: BTreeMap<String, Spanned<toml::Value>>,
    /// Third-party sources, by the names that the project's `FetchContent`, `ExternalProject` or `find_package` has for
    /// them: a folder, `{ json = "third_party/json" }`, or an archive, `{ json = { url =
    /// "json.tar.xz", sha256 = "…" } }`. Default: none.
    #[serde(default)]
    sources: BTreeMap<String, Spanned<project_sources::File>>,
    /// Projects of this manifest to build first. `CMake` finds their packages.
    #[serde(default)]
    needs: Vec<Spanned<String>>,
    /// True for a project that must be part of LLVM's own build (`LLVM_EXTERNAL_PROJECTS`): mondo's
    /// top-level `CMakeLists.txt` finds MLIR and adds the project as a subfolder. Default: false.
    #[serde(default)]
    unified: bool,
    /// The distribution for the project's Python. It requires exactly this bundle. Default: one
    /// named after the project if it has Python extensions; otherwise the Python is in the bundle's
    /// wheel.
    wheel: Option<Spanned<String>>,
    /// The project's licence, an SPDX expression, for the metadata and the SBOM.
    license: Option<Spanned<String>>,
    /// Licence texts, relative to the project's folder. Default: the nearest `LICENSE`.
    license_files: Option<Spanned<Words>>,
    /// Its authors, for the metadata and the SBOM.
    #[serde(default)]
    authors: Vec<Spanned<Person>>,
    /// Additional `CMake` targets to build: generators of files, tools that tests run.
    targets: Option<Spanned<Words>>,
    /// Python tests for pytest: folders with `test_*.py` and `*_test.py`, or files with other
    /// names. Default: `test`.
    tests: Option<Spanned<Words>>,
    /// Python tests that are programs: files, or folders of them. Each passes if it exits with 0. A
    /// file with RUN lines runs under lit and `FileCheck`. Default: the files with RUN lines in
    /// `tests`, if the project configures no lit suite.
    programs: Option<Spanned<Words>>,
    /// The project's programs that the bundle has: a tool of the bundle in the program's place, `{
    /// toy-opt = "opt" }`, or the program itself, linked into the library, `{ toy-opt = { command =
    /// "toy-opt" } }`, which the wheel installs under that name. Tests run these. Default: none.
    #[serde(default)]
    tools: BTreeMap<String, Spanned<ProjectTool>>,
}

/// The types and attributes of a dialect that get Python classes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ClassesOf {
    /// The C++ header that declares them, as it is included.
    header: Spanned<String>,
    /// Their C++ names: `TagAttr`. Default: all that its ODS files define.
    #[serde(default)]
    only: Vec<Spanned<String>>,
}

/// The package that a project's users import.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Root {
    Named(String),
    Own(bool),
}

/// One word or a list of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Words {
    One(String),
    List(Vec<String>),
}

/// The words, each at the place of all of them: serde does not keep the places inside of a choice.
fn list(words: Option<Spanned<Words>>) -> Vec<Spanned<String>> {
    let Some(words) = words else {
        return Vec::new();
    };
    let span = words.span();
    let words = match words.into_inner() {
        Words::One(word) => vec![word],
        Words::List(words) => words,
    };
    let at = |word| Spanned::new(span.clone(), word);
    words.into_iter().map(at).collect()
}

/// The value of one of the project's options: this is what the schema says of it. The value itself is checked by
/// its type, since serde tells of a choice that fails nothing but that it fails.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the schema is made from it")]
enum Define {
    Text(String),
    Flag(bool),
    Number(i64),
}

/// A word of a manifest, with its place.
pub type Word = Spanned<String>;

/// The package that a project's users import, beside the bundle's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PythonRoot {
    /// The one that its `CMake` names.
    Own,
    /// This one.
    Named(String),
}

impl File {
    /// The distribution's name, where the manifest has one.
    pub(super) fn wheel_mut(&mut self) -> Option<&mut Spanned<String>> {
        self.wheel.as_mut()
    }
}

/// The types and attributes of a dialect that get Python classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProjectClasses {
    /// The dialect, with its place in the manifest.
    pub dialect: Word,
    /// The C++ header that declares them, as it is included.
    pub header: Word,
    /// Their C++ names; empty for all.
    pub only: Vec<Word>,
}

/// A checked project. Its paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Project {
    /// Its name.
    pub name: Spanned<String>,
    /// The folder with the project's `CMakeLists.txt`.
    pub folder: Utf8PathBuf,
    /// Its `add_mlir_python_modules` targets.
    pub modules: Vec<Spanned<String>>,
    /// Its C API libraries; empty for those of `modules`, else all.
    pub c_api: Vec<Spanned<String>>,
    /// Libraries of C++ whose archives go in whole.
    pub libraries: Vec<Spanned<String>>,
    /// C++ headers in which classes and functions are looked up first.
    pub headers: Vec<Spanned<String>>,
    /// The dialects to take. `None` for all.
    pub dialects: Option<Vec<Spanned<String>>>,
    /// Classes of dialects, by the dialects' names.
    pub dialect_classes: BTreeMap<String, Spanned<DialectClass>>,
    /// The types and attributes that get Python classes.
    pub classes: Vec<ProjectClasses>,
    /// The functions that register its passes.
    pub passes: Vec<Spanned<String>>,
    /// The functions that add to dialects of others.
    pub dialect_extensions: Vec<Spanned<String>>,
    /// The functions that add to translations.
    pub translations: Vec<Spanned<String>>,
    /// The functions that make translations of the tool `translate`.
    pub tool_translations: Vec<Spanned<String>>,
    /// A folder that is laid out below the import root.
    pub python: Option<Utf8PathBuf>,
    /// The package of its own that its users import.
    pub python_root: Option<PythonRoot>,
    /// Its own options.
    pub define: BTreeMap<String, Spanned<String>>,
    /// Third-party sources, by the names that its `CMake` has for them.
    pub sources: BTreeMap<String, Spanned<ProjectSource>>,
    /// Projects that it needs.
    pub needs: Vec<String>,
    /// True if it wants to be part of LLVM's own build.
    pub unified: bool,
    /// The distribution that its Python ships in.
    pub wheel: Option<Spanned<String>>,
    /// Its licence.
    pub license: Option<String>,
    /// The texts of its licence; empty for those that its folder has.
    pub license_files: Vec<Utf8PathBuf>,
    /// Its authors.
    pub authors: Vec<Person>,
    /// Further targets to build.
    pub targets: Vec<Spanned<String>>,
    /// Folders and files of its tests.
    pub tests: Vec<Utf8PathBuf>,
    /// Files and folders of tests that are programs.
    pub programs: Vec<Utf8PathBuf>,
    /// Its programs that the bundle has.
    pub tools: BTreeMap<String, Spanned<ProjectTool>>,
    #[serde(skip)]
    pub(crate) source: Document,
}

impl Project {
    /// The manifest that it is in, as it is called.
    #[must_use]
    pub fn manifest(&self) -> &Utf8Path {
        self.source.path()
    }

    /// Its own programs that the bundle has: their names, at their places in the manifest, and the commands.
    pub fn own_programs(&self) -> impl Iterator<Item = (Word, &str)> {
        self.tools
            .iter()
            .filter_map(|(program, tool)| match tool.get_ref() {
                ProjectTool::Tool(_) => None,
                ProjectTool::Own(OwnProgram { command }) => {
                    let word = Spanned::new(tool.span(), program.clone());
                    Some((word, command.as_str()))
                }
            })
    }

    /// An error about a word of its entry in the manifest.
    pub fn error<T>(&self, kind: ErrorKind, word: &Spanned<T>, what: impl Into<String>) -> Error {
        self.source.error(kind, word.span(), what)
    }

    /// The place of a word of its entry in the manifest.
    #[must_use]
    pub fn place(&self, word: &Word) -> String {
        self.source.place(word.span().start)
    }

    /// Its entry in the manifest, for a file that is made from it.
    pub(crate) fn origin(&self) -> Origin {
        let chosen = self.dialects.iter().flatten();
        let functions = [&self.passes, &self.dialect_extensions, &self.translations];
        let words = functions.into_iter().flatten().chain(chosen);
        Origin {
            document: self.source.clone(),
            words: words.chain([&self.name]).cloned().collect(),
            start: self.name.span(),
        }
    }
}

/// Checks the projects of a manifest. They come out in the order in which they are built, each after
/// those that it needs.
pub(super) fn check(files: Vec<File>, source: &Document) -> Result<Vec<Project>> {
    let mut projects: Vec<Project> = Vec::new();
    let mut needs: BTreeMap<String, Vec<Spanned<String>>> = BTreeMap::new();
    for file in files {
        let name = file.name.get_ref().clone();
        needs.insert(name.clone(), file.needs.clone());
        let project = one(file, source)?;
        if let Some(other) = projects
            .iter()
            .find(|project| project.name.get_ref() == &name)
        {
            return Err(refuse(
                source,
                &project.name,
                format!("two projects are named `{name}`"),
            )
            .details([
                source.place(other.name.span().start),
                source.place(project.name.span().start),
            ]));
        }
        projects.push(project);
    }
    let names: Vec<String> = needs.keys().cloned().collect();
    for word in needs.values().flatten() {
        if !needs.contains_key(word.get_ref()) {
            return Err(refuse(
                source,
                word,
                format!(
                    "`project.needs` names `{}`, which is not a project of this manifest",
                    word.get_ref()
                ),
            )
            .help(suggest(word.get_ref(), names.iter().map(String::as_str))));
        }
    }
    let names = projects
        .iter()
        .map(|project| project.name.get_ref().clone());
    let order = order::ordered(names.collect(), &needs, source)?;
    projects.sort_by_key(|project| order.iter().position(|name| name == project.name.get_ref()));
    Ok(projects)
}

fn refuse<T>(source: &Document, word: &Spanned<T>, what: String) -> Error {
    source.error(ErrorKind::Manifest, word.span(), what)
}

fn one(file: File, source: &Document) -> Result<Project> {
    let name = file.name.get_ref().as_str();
    let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_';
    if !name.bytes().all(good) || !name.bytes().next().is_some_and(|b| b.is_ascii_lowercase()) {
        return Err(refuse(
            source,
            &file.name,
            format!("invalid `project.name`: {name:?}"),
        )
        .help("use lower-case letters, digits, `-` and `_`, beginning with a letter"));
    }
    let folder = existing(source, &file.cmake, "project.cmake")?;
    if !folder.join(CMAKE_LISTS).is_file() {
        return Err(refuse(
            source,
            &file.cmake,
            format!(
                "`project.cmake` is `{}`, which has no {CMAKE_LISTS}",
                file.cmake.get_ref()
            ),
        )
        .because(format!("`{}` does not exist", folder.join(CMAKE_LISTS)))
        .help("set it to the folder that you would pass to `cmake -S`"));
    }
    if let Some(char) = unfit_for_cmake(&folder) {
        let what = format!("`project.cmake` is a folder whose path contains {char:?}");
        return Err(refuse(source, &file.cmake, what)
            .because(format!(
                "CMake and its generators split `{folder}` at this character, in lists and in \
                 commands"
            ))
            .help("rename or move the folder"));
    }
    let python = file
        .python
        .as_ref()
        .map(|python| existing(source, python, "project.python"))
        .transpose()?;
    let python_root = python_root(file.python_root, source)?;
    let passes = functions(file.passes, source)?;
    let tests = list(file.tests);
    let tests = if tests.is_empty() {
        let default = folder.join("test");
        if default.is_dir() {
            vec![default]
        } else {
            Vec::new()
        }
    } else {
        inside(source, &folder, &tests, "project.tests")?
    };
    let programs = inside(source, &folder, &list(file.programs), "project.programs")?;
    let plain = |words: Vec<Spanned<String>>| words.into_iter().map(Spanned::into_inner).collect();
    let license_files = list(file.license_files);
    let license_files = license_files.iter().map(|file| {
        let path = folder.join(file.get_ref());
        if path.is_file() {
            return Ok(path);
        }
        let what = format!(
            "`project.license-files` lists a file that does not exist: `{}`",
            file.get_ref()
        );
        Err(refuse(source, file, what)
            .because(format!("`{path}` does not exist"))
            .help("paths are relative to the project's folder"))
    });
    for author in &file.authors {
        if let Some(flaw) = author.get_ref().flaw() {
            let what = format!("`project.authors`: {flaw}");
            return Err(source.error(ErrorKind::Manifest, author.span(), what));
        }
    }
    if let Some(license) = &file.license
        && let Err(error) = check_license(license.get_ref())
    {
        let what = format!("invalid `project.license`: {:?}", license.get_ref());
        let refused = refuse(source, license, what).because("it is not an SPDX expression");
        return Err(match error.next_step() {
            Some(help) => refused.help(help),
            None => refused,
        });
    }
    project_tools::check(&file.tools, source)?;
    let define = file.define.iter().map(|(key, value)| {
        let text = define::text(key, value, source)?;
        Ok((key.clone(), Spanned::new(value.span(), text)))
    });
    let define = define.collect::<Result<_>>()?;
    Ok(Project {
        license_files: license_files.collect::<Result<_>>()?,
        authors: plain_people(file.authors),
        wheel: file.wheel,
        define,
        name: file.name.clone(),
        folder,
        modules: named(file.modules, "modules", source)?,
        c_api: named(file.c_api, "c-api", source)?,
        dialects: file.dialects,
        classes: classes(file.classes),
        dialect_classes: dialect_classes::check(file.dialect_classes, source)?,
        passes,
        dialect_extensions: functions(file.dialect_extensions, source)?,
        translations: functions(file.translations, source)?,
        tool_translations: functions(file.tool_translations, source)?,
        libraries: named(file.libraries, "libraries", source)?,
        headers: named(file.headers, "headers", source)?,
        python,
        python_root,
        sources: project_sources::check(file.sources, source, unfit_for_cmake)?,
        needs: plain(file.needs),
        unified: file.unified,
        license: file.license.map(Spanned::into_inner),
        targets: named(file.targets, "targets", source)?,
        tests,
        programs,
        tools: file.tools,
        source: source.clone(),
    })
}

/// The first character of a path with which it cannot be on the command lines of a project's build.
#[must_use]
pub fn unfit_for_cmake(path: &Utf8Path) -> Option<char> {
    let unfit = |c: &char| c.is_whitespace() || matches!(c, ';' | '"' | '\'' | '$' | '\\');
    path.as_str().chars().find(unfit)
}

/// The names in a list of targets or headers. They stand in generated files and on command lines.
fn named(
    words: Option<Spanned<Words>>,
    key: &str,
    source: &Document,
) -> Result<Vec<Spanned<String>>> {
    let words = list(words);
    match words.iter().find(|word| !is_plain_word(word.get_ref())) {
        None => Ok(words),
        Some(word) => {
            let what = format!("invalid `project.{key}`: {:?}", word.get_ref());
            Err(refuse(source, word, what).because(
                "a name has no spaces, quotes, control characters or `..`, and does not begin with `-` or `@`",
            ))
        }
    }
}

/// Files and folders of a project, by their paths in its folder.
fn inside(
    source: &Document,
    folder: &Utf8Path,
    words: &[Spanned<String>],
    key: &str,
) -> Result<Vec<Utf8PathBuf>> {
    let found = words.iter().map(|word| {
        let path = folder.join(word.get_ref());
        if path.is_file() {
            return Ok(path);
        }
        if path.is_dir() {
            let absolute = camino::absolute_utf8(&path)?;
            return Ok(absolute.canonicalize_utf8()?);
        }
        let what = format!(
            "`{key}` names a file or folder that does not exist: `{}`",
            word.get_ref()
        );
        Err(refuse(source, word, what)
            .because(format!("`{path}` does not exist"))
            .help("paths are relative to the project's folder"))
    });
    found.collect()
}

/// Names of functions of C, or qualified ones of C++.
fn functions(words: Option<Spanned<Words>>, source: &Document) -> Result<Vec<Spanned<String>>> {
    let functions = list(words);
    for function in &functions {
        let word = function.get_ref();
        let mut parts = word.strip_prefix("::").unwrap_or(word).split("::");
        if !parts.all(is_identifier) {
            let what = format!("invalid registration function: {word:?}");
            return Err(refuse(source, function, what).because(
                "it must be the name of a C function, or the qualified name of a C++ \
                 function: `acme::registerPasses`",
            ));
        }
    }
    Ok(functions)
}

fn plain_people(people: Vec<Spanned<Person>>) -> Vec<Person> {
    people.into_iter().map(Spanned::into_inner).collect()
}

fn classes(files: BTreeMap<String, Spanned<ClassesOf>>) -> Vec<ProjectClasses> {
    let classes = files.into_iter().map(|(dialect, file)| {
        let span = file.span();
        let ClassesOf { header, only } = file.into_inner();
        ProjectClasses {
            dialect: Spanned::new(span, dialect),
            header,
            only,
        }
    });
    classes.collect()
}

fn python_root(root: Option<Spanned<Root>>, source: &Document) -> Result<Option<PythonRoot>> {
    let Some(root) = root else {
        return Ok(None);
    };
    let span = root.span();
    match root.into_inner() {
        Root::Own(own) => Ok(own.then_some(PythonRoot::Own)),
        Root::Named(name) => {
            let part = |part: &str| is_identifier(part) && !is_keyword(part);
            if name.split('.').all(part) {
                return Ok(Some(PythonRoot::Named(name)));
            }
            let what = format!("invalid `project.python-root`: {name:?}");
            Err(source
                .error(ErrorKind::Manifest, span, what)
                .because("it must be the dotted name of a Python package"))
        }
    }
}

fn existing(source: &Document, word: &Spanned<String>, key: &str) -> Result<Utf8PathBuf> {
    let joined = source.folder().join(word.get_ref());
    if !joined.is_dir() {
        return Err(refuse(
            source,
            word,
            format!(
                "`{key}` names a folder that does not exist: `{}`",
                word.get_ref()
            ),
        )
        .because(format!("`{joined}` does not exist"))
        .help("paths are relative to the manifest's folder"));
    }
    let absolute = camino::absolute_utf8(&joined)?;
    Ok(Utf8Path::new(absolute.as_str()).canonicalize_utf8()?)
}
