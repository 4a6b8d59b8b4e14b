//! Other people's packages of data/packages.toml in one environment, for `coexist` and `bench import`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::{Error, ErrorKind, Result, digest};
use mondo_testbed::files::wheel_in;
use mondo_testbed::{Context, Venv};
use serde::Deserialize;

use crate::folders;

/// A package of data/packages.toml.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The Python package that has the module `ir`; None for a package that another one requires.
    pub(crate) import: Option<String>,
    /// The path of the wheel.
    #[serde(skip)]
    pub(crate) wheel: Utf8PathBuf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    package: Vec<Package>,
}

/// The listed packages with their downloaded wheels, and an environment in which they are installed, which is
/// made again when the list changes.
pub(crate) fn others(context: &Context<'_>) -> Result<(Vec<Package>, Venv)> {
    let path = folders::data(context, "packages.toml");
    let text = fs_err::read_to_string(&path)?;
    let list: List = toml::from_str(&text).map_err(|error| {
        Error::new(ErrorKind::Check, "the list of packages cannot be read")
            .at(&path)
            .because(error.to_string())
    })?;
    let mut packages = list.package;
    let name = format!("packages-{}", digest::short(&text));
    let dir = context.scratch().join("venvs").join(&name);
    let stamp = dir.join("complete");
    let venv = if stamp.exists() {
        Venv { dir }
    } else {
        Venv::fresh(context, &name)?
    };
    let wheels = context.scratch().join("packages");
    for package in &mut packages {
        package.wheel = wheel(context, &venv, package, &wheels)?;
    }
    if !stamp.exists() {
        let files: Vec<&str> = packages.iter().map(|one| one.wheel.as_str()).collect();
        venv.pip_install(&[&["--no-deps"], &files[..]].concat())?;
        fs_err::write(stamp, "")?;
    }
    Ok((packages, venv))
}

/// The wheel of a package, which is downloaded if it is missing.
fn wheel(
    context: &Context<'_>,
    venv: &Venv,
    package: &Package,
    folder: &Utf8Path,
) -> Result<Utf8PathBuf> {
    let folder = folder.join(format!("{}-{}", package.name, package.version));
    if let Some(wheel) = wheel_in(&folder)? {
        return Ok(wheel);
    }
    let Package { name, version, .. } = package;
    context.sink.note(&format!("getting {name} {version}"));
    venv.python("download a wheel")
        .fails_as(ErrorKind::Network)
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--only-binary", ":all:"])
        .args(["--dest", folder.as_str()])
        .arg(format!("{name}=={version}"))
        .output()?;
    wheel_in(&folder)?.ok_or_else(|| {
        Error::new(ErrorKind::Network, format!("pip left no wheel of {name}")).at(&folder)
    })
}
