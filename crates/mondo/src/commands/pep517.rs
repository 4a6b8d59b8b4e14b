//! `mondo pep517`: the build backend's hooks.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Options};
use mondo_build::develop::Instrumentation;
use mondo_build::manifest::Overrides;
use mondo_build::path::absolute;
use mondo_build::progress::Sink;
use mondo_build::{Error, ErrorKind, Result, agreement, backend, develop, sdist};
use serde_json::json;

use crate::args::{Hook, Pep517Args, manifest_of};
use crate::console;
use crate::progress::Verbosity;

/// The settings that a frontend can be given.
const KEYS: &str = "manifest, label, llvm, llvm-dir, kit, offline, compiler-launcher, debug";

/// Runs a hook, and prints its result as JSON in one line.
pub(super) fn run(args: &Pep517Args, verbosity: Verbosity, sink: &dyn Sink) -> Result<()> {
    let project = absolute(&args.project)?;
    let settings = Settings::read(&args.config)?;
    let options = settings.options(&project)?;
    if options.manifest.file_name() != Some("pyproject.toml") {
        agreement::check_project(&project.join("pyproject.toml"), &options.manifest)?;
    }
    let out_dir = absolute(&args.out_dir)?;
    let file = match args.hook {
        Hook::Requires => {
            let requires = backend::requires(&options)?;
            console::out(json!({ "requires": requires }));
            return Ok(());
        }
        Hook::RequiresSdist => {
            let requires = backend::sdist_requires(&options)?;
            console::out(json!({ "requires": requires }));
            return Ok(());
        }
        Hook::BuildWheel => {
            // The bundle is made in a folder of mondo's own and then copied, so that a later call
            // finds a wheel that is up to date.
            let bundle = bundle::bundle(&options, sink)?;
            if verbosity != Verbosity::Quiet {
                console::err(bundle.report.table());
            }
            backend::copy(&bundle.wheel, &out_dir)?
        }
        Hook::BuildSdist => {
            let options = Options { out_dir, ..options };
            sdist::sdist(&options, &project, sink)?
        }
        Hook::BuildEditable => {
            let editable = develop::build(&options, settings.instrumentation(), sink)?;
            editable.wheel(&out_dir)?
        }
    };
    console::out(json!({ "file": file.file_name() }));
    Ok(())
}

/// The settings of a frontend: `pip install --config-settings=KEY=VALUE`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Settings {
    manifest: Option<Utf8PathBuf>,
    overrides: Overrides,
    llvm_dir: Option<Utf8PathBuf>,
    kit: Option<Utf8PathBuf>,
    offline: bool,
    compiler_launcher: Option<String>,
    debug: bool,
}

impl Settings {
    fn read(config: &[String]) -> Result<Self> {
        let mut settings = Self {
            overrides: Overrides {
                one_wheel: true,
                ..Overrides::default()
            },
            ..Self::default()
        };
        for setting in config {
            let (key, value) = setting.split_once('=').unwrap_or((setting, "true"));
            let path = || Some(Utf8PathBuf::from(value));
            match key.replace('_', "-").as_str() {
                "manifest" => settings.manifest = path(),
                "label" => settings.overrides.label = Some(value.to_owned()),
                "llvm" => settings.overrides.llvm = Some(value.to_owned()),
                "llvm-dir" => settings.llvm_dir = path(),
                "kit" => settings.kit = path(),
                "compiler-launcher" => settings.compiler_launcher = Some(value.to_owned()),
                "offline" => settings.offline = switch(key, value)?,
                "debug" => settings.debug = switch(key, value)?,
                _ => {
                    return Err(Error::new(
                        ErrorKind::Manifest,
                        format!("unknown setting `{key}` of mondo's build backend"),
                    )
                    .because(format!("the available settings are: {KEYS}")));
                }
            }
        }
        Ok(settings)
    }

    fn instrumentation(&self) -> Instrumentation {
        if self.debug {
            Instrumentation::Debug
        } else {
            Instrumentation::None
        }
    }

    /// The options of the project in `folder`; relative paths start there.
    fn options(&self, folder: &Utf8Path) -> Result<Options> {
        let named = self.manifest.as_ref().map(|path| folder.join(path));
        let manifest = match &named {
            Some(_) => manifest_of(folder, named.as_deref())?,
            None => folder.join("pyproject.toml"),
        };
        let options = Options::new(manifest, folder);
        Ok(Options {
            overrides: self.overrides.clone(),
            llvm_dir: self.llvm_dir.as_ref().map(|path| folder.join(path)),
            kit: self.kit.as_ref().map(|path| folder.join(path)),
            offline: self.offline,
            compiler_launcher: self.compiler_launcher.clone(),
            out_dir: options.work_dir.join("wheels"),
            ..options
        })
    }
}

fn switch(key: &str, value: &str) -> Result<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" | "" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err(Error::new(
            ErrorKind::Manifest,
            format!("invalid setting `{key}`: `{value}`"),
        )
        .help("write `true` or `false`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &[&str]) -> Result<Settings> {
        let config: Vec<String> = config.iter().map(ToString::to_string).collect();
        Settings::read(&config)
    }

    #[test]
    fn settings_become_options() {
        let settings = read(&["llvm_dir=llvm", "offline", "kit=/k", "label=acme"]).unwrap();
        let options = settings.options("/p".into()).unwrap();
        assert_eq!(options.manifest, "/p/pyproject.toml");
        assert_eq!(options.llvm_dir.as_deref(), Some("/p/llvm".into()));
        assert_eq!(options.kit.as_deref(), Some("/k".into()));
        assert!(options.offline && options.overrides.one_wheel);
        assert_eq!(options.overrides.label.as_deref(), Some("acme"));
    }

    #[test]
    fn other_settings_are_refused() {
        for bad in ["debug=perhaps", "lable=x"] {
            assert_eq!(
                read(&[bad]).unwrap_err().kind(),
                ErrorKind::Manifest,
                "{bad}"
            );
        }
    }
}
