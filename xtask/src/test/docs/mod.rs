//! The documentation: links, commands, generated and compared pages, the book, and rustdoc.

mod book;
mod commands;
mod guides;
mod reference;

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::files::tracked;
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Extent, Venv};
use mondo_tidy::pages;

use super::rust;

/// Checks the pages and rustdoc. `--all` builds the book besides.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let workspace = context.workspace;
    let mut wrong = reference::outdated(workspace)?;
    wrong.extend(pages::complaints(workspace)?);
    let tracked = tracked(workspace, &["*.md"])?;
    for page in &tracked {
        wrong.extend(refused(workspace, page)?);
        if page.starts_with("docs/guide/") || page.starts_with("docs/contributing/") {
            let text = fs_err::read_to_string(workspace.join(page))?;
            wrong.extend(guides::untested(workspace, page, &text));
        }
    }
    let what = "the documentation is wrong";
    expect(wrong.is_empty(), what, wrong.join("\n"))?;
    links(context, &tracked)?;
    if extent.is_all() {
        book::build(context)?;
    }
    rust::documentation(context)
}

/// lychee over the links of all pages to files and headings. It does not ask other sites.
fn links(context: &Context<'_>, pages: &[String]) -> Result<()> {
    Venv::kept(context, "tools")?
        .program("lychee", "find the target of each link")
        .cwd(context.workspace)
        .args(["--offline", "--include-fragments"])
        .args(["--no-progress", "--quiet"])
        .args(pages)
        .stream()
}

/// The commands of README.md and of the book that our command line does not accept. A table of commands, whose first column
/// has commands without the program's name, is README.md's alone.
fn refused(workspace: &Utf8Path, page: &str) -> Result<Vec<String>> {
    let is_readme = page == "README.md";
    if !is_readme && page != "CONTRIBUTING.md" && !page.starts_with("docs/") {
        return Ok(Vec::new());
    }
    let named = commands::named(&fs_err::read_to_string(workspace.join(page))?);
    let what = "no command line was found";
    expect(!is_readme || !named.is_empty(), what, page)?;
    let named = named.iter();
    let named = named.filter(|named| is_readme || matches!(named, commands::Named::Line(..)));
    let refused = named.filter_map(commands::Named::refused);
    Ok(refused.map(|why| format!("{page}: {why}")).collect())
}
