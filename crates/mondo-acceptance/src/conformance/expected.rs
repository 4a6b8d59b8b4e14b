//! The lists of upstream's tests that fail, each with its reason, and the lines of tests that are changed before a run,
//! because mondo differs on purpose.

use std::collections::{BTreeMap, BTreeSet};

use camino::Utf8Path;
use mondo_build::{Error, ErrorKind, Result};
use serde::Deserialize;

/// The list of the Python tests, below the workspace.
pub(super) const OF_PYTHON: &str = "tests/conformance.toml";

/// The list of the tools' tests.
pub(super) const OF_TOOLS: &str = "tests/conformance-tools.toml";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    /// The path of the list, below the workspace.
    #[serde(skip)]
    file: &'static str,
    /// The number of tests that are not listed and have to pass.
    passes: usize,
    /// Groups of tests that cannot pass.
    waits: Vec<Waits>,
    /// Lines that are changed before a test runs: `test`, `line`, `becomes`, and the `reason`.
    #[serde(default)]
    pub(super) edits: Vec<BTreeMap<String, String>>,
}

/// A group of tests that fail for the same reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waits {
    /// The missing feature, for a reader of the file.
    #[serde(rename = "reason")]
    _reason: String,
    tests: Vec<String>,
    /// Code generators, by their names in manifests. With a bundle that has all of them, the tests have to
    /// pass.
    #[serde(default)]
    targets: Vec<String>,
}

impl Expected {
    pub(super) fn load(workspace: &Utf8Path, file: &'static str) -> Result<Self> {
        let path = workspace.join(file);
        let expected: Self = toml::from_str(&fs_err::read_to_string(&path)?).map_err(|error| {
            let what = "the list of expected results is wrong";
            Error::new(ErrorKind::Check, what)
                .at(&path)
                .because(error.to_string())
        })?;
        Ok(Self { file, ..expected })
    }

    /// The expected results with a bundle that has these code generators: the groups that wait for them pass.
    pub(super) fn with_targets(mut self, targets: &BTreeSet<&str>) -> Self {
        let is_there = |group: &Waits| {
            let wanted = &group.targets;
            !wanted.is_empty() && wanted.iter().all(|name| targets.contains(name.as_str()))
        };
        let (passing, waits) = self.waits.into_iter().partition::<Vec<_>, _>(is_there);
        self.passes += passing.iter().map(|group| group.tests.len()).sum::<usize>();
        self.waits = waits;
        self
    }

    /// The tests that fail.
    pub(super) fn failing(&self) -> impl Iterator<Item = &str> {
        let tests = self.waits.iter().flat_map(|group| &group.tests);
        tests.map(String::as_str)
    }

    /// Compares the list with the outcomes of all tests: whether each passes, by lit's name of it. lit itself fails if a
    /// listed test passes, or another one fails.
    pub(super) fn covers(&self, outcomes: &BTreeMap<String, bool>) -> Result<()> {
        let names = outcomes.keys();
        let tests: BTreeSet<&str> = names
            .map(|name| name.rsplit(":: ").next().unwrap_or_default())
            .collect();
        let mut differences: Vec<String> = self
            .failing()
            .filter(|test| !tests.contains(test))
            .map(|test| format!("{test} is not there"))
            .collect();
        let passed = outcomes.values().filter(|passes| **passes).count();
        if passed != self.passes {
            differences.push(format!("{passed} tests pass, expected {}", self.passes));
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(
            Error::new(ErrorKind::Check, "the list does not fit upstream's tests")
                .at(self.file)
                .help("use the sources of the LLVM that the toolchain is, or bring the list up to date")
                .details(differences),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcomes(all: &[(&str, bool)]) -> BTreeMap<String, bool> {
        let outcomes = all.iter();
        outcomes
            .map(|(name, passes)| (format!("upstream :: {name}"), *passes))
            .collect()
    }

    #[test]
    fn what_waits_for_code_generators_passes_with_them() {
        let text = "passes = 1\n[[waits]]\nreason = 'r'\ntests = ['a']\ntargets = ['A', 'B']";
        for (targets, passes, failing) in [(vec!["A"], 1, 1), (vec!["A", "B", "C"], 2, 0)] {
            let expected: Expected = toml::from_str(text).unwrap();
            let expected = expected.with_targets(&targets.into_iter().collect());
            assert_eq!(expected.passes, passes);
            assert_eq!(expected.failing().count(), failing);
        }
    }

    #[test]
    fn tests_that_are_new_and_tests_that_are_gone_are_noticed() {
        let text = "passes = 1\n[[waits]]\nreason = 'r'\ntests = ['x']";
        let expected: Expected = toml::from_str(text).unwrap();
        let known = outcomes(&[("a", true), ("x", false)]);
        expected.covers(&known).unwrap();
        let found = outcomes(&[("a", true), ("b", true)]);
        let error = expected.covers(&found).unwrap_err();
        assert_eq!(
            error.listed(),
            ["2 tests pass, expected 1", "x is not there"]
        );
    }

    #[test]
    fn the_lists_of_this_workspace_are_sound() {
        let workspace = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (file, most) in [(OF_PYTHON, 200), (OF_TOOLS, 2000)] {
            let expected = Expected::load(&workspace, file).unwrap();
            let failing: Vec<&str> = expected.failing().collect();
            let different: BTreeSet<&str> = failing.iter().copied().collect();
            assert_eq!(failing.len(), different.len(), "{file} lists a test twice");
            assert!(failing.len() < expected.passes && expected.passes < most);
        }
    }
}
