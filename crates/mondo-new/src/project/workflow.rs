//! The file of CI of a new project: the versions of Python it builds for, and what a release has.

use super::contents::Contents;
use super::existing::{Checkout, Existing};
use super::sources;
use crate::template::Words;

/// The `CPython`s that a project's wheels are built for if each is for one.
const PYTHONS: &str = "\"3.10\", \"3.11\", \"3.12\", \"3.13\", \"3.14\"";

/// The jobs of one wheel for each `CPython`.
const MATRIX: &str =
    "    # A C++ extension works with one CPython, so each CPython gets its own wheel.
    strategy:
      fail-fast: false
      matrix:
        python: [@pythons@]
";

/// The step that gets the `CPython` of a job.
const SETUP_PYTHON: &str =
    "      - uses: actions/setup-python@83679a892e2d95755f2dac6acb0bfd1e9ac5d548 # v6.1.0
        with:
          python-version: ${{ matrix.python }}
";

/// The words of the template of CI's file.
pub(super) fn words(words: Words, contents: &Contents) -> Words {
    let per_python = match contents {
        Contents::Cpp | Contents::Cmake => true,
        Contents::Existing(existing) => existing.is_per_python(),
        Contents::Pick | Contents::Rust(_) => false,
    };
    let (matrix, python, artifact) = match per_python {
        true => (
            MATRIX.replace("@pythons@", PYTHONS),
            SETUP_PYTHON,
            "dist-${{ matrix.python }}",
        ),
        false => (String::new(), "", "dist"),
    };
    let existing = match contents {
        Contents::Existing(existing) => Some(existing.as_ref()),
        _ => None,
    };
    // An sdist has what is below the project's folder alone.
    let outside = existing.is_some_and(|project| project.checkout != Checkout::Inside);
    let (files, step, options) = match outside {
        true => ("The wheel", "Build the wheel", " --wheel"),
        false => (
            "The sdist and the wheel",
            "Build the sdist, and the wheel from it",
            "",
        ),
    };
    let known = match contents {
        Contents::Rust(known) => known.as_ref(),
        _ => None,
    };
    let sources = existing.map_or_else(|| sources::step(known), checkout);
    let (defaults, folder) = match existing.map(|project| &project.checkout) {
        Some(Checkout::Same(folder)) => (
            format!("    defaults:\n      run:\n        working-directory: {folder}\n"),
            format!("{folder}/"),
        ),
        _ => (String::new(), String::new()),
    };
    words
        .with("@sources@", &sources)
        .with("@files@", files)
        .with("@step@", step)
        .with("@options@", options)
        .with("@matrix@", &matrix)
        .with("@defaults@", &defaults)
        .with("@python@", python)
        .with("@folder@", &folder)
        .with("@artifact@", artifact)
}

/// The step that gets the sources of a project that exists.
fn checkout(existing: &Existing) -> String {
    match &existing.checkout {
        Checkout::Clone(sources, place) => {
            sources::clone("Get the project's sources", Some(sources), place)
        }
        Checkout::Inside | Checkout::Same(_) | Checkout::Unknown => String::new(),
    }
}
