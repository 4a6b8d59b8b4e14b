//! The table of contents of the book: it lists each page, and no page links to a file outside the book.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::files::tracked;

const SUMMARY: &str = "docs/SUMMARY.md";

/// Complaints about pages of docs/ that the table of contents lacks, and about links that leave the book.
///
/// # Errors
///
/// If a page cannot be read.
pub(super) fn differences(workspace: &Utf8Path) -> Result<Vec<String>> {
    let summary = fs_err::read_to_string(workspace.join(SUMMARY))?;
    let mut complaints = Vec::new();
    for page in tracked(workspace, &["docs/*.md"])? {
        let text = fs_err::read_to_string(workspace.join(&page))?;
        complaints.extend(unlisted(&summary, &page));
        complaints.extend(leaving(&page, &text));
    }
    Ok(complaints)
}

fn unlisted(summary: &str, page: &str) -> Option<String> {
    let inside = page.strip_prefix("docs/")?;
    let is_listed = page == SUMMARY || summary.contains(&format!("]({inside})"));
    (!is_listed).then(|| format!("{SUMMARY}: does not list {inside}"))
}

/// Complains about links from a page to a folder above docs/.
fn leaving(page: &str, text: &str) -> Option<String> {
    let depth = page.matches('/').count();
    let target = format!("]({}", "../".repeat(depth));
    text.contains(&target)
        .then(|| format!("{page}: links to a file that the book does not have"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_listed() {
        let summary = "- [A](guide/a.md)\n";
        assert_eq!(unlisted(summary, "docs/guide/a.md"), None);
        assert_eq!(unlisted(summary, SUMMARY), None);
        assert_eq!(
            unlisted(summary, "docs/guide/b.md").as_deref(),
            Some("docs/SUMMARY.md: does not list guide/b.md")
        );
    }

    #[test]
    fn a_link_stays_in_the_book() {
        assert_eq!(leaving("docs/guide/a.md", "[b](../design/b.md)"), None);
        assert!(leaving("docs/guide/a.md", "[b](../../README.md)").is_some());
        assert!(leaving(SUMMARY, "[b](../README.md)").is_some());
    }
}
