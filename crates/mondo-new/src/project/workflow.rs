//! The file of CI of a new project: what it builds in, and what a release has.

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

/// The words of the template of CI's file.
pub(super) fn words(words: Words, contents: &Contents) -> Words {
    let per_python = match contents {
        Contents::Cpp | Contents::Cmake => true,
        Contents::Existing(existing) => existing.is_per_python(),
        Contents::Pick | Contents::Rust(_) => false,
    };
    let (image, packages) = match contents {
        Contents::Rust(_) => ("rust:1.95-bookworm", "python3-dev python3-pip python3-venv"),
        _ if per_python => (
            "python:${{ matrix.python }}-bookworm",
            "ca-certificates git",
        ),
        _ => (
            "debian:bookworm",
            "ca-certificates git python3-dev python3-pip python3-venv",
        ),
    };
    let (matrix, artifact) = match per_python {
        true => (
            MATRIX.replace("@pythons@", PYTHONS),
            "dist-${{ matrix.python }}",
        ),
        false => (String::new(), "dist"),
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
    let (defaults, above, folder) = match existing.map(|project| &project.checkout) {
        Some(Checkout::Same(folder)) => (
            format!("    defaults:\n      run:\n        working-directory: {folder}\n"),
            // The folder is not there before the checkout.
            "        working-directory: /\n".to_owned(),
            format!("{folder}/"),
        ),
        _ => (String::new(), String::new(), String::new()),
    };
    words
        .with("@sources@", &sources)
        .with("@files@", files)
        .with("@step@", step)
        .with("@options@", options)
        .with("@matrix@", &matrix)
        .with("@defaults@", &defaults)
        .with("@above@", &above)
        .with("@folder@", &folder)
        .with("@artifact@", artifact)
        .with("@image@", image)
        .with("@packages@", packages)
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
