//! The first version of a manifest for a project with its own `CMake`: an entry `[[project]]`, which is all that a
//! bundle needs of it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::path;

use super::cmake::{Call, calls, read, without_comments};

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
}

/// The text of a manifest in `folder` for the project in `project`, if that is one with its own `CMake`. `lists` are
/// its `CMakeLists.txt` files, and `headers` the others that C++ includes.
pub(super) fn manifest(
    name: &str,
    folder: &Utf8Path,
    project: &Utf8Path,
    lists: &BTreeSet<Utf8PathBuf>,
    headers: &BTreeSet<Utf8PathBuf>,
) -> Result<Option<String>> {
    let top = project.join("CMakeLists.txt");
    if !lists.contains(&top) {
        return Ok(None);
    }
    let text = without_comments(&read(&top)?);
    let of_top = calls(&text);
    if !of_top.iter().any(|it| it.is("project")) {
        return Ok(None);
    }
    let finds = |call: &Call<'_>| call.is("find_package") && call.words.first() == Some(&"MLIR");
    let unified = !of_top.iter().any(finds);
    let mut said = Said::default();
    for file in lists {
        let text = without_comments(&read(file)?);
        calls(&text).iter().for_each(|call| said.call(call));
    }
    if said.modules.is_empty() && said.c_api.is_empty() && said.libraries.is_empty() {
        return Ok(None);
    }
    let mut cpp = BTreeSet::new();
    for header in headers {
        let text = read(header)?;
        if let Some(namespace) = namespace(&text) {
            let functions = said.cpp_passes.iter();
            cpp.extend(functions.map(|function| format!("{namespace}::{function}")));
        }
    }
    Ok(Some(said.text(
        name,
        &path::relative(project, folder),
        unified,
        &cpp,
    )))
}

/// The namespace in which a header has functions that register passes.
fn namespace(text: &str) -> Option<String> {
    let before = text
        .split(REGISTRATION)
        .next()
        .filter(|it| it.len() < text.len())?;
    let names = before.lines().filter_map(|line| {
        let name = line
            .trim()
            .strip_prefix("namespace ")?
            .trim_end_matches('{');
        Some(name.trim()).filter(|it| !it.is_empty())
    });
    let names: Vec<&str> = names.collect();
    Some(names.join("::")).filter(|it| !it.is_empty())
}

impl Said {
    fn call(&mut self, call: &Call<'_>) {
        let first = call.words.first().filter(|it| !it.contains('$'));
        let first = first.map(|it| (*it).to_owned());
        if call.is("add_mlir_python_modules") {
            self.modules.extend(first);
        } else if call.is("add_mlir_public_c_api_library") {
            self.c_api.extend(first);
        } else if call.is("mlir_tablegen") {
            if call.words.contains(&"-gen-pass-capi-header") {
                let prefix = call.after("-prefix");
                self.passes
                    .extend(prefix.map(|it| format!("mlirRegister{it}Passes")));
            } else if call.words.contains(&"-gen-pass-decls") {
                let group = call.after("-name");
                self.cpp_passes
                    .extend(group.map(|it| format!("register{it}Passes")));
            }
        } else if call.is("option") && call.words.last() == Some(&"OFF") {
            self.off
                .extend(first.filter(|it| it.to_uppercase().contains("PYTHON")));
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
        let embedded = embedded.filter_map(|it| it.strip_prefix("MLIRPythonSources.Dialects."));
        let plain = embedded.filter(|it| it.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
        self.dialects.extend(plain.map(str::to_owned));
    }

    fn text(
        &self,
        name: &str,
        project: &Utf8Path,
        unified: bool,
        cpp_passes: &BTreeSet<String>,
    ) -> String {
        let list = |names: &BTreeSet<String>| {
            let names: Vec<String> = names.iter().map(|it| format!("{it:?}")).collect();
            names.join(", ")
        };
        let distribution = name.replace('_', "-");
        let dialects: String = self.dialects.iter().map(|it| format!(", {it:?}")).collect();
        let mut text = format!(
            "# A bundle with the project in {project}, which is built by its own CMake; none of its files changes. This is a \
             first\n# version: read it, and see what it makes with `mondo plan --build --manifest <this file>`.\nmanifest = 1\n\n\
             [package]\ndistribution = \"{distribution}-mlir\"\nsummary = \"MLIR for Python with {name}\"\n\
             license = \"Apache-2.0 WITH LLVM-exception\"\n\n[llvm]\nversion = \"22\"\n\n[contents]\n\
             # MLIR's own dialects; those of the project come by themselves.\ndialects = [\"@core\"{dialects}]\n\
             passes = [\"transforms\"]\n\n[link]\n\
             # The wheels run on every glibc since this one: manylinux_2_28.\nglibc-floor = \"2.28\"\n\n\
             [[project]]\nname = {name:?}\ncmake = {:?}\n",
            project.as_str()
        );
        // Writing to a String cannot fail.
        let (key, names) = match (self.modules.is_empty(), self.c_api.is_empty()) {
            (false, _) => ("modules", &self.modules),
            (true, false) => ("c-api", &self.c_api),
            (true, true) => ("libraries", &self.libraries),
        };
        let _ = writeln!(text, "{key} = [{}]", list(names));
        let passes = match self.passes.is_empty() || key == "libraries" {
            true => cpp_passes,
            false => &self.passes,
        };
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
        if key == "modules" && !self.off.is_empty() {
            let options: Vec<String> = self.off.iter().map(|it| format!("{it} = true")).collect();
            let _ = writeln!(text, "define = {{ {} }}", options.join(", "));
        }
        text.push_str("# license = \"…\"  # an SPDX expression\n");
        text
    }
}
