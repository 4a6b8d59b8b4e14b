//! `mondo develop`.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::Options;
use mondo_build::develop::Instrumentation;
use mondo_build::editable::Environment;
use mondo_build::manifest::SdistPlan;
use mondo_build::progress::Sink;
use mondo_build::{ErrorKind, Result, develop, interrupt, sdist};
use serde_json::json;

use crate::args::{DevelopArgs, Sanitizer};
use crate::console;

/// The time between two looks at a project's files.
const PERIOD: Duration = Duration::from_millis(300);

/// Installs the project of `manifest` editable, and with `--watch` goes on whenever it changes.
pub(super) fn run(
    args: &DevelopArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    // First, as it takes no time.
    let environment = Environment::find(args.python.as_deref())?;
    let mut options = Options {
        kit: args.kit.clone(),
        force: args.force,
        ..args.toolchain.options(&args.select, manifest, workspace)
    };
    options.overrides.one_wheel = true;
    let instrumentation = match (args.sanitize, args.debug) {
        (Some(Sanitizer::Address), _) => Instrumentation::Address,
        (None, true) => Instrumentation::Debug,
        (None, false) => Instrumentation::None,
    };
    let once = || -> Result<()> {
        let start = Instant::now();
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
    let mut seen = Snapshot::of(workspace)?;
    loop {
        match once() {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            // The next edit may mend it.
            Err(error) => console::err(format!("error[{}]: {error}", error.kind().name())),
            Ok(()) => {}
        }
        seen = seen.wait_for_another(workspace, sink)?;
    }
}

/// The files of a project that its `.gitignore` leaves, with their sizes and times.
#[derive(Debug, PartialEq, Eq)]
struct Snapshot(BTreeMap<Utf8PathBuf, (u64, SystemTime)>);

impl Snapshot {
    fn of(project: &Utf8Path) -> Result<Self> {
        let files = sdist::files(project, &SdistPlan::default())?;
        let facts = files.into_iter().filter_map(|file| {
            let path = project.join(file);
            // A file that has just gone is not there.
            let metadata = fs_err::metadata(&path).ok()?;
            Some((path, (metadata.len(), metadata.modified().ok()?)))
        });
        Ok(Self(facts.collect()))
    }

    /// Returns once something has changed that Python does not see by itself.
    fn wait_for_another(self, project: &Utf8Path, sink: &dyn Sink) -> Result<Self> {
        loop {
            interrupt::check()?;
            std::thread::sleep(PERIOD);
            let now = Self::of(project)?;
            if let Some(changed) = self.difference(&now) {
                let name = changed.strip_prefix(project).unwrap_or(changed);
                sink.note(&format!("{name} has changed"));
                return Ok(now);
            }
        }
    }

    /// A file that is new, gone or different, but for Python files that are only different.
    fn difference<'a>(&'a self, now: &'a Self) -> Option<&'a Utf8Path> {
        let is_python = |path: &Utf8Path| matches!(path.extension(), Some("py" | "pyi"));
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
        let before = Snapshot::of(dir).unwrap();
        fs_err::write(dir.join("a.py"), "22").unwrap();
        assert_eq!(before.difference(&Snapshot::of(dir).unwrap()), None);
        fs_err::write(dir.join("a.cpp"), "22").unwrap();
        let now = Snapshot::of(dir).unwrap();
        assert_eq!(before.difference(&now), Some(dir.join("a.cpp").as_path()));
        fs_err::remove_file(dir.join("a.py")).unwrap();
        let last = Snapshot::of(dir).unwrap();
        assert_eq!(now.difference(&last), Some(dir.join("a.py").as_path()));
    }
}
