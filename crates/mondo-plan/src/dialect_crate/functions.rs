//! The C functions of a crate, as far as the text of its headers and sources says: a registration
//! function that no header declares is found before anything is compiled, and so is one that is
//! declared and never defined.
//!
//! Headers may include files that are generated later, or call macros of their own. The functions of
//! such a crate are not checked.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file;
use serde::Serialize;

use crate::c_declarations::{bare, declarations, without_comments};

/// A function that a header declares and no source of its crate names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UndefinedFunction {
    /// Its name.
    pub function: String,
    /// The header.
    pub header: Utf8PathBuf,
    /// The line in it, from one.
    pub line: usize,
}

/// The functions in the text of a crate's headers and sources.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// The functions that the listed headers declare, and those headers of the crate that they include.
    pub(super) declared: BTreeMap<String, (Utf8PathBuf, usize)>,
    /// True if that is all: nothing was included or expanded that cannot be read here.
    pub(super) complete: bool,
    /// The words of the crate's sources, and of the crate's files that they include, except those headers.
    words: BTreeSet<String>,
    /// True if the sources make names by pasting.
    pasted: bool,
}

/// The macro of `mlir-c/IR.h` that declares a dialect's handle.
const DECLARES_HANDLE: &str = "MLIR_DECLARE_CAPI_DIALECT_REGISTRATION";
/// The macro of `mlir/CAPI/Registration.h` that defines it.
const DEFINES_HANDLE: &str = "MLIR_DEFINE_CAPI_DIALECT_REGISTRATION";
/// Macros of MLIR's headers that declare types.
const DECLARES_TYPES: [&str; 1] = ["DEFINE_C_API_STRUCT"];
/// Folders of headers that are not a crate's.
const UPSTREAM: [&str; 6] = [
    "mlir-c/",
    "llvm-c/",
    "mlir/",
    "llvm/",
    "llvm-shim/",
    "clang-c/",
];

impl Functions {
    /// Reads `headers` and `sources`, with what they include below `include`.
    pub(super) fn of(
        headers: &[Utf8PathBuf],
        sources: &[Utf8PathBuf],
        include: &[Utf8PathBuf],
    ) -> Result<Self> {
        let mut found = Self {
            complete: true,
            ..Self::default()
        };
        let mut seen = BTreeSet::new();
        for header in headers {
            found.header(header, include, &mut seen)?;
        }
        for source in sources {
            found.source(source, include, &mut seen)?;
        }
        Ok(found)
    }

    /// True if the sources may define a function of this name.
    pub(super) fn may_define(&self, function: &str) -> bool {
        self.pasted || self.words.contains(function)
    }

    fn header(
        &mut self,
        path: &Utf8Path,
        include: &[Utf8PathBuf],
        seen: &mut BTreeSet<Utf8PathBuf>,
    ) -> Result<()> {
        if !seen.insert(path.to_owned()) {
            return Ok(());
        }
        let text = file::read(path, file::LARGEST_TEXT)?;
        let text = String::from_utf8_lossy(&text);
        let bare = bare(&text);
        for found in declarations((1..).zip(bare.lines())) {
            let name = match &found.arguments {
                None => found.name,
                Some(arguments) if found.name == DECLARES_HANDLE && arguments.len() == 2 => {
                    handle(&arguments[1])
                }
                Some(_) => {
                    self.complete &= DECLARES_TYPES.contains(&found.name.as_str());
                    continue;
                }
            };
            self.declared
                .entry(name)
                .or_insert_with(|| (path.to_owned(), found.line));
        }
        for name in included(&text) {
            match resolve(&name, path, include) {
                Some(other) => self.header(&other, include, seen)?,
                None => self.complete &= UPSTREAM.iter().any(|start| name.starts_with(start)),
            }
        }
        Ok(())
    }

    fn source(
        &mut self,
        path: &Utf8Path,
        include: &[Utf8PathBuf],
        seen: &mut BTreeSet<Utf8PathBuf>,
    ) -> Result<()> {
        if !seen.insert(path.to_owned()) {
            return Ok(());
        }
        let text = file::read(path, file::LARGEST_TEXT)?;
        let text = String::from_utf8_lossy(&text);
        let code = without_comments(&text);
        self.pasted |= code.contains("##");
        let words = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        self.words.extend(words.map(str::to_owned));
        for (at, _) in code.match_indices(DEFINES_HANDLE) {
            let arguments = code[at + DEFINES_HANDLE.len()..].split([',', '(', ')']);
            if let Some(namespace) = arguments.skip(2).map(str::trim).next() {
                self.words.insert(handle(namespace));
            }
        }
        for name in included(&text) {
            if let Some(other) = resolve(&name, path, include) {
                self.source(&other, include, seen)?;
            }
        }
        Ok(())
    }
}

fn handle(namespace: &str) -> String {
    format!("mlirGetDialectHandle__{namespace}__")
}

/// The names that a text includes in quotes.
fn included(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        Some(rest.strip_prefix('"')?.split('"').next()?.to_owned())
    });
    names.collect()
}

fn resolve(name: &str, from: &Utf8Path, include: &[Utf8PathBuf]) -> Option<Utf8PathBuf> {
    let beside = from.parent().into_iter().map(Utf8Path::to_owned);
    let mut folders = beside.chain(include.iter().cloned());
    folders.find_map(|folder| {
        let path = folder.join(name);
        path.is_file().then(|| path.canonicalize_utf8().ok())?
    })
}
