//! Core metadata (version 2.4, PEP 639).

use std::collections::BTreeMap;

use camino::Utf8PathBuf;
use serde::Serialize;

/// What METADATA is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// The distribution's name as it is displayed: `mondo-mlir`.
    pub distribution: String,
    /// A PEP 440 version: `22.1.8`.
    pub version: String,
    /// One line.
    pub summary: Option<String>,
    /// An SPDX expression: `Apache-2.0 WITH LLVM-exception`.
    pub license: String,
    /// Licence files of the packager, absolute. LLVM's is added by the stage phase.
    pub license_files: Vec<Utf8PathBuf>,
    /// Who made it.
    pub authors: Vec<Person>,
    /// Label to address, in the order of the labels.
    pub urls: BTreeMap<String, String>,
    /// A Markdown or reStructuredText file, absolute.
    pub readme: Option<Utf8PathBuf>,
    /// `>=3.10`.
    pub requires_python: String,
    /// Requirement specifiers (PEP 508).
    pub requires: Vec<String>,
    /// Search words.
    pub keywords: Vec<String>,
    /// Trove classifiers, without licence ones.
    pub classifiers: Vec<String>,
}

/// A person or team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    /// Full name.
    pub name: Option<String>,
    /// Mail address.
    pub email: Option<String>,
}
