//! A pyproject.toml as it is written: `[project]` (PEP 621, PEP 639) and `[tool.mondo]`. Tables of
//! other tools are not looked at.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::manifest::file::{Author, File};
use crate::spanned::Spanned;

#[derive(Debug, Deserialize)]
pub(super) struct Pyproject {
    pub(super) project: Option<Spanned<Project>>,
    pub(super) tool: Tool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tool {
    pub(super) mondo: File,
}

/// The part of a `pyproject.toml` that is read first: whether it has a manifest (`[tool.mondo]`), and in which format
/// version.
#[derive(Debug, Deserialize)]
pub(super) struct Formats {
    #[serde(default)]
    pub(super) tool: FormatTool,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct FormatTool {
    pub(super) mondo: Option<Spanned<BTreeMap<String, Spanned<toml::Value>>>>,
}

/// The `[project]` table. Its keys are the packaging specification's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Project {
    pub(super) name: Spanned<String>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) description: Option<Spanned<String>>,
    pub(super) readme: Option<Spanned<toml::Value>>,
    pub(super) requires_python: Option<Spanned<String>>,
    pub(super) license: Option<Spanned<toml::Value>>,
    pub(super) license_files: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    pub(super) authors: Vec<Spanned<Author>>,
    #[serde(default)]
    pub(super) maintainers: Vec<Spanned<Author>>,
    #[serde(default)]
    pub(super) keywords: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) classifiers: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) urls: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) dependencies: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) optional_dependencies: BTreeMap<String, Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) scripts: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) gui_scripts: BTreeMap<String, Spanned<String>>,
    #[serde(default)]
    pub(super) entry_points: BTreeMap<String, BTreeMap<String, Spanned<String>>>,
    pub(super) import_names: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) import_namespaces: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) dynamic: Vec<Spanned<String>>,
}
