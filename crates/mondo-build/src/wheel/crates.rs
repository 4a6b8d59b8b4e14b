//! Which Rust crates are in a binary, as Cargo's metadata and lock file tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use camino::Utf8Path;
use cargo_metadata::{DependencyKind, MetadataCommand, PackageId, TargetKind};
use serde::Deserialize;

use crate::error::{Error, ErrorKind, Result};
use crate::exec::Tool;

/// One Rust crate of a binary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Crate {
    /// Its name on the registry.
    pub name: String,
    /// `1.0.200`.
    pub version: String,
    /// What its manifest gives as licence.
    pub license: Option<String>,
    /// SHA-256 of the package file from Cargo.lock; none for crates of the workspace itself.
    pub checksum: Option<String>,
}

/// The crates that end up in the binaries of `packages` on this host, the packages included, sorted.
///
/// Normal dependencies alone count: build scripts' and tests' do not ship, and neither do procedural
/// macros and what only they need. Works offline and with the lock file as it is. Features are those
/// of the whole workspace, so an optional crate of another member may be listed too many.
pub fn rust_crates(manifest_path: &Utf8Path, packages: &[&str]) -> Result<Vec<Crate>> {
    let host = host(manifest_path)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Tool::new(cargo, "list the Rust crates for the SBOM")
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &host])
        .args(["--manifest-path", manifest_path.as_str()])
        .fails_as(ErrorKind::Wheel)
        .output()?;
    let unreadable = |error: cargo_metadata::Error| {
        Error::new(
            ErrorKind::Wheel,
            "the output of `cargo metadata` could not be read",
        )
        .at(manifest_path.as_str())
        .caused_by(error)
    };
    let metadata = MetadataCommand::parse(output.stdout).map_err(unreadable)?;
    let lock = fs_err::read_to_string(metadata.workspace_root.join("Cargo.lock"))?;
    select(&metadata, &checksums(&lock)?, packages)
}

fn host(manifest_path: &Utf8Path) -> Result<String> {
    let mut tool = Tool::new("rustc", "ask rustc for its host")
        .args(["--print", "host-tuple"])
        .fails_as(ErrorKind::Wheel);
    // The folder decides which toolchain rustup runs.
    if let Some(dir) = manifest_path
        .parent()
        .filter(|dir| !dir.as_str().is_empty())
    {
        tool = tool.cwd(dir);
    }
    Ok(tool.output()?.stdout.trim().to_owned())
}

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// (name, version) → checksum.
fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: Lock = toml::from_str(lock).map_err(|error| {
        Error::new(ErrorKind::Wheel, "Cargo.lock could not be read").caused_by(error)
    })?;
    Ok(lock
        .package
        .into_iter()
        .filter_map(|locked| Some(((locked.name, locked.version), locked.checksum?)))
        .collect())
}

fn select(
    metadata: &cargo_metadata::Metadata,
    checksums: &BTreeMap<(String, String), String>,
    packages: &[&str],
) -> Result<Vec<Crate>> {
    let by_id: HashMap<&PackageId, _> = metadata.packages.iter().map(|p| (&p.id, p)).collect();
    let nodes: HashMap<&PackageId, _> = metadata
        .resolve
        .iter()
        .flat_map(|resolve| &resolve.nodes)
        .map(|node| (&node.id, node))
        .collect();
    let mut todo: Vec<&PackageId> = Vec::new();
    let mut unknown = Vec::new();
    for name in packages {
        let members = metadata
            .workspace_members
            .iter()
            .filter(|id| by_id.get(id).is_some_and(|p| p.name.as_str() == *name));
        let before = todo.len();
        todo.extend(members);
        if todo.len() == before {
            unknown.push(*name);
        }
    }
    if !unknown.is_empty() {
        return Err(
            Error::new(ErrorKind::Wheel, "the workspace has no such package")
                .at(metadata.workspace_root.as_str())
                .offenders(unknown),
        );
    }
    let mut reached: BTreeSet<&PackageId> = BTreeSet::new();
    let mut crates = BTreeSet::new();
    while let Some(id) = todo.pop() {
        let Some(package) = by_id.get(id) else {
            continue;
        };
        let is_macro = package
            .targets
            .iter()
            .any(|target| target.kind.contains(&TargetKind::ProcMacro));
        if is_macro || !reached.insert(id) {
            continue;
        }
        let (name, version) = (package.name.to_string(), package.version.to_string());
        crates.insert(Crate {
            checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
            license: package.license.clone(),
            name,
            version,
        });
        if let Some(node) = nodes.get(id) {
            let ships = |dep: &&cargo_metadata::NodeDep| {
                dep.dep_kinds
                    .iter()
                    .any(|kind| kind.kind == DependencyKind::Normal)
            };
            todo.extend(node.deps.iter().filter(ships).map(|dep| &dep.pkg));
        }
    }
    Ok(crates.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> &'static Utf8Path {
        Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
    }

    #[test]
    fn our_own_crate_lists_what_it_links_and_nothing_else() {
        let crates = rust_crates(here(), &["mondo-build"]).unwrap();
        let find = |name: &str| crates.iter().find(|krate| krate.name == name);
        let serde = find("serde").unwrap();
        assert_eq!(serde.checksum.as_ref().map(String::len), Some(64));
        assert_eq!(serde.license.as_deref(), Some("MIT OR Apache-2.0"));
        assert_eq!(find("mondo-build").unwrap().checksum, None);
        assert!(find("mondo-audit").is_some());
        assert!(
            find("serde_derive").is_none(),
            "a procedural macro does not ship"
        );
        assert!(
            find("syn").is_none(),
            "and neither does what only macros need"
        );
        assert!(find("insta").is_none(), "a test's dependency does not ship");
        assert!(
            find("cc").is_none(),
            "a build script's dependency does not ship"
        );
        assert!(crates.is_sorted());
    }

    #[test]
    fn an_unknown_package_is_named() {
        let error = rust_crates(here(), &["mondo-build", "no-such-crate"]).unwrap_err();
        assert_eq!(error.offending(), ["no-such-crate"]);
    }
}
