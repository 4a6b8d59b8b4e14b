//! Running upstream's tests with lit, LLVM's test runner. A lit.cfg.py in `tests` configures it.

use camino::Utf8Path;
use mondo_build::progress::{self, Sink};
use mondo_build::toolchain::{self, Toolchain};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Venv;
use serde::Deserialize;

/// The time limit of one test in seconds, far above the time of the slowest one on a busy machine.
const TIME_LIMIT: &str = "600";

/// The name of the suite in lit.cfg.py, which lit puts before each test's path.
const SUITE: &str = "upstream :: ";

/// lit's entry point, with its progress on standard error.
const START: &str = "import sys, lit.main; sys.stdout = sys.stderr; lit.main.main()";

/// The inputs of a run of lit.
pub(super) struct Lit<'a> {
    /// The folder with lit.cfg.py.
    pub(super) config: &'a Utf8Path,
    /// The environment with lit and the package under test.
    pub(super) venv: &'a Venv,
    pub(super) toolchain: &'a Toolchain,
    /// The mlir folder of LLVM's sources.
    pub(super) mlir: &'a Utf8Path,
    /// An empty folder for copies of the tests and for their output.
    pub(super) work: &'a Utf8Path,
    /// Further parameters of lit.cfg.py.
    pub(super) parameters: Vec<(&'static str, String)>,
}

/// The result of one test.
#[derive(Debug)]
pub(super) struct TestResult {
    /// The test's path below the suite's folder.
    pub(super) test: String,
    /// The output of a test that does not pass.
    pub(super) failure: Option<String>,
}

impl Lit<'_> {
    /// Runs the tests whose path contains `pattern`; returns their results, sorted by path.
    pub(super) fn run(&self, pattern: &str, sink: &dyn Sink) -> Result<Vec<TestResult>> {
        let (results, _) = progress::phase(sink, "run", "upstream's tests", || {
            let results = self.start(pattern, sink)?;
            let passed = results.iter().filter(|r| r.failure.is_none()).count();
            let outcome = format!("{passed} of {} pass", results.len());
            Ok::<_, Error>((results, outcome))
        })?;
        Ok(results)
    }

    fn start(&self, pattern: &str, sink: &dyn Sink) -> Result<Vec<TestResult>> {
        self.filecheck()?;
        let report = self.work.join("results.json");
        let python = self.venv.dir.join("bin/python");
        let parameters = [
            ("mlir", self.mlir.to_string()),
            ("work", self.work.to_string()),
            ("python", python.to_string()),
            ("llvm", self.toolchain.prefix.to_string()),
            (
                "libraries",
                toolchain::tool_path(self.toolchain).unwrap_or_default(),
            ),
        ];
        self.venv
            .python("run lit")
            .args(["-c", START, "--ignore-fail", "--no-progress-bar"])
            .args(["--timeout", TIME_LIMIT, "--output", report.as_str()])
            .args(["--filter", &format!("{SUITE}.*{}", escaped(pattern))])
            .args(
                parameters
                    .iter()
                    .chain(&self.parameters)
                    .map(|(key, value)| format!("-D{key}={value}")),
            )
            .arg(self.config)
            .output_watched(&|line| {
                if let Some(count) = count(line) {
                    sink.update(count);
                }
            })?;
        parse(&fs_err::read_to_string(&report)?)
    }

    /// Fails if there is no `FileCheck`, which a distribution may have in a separate package. Without it each
    /// test would fail.
    fn filecheck(&self) -> Result<()> {
        let program = self.toolchain.prefix.join("bin/FileCheck");
        if program.is_file() {
            return Ok(());
        }
        let major = self.toolchain.version.split('.').next().unwrap_or_default();
        Err(
            Error::new(ErrorKind::Toolchain, "LLVM's FileCheck is not there")
                .at(program)
                .help(format!("apt-get install llvm-{major}-tools")),
        )
    }
}

/// Extracts `3 of 97` from a line of lit's progress: `PASS: upstream :: ir/module.py (3 of 97)`.
fn count(line: &str) -> Option<&str> {
    let (_, count) = line.rsplit_once('(')?;
    count.strip_suffix(')').filter(|it| it.contains(" of "))
}

/// A regular expression that matches this text only.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// The JSON that lit writes.
#[derive(Deserialize)]
struct Results {
    tests: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    code: String,
    output: String,
}

fn parse(json: &str) -> Result<Vec<TestResult>> {
    let results: Results = serde_json::from_str(json).map_err(|error| {
        Error::new(ErrorKind::Check, "lit's results cannot be read").because(error.to_string())
    })?;
    let result = |entry: Entry| TestResult {
        test: entry
            .name
            .strip_prefix(SUITE)
            .unwrap_or(&entry.name)
            .to_owned(),
        failure: (entry.code != "PASS").then(|| format!("{}\n{}", entry.code, entry.output)),
    };
    let mut results: Vec<TestResult> = results.tests.into_iter().map(result).collect();
    results.sort_by(|a, b| a.test.cmp(&b.test));
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lit_s_results_are_sorted_by_path() {
        let json = r#"{"__version__": [23, 1, 5], "elapsed": 3.0, "tests": [
            {"name": "upstream :: ir/b.py", "code": "FAIL", "output": "first\nlast", "elapsed": 1.5},
            {"name": "upstream :: c.py", "code": "UNSUPPORTED", "output": "", "elapsed": null},
            {"name": "upstream :: a.py", "code": "PASS", "output": "", "elapsed": 0.5}]}"#;
        let results = parse(json).unwrap();
        let shown: Vec<_> = results
            .iter()
            .map(|result| (result.test.as_str(), result.failure.as_deref()))
            .collect();
        assert_eq!(
            shown,
            [
                ("a.py", None),
                ("c.py", Some("UNSUPPORTED\n")),
                ("ir/b.py", Some("FAIL\nfirst\nlast")),
            ]
        );
        assert!(parse("").is_err());
    }

    #[test]
    fn a_pattern_is_text() {
        assert_eq!(escaped("ir/a+_b.py"), r"ir\/a\+\_b\.py");
    }

    #[test]
    fn progress_is_the_count_of_a_line() {
        assert_eq!(count("PASS: upstream :: a.py (3 of 97)"), Some("3 of 97"));
        assert_eq!(count("-- Testing: 97 tests, 2 workers --"), None);
    }
}
