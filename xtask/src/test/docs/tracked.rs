//! The files of the repository, as git lists them.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result};

/// The files of some patterns that git knows of, or that are new.
pub(super) fn tracked(workspace: &Utf8Path, patterns: &[&str]) -> Result<Vec<String>> {
    let list = Tool::new("git", "list the files")
        .fails_as(ErrorKind::Check)
        .installed_by("apt-get install git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .args(["--exclude-standard", "--"])
        .args(patterns)
        .cwd(workspace)
        .output()?
        .stdout;
    let files = list.split('\0').filter(|path| !path.is_empty());
    // A file that is deleted but not yet committed is listed all the same.
    Ok(files
        .filter(|path| workspace.join(path).is_file())
        .map(str::to_owned)
        .collect())
}
