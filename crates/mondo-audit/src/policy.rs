//! Policy of an audit: settings for the set, and expectations of single images.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::image_facts::{Facts, ImageKind};
use crate::rule_id::RuleId;

/// A call of `dlopen`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// The image, by its full name or by the last component of that.
    pub image: String,
    /// `RTLD_GLOBAL`, not `RTLD_LOCAL`.
    pub global: bool,
}

/// One image to audit: its bytes, and the name that findings call it by.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The name in findings, and the key into [`Policy::images`].
    pub name: &'a str,
    /// The whole file.
    pub bytes: &'a [u8],
}

/// Role of an image, which decides what it may export and need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A shared library that others link to.
    Library,
    /// A Python extension module.
    Extension {
        /// The last component of the module's name: `_mlir` exports `PyInit__mlir`.
        module: String,
    },
    /// A program, or something nobody links to.
    Other,
}

impl Role {
    /// Role of an image without an expectation: one that exports `PyInit_<x>` is an
    /// extension, one that has a SONAME is a library.
    #[must_use]
    pub fn guess(facts: &Facts<'_>) -> Self {
        // Of several, the one that Python asks for by the file's name.
        let file = facts.file_name().split('.').next().unwrap_or_default();
        let modules = || {
            let exports = facts.exports.iter();
            exports.filter_map(|export| export.name.strip_prefix("PyInit_"))
        };
        let same_file = modules().find(|&module| module == file);
        match same_file.or_else(|| modules().next()) {
            Some(module) => Self::Extension {
                module: module.to_owned(),
            },
            None if facts.soname.is_some() && facts.kind == ImageKind::SharedLibrary => {
                Self::Library
            }
            None => Self::Other,
        }
    }
}

/// Expectation of one image.
#[derive(Debug, Clone)]
pub struct Expect {
    /// Role.
    pub role: Role,
    /// The names a library exports, all of them and no others; `None` if that is not known. An
    /// extension's export is always its `PyInit_<module>`.
    pub exports: Option<BTreeSet<String>>,
    /// The version node that each export carries.
    pub version_node: Option<String>,
    /// The SONAME.
    pub soname: Option<String>,
    /// Libraries that it may need beside those of the libc family.
    pub needed: Vec<String>,
}

impl Expect {
    /// An extension module that needs these libraries.
    #[must_use]
    pub fn extension(module: &str, needed: &[&str]) -> Self {
        Self {
            role: Role::Extension {
                module: module.to_owned(),
            },
            exports: None,
            version_node: None,
            soname: None,
            needed: needed.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// A library with this SONAME that exports these names under this version node, and needs
    /// nothing but libc.
    #[must_use]
    pub fn library(soname: &str, version_node: &str, exports: BTreeSet<String>) -> Self {
        Self {
            role: Role::Library,
            exports: Some(exports),
            version_node: Some(version_node.to_owned()),
            soname: Some(soname.to_owned()),
            needed: Vec::new(),
        }
    }
}

/// The exports of somebody else's image, as its makers state them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportList {
    /// The image: a name in which `*` stands for any text.
    pub image: String,
    /// The names, likewise. Each has to stand for an export.
    pub names: Vec<String>,
}

/// Policy of an audit.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Expectations by image: by the full name given in [`Input::name`], or by the last component
    /// of that name.
    pub images: BTreeMap<String, Expect>,
    /// Exports of images without an expectation; the first list that fits counts.
    pub exports: Vec<ExportList>,
    /// The newest glibc that may be needed: `(2, 28)`.
    pub minimum_glibc: Option<(u32, u32)>,
    /// The oldest macOS that images run on: `(11, 0)`.
    pub minimum_macos: Option<(u32, u32)>,
    /// The oldest Windows, likewise, by its own number: `(6, 1)` is Windows 7.
    pub minimum_windows: Option<(u32, u32)>,
    /// The CPython whose stable ABI the extensions keep to: `(3, 10)`. [`crate::audit_wheel`] takes
    /// it from an abi3 wheel's tag where it is not given.
    pub abi3: Option<(u32, u32)>,
    /// Paths that must not occur in any shipped byte: home, workspace, cache, Cargo's home. Empty
    /// strings are ignored. Built-in patterns are searched for as well. A path of one component
    /// (`/root`) counts only where an absolute path can start and something follows below it.
    pub build_paths: Vec<String>,
    /// Rules that do not apply: an unstripped link, for one, may name build paths in its debug
    /// information.
    pub skip: BTreeSet<RuleId>,
    /// The order in which the images are loaded, for the rule `binding`. Without: any order, each of
    /// them once `RTLD_LOCAL` and once `RTLD_GLOBAL`.
    pub loads: Vec<Load>,
    /// The most bytes that a wheel may unpack to, all entries together.
    pub max_unpacked_size: u64,
}

impl Default for Policy {
    /// A generic policy: no expectations, wheels of at most 2 GiB unpacked.
    fn default() -> Self {
        Self {
            images: BTreeMap::new(),
            exports: Vec::new(),
            minimum_glibc: None,
            minimum_macos: None,
            minimum_windows: None,
            abi3: None,
            build_paths: Vec::new(),
            skip: BTreeSet::new(),
            loads: Vec::new(),
            max_unpacked_size: 2 << 30,
        }
    }
}

impl Policy {
    /// The expectation for the image of this name.
    #[must_use]
    pub fn expectation(&self, name: &str) -> Option<&Expect> {
        self.images
            .get(name)
            .or_else(|| self.images.get(name.rsplit('/').next().unwrap_or(name)))
    }
}
