//! The tracked files of the workspace, as the rules read them.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::files;

/// A tracked file.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// The path of the file, relative to the workspace, with `/` between names.
    pub(crate) path: String,
    /// Its text, with U+FFFD in place of what is not UTF-8.
    pub(crate) text: String,
}

/// A file of a test.
#[cfg(test)]
pub(crate) fn file(path: &str, text: &str) -> SourceFile {
    SourceFile {
        path: path.into(),
        text: text.into(),
    }
}

impl SourceFile {
    /// Whether the file is compiled for tests alone, by its name.
    pub(crate) fn is_test(&self) -> bool {
        let ends = ["tests.rs", "/against_llvm.rs"];
        self.path.contains("/tests/") || ends.iter().any(|end| self.path.ends_with(end))
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

/// Reads the files that git tracks, and those that it would track.
pub(crate) fn tracked(workspace: &Utf8Path) -> Result<Vec<SourceFile>> {
    let read = |path: String| {
        let bytes = fs_err::read(workspace.join(&path)).ok()?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(SourceFile { path, text })
    };
    let paths = files::tracked(workspace, &[])?;
    Ok(paths.into_iter().filter_map(read).collect())
}
