//! `mondo develop`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::Options;
use mondo_build::develop::Instrumentation;
use mondo_build::dialect_crate;
use mondo_build::editable::Environment;
use mondo_build::manifest::{self, Overrides, SdistPlan};
use mondo_build::path::absolute;
use mondo_build::progress::Sink;
use mondo_build::{ErrorKind, Result, develop, interrupt, sdist};
use serde_json::json;

use crate::args::{DevelopArgs, Sanitizer};
use crate::console;
use crate::wrap::for_terminal;

/// The time between two looks at a project's files.
const PERIOD: Duration = Duration::from_millis(300);

/// Installs the project of `manifest` as editable. With `--watch`, rebuilds whenever a file of the project changes.
pub(super) fn run(
    args: &DevelopArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    // The environment comes first: finding it takes no time, and a build that cannot be installed would be wasted.
    let environment = Environment::find(args.python.as_deref(), &absolute(".".into())?)?;
    let mut options = Options {
        kit: args.kit.clone(),
        force: args.force,
        precompile: !args.no_precompiled_headers,
        // C++ extensions are compiled for the interpreter of the environment that they are
        // installed into.
        python: environment.python.as_str().into(),
        ..args
            .toolchain
            .over(args.select.options(manifest, workspace))
    };
    options.overrides.one_wheel = true;
    let instrumentation = match (args.sanitize, args.debug) {
        (Some(Sanitizer::Address), _) => Instrumentation::Address,
        (None, true) => Instrumentation::Debug,
        (None, false) => Instrumentation::None,
    };
    let once = || -> Result<()> {
        let start = Instant::now();
        let wanted = manifest::load_with(&options.manifest, &options.overrides)?;
        environment.check_python(wanted.python.minimum)?;
        let editable = develop::build(&options, instrumentation, sink)?;
        let installed = editable.install(&environment)?;
        let seconds = start.elapsed().as_secs_f64();
        let state = match (editable.up_to_date, installed) {
            (true, false) => "up to date",
            (true, true) => "installed",
            (false, _) => "built",
        };
        let variables: Vec<String> = editable
            .environment()
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if !variables.is_empty() {
            sink.note(&format!(
                "start Python with: env {} python …",
                variables.join(" ")
            ));
        }
        console::out(if json {
            json!({
                "state": state,
                "variables": variables,
                "environment": environment.prefix,
                "folder": editable.overlay,
                "seconds": seconds,
            })
            .to_string()
        } else {
            format!("{state}: {} ({seconds:.1} s)", environment.prefix)
        });
        Ok(())
    };
    if !args.watch {
        return once();
    }
    let watched = || Watched::of(&options.manifest, &options.overrides, workspace);
    let mut seen = Snapshot::of(&watched())?;
    loop {
        match once() {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            // A failed build does not end the watch, as the next edit may mend it.
            Err(error) => {
                let text = format!("error[{}]: {error}", error.kind().name());
                console::err(for_terminal(&text));
            }
            Ok(()) => {}
        }
        seen = seen.wait_for_another(&watched(), sink)?;
    }
}

/// The folders whose files are watched.
struct Watched {
    /// The folder of the manifest's own project, whose Python is used where it is.
    workspace: Utf8PathBuf,
    /// The folders of dialect crates, which may be outside of the workspace; their Python is used
    /// where it is, too.
    crates: Vec<Utf8PathBuf>,
    /// The folders of projects from their own `CMake`, whose Python is laid out by the build.
    projects: Vec<Utf8PathBuf>,
}

impl Watched {
    /// A manifest that cannot be read is what the build reports.
    fn of(manifest: &Utf8Path, overrides: &Overrides, workspace: &Utf8Path) -> Self {
        let (crates, projects) = manifest::load_with(manifest, overrides).map_or_else(
            |_| Default::default(),
            |manifest| (dialect_crate::folders(&manifest), manifest.projects),
        );
        Self {
            workspace: workspace.to_owned(),
            crates,
            projects: projects.into_iter().map(|project| project.folder).collect(),
        }
    }
}

/// The files that `.gitignore` leaves of the watched folders, with their sizes and times.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot(BTreeMap<Utf8PathBuf, (u64, SystemTime)>);

impl Snapshot {
    fn of(watched: &Watched) -> Result<Self> {
        let mut all = BTreeMap::new();
        let elsewhere = watched.crates.iter().chain(&watched.projects);
        for folder in std::iter::once(&watched.workspace).chain(elsewhere) {
            let files = sdist::files(folder, &SdistPlan::default())?;
            all.extend(files.into_iter().filter_map(|file| {
                let path = folder.join(file);
                // A file may be deleted between the listing and this call; the snapshot is made
                // without it.
                let metadata = fs_err::metadata(&path).ok()?;
                Some((path, (metadata.len(), metadata.modified().ok()?)))
            }));
        }
        Ok(Self(all))
    }

    /// Returns once something has changed that Python does not see by itself.
    fn wait_for_another(self, watched: &Watched, sink: &dyn Sink) -> Result<Self> {
        loop {
            interrupt::check()?;
            std::thread::sleep(PERIOD);
            let now = Self::of(watched)?;
            if let Some(changed) = self.difference(&now, &watched.projects) {
                let name = changed.strip_prefix(&watched.workspace);
                let name = name.unwrap_or(changed);
                sink.note(&format!("{name} has changed"));
                return Ok(now);
            }
        }
    }

    /// A file that requires a new build, because it is new, gone or changed. A changed Python file requires one only
    /// if it is in one of `projects`, whose Python the build lays out.
    fn difference<'a>(&'a self, now: &'a Self, projects: &[Utf8PathBuf]) -> Option<&'a Utf8Path> {
        let is_python = |path: &Utf8Path| {
            let laid_out = projects.iter().any(|folder| path.starts_with(folder));
            matches!(path.extension(), Some("py" | "pyi")) && !laid_out
        };
        let changed = |(path, fact): &(&Utf8PathBuf, &(u64, SystemTime))| match self.0.get(*path) {
            None => true,
            Some(before) => before != *fact && !is_python(path),
        };
        let new = now.0.iter().find(changed).map(|(path, _)| path);
        let gone = || self.0.keys().find(|path| !now.0.contains_key(*path));
        new.or_else(gone).map(Utf8PathBuf::as_path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_python_need_no_build() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        for file in ["a.cpp", "a.py"] {
            fs_err::write(dir.join(file), "1").unwrap();
        }
        let watched = Watched {
            workspace: dir.to_owned(),
            crates: Vec::new(),
            projects: Vec::new(),
        };
        let look = || Snapshot::of(&watched).unwrap();
        let before = look();
        fs_err::write(dir.join("a.py"), "22").unwrap();
        assert_eq!(before.difference(&look(), &[]), None);
        fs_err::write(dir.join("a.cpp"), "22").unwrap();
        let now = look();
        assert_eq!(
            before.difference(&now, &[]),
            Some(dir.join("a.cpp").as_path())
        );
        fs_err::remove_file(dir.join("a.py")).unwrap();
        let last = look();
        assert_eq!(now.difference(&last, &[]), Some(dir.join("a.py").as_path()));
    }

    #[test]
    fn a_crate_elsewhere_is_watched() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (workspace, dialect) = (dir.join("here"), dir.join("toy"));
        for folder in [&workspace, &dialect] {
            fs_err::create_dir(folder).unwrap();
        }
        fs_err::write(dialect.join("dialect.toml"), "dialect-crate = 1\n").unwrap();
        let manifest = workspace.join("bundle.toml");
        let text = "manifest = 1\n[package]\ndistribution = \"d\"\nlicense = \"MIT\"\n\
                    [llvm]\nversion = \"22\"\n[contents]\ndialects = []\ncrates = [\"../toy\"]\n";
        fs_err::write(&manifest, text).unwrap();
        let watched = Watched::of(&manifest, &Overrides::default(), &workspace);
        let before = Snapshot::of(&watched).unwrap();
        fs_err::write(dialect.join("Toy.cpp"), "1").unwrap();
        let now = Snapshot::of(&watched).unwrap();
        let changed = before.difference(&now, &watched.projects).unwrap();
        assert_eq!(changed.file_name(), Some("Toy.cpp"));
    }

    #[test]
    fn python_of_a_project_elsewhere_is_watched() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (workspace, project) = (dir.join("here"), dir.join("there"));
        for folder in [&workspace, &project] {
            fs_err::create_dir(folder).unwrap();
        }
        let file = project.join("toy.py");
        fs_err::write(&file, "1").unwrap();
        let watched = Watched {
            workspace,
            crates: Vec::new(),
            projects: vec![project],
        };
        let before = Snapshot::of(&watched).unwrap();
        fs_err::write(&file, "22").unwrap();
        let now = Snapshot::of(&watched).unwrap();
        let changed = before.difference(&now, &watched.projects);
        assert_eq!(changed, Some(file.as_path()));
    }
}
