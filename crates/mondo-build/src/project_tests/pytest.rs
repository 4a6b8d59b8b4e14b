//! pytest over the Python tests in a project's test folders.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Deserialize;

use super::environment::{Environment, TestResult, tail};

/// pytest's exit code where the files have no test: they only look like tests by their names.
const NO_TESTS: i32 = 5;

/// A plug-in that writes results as JSON lines.
const PLUGIN: &str = include_str!("../../data/pytest_lines.py");

#[derive(Deserialize)]
struct Line {
    name: String,
    outcome: String,
    text: String,
}

/// Runs the tests; none where there are no files of them.
pub(super) fn run(environment: &Environment<'_>) -> Result<Vec<TestResult>> {
    let mut files = Vec::new();
    for path in &environment.project.tests {
        if path.is_dir() {
            collect(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    if files.is_empty() {
        return Ok(Vec::new());
    }
    files.sort();
    fs_err::create_dir_all(&environment.work)?;
    let report = environment.work.join("pytest.jsonl");
    fs_err::write(&report, "")?;
    fs_err::write(environment.work.join("mondo_pytest_lines.py"), PLUGIN)?;
    let output = Tool::new(environment.python.as_str(), "run pytest")
        .fails_as(ErrorKind::Check)
        .cwd(&environment.project.folder)
        .env("PYTHONPATH", environment.work.as_str())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MONDO_PYTEST_LINES", report.as_str())
        .args(["-m", "pytest", "-q", "-p", "mondo_pytest_lines"])
        .args(["-p", "no:cacheprovider", "--import-mode=importlib"])
        .args(&files)
        .output_unchecked()?;
    let text = fs_err::read_to_string(&report)?;
    let mut results = Vec::new();
    for line in text.lines() {
        let Line {
            name,
            outcome,
            text,
        } = serde_json::from_str(line).map_err(|error| {
            Error::new(ErrorKind::Check, "pytest's results cannot be read")
                .at(&report)
                .caused_by(error)
        })?;
        let result = match outcome.as_str() {
            "passed" => "PASS",
            "skipped" => "SKIPPED",
            _ => "FAIL",
        };
        results.push(TestResult {
            name,
            result: result.to_owned(),
            output: Some(tail(&text)).filter(|_| result == "FAIL"),
        });
    }
    if results.is_empty() && output.status.code() != Some(NO_TESTS) {
        return Err(Error::new(
            ErrorKind::Check,
            format!(
                "pytest cannot run the tests of the project `{}`",
                environment.project.name.get_ref()
            ),
        )
        .because(tail(&format!("{}{}", output.stdout, output.stderr))));
    }
    Ok(results)
}

fn collect(folder: &Utf8Path, files: &mut Vec<Utf8PathBuf>) -> Result<()> {
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            collect(entry.path(), files)?;
        } else if name.ends_with("_test.py") || (name.starts_with("test_") && name.ends_with(".py"))
        {
            files.push(entry.into_path());
        }
    }
    Ok(())
}
