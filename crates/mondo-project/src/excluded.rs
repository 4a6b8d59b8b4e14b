//! The parts of a project that the bundle does not have, as sentences for the report.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::dialects::Known;
use crate::record::{Group, GroupKind, Record};

/// The function that makes a Python package.
const PACKAGE: &str = "add_mlir_python_modules";

/// The most folders below each other in which a project's Python is looked for.
const DEPTH: usize = 8;

/// The functions that register a project's passes.
#[derive(Debug)]
pub(crate) struct PassFunctions {
    /// Those that its C API declares.
    pub(crate) c_api: Vec<String>,
    /// Those that its headers of C++ declare, without their namespaces.
    pub(crate) cpp: Vec<String>,
    /// Those of C++ that no function of `passes` calls.
    pub(crate) uncalled: Vec<String>,
}

/// Each part that is excluded, in a sentence.
pub(crate) fn of(
    known: &Known<'_>,
    dialects: &[String],
    pass_functions: &PassFunctions,
    headers: &[(Utf8PathBuf, Vec<String>)],
) -> Vec<String> {
    let (project, record, groups) = (known.project, known.record, known.groups);
    let name = project.name.get_ref();
    let mut found = Vec::new();
    for dialect in without_registration(known, dialects) {
        let own: Vec<&str> = record.libraries.iter().map(String::as_str).collect();
        found.push(format!(
            "the classes of the dialect `{dialect}` of the project `{name}` are excluded, \
             although its package has a module for them: none of its libraries ({}) declares a \
             handle for it",
            own.join(", ")
        ));
    }
    if project.passes.is_empty() {
        found.extend(passes(name, pass_functions));
    } else if !pass_functions.uncalled.is_empty() {
        found.push(format!(
            "passes of the project `{name}` are not registered: the functions in its `passes` do not call {}, which its \
             headers declare; add such functions to `passes`, with their namespaces",
            quoted(&pass_functions.uncalled)
        ));
    }
    for extension in &record.excluded {
        found.push(format!(
            "the extension `{}` of the project `{name}` is excluded: {}/CMakeLists.txt \
             declares it with nanobind_add_module, which does not set its place in the \
             package; use declare_mlir_python_extension",
            extension.name, extension.folder
        ));
    }
    for (path, functions) in headers {
        found.push(format!(
            "the header {path} of the project `{name}` is excluded, although its C API \
             libraries define functions that it declares: {}; it has neither \
             `MLIR_CAPI_EXPORTED` nor `extern \"C\"`, which mark headers of a C API",
            functions.join(", ")
        ));
    }
    for group in groups
        .iter()
        .filter(|group| group.kind == GroupKind::Extension)
    {
        let missing = libraries(group, record);
        if !missing.is_empty() {
            found.push(format!(
                "`c-api` of the project `{name}` omits C API libraries of its extension `{}`: \
                 {}; the extension does not link if it calls their functions",
                group.module,
                missing.join(", ")
            ));
        }
    }
    if project.modules.is_empty() && project.python.is_none() {
        let packages = packages(&project.folder);
        if !packages.is_empty() {
            found.push(format!(
                "the Python package of the project `{name}` is excluded: {}; add it to \
                 `modules` to include it and its extensions",
                packages.join(", ")
            ));
        }
    }
    found
}

/// The dialects of the Python package that the bundle registers nowhere. Those that `dialects` leaves out are the
/// manifest's choice.
fn without_registration<'k>(known: &Known<'k>, dialects: &[String]) -> BTreeSet<&'k str> {
    if known.project.dialects.is_some() {
        return BTreeSet::new();
    }
    let groups = known.groups.iter();
    let classes =
        groups.filter(|group| group.kind == GroupKind::Dialect && group.extension.is_empty());
    let names = classes.map(|group| group.dialect.as_str());
    names
        .filter(|name| {
            !known.upstream.contains(*name) && !dialects.iter().any(|dialect| dialect == name)
        })
        .collect()
}

fn quoted(functions: &[String]) -> String {
    let names: Vec<String> = functions
        .iter()
        .map(|function| format!("`{function}`"))
        .collect();
    names.join(", ")
}

/// The sentence about passes that nothing in the manifest registers, if there are any.
fn passes(project: &str, functions: &PassFunctions) -> Option<String> {
    let advice = match (&functions.c_api[..], &functions.cpp[..]) {
        ([], []) => return None,
        ([], cpp) => format!(
            "its headers declare {}; add such functions to `passes`, with their namespaces",
            quoted(cpp)
        ),
        (c_api, _) => format!(
            "its C API declares {}; add the function to `passes`",
            quoted(c_api)
        ),
    };
    Some(format!(
        "the bundle's tools lack the passes of the project `{project}`, and so do its \
         pipelines until the project's Python registers them; {advice}"
    ))
}

/// The C API libraries of the project that an extension calls and that the bundle does not take.
fn libraries<'a>(group: &'a Group, record: &Record) -> Vec<&'a str> {
    let builds = |library: &str| record.targets.iter().any(|target| target.name == library);
    let taken = |library: &str| record.libraries.iter().any(|taken| taken == library);
    let called = group.c_api.iter().map(String::as_str);
    called
        .filter(|library| builds(library) && !taken(library))
        .collect()
}

/// The Python packages that the files of a source tree make. `CMake` has not read all of them: its options
/// switch Python off.
fn packages(folder: &Utf8Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut pending: Vec<(Utf8PathBuf, usize)> = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = pending.pop() {
        let lists = folder.join("CMakeLists.txt");
        if let Ok(text) = fs_err::read_to_string(lists) {
            names.extend(made_by(&text));
        } else if depth > 1 {
            // A folder without a `CMakeLists.txt` is skipped with all below it, except at the top of the source tree.
            continue;
        }
        // An unreadable folder is skipped: these names are for a note only, which must not fail a build.
        let entries = folder.read_dir_utf8().into_iter().flatten().flatten();
        for entry in entries {
            let hidden = entry.file_name().starts_with('.');
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if depth < DEPTH && !hidden && is_dir {
                pending.push((entry.into_path(), depth + 1));
            }
        }
    }
    names.sort();
    names.dedup();
    names
}

/// The first arguments of the calls that make packages.
fn made_by(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let code = code.collect::<Vec<_>>().join("\n");
    let calls = code.split(PACKAGE).skip(1);
    let names = calls.filter_map(|rest| {
        let inside = rest.trim_start().strip_prefix('(')?;
        let name = inside.split_whitespace().next()?.trim_end_matches(')');
        // A name with a variable in it is the parameter of a function that the project defines around
        // `add_mlir_python_modules`.
        (!name.is_empty() && !name.contains('$')).then(|| name.to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_of_an_extension_that_are_not_taken_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(dir.path())
            .unwrap()
            .join("record.jsonl");
        let target = |name| {
            format!(
                r#"{{"kind":"target","name":"{name}","type":"STATIC_LIBRARY","c_api":"yes","folder":"/","links":[]}}"#
            )
        };
        let extension = r#"{"kind":"extension","name":"E","root":"","source_dir":"","binary_dir":"","dialect":"",
            "extension":"","td":"","enums":"","module":"_e","probe":"","sources":[],"include":[],"depends":[],
            "c_api":["MLIRCAPIIR","ACAPI","BCAPI"],"private":[]}"#;
        let extension = extension.replace('\n', "");
        let closure =
            r#"{"kind":"closure","name":"c","libraries":["ACAPI"],"foreign":["MLIRCAPIIR"]}"#;
        let lines = [&target("ACAPI"), &target("BCAPI"), &extension, closure];
        fs_err::write(&path, lines.join("\n")).unwrap();
        let record = Record::read(&path).unwrap();
        assert_eq!(libraries(&record.groups[0], &record), ["BCAPI"]);
    }

    #[test]
    fn passes_that_nothing_registers_are_named_with_the_functions_that_do() {
        let mut functions = PassFunctions {
            c_api: vec!["toyRegisterPasses".into(), "gooRegisterPasses".into()],
            cpp: vec!["registerToyPasses".into()],
            uncalled: Vec::new(),
        };
        let said = passes("toy", &functions).unwrap();
        assert!(said.contains("the project `toy`"), "{said}");
        assert!(
            said.contains(
                "its C API declares `toyRegisterPasses`, `gooRegisterPasses`; add the function to `passes`"
            ),
            "{said}"
        );
        functions.c_api.clear();
        let said = passes("toy", &functions).unwrap();
        assert!(
            said.contains(
                "its headers declare `registerToyPasses`; add such functions to `passes`"
            ),
            "{said}"
        );
        functions.cpp.clear();
        assert_eq!(passes("toy", &functions), None);
    }

    #[test]
    fn packages_are_the_first_arguments_of_calls() {
        let text = "# add_mlir_python_modules(No)\nadd_mlir_python_modules(ToyModules\n  ROOT_PREFIX x)\n\
                    add_mlir_python_modules( ${name} A)\nadd_mlir_python_modules(B)\n";
        assert_eq!(made_by(text), ["ToyModules", "B"]);
    }

    #[test]
    fn packages_are_found_where_cmake_may_go() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        for (path, text) in [
            ("CMakeLists.txt", ""),
            (
                "a/b/CMakeLists.txt",
                "add_mlir_python_modules(InB ROOT_PREFIX x)",
            ),
            (".git/CMakeLists.txt", "add_mlir_python_modules(InGit)"),
            ("a/c/d/CMakeLists.txt", "add_mlir_python_modules(InD)"),
        ] {
            let path = folder.join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        assert_eq!(packages(folder), ["InB"]);
    }
}
