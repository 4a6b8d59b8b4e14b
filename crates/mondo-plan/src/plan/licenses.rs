//! The licence expression of a wheel.

use crate::dialect_crate::DialectCrate;
use crate::metadata::{Metadata, all_of};

/// The wheel holds the crates' code, so its licence expression has theirs.
pub(super) fn with_licenses(metadata: &Metadata, crates: &[DialectCrate]) -> Metadata {
    let of_crates = crates
        .iter()
        .filter_map(|one| one.package.license.as_deref());
    Metadata {
        license: all_of(&metadata.license, of_crates),
        ..metadata.clone()
    }
}
