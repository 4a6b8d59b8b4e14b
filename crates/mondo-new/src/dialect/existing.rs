//! The first version of a dialect crate for a project that is there already: what the project's folder
//! shows of its ODS files, headers and sources. The project's files stay where they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::path;

use super::cmake::{calls, made, read};
use super::{cmake, cmake_project};
use mondo_plan::c_declarations::{bare, declarations, without_comments};

/// Folders whose files are not part of a dialect's code.
const OTHER_FOLDERS: [&str; 12] = [
    "build",
    "test",
    "tests",
    "unittests",
    "unittest",
    "tools",
    "tool",
    "examples",
    "docs",
    "benchmark",
    "benchmarks",
    "third_party",
];

/// The contents of a project's folder.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Dialects: name, and the ODS file and C++ class of each.
    pub(super) dialects: BTreeMap<String, OdsDialect>,
    /// Sources, relative to the project.
    sources: BTreeSet<Utf8PathBuf>,
    /// Sources of Python extensions.
    bindings: BTreeSet<Utf8PathBuf>,
    /// Include folders.
    include: BTreeSet<Utf8PathBuf>,
    /// C API headers.
    headers: BTreeSet<Utf8PathBuf>,
    /// Functions that the C API headers declare.
    pub(super) functions: BTreeSet<String>,
    /// ODS files with operations.
    ods: BTreeSet<Utf8PathBuf>,
    /// The first folder with Python files.
    python: Option<Utf8PathBuf>,
    /// Archives of MLIR and LLVM that a `CMakeLists.txt` links.
    archives: BTreeSet<String>,
    /// Libraries and targets that it makes.
    made: BTreeSet<String>,
    /// The `CMakeLists.txt` files, with their folders.
    pub(super) lists: BTreeSet<Utf8PathBuf>,
    /// All headers, with their folders.
    pub(super) all_headers: BTreeSet<Utf8PathBuf>,
    /// Files of licences at the top.
    pub(super) licenses: BTreeSet<Utf8PathBuf>,
}

/// A dialect that an ODS file defines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OdsDialect {
    td: Utf8PathBuf,
    class: String,
}

/// The files of a crate in `folder` for the project in `project`: where that has a `CMake` of its own, a manifest with
/// an entry for it, else a `dialect.toml` and a manifest.
///
/// # Errors
/// `ErrorKind::Io` where the project cannot be read, and `ErrorKind::Manifest` where it has no dialect.
pub(super) fn files(
    name: &str,
    folder: &Utf8Path,
    project: &Utf8Path,
) -> Result<Vec<(Utf8PathBuf, String)>> {
    if project.is_dir() {
        let found = look(project)?;
        let (lists, headers) = (&found.lists, &found.all_headers);
        if let Some(entry) = cmake_project::entry(project, lists, headers)? {
            let text = cmake_project::manifest(name, folder, project, &entry);
            return Ok(vec![("bundle.toml".into(), text)]);
        }
    }
    let text = describe(name, folder, project)?;
    Ok(vec![
        ("dialect.toml".into(), text),
        ("bundle.toml".into(), manifest(name, project)?),
    ])
}

pub(super) fn no_project(folder: &Utf8Path) -> Error {
    Error::new(ErrorKind::Io, "there is no project to begin from")
        .at(folder)
        .help("`--from` takes the folder of an existing project")
}

/// The text of a `dialect.toml` in `folder`, for the project in `project`.
///
/// # Errors
/// `ErrorKind::Io` where the project cannot be read, and `ErrorKind::Manifest` where it has no dialect.
fn describe(name: &str, folder: &Utf8Path, project: &Utf8Path) -> Result<String> {
    if !project.is_dir() {
        return Err(no_project(project));
    }
    let found = look(project)?;
    if found.dialects.is_empty() {
        return Err(
            Error::new(ErrorKind::Manifest, "the project defines no dialect in ODS")
                .at(project)
                .because("none of its .td files has a `def … : Dialect` with a `name`")
                .help(
                    "pass a folder that contains the dialect's .td file, or create a new \
                     dialect with `--cpp`",
                ),
        );
    }
    Ok(text(name, &found, &path::relative(project, folder)))
}

/// The text of a manifest for the crate: a bundle with the project's dialects.
///
/// # Errors
/// `ErrorKind::Io` where the project cannot be read.
fn manifest(name: &str, project: &Utf8Path) -> Result<String> {
    let found = look(project)?;
    let dialects: String = found
        .dialects
        .keys()
        .map(|dialect| format!(", {dialect:?}"))
        .collect();
    Ok(format!(
        "# A bundle with {name} and what it needs: mondo bundle --manifest <this file>\nmanifest = 1\n\n\
         [package]\ndistribution = \"{}-mlir\"\nsummary = \"MLIR for Python with {name}\"\n\
         license = \"Apache-2.0 WITH LLVM-exception\"\n\n[llvm]\nversion = \"22\"\n\n[contents]\n\
         crates = [\".\"]\ndialects = [\"@core\"{dialects}]\npasses = [\"transforms\"]\n",
        name.replace('_', "-")
    ))
}

/// Reads the files of a project.
pub(super) fn look(project: &Utf8Path) -> Result<Found> {
    let mut found = Found::default();
    let mut listed = BTreeSet::new();
    let mut pending = vec![project.to_owned()];
    while let Some(folder) = pending.pop() {
        let mut entries = folder
            .read_dir_utf8()?
            .collect::<std::io::Result<Vec<_>>>()?;
        entries.sort_by(|a, b| a.file_name().cmp(b.file_name()));
        for entry in entries {
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_dir() {
                let lower = name.to_ascii_lowercase();
                let other = OTHER_FOLDERS.contains(&lower.as_str()) || lower.starts_with("build");
                if !other && !name.starts_with('.') {
                    pending.push(path.to_owned());
                }
            } else if kind.is_file() {
                found.file(project, path, &mut listed)?;
            }
        }
    }
    let generated = &found.made;
    found
        .archives
        .retain(|archive| !generated.contains(archive));
    // Sources that its CMake lists are the code, and others are tests or leftovers.
    if found.sources.iter().any(|source| listed.contains(source)) {
        found.sources.retain(|source| listed.contains(source));
    }
    Ok(found)
}

impl Found {
    fn file(
        &mut self,
        project: &Utf8Path,
        path: &Utf8Path,
        listed: &mut BTreeSet<Utf8PathBuf>,
    ) -> Result<()> {
        let below = path.strip_prefix(project).unwrap_or(path).to_owned();
        let name = path.file_name().unwrap_or_default();
        let at_top = below.components().count() == 1;
        if at_top
            && ["LICENSE", "LICENCE", "COPYING"]
                .iter()
                .any(|license| name.starts_with(license))
        {
            self.licenses.insert(below);
            return Ok(());
        }
        if name == "CMakeLists.txt" {
            self.lists.insert(path.to_owned());
            self.cmake(&read(path)?, project, path, listed);
            return Ok(());
        }
        match path.extension() {
            Some("cpp" | "cc" | "cxx") => {
                let text = read(path)?;
                if text.contains("NB_MODULE(") || text.contains("PYBIND11_MODULE(") {
                    self.bindings.insert(below);
                } else if !text.contains("int main(") {
                    self.sources.insert(below);
                }
            }
            Some("td") => self.ods(&read(path)?, below),
            Some("h") => {
                self.all_headers.insert(path.to_owned());
                self.header(&read(path)?, below);
            }
            Some("py") if self.python.is_none() && below.starts_with("python") => {
                self.python = Some("python".into());
            }
            _ => {}
        }
        Ok(())
    }

    fn ods(&mut self, text: &str, path: Utf8PathBuf) {
        let text = without_comments(text);
        if let Some(folder) = include_folder(&path) {
            self.include.insert(folder);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        for definition in words.windows(4) {
            if definition[0] == "def"
                && definition[2] == ":"
                && definition[3].trim_end_matches('{') == "Dialect"
            {
                let after = text
                    .split_once(&format!("def {}", definition[1]))
                    .map_or("", |(_, rest)| rest);
                let body = after.split("\n}").next().unwrap_or_default();
                let Some(name) = value(body, "name") else {
                    continue;
                };
                let namespace = value(body, "cppNamespace").unwrap_or_default();
                let namespace = namespace.trim_start_matches("::");
                // TableGen leaves the underscores out of the class's name.
                let class = definition[1].replace('_', "");
                let class = match namespace {
                    "" => class,
                    namespace => format!("{namespace}::{class}"),
                };
                let dialect = OdsDialect {
                    td: path.clone(),
                    class,
                };
                self.dialects.insert(name.to_owned(), dialect);
            }
        }
        if text.contains("let arguments") || text.contains("assemblyFormat") || text.contains("Op<")
        {
            self.ods.insert(path);
        }
    }

    fn header(&mut self, text: &str, path: Utf8PathBuf) {
        if let Some(folder) = include_folder(&path) {
            self.include.insert(folder);
        }
        // A C API header is one that C can read and that declares functions.
        let in_c = text.contains("mlir-c/") && !text.contains("#include \"mlir/");
        if !in_c {
            return;
        }
        let bare = bare(text);
        let mut any = false;
        for declaration in declarations((1..).zip(bare.lines())) {
            any = true;
            match declaration.arguments {
                None => self.functions.insert(declaration.name),
                Some(arguments) => match arguments.get(1) {
                    Some(namespace)
                        if declaration.name == "MLIR_DECLARE_CAPI_DIALECT_REGISTRATION" =>
                    {
                        let handle = format!("mlirGetDialectHandle__{namespace}__");
                        self.functions.insert(handle)
                    }
                    _ => false,
                },
            };
        }
        if any {
            self.headers.insert(path);
        }
    }

    /// Sources and archives among the words of a `CMakeLists.txt`.
    fn cmake(
        &mut self,
        text: &str,
        project: &Utf8Path,
        path: &Utf8Path,
        listed: &mut BTreeSet<Utf8PathBuf>,
    ) {
        let text = cmake::without_comments(text);
        let calls = calls(&text);
        self.made
            .extend(made(&calls).into_iter().map(str::to_owned));
        for word in calls.iter().flat_map(cmake::Call::links) {
            let plain = word.bytes().all(|b| b.is_ascii_alphanumeric());
            let upper = word.as_bytes().get(4).is_some_and(u8::is_ascii_uppercase);
            let ours = word.starts_with("MLIR")
                && !word.starts_with("MLIRCAPI")
                && !word.starts_with("MLIRPython");
            if plain && upper && ours {
                self.archives.insert(word.to_owned());
            }
        }
        for word in text.split(|c: char| c.is_whitespace() || "()\"".contains(c)) {
            let source = [".cpp", ".cc", ".cxx"]
                .iter()
                .any(|end| word.ends_with(end));
            if source && let Some(folder) = path.parent() {
                let file = folder.join(word);
                if let Ok(file) = file.canonicalize_utf8()
                    && let Ok(below) = file.strip_prefix(project)
                {
                    listed.insert(below.to_owned());
                }
            }
        }
    }
}

/// The part of a path up to and with `include`.
fn include_folder(path: &Utf8Path) -> Option<Utf8PathBuf> {
    let parts: Vec<_> = path.components().collect();
    let at = parts.iter().rposition(|part| part.as_str() == "include")?;
    Some(parts[..=at].iter().collect())
}

/// The string of `let key = "…"`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let after = text.split_once(&format!("let {key}"))?.1.trim_start();
    after
        .strip_prefix('=')?
        .trim_start()
        .strip_prefix('"')?
        .split('"')
        .next()
}

fn text(name: &str, found: &Found, project: &Utf8Path) -> String {
    let path = |below: &Utf8Path| format!("{:?}", project.join(below).as_str());
    let list = |paths: &BTreeSet<Utf8PathBuf>| {
        let paths: Vec<String> = paths.iter().map(|file| path(file)).collect();
        match paths.len() {
            0..=2 => format!("[{}]", paths.join(", ")),
            _ => format!("[\n    {},\n]", paths.join(",\n    ")),
        }
    };
    let mut text = format!(
        "# The dialects of {project}, whose files stay as they are. This is a first version, made from what \
         the folder\n# shows: read it, and correct it with `mondo manifest <this file>`.\n\
         dialect-crate = 1\nname = {name:?}\n\n[package]\n# license = \"…\"  # an SPDX expression\n"
    );
    // Writing to a String cannot fail.
    if !found.licenses.is_empty() {
        let _ = writeln!(text, "license-files = {}", list(&found.licenses));
    }
    for (dialect, ods) in &found.dialects {
        let _ = writeln!(text, "\n[[dialect]]\nname = {dialect:?}");
        let handle = format!("mlirGetDialectHandle__{dialect}__");
        if found.functions.contains(&handle) {
            let _ = writeln!(text, "handle = {handle:?}");
        } else {
            let header = format!("{}.h", ods.td.with_extension("").as_str());
            let header = Utf8Path::new(&header);
            let folder = include_folder(header).unwrap_or_default();
            let header = header.strip_prefix(&folder).unwrap_or(header);
            let _ = writeln!(
                text,
                "# No C API header declares its handle. The header is a guess.\nclass = {:?}\nheader = {:?}",
                ods.class,
                header.as_str()
            );
        }
        let beside = ods.td.parent();
        let files = found.ods.iter().filter(|file| file.parent() == beside);
        let files: BTreeSet<Utf8PathBuf> = files.cloned().collect();
        if !files.is_empty() {
            let _ = writeln!(text, "ods = {}", list(&files));
        }
        let _ = writeln!(text, "python = {dialect:?}");
    }
    let registers = found.functions.iter();
    for function in
        registers.filter(|function| function.contains("Register") && function.ends_with("Passes"))
    {
        let _ = writeln!(
            text,
            "\n[[pass-group]]\nname = {name:?}\nregister = {function:?}"
        );
    }
    let sources = match found.sources.is_empty() {
        true => "[]  # none was found".to_owned(),
        false => list(&found.sources),
    };
    let archives: Vec<String> = found
        .archives
        .iter()
        .map(|archive| format!("{archive:?}"))
        .collect();
    let _ = write!(
        text,
        "\n[cpp]\nstd = \"c++17\"\nsources = {sources}\ninclude = {}\nheaders = {}\narchives = [{}]\n\
         # The project's CMake says which files its sources include: `prefix` is the beginning of their names.\n\
         tblgen-dialect = [\n",
        list(&found.include),
        list(&found.headers),
        archives.join(", "),
    );
    for (dialect, ods) in &found.dialects {
        let folder = include_folder(&ods.td).unwrap_or_default();
        let prefix = ods
            .td
            .strip_prefix(&folder)
            .unwrap_or(&ods.td)
            .with_extension("");
        let prefix = prefix
            .as_str()
            .trim_end_matches("Dialect")
            .trim_end_matches("Ops");
        let _ = writeln!(
            text,
            "    {{ td = {}, prefix = {prefix:?}, dialect = {dialect:?} }},",
            path(&ods.td)
        );
    }
    text.push_str("]\n");
    if let Some(python) = &found.python {
        let _ = writeln!(
            text,
            "\n[python]\nsources = {}\nfiles = [\"**/*.py\"]",
            path(python)
        );
    }
    for source in &found.bindings {
        let module = source.file_stem().unwrap_or_default().to_ascii_lowercase();
        let _ = writeln!(
            text,
            "\n# [[extension]]\n# module = \"_{module}\"  # the name in its NB_MODULE\n# kind = \"nanobind\"\n\
             # sources = [{}]\n# wheel = \"{}-dialect\"",
            path(source),
            name.replace('_', "-")
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_described_by_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path())
            .unwrap()
            .canonicalize_utf8()
            .unwrap();
        for (name, text) in [
            ("LICENSE", "MIT"),
            (
                "CMakeLists.txt",
                "# lib/Old.cpp\nadd_mlir_dialect_library(MLIRToy lib/Toy.cpp\n  DEPENDS MLIRToyIncGen\n  LINK_LIBS PUBLIC MLIRIR MLIRArithDialect)\ninclude(MLIRDetectPythonEnv)\n",
            ),
            (
                "lib/CMakeLists.txt",
                "add_mlir_public_c_api_library(ToyCAPI CAPI.cpp LINK_LIBS PUBLIC MLIRToy)",
            ),
            ("lib/Toy.cpp", ""),
            ("lib/CAPI.cpp", ""),
            ("lib/Unlisted.cpp", ""),
            ("tools/toy-opt.cpp", "int main(int, char **) {}"),
            ("test/Test.cpp", ""),
            (
                "include/toy/ToyOps.td",
                "// def No : Dialect\ndef Toy_Dialect : Dialect {\n  let name = \"toy\";\n  let cppNamespace = \"::acme::toy\";\n}\nclass Toy_Op<string m> : Op<Toy_Dialect, m>;\n",
            ),
            (
                "include/toy-c/Toy.h",
                "#include \"mlir-c/IR.h\"\nMLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Toy, toy);\nvoid toyRegisterPasses(void);\n",
            ),
            (
                "include/toy/Toy.h",
                "#include \"mlir/IR/Dialect.h\"\nvoid f();\n",
            ),
            ("python/ToyModule.cpp", "NB_MODULE(_toy, m) {}"),
            ("python/toy/__init__.py", ""),
        ] {
            let path = root.join("project").join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        let text = describe("toy", &root.join("crates/toy"), &root.join("project")).unwrap();
        insta::assert_snapshot!(text, @r#"
        # The dialects of ../../project, whose files stay as they are. This is a first version, made from what the folder
        # shows: read it, and correct it with `mondo manifest <this file>`.
        dialect-crate = 1
        name = "toy"

        [package]
        # license = "…"  # an SPDX expression
        license-files = ["../../project/LICENSE"]

        [[dialect]]
        name = "toy"
        handle = "mlirGetDialectHandle__toy__"
        ods = ["../../project/include/toy/ToyOps.td"]
        python = "toy"

        [[pass-group]]
        name = "toy"
        register = "toyRegisterPasses"

        [cpp]
        std = "c++17"
        sources = ["../../project/lib/CAPI.cpp", "../../project/lib/Toy.cpp"]
        include = ["../../project/include"]
        headers = ["../../project/include/toy-c/Toy.h"]
        archives = ["MLIRArithDialect", "MLIRIR"]
        # The project's CMake says which files its sources include: `prefix` is the beginning of their names.
        tblgen-dialect = [
            { td = "../../project/include/toy/ToyOps.td", prefix = "toy/Toy", dialect = "toy" },
        ]

        [python]
        sources = "../../project/python"
        files = ["**/*.py"]

        # [[extension]]
        # module = "_toymodule"  # the name in its NB_MODULE
        # kind = "nanobind"
        # sources = ["../../project/python/ToyModule.cpp"]
        # wheel = "toy-dialect"
        "#);
        let folder = root.join("crates/toy");
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::write(folder.join("dialect.toml"), text).unwrap();
        mondo_plan::dialect_crate::load(&folder).unwrap();
        let none = files("toy", &folder, &root.join("project/lib")).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Manifest);
        let none = describe("toy", &folder, &root.join("absent")).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Io);
    }
}
