//! `--html`: the tree as a single page with a treemap. The page loads nothing from the network.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;

use super::contents::Sizes;

const PAGE: &str = include_str!("treemap.html");
const PLACE: &str = "/*SIZES*/";

/// The page.
///
/// # Errors
/// `ErrorKind::Io` where the sizes are not JSON, which cannot happen.
pub fn html(sizes: &Sizes) -> Result<String> {
    let data = serde_json::to_string(sizes)
        .map_err(|error| Error::new(ErrorKind::Io, "the sizes are not JSON").caused_by(error))?;
    // A name with `</script>` in it would end the element that holds the data, and one with
    // `<!--<script>` would keep it from ending. Only strings have this character in them.
    Ok(PAGE.replace(PLACE, &data.replace('<', "\\u003c")))
}

/// Checks that `file` can be written, before time is spent on the page's contents.
///
/// # Errors
/// For a folder, and for a file in no folder.
pub fn check_place(file: &Utf8Path) -> Result<()> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_str().is_empty() => folder,
        _ => Utf8Path::new("."),
    };
    let why = if file.is_dir() {
        "it is a folder".to_owned()
    } else if !folder.is_dir() {
        format!("{folder} is not a folder")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::Io, "cannot write the page")
        .at(file)
        .because(why)
        .help("pass `--html` a file in an existing folder"))
}

/// Writes the page, whole or not at all.
///
/// # Errors
/// `ErrorKind::Io` where it cannot be written.
pub fn write(sizes: &Sizes, file: &Utf8Path) -> Result<()> {
    check_place(file)?;
    replace(file, html(sizes)?.as_bytes())
}
