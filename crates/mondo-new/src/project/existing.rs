//! A Python project for a project with its own `CMake`: its package is the one that `CMake` names, its library has a
//! label, and none of its files changes.

use std::fmt::Write as _;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::path;
use mondo_plan::names::reserved;

use super::sources::MondoSources;
use crate::dialect::{CmakeProject, read_cmake_project};

/// The project, as the new one names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Existing {
    /// Its name in the manifest.
    pub name: String,
    /// Its folder, from the new one.
    pub folder: Utf8PathBuf,
    /// The place that CI has its sources from.
    pub checkout: Checkout,
    /// The licence of its text, if mondo knows that.
    pub license: Option<&'static str>,
    found: CmakeProject,
}

/// The place that CI has a project's sources from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkout {
    /// They are in the new project's folder.
    Inside,
    /// They are in the same repository, in which the new project has this folder.
    Same(Utf8PathBuf),
    /// CI clones a repository to this place, seen from the new project's folder.
    Clone(MondoSources, Utf8PathBuf),
    /// The project is in no repository, or in one without a URL.
    Unknown,
}

impl Existing {
    /// Reads the project in the folder `project`, for a new one in `folder`. Both are absolute.
    ///
    /// # Errors
    /// `ErrorKind::Io` where it cannot be read, and `ErrorKind::Manifest` where it has no `CMake` of its own over MLIR.
    pub fn read(project: &Utf8Path, folder: &Utf8Path, checkout: Checkout) -> Result<Self> {
        let found = read_cmake_project(project)?;
        let name = project.file_name().unwrap_or_default().to_ascii_lowercase();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let fits = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(plain);
        let relative = path::relative(project, folder);
        let folder = match relative.as_str() {
            "" => ".".into(),
            _ => relative,
        };
        Ok(Self {
            name: if fits { name } else { "project".to_owned() },
            folder,
            checkout,
            license: None,
            found,
        })
    }

    /// The same project with sources in another place.
    #[must_use]
    pub fn with_checkout(self, checkout: Checkout) -> Self {
        Self { checkout, ..self }
    }

    /// The text of its licence, where its folder has one.
    #[must_use]
    pub fn license_text(&self) -> Option<&str> {
        self.found.license.as_deref()
    }

    /// The command that runs its own tests, without the manifest.
    #[must_use]
    pub fn test_command(&self) -> String {
        let with = match self.found.tests_import_mlir {
            true => " --with mondo-mlir",
            false => "",
        };
        format!("mondo test-project {}{with}", self.name)
    }

    /// True if each wheel is for one `CPython`.
    pub(super) fn is_per_python(&self) -> bool {
        self.found.entry.has_modules && self.found.entry.has_extension
    }

    /// The package that it names, if a wheel of its own can have that.
    fn package(&self) -> Option<&str> {
        let package = self.found.entry.package.as_deref()?;
        let first = package.split('.').next().unwrap_or_default();
        Some(package).filter(|_| self.found.entry.has_modules && reserved(first).is_none())
    }

    /// The import root of the new project `name`.
    pub(super) fn root(&self, name: &str) -> String {
        self.package()
            .map_or_else(|| format!("{name}.mlir"), str::to_owned)
    }

    /// The lines of `[tool.mondo.package]` after the label.
    pub(super) fn root_line(&self) -> String {
        self.package().map_or_else(String::new, |package| {
            format!("import-root = \"{package}\"   # the package that the project's CMake names\n")
        })
    }

    /// The dialects, as words of a list in Python.
    pub(super) fn dialects(&self) -> String {
        let dialects = self.found.dialects.iter();
        let names: Vec<String> = dialects.map(|name| format!("{name:?}")).collect();
        names.join(", ")
    }

    /// The `dialects` of MLIR's own in the manifest.
    pub(super) fn contents(&self) -> String {
        let dialects = self.found.entry.own_dialects();
        format!("{dialects}   # those of the project come by themselves")
    }

    /// Its entry in the manifest.
    pub(super) fn entry(&self) -> String {
        let entry = &self.found.entry;
        let mut text = format!(
            "\n# The project as its CMake describes it; mondo configures and builds it against this LLVM.\n\
             [[tool.mondo.project]]\nname = \"{}\"\ncmake = \"{}\"\n",
            self.name, self.folder
        );
        match self.license {
            None => text.push_str(&entry.keys),
            Some(license) => {
                let keys = entry
                    .keys
                    .lines()
                    .filter(|key| !key.starts_with("# license"));
                text.extend(keys.flat_map(|key| [key, "\n"]));
                // Writing to a String cannot fail.
                let _ = writeln!(text, "license = \"{license}\"");
            }
        }
        if entry.has_modules && self.package().is_none() {
            text.push_str(match entry.package.as_deref() {
                Some("mlir") => {
                    "# python-root = \"mlir\"  # also imports it as `mlir`; no other package `mlir` can then be installed next to it\n"
                }
                _ => "python-root = true       # the package that the project's CMake names is an alias\n",
            });
        }
        text
    }
}
