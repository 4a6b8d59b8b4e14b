//! The architecture's rules, as checks over the sources. Each rule has a name, and ARCHITECTURE.md
//! says in a line that begins "Architecture Invariant:" what it holds.

mod licenses;
mod rules;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::progress::Sink;
use mondo_build::{Error, ErrorKind, Result};

/// A tracked file that the rules look at.
#[derive(Debug, Clone)]
pub(crate) struct SourceFile {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    /// Its text; files that are not UTF-8 are not sources.
    pub(crate) text: String,
}

impl SourceFile {
    /// Whether this is Rust that is compiled into a program or library, not a test of its own.
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

/// A rule: its name and what it finds.
pub(crate) struct Rule {
    /// Stands in ARCHITECTURE.md as `tidy: <name>`.
    pub(crate) name: &'static str,
    /// Complaints, each with its place.
    pub(crate) check: fn(&[SourceFile]) -> Vec<String>,
}

/// Runs every rule over the tracked files of the workspace.
pub(crate) fn run(workspace: &Utf8Path, sink: &dyn Sink) -> Result<()> {
    let files = tracked(workspace)?;
    let mut failed = Vec::new();
    for rule in rules::ALL {
        for complaint in (rule.check)(&files) {
            failed.push(format!("[{}] {complaint}", rule.name));
        }
    }
    failed.extend(undocumented(&files));
    failed.extend(machine_paths(workspace, &files));
    failed.extend(licenses::check(workspace)?);
    if failed.is_empty() {
        sink.note(&format!(
            "{} rules hold over {} files",
            rules::ALL.len() + 3,
            files.len()
        ));
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        format!("{} breaches of the architecture", failed.len()),
    )
    .details(failed)
    .because("ARCHITECTURE.md says what each rule is for"))
}

fn tracked(workspace: &Utf8Path) -> Result<Vec<SourceFile>> {
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
            let text = fs_err::read_to_string(workspace.join(path)).ok()?;
            Some(SourceFile {
                path: path.to_owned(),
                text,
            })
        })
        .collect())
}

/// A rule that ARCHITECTURE.md does not name is a rule that nobody knows of.
fn undocumented(files: &[SourceFile]) -> Vec<String> {
    let page = files.iter().find(|file| file.path == "ARCHITECTURE.md");
    let page = page.map_or("", |file| file.text.as_str());
    rules::ALL
        .iter()
        .filter(|rule| !page.contains(&format!("`tidy: {}`", rule.name)))
        .map(|rule| {
            format!(
                "[documented] ARCHITECTURE.md does not name `tidy: {}`",
                rule.name
            )
        })
        .collect()
}

/// Paths of the machine that tidy runs on: they may not be there on the next one.
fn machine_paths(workspace: &Utf8Path, files: &[SourceFile]) -> Vec<String> {
    let mut needles: Vec<String> = vec![format!("{workspace}/")];
    let home = std::env::var("HOME").ok().map(Utf8PathBuf::from);
    needles.extend(
        home.filter(|home| home.components().count() > 1)
            .map(|home| format!("{home}/.")),
    );
    files
        .iter()
        .flat_map(|file| {
            file.complaints(&file.text, |line| {
                let found = needles
                    .iter()
                    .find(|needle| line.contains(needle.as_str()))?;
                Some(format!("[machine-path] names {found}"))
            })
        })
        .collect()
}
