//! Dialect crates in Rust: a Cargo package of the work folder that links mondo's runtime and those
//! crates into one staticlib, which holds all of the library's Rust.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_core::source::Source;
use mondo_plan::dialect_crate::{Code, DialectCrate};
use mondo_plan::plan::Plan;
use toml::{Table, Value};

use super::cargo::cargo;

/// The crate that dialects in Rust are written with.
const SDK: &str = "mondo-dialect";

/// The crates that are Cargo packages, each with its package's name.
pub(super) fn of(crates: &[DialectCrate]) -> Vec<(&DialectCrate, &str)> {
    crates
        .iter()
        .filter_map(|one| match &one.code {
            Code::Rust(rust) => Some((one, rust.package.get_ref().as_str())),
            Code::Cpp(_) | Code::Prebuilt(_) => None,
        })
        .collect()
}

/// The name by which Rust knows a package's library.
pub(super) fn extern_name(package: &str) -> String {
    package.replace('-', "_")
}

/// Writes the package and locks its dependencies. `None` if the plan has no crate in Rust. Returns its
/// folder.
pub(super) fn package(
    plan: &Plan,
    source: &Source,
    work: &Utf8Path,
) -> Result<Option<Utf8PathBuf>> {
    let crates = of(&plan.crates);
    if crates.is_empty() {
        return Ok(None);
    }
    let manifest = manifest(&crates, source)?;
    let folder = work.join(format!("bundle-package/{}", digest::short(&manifest)));
    let template = fs_err::read_to_string(source.root().join("bundle/src/lib.rs"))?;
    let others: String = crates
        .iter()
        .map(|(_, package)| format!("extern crate {} as _;\n", extern_name(package)))
        .collect();
    write(&folder.join("src/lib.rs"), &(template + &others))?;
    write(&folder.join("Cargo.toml"), &manifest)?;
    lock(&folder, source, &crates)?;
    Ok(Some(folder))
}

/// Writes `text` only if the file's contents differ, because cargo compares modification times.
fn write(path: &Utf8Path, text: &str) -> Result<()> {
    if fs_err::read_to_string(path).ok().as_deref() == Some(text) {
        return Ok(());
    }
    replace(path, text.as_bytes())
}

/// Writes the package's Cargo.lock: mondo's own lock, which determines the versions, and in addition what only the
/// dialect crates need.
fn lock(folder: &Utf8Path, source: &Source, crates: &[(&DialectCrate, &str)]) -> Result<()> {
    let seed = fs_err::read_to_string(source.root().join("Cargo.lock"))?;
    let seeded = folder.join("seed.lock");
    let same = fs_err::read_to_string(&seeded).ok().as_deref() == Some(&seed);
    let manifests: Vec<String> = crates
        .iter()
        .map(|(one, _)| fs_err::read_to_string(one.folder.join("Cargo.toml")))
        .collect::<std::io::Result<_>>()?;
    let crates = folder.join("crates.digest");
    let wanted = digest::of(manifests.concat());
    if same && fs_err::read_to_string(&crates).ok().as_deref() == Some(&wanted) {
        return Ok(());
    }
    fs_err::write(folder.join("Cargo.lock"), &seed)?;
    let update = |offline: bool| {
        let tool = cargo("lock what the dialect crates in Rust need")
            .cwd(source.root())
            .args(["update", "--workspace", "--quiet", "--manifest-path"])
            .arg(folder.join("Cargo.toml"));
        if offline {
            tool.arg("--offline").output()
        } else {
            tool.output()
        }
    };
    // The first try is offline, because most crates need nothing that mondo does not need itself.
    if update(true).is_err() {
        update(false)?;
    }
    fs_err::write(crates, wanted)?;
    fs_err::write(seeded, seed)?;
    Ok(())
}

/// The package's Cargo.toml: that of mondo's bundle with what it takes from the workspace written
/// out, and with the crates as further dependencies.
fn manifest(crates: &[(&DialectCrate, &str)], source: &Source) -> Result<String> {
    let workspace = read(&source.cargo_manifest())?;
    let bundle = read(&source.root().join("bundle/Cargo.toml"))?;
    let shared = table(&workspace, &["workspace", "dependencies"]);
    let mut package = Table::new();
    package.insert("name".into(), "mondo-bundle".into());
    for key in ["version", "edition", "rust-version", "license", "publish"] {
        if let Some(value) = table(&workspace, &["workspace", "package"]).get(key) {
            package.insert(key.into(), value.clone());
        }
    }
    let mut whole = Table::new();
    whole.insert("package".into(), package.into());
    whole.insert("workspace".into(), Table::new().into());
    whole.insert("lib".into(), table(&bundle, &["lib"]).into());
    let names = table(&bundle, &["dependencies"]);
    let mut dependencies: Table = names
        .keys()
        .filter_map(|name| Some((name.clone(), absolute(shared.get(name)?, source))))
        .collect();
    for (one, package) in crates {
        let mut place = Table::new();
        place.insert("path".into(), one.folder.as_str().into());
        dependencies.insert((*package).to_owned(), place.into());
    }
    whole.insert("dependencies".into(), dependencies.into());
    // A dialect crate may name the SDK by its version, and so be independent of where mondo is.
    let sdk = shared.get(SDK).map(|sdk| absolute(sdk, source));
    let patched: Table = sdk.into_iter().map(|sdk| (SDK.to_owned(), sdk)).collect();
    let mut patch = Table::new();
    patch.insert("crates-io".into(), patched.clone().into());
    // A dialect crate may also name the SDK by a git repository. Without this patch the bundle would contain a second
    // copy of the SDK, from there.
    for (one, _) in crates {
        let dependency = table(
            &read(&one.folder.join("Cargo.toml"))?,
            &["dependencies", SDK],
        );
        if let Some(url) = dependency.get("git").and_then(Value::as_str) {
            patch.insert(url.to_owned(), patched.clone().into());
        }
    }
    whole.insert("patch".into(), patch.into());
    let mut profile = Table::new();
    profile.insert(
        "bundle".into(),
        table(&workspace, &["profile", "bundle"]).into(),
    );
    whole.insert("profile".into(), profile.into());
    toml::to_string(&whole).map_err(|error| {
        Error::new(ErrorKind::Compile, "cannot write the bundle's package").caused_by(error)
    })
}

fn read(path: &Utf8Path) -> Result<Table> {
    toml::from_str(&fs_err::read_to_string(path)?).map_err(|error| {
        Error::new(ErrorKind::Compile, "cannot read Cargo.toml")
            .at(path)
            .caused_by(error)
    })
}

/// The table at these keys. Empty if it does not exist.
fn table(whole: &Table, keys: &[&str]) -> Table {
    let start = Value::from(whole.clone());
    let found = keys.iter().try_fold(&start, |value, key| value.get(key));
    found.and_then(Value::as_table).cloned().unwrap_or_default()
}

/// A row of `[workspace.dependencies]` with its path made absolute, so that a package outside of the workspace can use it.
fn absolute(dependency: &Value, source: &Source) -> Value {
    let mut dependency = dependency.clone();
    if let Some(path) = dependency.get_mut("path")
        && let Some(text) = path.as_str()
    {
        *path = source.root().join(text).as_str().into();
    }
    dependency
}
