//! The checks of the documentation's pages against the code and the measurements. The group `docs` runs them beside
//! lychee, which checks the links, and the check of command lines.

mod figures;
mod tables;

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::files::tracked;

pub use figures::other_size;

/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Complaints about all pages.
///
/// # Errors
///
/// If a page or a source cannot be read, or a page of measurements lacks a row that others repeat.
pub fn complaints(workspace: &Utf8Path) -> Result<Vec<String>> {
    let mut complaints = figures::differences(workspace)?;
    complaints.extend(tables::differences(workspace)?);
    let summary = fs_err::read_to_string(workspace.join(SUMMARY))?;
    for page in tracked(workspace, &["docs/*.md"])? {
        let text = fs_err::read_to_string(workspace.join(&page))?;
        complaints.extend(outside_of_book(&summary, &page, &text));
    }
    Ok(complaints)
}

/// The complaint about a page that the table of contents lacks, or that links to a file above docs/.
fn outside_of_book(summary: &str, page: &str, text: &str) -> Option<String> {
    let name = page.strip_prefix("docs/")?;
    if page != SUMMARY && !summary.contains(&format!("]({name})")) {
        return Some(format!("{SUMMARY}: does not list {name}"));
    }
    let above = format!("]({}", "../".repeat(page.matches('/').count()));
    text.contains(&above)
        .then(|| format!("{page}: links to a file that the book does not have"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENTS: &str = "- [A](guide/a.md)\n";

    #[test]
    fn a_page_is_listed() {
        assert_eq!(outside_of_book(CONTENTS, "docs/guide/a.md", ""), None);
        assert_eq!(outside_of_book(CONTENTS, SUMMARY, CONTENTS), None);
        assert_eq!(
            outside_of_book(CONTENTS, "docs/guide/b.md", "").as_deref(),
            Some("docs/SUMMARY.md: does not list guide/b.md")
        );
    }

    #[test]
    fn a_link_stays_in_the_book() {
        let leaves = |page: &str, text: &str| outside_of_book(CONTENTS, page, text).is_some();
        assert!(!leaves("docs/guide/a.md", "[b](../design/b.md)"));
        assert!(leaves("docs/guide/a.md", "[b](../../README.md)"));
        assert!(leaves(SUMMARY, "[b](../README.md)"));
    }
}
