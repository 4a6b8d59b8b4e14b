//! Python tests that are programs. They are judged by their exit status, or by their RUN lines.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;
use serde_json::json;

use super::environment::{Environment, TestResult};
use super::lit;

/// The prefix of the configuration's name, which differs from lit's default so that lit ignores configurations of the
/// project.
const PREFIX: &str = "mondo_programs";

/// The test format. lit's processes import it, so that it is a module.
const MODULE: &str = include_str!("../../data/mondo_lit_programs.py");

/// A line of a test that lit runs.
const RUN: &str = "RUN:";

/// Runs the programs; `no_suites` is true for a project without lit suites.
pub(super) fn run(environment: &Environment<'_>, no_suites: bool) -> Result<Vec<TestResult>> {
    let project = environment.project;
    let mut files = Vec::new();
    for path in &project.programs {
        collect(path, &mut files)?;
    }
    if project.programs.is_empty() && no_suites {
        for path in &project.tests {
            collect(path, &mut files)?;
        }
        files.retain(|path| {
            fs_err::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains(RUN))
        });
    }
    files.retain(|path| environment.has_chosen(path));
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let folder = environment.work.join("programs");
    let values = json!({
        "name": project.name.get_ref(),
        "files": files,
        "source": common(&files),
        "work": folder.join("out"),
        "python": environment.python,
        "pattern": lit::PYTHON,
        "path": environment.path(),
    });
    let text = format!(
        "# Written by mondo.\nimport sys\n\nsys.path.insert(0, {:?})\n\nimport mondo_lit_programs\n\n\
         mondo_lit_programs.configure(config, **{values})\n",
        folder.as_str()
    );
    replace(&folder.join("mondo_lit_programs.py"), MODULE.as_bytes())?;
    replace(
        &folder.join(format!("{PREFIX}.site.cfg.py")),
        text.as_bytes(),
    )?;
    lit::results(environment, PREFIX, &[folder])
}

/// The nearest folder that contains all of these files.
fn common(files: &[Utf8PathBuf]) -> &Utf8Path {
    let first = files.first().and_then(|file| file.parent());
    let mut folder = first.unwrap_or(Utf8Path::new("/"));
    while !files.iter().all(|file| file.starts_with(folder)) {
        folder = folder.parent().unwrap_or(Utf8Path::new("/"));
    }
    folder
}

/// The Python files below a path that may be tests.
fn collect(path: &Utf8Path, files: &mut Vec<Utf8PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in path.read_dir_utf8()? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() {
            collect(entry.path(), files)?;
        } else if name.ends_with(".py")
            && !name.ends_with(".cfg.py")
            && !matches!(name, "__init__.py" | "conftest.py")
        {
            files.push(entry.into_path());
        }
    }
    files.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_below_one_folder() {
        let files = ["/p/test/a/x.py".into(), "/p/test/b/y.py".into()];
        assert_eq!(common(&files), "/p/test");
        assert_eq!(common(&files[..1]), "/p/test/a");
    }

    #[test]
    fn configurations_are_no_tests() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(folder.path()).unwrap();
        for name in [
            "lit.cfg.py",
            "conftest.py",
            "__init__.py",
            "b.py",
            "a.txt",
            "sub/a.py",
        ] {
            replace(&folder.join(name), b"").unwrap();
        }
        let mut files = Vec::new();
        collect(folder, &mut files).unwrap();
        assert_eq!(files, [folder.join("b.py"), folder.join("sub/a.py")]);
    }
}
