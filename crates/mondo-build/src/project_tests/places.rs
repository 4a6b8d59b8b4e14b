//! The places of a project's tests, and the errors about chosen paths that have none.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::manifest::Project;

/// The files and folders of a project's tests.
pub(super) struct Places<'a> {
    project: &'a Project,
    /// The runner of the tests in each place, and the place.
    all: Vec<(&'static str, Utf8PathBuf)>,
}

impl<'a> Places<'a> {
    /// The places of `project`, whose lit suites have their tests in `suites`.
    pub(super) fn of(project: &'a Project, suites: Vec<Utf8PathBuf>) -> Self {
        let suites = suites.into_iter().map(|suite| ("lit", suite));
        let tests = project.tests.iter().map(|test| ("pytest", test.clone()));
        let programs = project
            .programs
            .iter()
            .map(|program| ("programs", program.clone()));
        let all = suites.chain(tests).chain(programs);
        let all = all.map(|(runner, path)| (runner, path.canonicalize_utf8().unwrap_or(path)));
        Self {
            project,
            all: all.collect(),
        }
    }

    /// Refuses chosen paths that have no place of tests in them and are in none. `tests` are the paths as the user gave
    /// them.
    pub(super) fn have_tests(&self, tests: &[Utf8PathBuf], chosen: &[Utf8PathBuf]) -> Result<()> {
        let is_place = |path: &Utf8Path| {
            let mut all = self.all.iter();
            all.any(|(_, place)| path.starts_with(place) || place.starts_with(path))
        };
        let pairs = tests.iter().zip(chosen);
        let mut others = pairs.filter(|(_, path)| !is_place(path)).peekable();
        if others.peek().is_none() {
            return Ok(());
        }
        Err(self.without_tests(others.map(|(test, _)| test.as_path())))
    }

    /// The error for chosen paths that have no tests.
    pub(super) fn without_tests<'t>(&self, tests: impl Iterator<Item = &'t Utf8Path>) -> Error {
        let tests: Vec<String> = tests.map(|test| format!("`{test}`")).collect();
        let what = format!(
            "the project `{}` has no tests in {}",
            self.project.name.get_ref(),
            tests.join(", ")
        );
        let folder = &self.project.folder;
        let top = folder
            .canonicalize_utf8()
            .unwrap_or_else(|_| folder.clone());
        let shown = |path: &Utf8Path| {
            let inside = path.strip_prefix(&top).unwrap_or(path);
            match inside.as_str() {
                "" => ".".to_owned(),
                inside => inside.to_owned(),
            }
        };
        let places = self.all.iter();
        let places = places.map(|(runner, path)| format!("{} ({runner})", shown(path)));
        let why = if self.all.is_empty() {
            "its CMake configures no lit suite, and `tests` and `programs` list no folder"
        } else {
            "its tests are in these folders and files, relative to the project's folder"
        };
        Error::new(ErrorKind::Check, what)
            .at(folder)
            .because(why)
            .details(places)
            .help("pass a file or folder of tests, or none to run all tests")
    }
}

#[cfg(test)]
mod tests {
    use mondo_plan::manifest;

    use super::*;

    const MANIFEST: &str = "manifest = 1\n[package]\ndistribution = \"a\"\nlicense = \"MIT\"\n\
                            [llvm]\nversion = \"22\"\n[contents]\ndialects = []\n\
                            [[project]]\nname = \"toy\"\ncmake = \"toy\"\ntests = \"py/a.py\"\n";

    #[test]
    fn a_chosen_path_without_tests_is_named_with_those_that_have_some() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let root = root.canonicalize_utf8().unwrap();
        for file in [
            "toy/CMakeLists.txt",
            "toy/py/a.py",
            "toy/lib/a.cpp",
            "toy/test/a.mlir",
        ] {
            let path = root.join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "").unwrap();
        }
        let path = root.join("bundle.toml");
        fs_err::write(&path, MANIFEST).unwrap();
        let manifest = manifest::load(&path).unwrap();
        let places = Places::of(&manifest.projects[0], vec![root.join("toy/test")]);
        let of = |tests: &[&str]| {
            let tests: Vec<Utf8PathBuf> = tests.iter().map(Utf8PathBuf::from).collect();
            let chosen: Vec<_> = tests
                .iter()
                .map(|test| root.join("toy").join(test))
                .collect();
            places.have_tests(&tests, &chosen)
        };
        for present in [
            &["test/a.mlir"][..],
            &["py"],
            &["py/a.py", "test"],
            &["."],
            &[],
        ] {
            assert!(of(present).is_ok(), "{present:?}");
        }
        let message = of(&["test", "lib"]).unwrap_err().to_string();
        let expected = "the project `toy` has no tests in `lib`\n   at: @/toy\n  why: its tests are in these folders and \
                        files, relative to the project's folder\n    - py/a.py (pytest)\n    - test (lit)\n \
                        help: pass a file or folder of tests, or none to run all tests";
        assert_eq!(message.replace(root.as_str(), "@"), expected);
    }
}
