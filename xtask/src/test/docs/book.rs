//! The book: docs/ as mdBook builds it.

use mondo_build::{ErrorKind, Result, compile};

use mondo_testbed::Context;
use mondo_testbed::verdict::tool;

/// The version of mdBook; its own lock file pins what it depends on.
const MDBOOK: &str = "0.5.4";

/// Builds the book into the scratch folder. mdBook is compiled in the first run only.
pub(super) fn build(context: &Context<'_>) -> Result<()> {
    let root = context.scratch().join(format!("mdbook-{MDBOOK}"));
    let program = root.join("bin/mdbook");
    if !program.is_file() {
        compile::cargo("install mdBook")
            .fails_as(ErrorKind::Check)
            .args(["install", "mdbook", "--quiet", "--locked"])
            .args(["--version", MDBOOK])
            // Neither a server nor a search index: only the pages.
            .args(["--no-default-features", "--root", root.as_str()])
            .arg("--target-dir")
            .arg(root.join("build"))
            .output()?;
        fs_err::remove_dir_all(root.join("build"))?;
    }
    tool(program, "build the book")
        .cwd(context.workspace)
        .args(["build", "docs", "--dest-dir"])
        .arg(context.scratch().join("book"))
        .output()
        .map(drop)
}
