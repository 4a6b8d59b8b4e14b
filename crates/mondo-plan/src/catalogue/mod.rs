//! The catalogue of MLIR's dialects, C API archives, pass groups and translations and of LLVM's
//! code generators, per LLVM version. It is read from `crates/dialects/upstream/dialect.toml`; the
//! facts are data, so that no code is written per dialect.

#[cfg(test)]
mod against_llvm;
mod check;
mod model;
mod present;
#[cfg(test)]
mod present_tests;
mod release;
#[cfg(test)]
mod tests;

use camino::Utf8Path;
use mondo_core::error::Result;

use crate::document::Document;
pub use model::{
    Archive, Catalogue, Dialect, DialectExtension, Everything, FunctionStubs, LlvmTarget,
    ModuleExtension, PassGroup, PassPart, Sets, Tool, ToolTranslation, Translation, Versions,
};
pub use present::{Adapted, Difference, Present};
pub use release::Release;

/// The version of the catalogue format that this crate reads.
pub const FORMAT: u32 = 1;

/// The LLVM major versions that the catalogue of MLIR's own parts describes. Empty if the catalogue contradicts itself.
#[must_use]
pub fn versions() -> Vec<u32> {
    Catalogue::upstream().map_or_else(|_| Vec::new(), |catalogue| catalogue.llvm)
}

impl Catalogue {
    /// The catalogue of MLIR's own, which is part of this crate.
    ///
    /// # Errors
    /// `ErrorKind::Manifest` where the catalogue of this crate contradicts itself, which a test rules
    /// out.
    pub fn upstream() -> Result<Self> {
        Self::parse(
            include_str!("../../../dialects/upstream/dialect.toml"),
            "crates/dialects/upstream/dialect.toml".into(),
        )
    }

    /// Reads a catalogue.
    ///
    /// # Errors
    /// `ErrorKind::Manifest` where it cannot be read, parsed or accepted.
    pub fn load(path: &Utf8Path) -> Result<Self> {
        Self::check(&Document::read(path, "catalogue")?)
    }

    /// Checks a catalogue's text; `path` is what messages call it.
    ///
    /// # Errors
    /// `ErrorKind::Manifest` where it cannot be parsed or accepted.
    pub fn parse(text: &str, path: &Utf8Path) -> Result<Self> {
        Self::check(&Document::new(path, text))
    }

    fn check(source: &Document) -> Result<Self> {
        let catalogue: Self = source.parse_format("catalogue", FORMAT, "catalogue")?;
        check::check(&catalogue, source)?;
        Ok(catalogue)
    }

    /// The entries of one LLVM version, or `None` if the catalogue does not describe it.
    #[must_use]
    pub fn release(&self, major: u32) -> Option<Release<'_>> {
        self.llvm
            .contains(&major)
            .then(|| Release::new(self, major))
    }
}
