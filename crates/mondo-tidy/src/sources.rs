//! The tracked files of the workspace, as the rules read them.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{ErrorKind, Result};

/// A tracked file.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    /// Its text, with U+FFFD in place of what is not UTF-8.
    pub(crate) text: String,
}

impl SourceFile {
    /// True for Rust that is compiled into a program or library, and not a test of its own.
    pub(crate) fn is_shipped_rust(&self) -> bool {
        self.path.ends_with(".rs")
            && !self.path.contains("/tests/")
            && !self.path.contains("/benches/")
            && !self.path.contains("/examples/")
    }

    /// The text before the unit tests at its end.
    pub(crate) fn before_tests(&self) -> &str {
        self.text.split("#[cfg(test)]").next().unwrap_or(&self.text)
    }

    /// `path:line: what` for each line of `text` that `wrong` complains about.
    pub(crate) fn complaints(
        &self,
        text: &str,
        wrong: impl Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        text.lines()
            .enumerate()
            .filter_map(|(index, line)| {
                wrong(line).map(|what| format!("{}:{}: {what}", self.path, index + 1))
            })
            .collect()
    }
}

/// Lists and reads the files that git tracks, and those that it would track.
pub(crate) fn tracked(workspace: &Utf8Path) -> Result<Vec<SourceFile>> {
    let list = Tool::new("git", "list the tracked files")
        .fails_as(ErrorKind::Check)
        .installed_by("apt-get install git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .cwd(workspace)
        .output()?
        .stdout;
    Ok(list
        .split('\0')
        .filter(|path| !path.is_empty())
        .filter_map(|path| {
            let bytes = fs_err::read(workspace.join(path)).ok()?;
            Some(SourceFile {
                path: path.to_owned(),
                text: String::from_utf8_lossy(&bytes).into_owned(),
            })
        })
        .collect())
}
