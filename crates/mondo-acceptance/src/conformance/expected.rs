//! The lists of upstream's tests: the tests that pass, those that fail with the reasons, and the lines of
//! tests that are changed before a run, because mondo differs on purpose.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};

/// The list of the Python tests, below the workspace.
pub(super) const OF_PYTHON: &str = "tests/conformance.toml";

/// The list of the tools' tests.
pub(super) const OF_TOOLS: &str = "tests/conformance-tools.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Expected {
    /// The path of the list, below the workspace.
    #[serde(skip)]
    pub(super) file: &'static str,
    /// The number of tests that are not listed and have to pass. In a list without this number, `passes`
    /// names each test.
    pub(super) others_pass: Option<usize>,
    /// Tests that have to pass.
    #[serde(default)]
    pub(super) passes: BTreeSet<String>,
    /// Groups of tests that cannot pass.
    #[serde(default)]
    pub(super) waits: Vec<Waits>,
    /// Lines that are changed before a test runs.
    #[serde(default)]
    pub(super) edits: Vec<Edit>,
}

/// A group of tests that fail for the same reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Waits {
    /// The missing feature.
    reason: String,
    tests: Vec<String>,
    /// Code generators, by their names in manifests. With a bundle that has all of them, the tests have to
    /// pass.
    #[serde(default)]
    targets: Vec<String>,
}

/// A replacement of one line of one test.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    test: String,
    line: String,
    becomes: String,
    /// The reason, for a reader of the file.
    #[serde(rename = "reason", skip_serializing)]
    _reason: String,
}

impl Expected {
    pub(super) fn load(workspace: &Utf8Path, file: &'static str) -> Result<Self> {
        let path = workspace.join(file);
        let wrong = |why: String| {
            Error::new(ErrorKind::Check, "the list of expected results is wrong")
                .at(&path)
                .because(why)
        };
        let expected: Self = toml::from_str(&fs_err::read_to_string(&path)?)
            .map_err(|error| wrong(error.to_string()))?;
        expected.check().map_err(wrong)?;
        Ok(Self { file, ..expected })
    }

    /// The expected results with a bundle that has these code generators: the groups that wait for them pass.
    pub(super) fn with_targets(mut self, targets: &BTreeSet<&str>) -> Self {
        let is_there = |group: &Waits| {
            let wanted = &group.targets;
            !wanted.is_empty() && wanted.iter().all(|name| targets.contains(name.as_str()))
        };
        let (passing, waits) = self.waits.into_iter().partition::<Vec<_>, _>(is_there);
        self.waits = waits;
        self.passes
            .extend(passing.into_iter().flat_map(|group| group.tests));
        self
    }

    /// Checks that no test is listed twice, and that each group has a reason.
    fn check(&self) -> Result<(), String> {
        let mut seen: BTreeSet<&str> = self.passes.iter().map(String::as_str).collect();
        for waits in &self.waits {
            if waits.reason.trim().is_empty() {
                return Err(format!("no reason for {}", waits.tests.join(", ")));
            }
            for test in &waits.tests {
                if !seen.insert(test) {
                    return Err(format!("{test} is listed twice"));
                }
            }
        }
        Ok(())
    }

    /// The tests that are not expected to pass, with their reasons.
    pub(super) fn reasons(&self) -> BTreeMap<&str, &str> {
        self.waits
            .iter()
            .flat_map(|waits| {
                let tests = waits.tests.iter();
                tests.map(|test| (test.as_str(), waits.reason.as_str()))
            })
            .collect()
    }

    /// All tests of the list whose path contains `pattern`.
    pub(super) fn listed(&self, pattern: &str) -> BTreeSet<&str> {
        self.passes
            .iter()
            .map(String::as_str)
            .chain(self.reasons().into_keys())
            .filter(|test| test.contains(pattern))
            .collect()
    }

    /// Compares the list with `tests`, those of the sources whose path contains `pattern`.
    ///
    /// # Errors
    ///
    /// If a test is missing in one of the two.
    pub(super) fn covers(&self, tests: &BTreeSet<&str>, pattern: &str) -> Result<()> {
        let listed = self.listed(pattern);
        let missing = tests.difference(&listed).map(|test| format!("+ {test}"));
        let gone = listed.difference(tests).map(|test| format!("- {test}"));
        let differences: Vec<String> = match self.others_pass {
            None => missing.chain(gone).collect(),
            Some(count) if pattern.is_empty() && missing.clone().count() != count => {
                let others = format!("{count} others are expected, {} are there", missing.count());
                gone.chain([others]).collect()
            }
            Some(_) => gone.collect(),
        };
        if differences.is_empty() {
            return Ok(());
        }
        Err(
            Error::new(ErrorKind::Check, "the list is not of these sources' tests")
                .at(self.file)
                .because("a + is a test of theirs that is not listed, a - the other way round")
                .help("use the sources of the LLVM that the toolchain is, or bring the list up to date")
                .details(differences),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Expected, String> {
        let expected: Expected = toml::from_str(text).map_err(|error| error.to_string())?;
        expected.check().map(|()| expected)
    }

    #[test]
    fn a_test_is_listed_once_and_with_its_reason() {
        let good = "passes = ['a']\n[[waits]]\nreason = 'dialects'\ntests = ['b']";
        let expected = parse(good).unwrap();
        assert_eq!(expected.reasons().get("b"), Some(&"dialects"));
        assert!(parse(&good.replace("'b'", "'a'")).is_err());
        assert!(parse(&good.replace("dialects", " ")).is_err());
        assert!(parse(&good.replace("reason", "why")).is_err());
    }

    #[test]
    fn what_waits_for_code_generators_passes_with_them() {
        let text = "passes = []\n[[waits]]\nreason = 'r'\ntests = ['a']\ntargets = ['A', 'B']";
        for (targets, waits) in [(vec!["A"], true), (vec!["A", "B", "C"], false)] {
            let expected = parse(text).unwrap();
            let expected = expected.with_targets(&targets.into_iter().collect());
            assert_eq!(expected.reasons().contains_key("a"), waits);
            assert_eq!(expected.passes.contains("a"), !waits);
        }
    }

    #[test]
    fn what_is_not_listed_and_what_is_gone_are_named() {
        let expected = parse("passes = ['a', 'gone']").unwrap();
        let error = expected.covers(&["a", "new"].into(), "").unwrap_err();
        assert_eq!(error.listed(), ["+ new", "- gone"]);
        expected.covers(&["a", "gone"].into(), "").unwrap();
        expected.covers(&["gone"].into(), "on").unwrap();
    }

    #[test]
    fn the_others_of_a_list_are_counted() {
        let expected = parse("others-pass = 2\n[[waits]]\nreason = 'r'\ntests = ['x']").unwrap();
        expected.covers(&["a", "b", "x"].into(), "").unwrap();
        expected.covers(&["x"].into(), "x").unwrap();
        for tests in [["a", "x", "x"], ["a", "b", "c"]] {
            assert!(expected.covers(&tests.into(), "").is_err());
        }
    }

    #[test]
    fn the_lists_of_this_workspace_are_sound() {
        let workspace = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let expected = Expected::load(&workspace, OF_PYTHON).unwrap();
        assert!(!expected.passes.is_empty());
        let expected = Expected::load(&workspace, OF_TOOLS).unwrap();
        assert!(expected.others_pass > Some(1000));
    }
}
