//! The comparison of the tests' results with the expected ones.

use mondo::Verbosity;
use mondo_build::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet};

use super::expected::Expected;
use super::lit::TestResult;

/// The maximum number of columns of a line of a test's output, unless the output is verbose.
const MOST_COLUMNS: usize = 160;

#[derive(Debug)]
pub(super) struct Report {
    /// The list that the results are compared with.
    list: &'static str,
    passed: usize,
    tests: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    test: String,
    verdict: Verdict,
    /// The output of a test that does not pass.
    failure: Option<String>,
    /// The reason from the list, if the test was expected to fail.
    waits_for: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passes,
    /// The test fails, as expected.
    Waits,
    /// The test fails, and was expected to pass.
    Fails,
    /// The test passes, and was expected to fail.
    PassesUnexpectedly,
}

impl Report {
    pub(super) fn new(results: Vec<TestResult>, expected: &Expected) -> Self {
        let reasons = expected.reasons();
        let entry = |result: TestResult| {
            let reason = reasons.get(result.test.as_str());
            Entry {
                verdict: match (&result.failure, reason) {
                    (None, None) => Verdict::Passes,
                    (Some(_), Some(_)) => Verdict::Waits,
                    (Some(_), None) => Verdict::Fails,
                    (None, Some(_)) => Verdict::PassesUnexpectedly,
                },
                waits_for: reason.map(ToString::to_string),
                test: result.test,
                failure: result.failure,
            }
        };
        let tests: Vec<Entry> = results.into_iter().map(entry).collect();
        Self {
            list: expected.file,
            passed: tests.iter().filter(|test| test.failure.is_none()).count(),
            tests,
        }
    }

    /// The unexpected results in full, and a table of all folders.
    pub(super) fn text(&self, verbosity: Verbosity) -> String {
        let mut text = String::new();
        for test in &self.tests {
            let shown = match test.verdict {
                Verdict::Passes => false,
                Verdict::Waits => verbosity == Verbosity::Verbose,
                Verdict::Fails | Verdict::PassesUnexpectedly => true,
            };
            if shown {
                text.push_str(&test.text(verbosity));
            }
        }
        if verbosity >= Verbosity::Normal {
            text.push_str(&self.table());
        }
        text.push_str(&format!("{} of {} pass", self.passed, self.tests.len()));
        text
    }

    fn table(&self) -> String {
        let mut folders: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for test in &self.tests {
            let folder = test.test.rsplit_once('/').map_or(".", |(folder, _)| folder);
            let [all, passed, waiting] = folders.entry(folder).or_default();
            *all += 1;
            *passed += usize::from(test.failure.is_none());
            *waiting += usize::from(test.verdict == Verdict::Waits);
        }
        let mut table = format!(
            "{:24} {:>5} {:>6} {:>7}\n",
            "folder", "tests", "pass", "waiting"
        );
        for (folder, [all, passed, waiting]) in folders {
            table.push_str(&format!("{folder:24} {all:>5} {passed:>6} {waiting:>7}\n"));
        }
        table
    }

    /// The paths of all tests that ran.
    pub(super) fn tests(&self) -> BTreeSet<&str> {
        self.tests.iter().map(|test| test.test.as_str()).collect()
    }

    /// Checks the results.
    ///
    /// # Errors
    ///
    /// If the result of a test is not the expected one.
    pub(super) fn judge(&self) -> Result<()> {
        let unexpected =
            |test: &&Entry| matches!(test.verdict, Verdict::Fails | Verdict::PassesUnexpectedly);
        let details: Vec<String> = self
            .tests
            .iter()
            .filter(unexpected)
            .map(|test| format!("{}: {}", test.test, test.verdict.words()))
            .collect();
        if details.is_empty() {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::Check,
            "upstream's tests do not do what is expected",
        )
        .at(self.list)
        .help("-v shows all that a test said; what passes now is taken out of `waits`")
        .details(details))
    }
}

impl Entry {
    fn text(&self, verbosity: Verbosity) -> String {
        let mut text = format!("{}: {}", self.test, self.verdict.words());
        if let Some(reason) = &self.waits_for {
            text.push_str(&format!(" ({reason})"));
        }
        text.push('\n');
        if let Some(failure) = self.failure.as_deref() {
            let lines: Vec<&str> = failure.trim_end().lines().collect();
            let shown = match verbosity {
                Verbosity::Quiet => 0,
                Verbosity::Normal => lines.len().min(12),
                Verbosity::Verbose => lines.len(),
            };
            for line in &lines[lines.len() - shown..] {
                let line = match verbosity {
                    Verbosity::Verbose => line,
                    // Long lines are cut, because FileCheck quotes lines of the input in full.
                    Verbosity::Normal | Verbosity::Quiet => {
                        let end = line.char_indices().nth(MOST_COLUMNS);
                        end.map_or(*line, |(end, _)| &line[..end])
                    }
                };
                text.push_str(&format!("    {line}\n"));
            }
        }
        text
    }
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Self::Passes => "passes",
            Self::Waits => "waits",
            Self::Fails => "FAILS",
            Self::PassesUnexpectedly => "PASSES, which is not what the list says",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(results: &[(&str, Option<&str>)]) -> Report {
        let list = "passes = ['ir/a.py', 'b.py']\n[[waits]]\nreason = 'gpu'\ntests = ['c.py']";
        let expected: Expected = toml::from_str(list).unwrap();
        let result = |(test, failure): &(&str, Option<&str>)| TestResult {
            test: (*test).to_owned(),
            failure: failure.map(str::to_owned),
        };
        Report::new(results.iter().map(result).collect(), &expected)
    }

    #[test]
    fn what_is_expected_is_no_error() {
        let report = report(&[("ir/a.py", None), ("c.py", Some("no GPU"))]);
        report.judge().unwrap();
        let text = report.text(Verbosity::Normal);
        assert!(
            text.ends_with("1 of 2 pass") && !text.contains("no GPU"),
            "{text}"
        );
        assert!(report.text(Verbosity::Verbose).contains("no GPU"));
    }

    #[test]
    fn a_failure_and_a_surprise_are_errors() {
        let report = report(&[("b.py", Some("first\nlast")), ("c.py", None)]);
        let error = report.judge().unwrap_err();
        let named = error.listed().join("\n");
        assert!(
            named.contains("b.py: FAILS") && named.contains("c.py: PASSES"),
            "{named}"
        );
        let text = report.text(Verbosity::Normal);
        assert!(
            text.contains("    last\n") && text.contains("(gpu)"),
            "{text}"
        );
    }
}
