//! The origin of a bundle's Rust: Cargo packages that are compiled, or a kit.

use camino::Utf8Path;
#[cfg(doc)]
use mondo_core::error::ErrorKind;
use mondo_core::error::Result;
use mondo_core::kit::Kit;
use mondo_core::source::Source;
use mondo_plan::dialect_crate::DialectCrate;
use mondo_plan::plan::Plan;

use super::packages::Packages;
use super::rust_crates;

/// The origin of the two staticlibs of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Staticlibs {
    /// Cargo compiles them, where the user's cache does not have them.
    Cargo(Packages),
    /// They are in a kit.
    Kit(Kit),
}

/// True if one of the crates is written in Rust. No kit has these, so cargo must compile them.
#[must_use]
pub fn needs_cargo(crates: &[DialectCrate]) -> bool {
    !rust_crates::of(crates).is_empty()
}

impl Staticlibs {
    /// The staticlibs for `plan`: those of the kit if `source` is one, else those of the checkout's packages.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`] where Cargo refuses a manifest, or the lock does not fit it.
    pub fn of(plan: &Plan, source: &Source, work: &Utf8Path) -> Result<Self> {
        match source.kit() {
            Some(kit) => Ok(Self::Kit(kit.clone())),
            None => Packages::of(plan, source, work).map(Self::Cargo),
        }
    }
}
