//! What the project says of itself: the links of its pages, the commands that README.md names, and
//! the documentation of the crates that others build with.

mod commands;
mod links;

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::Context;

use super::rust;

/// The pages, README.md's command lines and rustdoc. All of it is in the gate.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let mut wrong = Vec::new();
    for page in pages(context.workspace)? {
        wrong.extend(links::broken(context.workspace, Utf8Path::new(&page))?);
    }
    let readme = fs_err::read_to_string(context.workspace.join("README.md"))?;
    let named = commands::named(&readme);
    if named.is_empty() {
        wrong.push("README.md: no command line was found in it".to_owned());
    }
    wrong.extend(named.iter().filter_map(commands::Named::refused));
    if !wrong.is_empty() {
        return Err(Error::new(ErrorKind::Check, "the pages say what is not so").details(wrong));
    }
    rust::documentation(context)
}

/// The Markdown files that git knows of, or that are new.
fn pages(workspace: &Utf8Path) -> Result<Vec<String>> {
    let list = Tool::new("git", "list the pages")
        .fails_as(ErrorKind::Check)
        .installed_by("apt-get install git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .args(["--exclude-standard", "--", "*.md"])
        .cwd(workspace)
        .output()?
        .stdout;
    let pages = list.split('\0').filter(|path| !path.is_empty());
    // A page that is deleted but not yet committed is listed all the same.
    Ok(pages
        .filter(|path| workspace.join(path).is_file())
        .map(str::to_owned)
        .collect())
}
