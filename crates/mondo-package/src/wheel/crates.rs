//! The Rust crates whose code is in a binary, as Cargo reports them.
//!
//! The crates are read from `cargo tree` and not from `cargo metadata`. The latter needs every crate of the workspace
//! in Cargo's cache, also those of tests and of other systems, so that it fails offline in a fresh clone that has
//! just been built. `cargo tree` also resolves features for the requested packages alone and not for the whole
//! workspace.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_link::compile;
use serde::{Deserialize, Serialize};

/// One Rust crate of a binary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Crate {
    /// Its name on the registry.
    pub name: String,
    /// `1.0.200`.
    pub version: String,
    /// The licence, as its manifest gives it.
    pub license: Option<String>,
    /// SHA-256 of the package file from Cargo.lock, or none for crates of the workspace itself.
    pub checksum: Option<String>,
}

/// The crates that end up in the binaries of `packages` on this host, the packages included, sorted.
///
/// Normal dependencies alone count, with default features: build scripts' and tests' do not ship,
/// and neither do procedural macros and what only they need. Works offline and with the lock file as
/// it is; needs no more in Cargo's cache than a build of `packages` does.
///
/// # Errors
/// `ErrorKind::Wheel` where Cargo refuses the manifest, or its answer cannot be read.
pub fn rust_crates(manifest_path: &Utf8Path, packages: &[&str]) -> Result<Vec<Crate>> {
    let mut tree = cargo()
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges",
            "normal,no-proc-macro",
        ])
        .args([
            "--prefix", "none", "--format", "{p}\t{l}", "--color", "never",
        ])
        .args(["--manifest-path", manifest_path.as_str()]);
    for package in packages {
        tree = tree.args(["--package", package]);
    }
    let listed = tree.output()?.stdout;
    let root = cargo()
        .args(["locate-project", "--workspace", "--message-format", "plain"])
        .args(["--manifest-path", manifest_path.as_str()])
        .output()?;
    let lock = Utf8PathBuf::from(root.stdout.trim()).with_file_name("Cargo.lock");
    let lock = checksums(&fs_err::read_to_string(lock)?)?;
    let crates: Option<BTreeSet<Crate>> = listed
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| read_line(line, &lock))
        .collect();
    match crates {
        Some(crates) => Ok(crates.into_iter().collect()),
        None => Err(
            Error::new(ErrorKind::Wheel, "cannot parse the output of `cargo tree`")
                .at(manifest_path.as_str())
                .because(listed),
        ),
    }
}

fn cargo() -> Tool {
    compile::cargo("list the Rust crates for the SBOM").fails_as(ErrorKind::Wheel)
}

/// `name v1.2.3 (/path)`, a tab, the licence if any, and ` (*)` where the crate was listed before.
fn read_line(line: &str, checksums: &BTreeMap<(String, String), String>) -> Option<Crate> {
    let (package, license) = line.strip_suffix(" (*)").unwrap_or(line).split_once('\t')?;
    let mut words = package.split(' ');
    let name = words.next()?.to_owned();
    let version = words.next()?.strip_prefix('v')?.to_owned();
    Some(Crate {
        checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
        license: Some(license.trim())
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        name,
        version,
    })
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
    let lock: Lock = toml::from_str(lock)
        .map_err(|error| Error::new(ErrorKind::Wheel, "cannot read Cargo.lock").caused_by(error))?;
    Ok(lock
        .package
        .into_iter()
        .filter_map(|locked| Some(((locked.name, locked.version), locked.checksum?)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> &'static Utf8Path {
        Utf8Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
    }

    #[test]
    fn our_own_crate_lists_what_it_links_and_nothing_else() {
        let crates = rust_crates(here(), &["mondo-package"]).unwrap();
        let find = |name: &str| crates.iter().find(|krate| krate.name == name);
        let serde = find("serde").unwrap();
        assert_eq!(serde.checksum.as_ref().map(String::len), Some(64));
        assert_eq!(serde.license.as_deref(), Some("MIT OR Apache-2.0"));
        assert_eq!(find("mondo-package").unwrap().checksum, None);
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
        let error = rust_crates(here(), &["mondo-package", "no-such-crate"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Wheel);
        assert!(error.to_string().contains("no-such-crate"), "{error}");
    }

    #[test]
    fn lines_are_read_in_each_of_their_forms() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0+x\"\nchecksum = \"ab\"\n";
        let lock = checksums(lock).unwrap();
        let a = read_line("a v1.0.0+x\tMIT OR Apache-2.0 (*)", &lock).unwrap();
        assert_eq!(a.version, "1.0.0+x");
        assert_eq!(a.license.as_deref(), Some("MIT OR Apache-2.0"));
        assert_eq!(a.checksum.as_deref(), Some("ab"));
        let ours = read_line("ours v0.1.0 (/some where/ours)\t", &lock).unwrap();
        assert_eq!(
            (ours.name.as_str(), ours.license, ours.checksum),
            ("ours", None, None)
        );
        assert_eq!(read_line("a 1.0.0", &lock), None);
    }
}
