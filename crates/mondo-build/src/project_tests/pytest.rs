//! pytest over the Python tests in a project's test folders.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Deserialize;

use super::environment::{Environment, TestResult, tail};

/// pytest's exit codes where all tests passed, and where some failed.
const PASSED: i32 = 0;
const FAILED: i32 = 1;

/// pytest's exit code if no test was collected: then only the names of the files look like those of tests.
const NO_TESTS: i32 = 5;

/// A plug-in that writes results as JSON lines.
const PLUGIN: &str = include_str!("../../data/pytest_lines.py");

#[derive(Deserialize)]
struct Line {
    name: String,
    outcome: String,
    text: String,
}

/// Runs the tests. The result is empty if no file has tests.
pub(super) fn run(environment: &Environment<'_>) -> Result<Vec<TestResult>> {
    let mut files = Vec::new();
    for path in &environment.project.tests {
        if path.is_dir() {
            collect(path, &mut files)?;
        } else {
            files.push(path.clone());
        }
    }
    files.retain(|path| environment.has_chosen(path));
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
        .arg("--continue-on-collection-errors")
        .args(&files)
        .output_unchecked()?;
    let lines = lines(&report)?;
    let text = format!("{}{}", output.stdout, output.stderr);
    let results = results(&lines, &text);
    let ended_well = matches!(output.status.code(), Some(PASSED | FAILED));
    let no_tests = output.status.code() == Some(NO_TESTS) && results.is_empty();
    if ended_well || no_tests || results.iter().any(TestResult::failed) {
        return Ok(results);
    }
    Err(Error::new(
        ErrorKind::Check,
        format!(
            "pytest cannot run the tests of the project `{}`",
            environment.project.name.get_ref()
        ),
    )
    .because(format!("it failed with {}\n{}", output.status, tail(&text))))
}

fn lines(report: &Utf8Path) -> Result<Vec<Line>> {
    let text = fs_err::read_to_string(report)?;
    let lines = text.lines().map(|line| {
        serde_json::from_str(line).map_err(|error| {
            Error::new(ErrorKind::Check, "cannot read pytest's results")
                .at(report)
                .caused_by(error)
        })
    });
    lines.collect()
}

/// The results of the tests. A test that began and did not end has crashed the interpreter, whatever the exit code
/// is, and the tests after it did not run. `said` is pytest's output.
fn results(lines: &[Line], said: &str) -> Vec<TestResult> {
    let of = |outcome: &str| {
        let names = lines.iter().filter(|line| line.outcome == outcome);
        names.map(|line| line.name.as_str()).collect::<Vec<_>>()
    };
    let (collected, started, ended) = (of("collected"), of("started"), of("ended"));
    let mut results = Vec::new();
    for Line {
        name,
        outcome,
        text,
    } in lines
    {
        let result = match outcome.as_str() {
            "collected" | "started" | "ended" => continue,
            "passed" => "PASS",
            "skipped" => "SKIPPED",
            _ => "FAIL",
        };
        results.push(TestResult {
            name: name.clone(),
            result: result.to_owned(),
            output: Some(tail(text)).filter(|_| result == "FAIL"),
            missing: Vec::new(),
        });
    }
    let unfinished = started.iter().rfind(|test| !ended.contains(*test));
    for name in collected.iter().filter(|test| !ended.contains(*test)) {
        let why = match unfinished {
            Some(other) if other == name => {
                format!("it crashed the interpreter\n{}", last_words(said))
            }
            Some(other) => format!("it did not run: {other} crashed the interpreter"),
            None => "it did not run: pytest stopped before it".to_owned(),
        };
        results.push(TestResult {
            name: (*name).to_owned(),
            result: "FAIL".to_owned(),
            output: Some(why),
            missing: Vec::new(),
        });
    }
    results
}

/// The message with which Python died, and its traceback; the end of the output if there is no such message.
fn last_words(said: &str) -> String {
    const LINES: usize = 12;
    let mut lines = said
        .lines()
        .skip_while(|line| !line.starts_with("Fatal Python error"));
    let words: Vec<&str> = lines.by_ref().take(LINES).collect();
    if words.is_empty() {
        tail(said)
    } else {
        words.join("\n")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, outcome: &str) -> Line {
        Line {
            name: name.to_owned(),
            outcome: outcome.to_owned(),
            text: String::new(),
        }
    }

    #[test]
    fn a_test_that_ends_the_interpreter_fails_and_so_do_those_after_it() {
        let lines = [
            line("a", "collected"),
            line("crash", "collected"),
            line("z", "collected"),
            line("a", "started"),
            line("a", "passed"),
            line("a", "ended"),
            line("crash", "started"),
        ];
        let results = results(&lines, "Fatal Python error: Aborted");
        let output_at = |at: usize| results[at].output.as_deref().unwrap_or_default();
        let names: Vec<(&str, bool)> = results
            .iter()
            .map(|result| (result.name.as_str(), result.failed()))
            .collect();
        assert_eq!(names, [("a", false), ("crash", true), ("z", true)]);
        assert!(
            output_at(1).contains("Fatal Python error"),
            "{}",
            output_at(1)
        );
        assert!(output_at(2).contains("crash crashed"), "{}", output_at(2));
    }

    #[test]
    fn a_file_that_cannot_be_imported_hides_no_other_test() {
        let lines = [
            line("broken.py", "failed"),
            line("a", "collected"),
            line("a", "started"),
            line("a", "skipped"),
            line("a", "ended"),
        ];
        let results = results(&lines, "");
        let words: Vec<&str> = results
            .iter()
            .map(|result| result.result.as_str())
            .collect();
        assert_eq!(words, ["FAIL", "SKIPPED"]);
    }
}
