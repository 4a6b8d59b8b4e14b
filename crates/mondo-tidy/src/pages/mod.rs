//! The checks of the documentation's pages against the code and the measurements. The group `docs` runs them beside
//! lychee, which checks the links, and the check of command lines.

mod contents;
mod figures;
mod tables;

use camino::Utf8Path;
use mondo_build::Result;

pub use figures::other_size;

/// Complaints about all pages.
///
/// # Errors
///
/// If a page or a source cannot be read, or a page of measurements lacks a row that others repeat.
pub fn complaints(workspace: &Utf8Path) -> Result<Vec<String>> {
    let mut complaints = contents::differences(workspace)?;
    complaints.extend(figures::differences(workspace)?);
    complaints.extend(tables::differences(workspace)?);
    Ok(complaints)
}
