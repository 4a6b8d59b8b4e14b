//! The install of an editable wheel into a virtual environment, as pip would do it.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::Sha256;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::{self, replace};
use mondo_plan::metadata::Metadata;
use serde::Deserialize;

use crate::wheel::{Packed, Row, Source, record};

/// The name of the installer in the file `INSTALLER` of `.dist-info`.
const INSTALLER: &str = "mondo";

/// A virtual environment, as its interpreter describes it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Environment {
    /// The interpreter.
    pub python: Utf8PathBuf,
    /// Its folder.
    pub prefix: Utf8PathBuf,
    base_prefix: Utf8PathBuf,
    /// The folder of packages with native code.
    pub platlib: Utf8PathBuf,
    /// The folder of programs.
    pub scripts: Utf8PathBuf,
    /// The end of an extension's file name.
    pub suffix: String,
    /// The version of Python: `(3, 13)`.
    pub version: (u8, u8),
}

impl Environment {
    /// The environment of the interpreter `python`. Without one, the active environment, else `.venv` in `folder` or
    /// one above, else the environment that the running program is installed in.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` without a virtual environment, or if the interpreter is not in one.
    pub fn find(python: Option<&Utf8Path>, folder: &Utf8Path) -> Result<Self> {
        let program = match python {
            Some(python) => python.to_owned(),
            None => {
                let running = std::env::current_exe().ok();
                let running = running.and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
                let variable =
                    |name: &str| std::env::var(name).ok().filter(|text| !text.is_empty());
                prefix(&variable, folder, running.as_deref())
                    .ok_or_else(|| {
                        none("no virtual environment found").because(
                            "neither VIRTUAL_ENV nor CONDA_PREFIX is set, and neither this \
                             folder nor a folder above has a `.venv`",
                        )
                    })?
                    .join("bin/python")
            }
        };
        let ask = "import json, sys, sysconfig\n\
                   get = sysconfig.get_path\n\
                   print(json.dumps({'python': sys.executable, 'prefix': sys.prefix, \
                   'base_prefix': sys.base_prefix, 'platlib': get('platlib'), \
                   'scripts': get('scripts'), 'suffix': sysconfig.get_config_var('EXT_SUFFIX'), \
                   'version': sys.version_info[:2]}))";
        let output = Tool::new(
            program.as_str(),
            "ask the environment's Python for its folders",
        )
        .fails_as(ErrorKind::MissingTool)
        .args(["-I", "-c", ask])
        .output()?
        .stdout;
        let found: Self = serde_json::from_str(&output).map_err(|error| {
            Error::new(ErrorKind::MissingTool, "cannot parse Python's output")
                .at(&program)
                .because(output)
                .caused_by(error)
        })?;
        // An environment of conda is an installation of its own.
        if found.prefix == found.base_prefix && !found.prefix.join("conda-meta").is_dir() {
            return Err(none("this Python is not in a virtual environment").at(&program));
        }
        Ok(found)
    }

    /// Refuses an environment whose Python is older than `minimum`, the bundle's.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool`.
    pub fn check_python(&self, minimum: (u8, u8)) -> Result<()> {
        if self.version >= minimum {
            return Ok(());
        }
        let ((major, minor), (least, of_it)) = (self.version, minimum);
        Err(Error::new(
            ErrorKind::MissingTool,
            format!("Python {major}.{minor} cannot import the bundle"),
        )
        .at(&self.python)
        .because(format!(
            "the bundle requires Python {least}.{of_it} or later"
        ))
        .help("create the environment with a newer Python, or pass another one with `--python`"))
    }

    /// Installs `packed`, the editable wheel of the project in the folder `project`, and removes the files of any
    /// installed version of the same distribution. Returns false if exactly this wheel is installed already.
    ///
    /// # Errors
    /// `ErrorKind::Io` where the environment cannot be written.
    pub fn install(
        &self,
        packed: &Packed,
        metadata: &Metadata,
        project: &Utf8Path,
    ) -> Result<bool> {
        let dist_info = metadata.dist_info()?;
        let mut files: Vec<(Utf8PathBuf, Vec<u8>, bool)> = Vec::new();
        for entry in packed.stage() {
            let bytes = match &entry.source {
                Source::Bytes(bytes) => bytes.clone(),
                Source::File(path) => file::read(path, u64::MAX)?,
            };
            files.push((self.platlib.join(&entry.path), bytes, false));
        }
        let folder = self.platlib.join(&dist_info);
        let text = |name: &str, text: String| (folder.join(name), text.into_bytes(), false);
        files.push(text("INSTALLER", format!("{INSTALLER}\n")));
        let url = serde_json::json!({
            "dir_info": { "editable": true },
            "url": format!("file://{}", percent_encoded(project.as_str())),
        });
        files.push(text("direct_url.json", url.to_string()));
        for group in ["console_scripts", "gui_scripts"] {
            for (name, object) in metadata.entry_points.get(group).into_iter().flatten() {
                let script = self.script(object);
                files.push((self.scripts.join(name), script.into_bytes(), true));
            }
        }
        files.sort();
        let record_path = folder.join("RECORD");
        let record = self.record(&files, &record_path);
        let same = |(path, bytes, _): &(Utf8PathBuf, Vec<u8>, bool)| {
            fs_err::read(path).is_ok_and(|now| now == *bytes)
        };
        let earlier = self.earlier(metadata)?;
        if earlier.len() == 1
            && fs_err::read_to_string(&record_path).is_ok_and(|now| now == record)
            && files.iter().all(same)
        {
            return Ok(false);
        }
        let stale = self.stale(&earlier, &files)?;
        for (path, bytes, executable) in &files {
            replace(path, bytes)?;
            if *executable {
                fs_err::set_permissions(path, PermissionsExt::from_mode(0o755))?;
            }
        }
        replace(&record_path, record.as_bytes())?;
        for path in stale {
            match fs_err::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error.into());
                }
                _ => self.remove_empty(path.parent()),
            }
        }
        for other in earlier.iter().filter(|other| **other != folder) {
            if other.exists() {
                fs_err::remove_dir_all(other)?;
            }
        }
        Ok(true)
    }

    /// The console script that calls `object`, in the form in which pip writes it.
    fn script(&self, object: &str) -> String {
        let reference = object.split('[').next().unwrap_or(object).trim();
        let (module, attribute) = reference.split_once(':').unwrap_or((reference, ""));
        let first = attribute.split('.').next().unwrap_or_default();
        // The kernel splits a shebang line at a blank and limits it to 127 bytes, so other interpreters are started
        // by the shell.
        let shebang = if self.python.as_str().contains(' ') || self.python.as_str().len() > 120 {
            format!(
                "#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n' '''",
                self.python
            )
        } else {
            format!("#!{}", self.python)
        };
        format!(
            "{shebang}\nimport sys\n\nfrom {module} import {first}\n\nif __name__ == \"__main__\":\n    \
             sys.exit({attribute}())\n"
        )
    }

    fn record(&self, files: &[(Utf8PathBuf, Vec<u8>, bool)], record: &Utf8Path) -> String {
        let paths: Vec<String> = files.iter().map(|(path, ..)| self.relative(path)).collect();
        let record_path = self.relative(record);
        let rows = files.iter().zip(&paths).map(|((_, bytes, _), path)| Row {
            path,
            content: Some((Sha256::digest(bytes), bytes.len() as u64)),
        });
        record::render(rows.chain([Row {
            path: &record_path,
            content: None,
        }]))
    }

    /// The form of a path in RECORD: relative to the folder of packages.
    fn relative(&self, path: &Utf8Path) -> String {
        if let Ok(inside) = path.strip_prefix(&self.platlib) {
            return inside.to_string();
        }
        let common = self
            .platlib
            .ancestors()
            .find(|folder| path.starts_with(folder));
        let Some(common) = common else {
            return path.to_string();
        };
        let up = self.platlib.components().count() - common.components().count();
        let rest = path.strip_prefix(common).unwrap_or(path);
        format!("{}{rest}", "../".repeat(up))
    }

    /// The `.dist-info` folders of this distribution, whatever its version.
    fn earlier(&self, metadata: &Metadata) -> Result<Vec<Utf8PathBuf>> {
        let wanted = metadata.file_name()?.to_lowercase();
        let mut found = Vec::new();
        if !self.platlib.is_dir() {
            return Ok(found);
        }
        for entry in self.platlib.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name().strip_suffix(".dist-info");
            let name = name.and_then(|name| name.rsplit_once('-'));
            let is_same = name
                .is_some_and(|(name, _)| name.to_lowercase().replace(['-', '.'], "_") == wanted);
            if is_same {
                found.push(entry.into_path());
            }
        }
        Ok(found)
    }

    /// The files of earlier installs that are not part of this one. Files outside of the environment are never among
    /// them.
    fn stale(
        &self,
        earlier: &[Utf8PathBuf],
        files: &[(Utf8PathBuf, Vec<u8>, bool)],
    ) -> Result<BTreeSet<Utf8PathBuf>> {
        let wanted: BTreeSet<&Utf8PathBuf> = files.iter().map(|(path, ..)| path).collect();
        let mut stale = BTreeSet::new();
        for folder in earlier {
            let Ok(text) = fs_err::read_to_string(folder.join("RECORD")) else {
                continue;
            };
            for line in text.lines() {
                let path = match line.strip_prefix('"') {
                    Some(quoted) => quoted
                        .split("\",")
                        .next()
                        .unwrap_or(quoted)
                        .replace("\"\"", "\""),
                    None => line.split(',').next().unwrap_or(line).to_owned(),
                };
                let path = normal(&self.platlib.join(path));
                if path.starts_with(&self.prefix)
                    && !wanted.contains(&path)
                    && !path.ends_with("RECORD")
                {
                    stale.insert(path);
                }
            }
        }
        Ok(stale)
    }

    /// Removes folders below the folder of packages that are empty now.
    fn remove_empty(&self, folder: Option<&Utf8Path>) {
        let mut folder = folder;
        while let Some(path) = folder {
            // It fails for a folder with something in it, which ends the walk.
            if path == self.platlib
                || !path.starts_with(&self.platlib)
                || fs_err::remove_dir(path).is_err()
            {
                return;
            }
            folder = path.parent();
        }
    }
}

/// The folder of the environment to install into.
fn prefix(
    variable: &dyn Fn(&str) -> Option<String>,
    folder: &Utf8Path,
    running: Option<&Utf8Path>,
) -> Option<Utf8PathBuf> {
    // conda's base environment has conda itself, and is active wherever nothing else is.
    let base = variable("CONDA_DEFAULT_ENV").is_some_and(|name| name == "base");
    let conda = || variable("CONDA_PREFIX").filter(|_| !base);
    let is_venv = |prefix: &Utf8PathBuf| prefix.join("pyvenv.cfg").is_file();
    let near = || {
        let mut folders = folder.ancestors().map(|folder| folder.join(".venv"));
        folders.find(is_venv)
    };
    let beside = || running?.parent()?.parent().map(Utf8Path::to_owned);
    let active = variable("VIRTUAL_ENV").or_else(conda);
    let found = active.map(Utf8PathBuf::from).or_else(near);
    found.or_else(|| beside().filter(is_venv))
}

fn none(what: &str) -> Error {
    Error::new(ErrorKind::MissingTool, what).help(
        "run `python3 -m venv .venv` and `. .venv/bin/activate`, or pass the interpreter of a \
         virtual environment with `--python`",
    )
}

/// The path without `..`, whatever is there.
fn normal(path: &Utf8Path) -> Utf8PathBuf {
    let mut parts = Utf8PathBuf::new();
    for part in path.components() {
        match part.as_str() {
            ".." => {
                parts.pop();
            }
            "." => {}
            part => parts.push(part),
        }
    }
    parts
}

/// A path in a URL.
fn percent_encoded(path: &str) -> String {
    path.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(prefix: &str) -> Environment {
        Environment {
            python: format!("{prefix}/bin/python").into(),
            prefix: prefix.into(),
            base_prefix: "/usr".into(),
            platlib: format!("{prefix}/lib/python3.11/site-packages").into(),
            scripts: format!("{prefix}/bin").into(),
            suffix: ".so".into(),
            version: (3, 11),
        }
    }

    #[test]
    fn paths_are_relative_to_the_packages() {
        let place = environment("/v");
        assert_eq!(place.relative(&place.platlib.join("a/b.py")), "a/b.py");
        assert_eq!(place.relative("/v/bin/toy".into()), "../../../bin/toy");
        assert_eq!(
            normal(&place.platlib.join("../../../bin/toy")),
            "/v/bin/toy"
        );
        assert_eq!(percent_encoded("/a b/ö"), "/a%20b/%C3%B6");
    }

    #[test]
    fn the_environment_is_the_active_one_else_one_near_else_the_programs() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (project, tools) = (dir.join("a/b"), dir.join("tools"));
        fs_err::create_dir_all(&project).unwrap();
        let program = tools.join("bin/mondo");
        let find = |set: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            prefix(&variable, &project, Some(&program))
        };
        assert_eq!(find(&[]), None);
        for venv in [&tools, &dir.join("a/.venv")] {
            fs_err::create_dir_all(venv).unwrap();
            fs_err::write(venv.join("pyvenv.cfg"), "").unwrap();
            assert_eq!(find(&[]).as_ref(), Some(venv));
        }
        let conda = ("CONDA_PREFIX", "/c");
        assert_eq!(find(&[conda]), Some("/c".into()));
        let base = ("CONDA_DEFAULT_ENV", "base");
        assert_eq!(find(&[conda, base]), Some(dir.join("a/.venv")));
        assert_eq!(find(&[conda, ("VIRTUAL_ENV", "/v")]), Some("/v".into()));
    }

    #[test]
    fn an_older_python_is_refused() {
        let here = environment("/v");
        here.check_python((3, 10)).unwrap();
        here.check_python((3, 11)).unwrap();
        let error = here.check_python((3, 12)).unwrap_err();
        assert_eq!(error.what(), "Python 3.11 cannot import the bundle");
    }

    #[test]
    fn programs_call_their_object() {
        let script = environment("/v").script("toy.cli:App.run [extra]");
        assert!(script.starts_with("#!/v/bin/python\n"), "{script}");
        assert!(script.contains("from toy.cli import App\n"), "{script}");
        assert!(script.ends_with("sys.exit(App.run())\n"), "{script}");
        let far = environment("/v with a blank").script("toy:run");
        assert!(
            far.starts_with("#!/bin/sh\n'''exec' \"/v with a blank/bin/python\""),
            "{far}"
        );
    }
}
