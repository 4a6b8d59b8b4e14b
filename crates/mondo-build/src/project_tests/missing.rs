//! The packages that failed tests import and that their environment does not have. A test whose output goes to `FileCheck`
//! shows no traceback, so that its file is read.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_core::exec::Tool;

use super::environment::{Environment, TestResult};

/// MLIR's own Python package.
const UPSTREAM: &str = "mlir";

/// Prints the packages that a Python file imports and that Python does not find.
const IMPORTS: &str = "\
import ast, importlib.util, os, sys
path = sys.argv[1]
sys.path[0] = os.path.dirname(path)
names = set()
for node in ast.walk(ast.parse(open(path, 'rb').read())):
    if isinstance(node, ast.Import):
        names.update(alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        names.add(node.module)
for name in sorted({name.split('.')[0] for name in names}):
    if importlib.util.find_spec(name) is None:
        print(name)
";

/// Adds to each failed test the packages that it lacks.
pub(super) fn find(results: &mut [TestResult], environment: &Environment<'_>) {
    for result in results.iter_mut().filter(|result| result.failed()) {
        let output = result.output.as_deref().unwrap_or_default();
        let mut missing = named(output);
        if let Some(file) = file(output, &environment.project.folder) {
            let python = Tool::new(environment.python.as_str(), "read a test's imports")
                .args(["-c", IMPORTS, file]);
            // A file that is not Python has no imports.
            if let Ok(printed) = python.output() {
                missing.extend(printed.stdout.lines().map(str::to_owned));
            }
        }
        result.missing = missing.into_iter().collect();
    }
}

/// The packages that a traceback names.
fn named(output: &str) -> BTreeSet<String> {
    let rests = output.split("No module named '").skip(1);
    let names = rests.filter_map(|rest| rest.split(['.', '\'']).next());
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The Python file of a project that an output names.
fn file<'a>(output: &'a str, project: &Utf8Path) -> Option<&'a str> {
    let python = |word: &&str| {
        let path = Utf8Path::new(word);
        path.extension() == Some("py") && path.starts_with(project) && path.is_file()
    };
    output.split_whitespace().find(python)
}

/// The next step where tests of `project` lack packages. `own` is the package that the project's `CMake` names.
pub(super) fn help(project: &str, own: Option<&str>, results: &[TestResult]) -> Option<String> {
    let mut missing: BTreeSet<&str> = results
        .iter()
        .flat_map(|result| result.missing.iter().map(String::as_str))
        .collect();
    let mut steps = Vec::new();
    let lacking =
        own.filter(|package| missing.remove(package.split('.').next().unwrap_or_default()));
    if let Some(package) = lacking {
        steps.push(format!(
            "`{package}` is the package that the CMake of `{project}` names: `python-root = true` in its `[[project]]` makes \
             it another name of the bundle's package"
        ));
    }
    if missing.remove(UPSTREAM) {
        steps.push(format!(
            "`{UPSTREAM}` is MLIR's own package: `--with mondo-mlir` installs it beside the bundle, and `python-root = \
             \"{UPSTREAM}\"` in the `[[project]]` of `{project}` makes it another name of the bundle's package"
        ));
    }
    if !missing.is_empty() {
        let names: Vec<&str> = missing.into_iter().collect();
        steps.push(format!(
            "`--with` adds packages to the environment; missing: {}",
            names.join(", ")
        ));
    }
    Some(steps.join("\n")).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(missing: &[&str]) -> TestResult {
        TestResult {
            name: "a.py".to_owned(),
            result: "FAIL".to_owned(),
            output: None,
            missing: missing.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[test]
    fn a_traceback_names_packages() {
        let output =
            "E   ModuleNotFoundError: No module named 'numpy.linalg'\nNo module named 'torch'";
        let expected = ["numpy", "torch"].map(str::to_owned);
        assert_eq!(named(output), BTreeSet::from(expected));
    }

    #[test]
    fn a_test_names_its_file() {
        let dir = tempfile::tempdir().unwrap();
        let project = Utf8Path::from_path(dir.path()).unwrap();
        let test = project.join("smoke.py");
        fs_err::write(&test, "").unwrap();
        let output = format!("# RUN: at line 1\n/venv/bin/python {test} 2>&1 | FileCheck {test}");
        assert_eq!(file(&output, project), Some(test.as_str()));
        assert_eq!(file(&output, &project.join("other")), None);
    }

    #[test]
    fn what_tests_import_in_vain_has_a_next_step() {
        let results = [lacks(&["mlir", "numpy"]), lacks(&["npu_py", "torch"])];
        let help = help("npu", Some("npu_py.mlir"), &results).unwrap();
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines[0].contains("`npu_py.mlir`") && lines[0].contains("python-root = true"));
        assert!(lines[1].contains("--with mondo-mlir"), "{help}");
        assert!(lines[2].ends_with("missing: numpy, torch"), "{help}");
        assert_eq!(super::help("npu", None, &[lacks(&[])]), None);
    }
}
