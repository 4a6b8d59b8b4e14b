//! The first version of a manifest for a project with its own `CMake`: an entry `[[project]]`, which is all that a
//! bundle needs of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::path;

use super::cmake::{Call, calls, read, without_comments};
use mondo_plan::names::{is_identifier, is_keyword};

/// The macro by which a header takes the functions that register the passes of a generated file.
const REGISTRATION: &str = "GEN_PASS_REGISTRATION";

/// The words of a project's `CMake` that a manifest has.
#[derive(Debug, Default)]
struct Said {
    /// Python packages.
    modules: BTreeSet<String>,
    /// C API libraries.
    c_api: BTreeSet<String>,
    /// Other libraries of MLIR's functions.
    libraries: BTreeSet<String>,
    /// The functions that register passes, as the C API has them.
    passes: BTreeSet<String>,
    /// And those of C++, without namespaces.
    cpp_passes: BTreeSet<String>,
    /// MLIR's own dialects whose Python the package has.
    dialects: BTreeSet<String>,
    /// Options about Python that are off.
    off: BTreeSet<String>,
    /// Variables that switch its tests on.
    tests: BTreeSet<String>,
    /// The package that `MLIR_PYTHON_PACKAGE_PREFIX` names.
    prefix: Option<String>,
    /// The last folder of a `ROOT_PREFIX`.
    root: Option<String>,
    /// True if there is a Python extension.
    extension: bool,
}

/// An entry `[[project]]`, as far as the project's `CMake` says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its keys except `name` and `cmake`, one a line.
    pub(crate) keys: String,
    /// MLIR's own dialects whose Python the project's package has.
    pub(crate) dialects: BTreeSet<String>,
    /// True for a project with a Python package.
    pub(crate) has_modules: bool,
    /// The package that the project's users import, where its `CMake` names one.
    pub(crate) package: Option<String>,
    /// True if the package has an extension in C++, so that each of its wheels is for one `CPython`.
    pub(crate) has_extension: bool,
}

impl Entry {
    /// The manifest's list of MLIR's own dialects: the core, and those whose Python the project's package has.
    pub(crate) fn own_dialects(&self) -> String {
        let more = self.dialects.iter();
        let more: String = more.map(|dialect| format!(", {dialect:?}")).collect();
        format!("dialects = [\"@core\"{more}]")
    }
}

/// Reads the project in `project`, if that is one with its own `CMake` over MLIR. `lists` are its `CMakeLists.txt`
/// files, and `headers` the others that C++ includes.
pub(super) fn entry(
    project: &Utf8Path,
    lists: &BTreeSet<Utf8PathBuf>,
    headers: &BTreeSet<Utf8PathBuf>,
) -> Result<Option<Entry>> {
    let top = project.join("CMakeLists.txt");
    if !lists.contains(&top) {
        return Ok(None);
    }
    let text = without_comments(&read(&top)?);
    let of_top = calls(&text);
    if !of_top.iter().any(|call| call.is("project")) {
        return Ok(None);
    }
    let finds = |call: &Call<'_>| call.is("find_package") && call.words.first() == Some(&"MLIR");
    let unified = !of_top.iter().any(finds);
    let mut statements = Said::default();
    for file in lists {
        let text = without_comments(&read(file)?);
        calls(&text).iter().for_each(|call| statements.call(call));
    }
    if statements.modules.is_empty()
        && statements.c_api.is_empty()
        && statements.libraries.is_empty()
    {
        return Ok(None);
    }
    let mut cpp = BTreeSet::new();
    for header in headers {
        let text = read(header)?;
        if let Some(namespace) = namespace(&text) {
            let functions = statements.cpp_passes.iter();
            cpp.extend(functions.map(|function| format!("{namespace}::{function}")));
        }
    }
    Ok(Some(Entry {
        keys: statements.keys(unified, &cpp),
        has_modules: !statements.modules.is_empty(),
        package: statements.prefix.or(statements.root),
        has_extension: statements.extension,
        dialects: statements.dialects,
    }))
}

/// The text of a manifest in `folder` with an entry for the project in `project`.
pub(super) fn manifest(name: &str, folder: &Utf8Path, project: &Utf8Path, entry: &Entry) -> String {
    let project = path::relative(project, folder);
    let distribution = name.replace('_', "-");
    format!(
        "# A bundle with the project in {project}, which is built by its own CMake; none of its files changes. This is a \
         first\n# version: read it, and see what it makes with `mondo plan --build --manifest <this file>`.\nmanifest = 1\n\n\
         [package]\ndistribution = \"{distribution}-mlir\"\nsummary = \"MLIR for Python with {name}\"\n\
         license = \"Apache-2.0 WITH LLVM-exception\"\n\n[llvm]\nversion = \"22\"\n\n[contents]\n\
         # MLIR's own dialects; those of the project come by themselves.\n{}\n\
         passes = [\"transforms\"]\n\n[[project]]\nname = {name:?}\ncmake = {:?}\n{}",
        entry.own_dialects(),
        project.as_str(),
        entry.keys,
    )
}

/// The namespace in which a header has functions that register passes.
fn namespace(text: &str) -> Option<String> {
    let before = text
        .split(REGISTRATION)
        .next()
        .filter(|before| before.len() < text.len())?;
    let names = before.lines().filter_map(|line| {
        let name = line
            .trim()
            .strip_prefix("namespace ")?
            .trim_end_matches('{');
        Some(name.trim()).filter(|name| !name.is_empty())
    });
    let names: Vec<&str> = names.collect();
    Some(names.join("::")).filter(|namespace| !namespace.is_empty())
}

impl Said {
    fn call(&mut self, call: &Call<'_>) {
        let first = call.words.first().filter(|word| !word.contains('$'));
        let first = first.map(|word| (*word).to_owned());
        self.package(call);
        if call.is("if") {
            let tests = call
                .words
                .iter()
                .filter(|word| word.ends_with("_INCLUDE_TESTS"));
            self.tests.extend(tests.map(|word| (*word).to_owned()));
        }
        if call.is("add_mlir_python_modules") {
            self.modules.extend(first);
        } else if call.is("declare_mlir_python_extension") {
            self.extension = true;
        } else if call.is("add_mlir_public_c_api_library") {
            self.c_api.extend(first);
        } else if call.is("mlir_tablegen") {
            let generates = |what| {
                call.words
                    .iter()
                    .any(|word| word.trim_start_matches('-') == what)
            };
            if generates("gen-pass-capi-header") {
                let prefix = call.after("-prefix");
                self.passes
                    .extend(prefix.map(|prefix| format!("mlirRegister{prefix}Passes")));
            } else if generates("gen-pass-decls") {
                let group = call.after("-name").unwrap_or_default();
                self.cpp_passes.insert(format!("register{group}Passes"));
            }
        } else if call.is("option") && call.words.last() == Some(&"OFF") {
            self.off
                .extend(first.filter(|word| word.to_uppercase().contains("PYTHON")));
        } else if call.is("add_mlir_library")
            || call.is("add_mlir_dialect_library")
            || call.is("add_mlir_conversion_library")
            || call.is("add_mlir_translation_library")
            || call.is("add_mlir_extension_library")
            || call.is("add_mlir_interface_library")
        {
            self.libraries.extend(first);
        }
        let embedded = call.words.iter();
        let embedded = embedded.filter_map(|word| word.strip_prefix("MLIRPythonSources.Dialects."));
        let plain =
            embedded.filter(|dialect| dialect.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
        self.dialects.extend(plain.map(str::to_owned));
    }

    /// The package that a call names.
    fn package(&mut self, call: &Call<'_>) {
        const PREFIX: &str = "MLIR_PYTHON_PACKAGE_PREFIX";
        let plain = |name: &str| {
            let part = |part: &str| is_identifier(part) && !is_keyword(part);
            name.split('.').all(part).then(|| name.to_owned())
        };
        let set = call.is("set") && call.words.first() == Some(&PREFIX);
        let defined = call.words.iter().find_map(|word| {
            let value = word.trim_start_matches("-D").strip_prefix(PREFIX)?;
            value.strip_prefix('=')
        });
        let named = match set {
            true => call.words.get(1).copied(),
            false => defined.map(|prefix| prefix.trim_end_matches('.')),
        };
        if let Some(prefix) = named.and_then(plain) {
            self.prefix.get_or_insert(prefix);
        }
        if call.is("add_mlir_python_modules") {
            let last = call
                .after("ROOT_PREFIX")
                .and_then(|prefix| prefix.rsplit('/').next());
            self.root = self.root.take().or(last.and_then(plain));
        }
    }

    fn keys(&self, unified: bool, cpp_passes: &BTreeSet<String>) -> String {
        let list = |names: &BTreeSet<String>| {
            let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            names.join(", ")
        };
        let (key, names) = match (self.modules.is_empty(), self.c_api.is_empty()) {
            (false, _) => ("modules", &self.modules),
            (true, false) => ("c-api", &self.c_api),
            (true, true) => ("libraries", &self.libraries),
        };
        let mut text = format!("{key} = [{}]\n", list(names));
        let passes = match self.passes.is_empty() || key == "libraries" {
            true => cpp_passes,
            false => &self.passes,
        };
        // Writing to a String cannot fail.
        if passes.is_empty() {
            text.push_str(
                "# passes = \"…\"  # the function that registers its passes, of C or C++\n",
            );
        } else {
            let _ = writeln!(text, "passes = [{}]", list(passes));
        }
        if unified {
            text.push_str("unified = true  # it expects to be part of LLVM's own build\n");
        }
        let python = self.off.iter().filter(|_| key == "modules");
        let options: Vec<String> = python
            .chain(&self.tests)
            .map(|option| format!("{option} = true"))
            .collect();
        if !options.is_empty() {
            let _ = writeln!(text, "define = {{ {} }}", options.join(", "));
        }
        text.push_str("# license = \"…\"  # an SPDX expression\n");
        text
    }
}
