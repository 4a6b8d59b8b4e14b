//! The Cargo packages whose code ships, and the folders that they are compiled from.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::source::Source;
use mondo_plan::plan::Plan;

use super::cargo::cargo;
use super::rust_crates;

/// The crate of the library's Rust part.
pub(super) const BUNDLE_CRATE: &str = "mondo-bundle";

/// The crate of the extension.
pub(super) const EXTENSION_CRATE: &str = "mondo-py";

/// A Cargo package that becomes a staticlib, with all that it depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// The manifest that Cargo finds it through: its own, or its workspace's.
    pub manifest: Utf8PathBuf,
    /// The folders of the packages of the file system among its normal and build dependencies, its
    /// own included, absolute and sorted.
    pub folders: BTreeSet<Utf8PathBuf>,
    /// The packages from registries and clones among these, each with its version and its commit, sorted.
    pub registry: BTreeSet<String>,
}

/// The two packages of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packages {
    /// The core runtime, with the dialects in Rust.
    pub bundle: Package,
    /// The extension.
    pub extension: Package,
}

impl Packages {
    /// Finds the packages of `plan`. Where it has dialects in Rust, the package that links these with
    /// the runtime is written into `work` first.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`] where Cargo refuses a manifest, or the lock does not fit it.
    pub fn of(plan: &Plan, source: &Source, work: &Utf8Path) -> Result<Self> {
        let runtime = source.cargo_manifest();
        let bundle = match rust_crates::package(plan, source, work)? {
            Some(folder) => folder.join("Cargo.toml"),
            None => runtime.clone(),
        };
        Ok(Self {
            bundle: Package::find(BUNDLE_CRATE, bundle, source)?,
            extension: Package::find(EXTENSION_CRATE, runtime, source)?,
        })
    }

    /// Both packages.
    pub fn iter(&self) -> impl Iterator<Item = &Package> {
        [&self.bundle, &self.extension].into_iter()
    }
}

impl Package {
    /// Asks `cargo tree`, not `cargo metadata`: that wants every crate of the workspace downloaded,
    /// those of tests and of other systems too.
    fn find(name: &'static str, manifest: Utf8PathBuf, source: &Source) -> Result<Self> {
        let listed = cargo("list the packages that a bundle is compiled from")
            .args(["tree", "--locked", "--edges", "normal,build"])
            .args(["--prefix", "none", "--format", "{p}", "--color", "never"])
            .args(["--package", name, "--manifest-path", manifest.as_str()])
            // The same folder as in the compilation: cargo reads its configuration, which may replace packages, from
            // the current folder.
            .cwd(source.root())
            .output()?
            .stdout;
        let mut package = Self {
            name,
            manifest,
            folders: BTreeSet::new(),
            registry: BTreeSet::new(),
        };
        for line in listed.lines().filter(|line| !line.is_empty()) {
            match folder_of(line) {
                Some(folder) => package.folders.insert(folder.into()),
                None => package.registry.insert(downloaded(line).to_owned()),
            };
        }
        if package.folders.is_empty() {
            return Err(Error::new(
                ErrorKind::Compile,
                format!("Cargo does not list the package `{name}`"),
            )
            .at(package.manifest)
            .because(listed));
        }
        Ok(package)
    }
}

/// The folder in a line of `cargo tree`: `name v1.2.3 (/folder)`, perhaps with `(proc-macro)` before
/// it and ` (*)` after it.
fn folder_of(line: &str) -> Option<&str> {
    let line = line.strip_suffix(" (*)").unwrap_or(line);
    let (_, folder) = line.split_once(" (/")?;
    // The slash stays with the folder.
    let start = line.len() - folder.len() - 1;
    line[start..].strip_suffix(')')
}

/// A line of `cargo tree` for a downloaded package, without the mark of a repetition: `name v1.2.3`, for a git clone
/// with its address and commit.
fn downloaded(line: &str) -> &str {
    line.strip_suffix(" (*)").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use mondo_plan::catalogue::Catalogue;
    use mondo_plan::{dialect_crate, manifest, plan};

    use super::*;

    /// If the features differed, each of the two runs of cargo would compile the shared crate again.
    #[test]
    fn both_packages_have_the_same_features_of_what_they_share() {
        let features = |package: &str| -> BTreeSet<String> {
            let tree = cargo("list the features of packages")
                .args(["tree", "--locked", "--edges", "normal,build"])
                .args(["--prefix", "none", "--format", "{p} {f}"])
                .args(["--color", "never", "--package", package])
                .cwd(Utf8Path::new(env!("CARGO_MANIFEST_DIR")))
                .output()
                .unwrap();
            let lines = tree.stdout.lines();
            lines
                .map(|line| line.trim_end_matches(" (*)").to_owned())
                .collect()
        };
        let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let (library, extension) = (features(BUNDLE_CRATE), features(EXTENSION_CRATE));
        let shared: BTreeSet<String> = extension.iter().map(|line| name(line)).collect();
        let differ: Vec<&String> = library
            .difference(&extension)
            .filter(|line| shared.contains(&name(line)))
            .collect();
        assert!(library.len() > 10 && differ.is_empty(), "{differ:?}");
    }

    /// Otherwise a bundle would count as up to date after a change in a dependency of a dialect in Rust.
    #[test]
    fn a_dialect_in_rust_and_all_that_it_depends_on_are_inputs() {
        let source = Source::locate().unwrap();
        let root = source.root();
        let manifest = manifest::load(&root.join("manifests/units.toml")).unwrap();
        let crates = dialect_crate::load_all(&manifest, &root.join("crates/dialects")).unwrap();
        let catalogue = Catalogue::upstream().unwrap();
        let plan = plan::resolve(&manifest, &catalogue, &crates, "x86_64").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let work = Utf8Path::from_path(dir.path()).unwrap();
        let packages = Packages::of(&plan, &source, work).unwrap();
        let folders = &packages.bundle.folders;
        for name in [
            "dialects/units",
            "mondo-dialect",
            "mondo-ir",
            "mondo-runtime",
            "mondo-sys",
        ] {
            assert!(
                folders.contains(&root.join("crates").join(name)),
                "{name}: {folders:?}"
            );
        }
        // The package of the work folder, which links them.
        assert!(
            folders.iter().any(|folder| folder.starts_with(work)),
            "{folders:?}"
        );
        let extension = &packages.extension.folders;
        assert!(
            extension.contains(&root.join("crates/mondo-py")),
            "{extension:?}"
        );
        assert!(
            !extension.contains(&root.join("crates/mondo-dialect")),
            "{extension:?}"
        );
    }

    #[test]
    fn folders_and_versions_are_read_from_lines_of_cargo_tree() {
        for (line, folder) in [
            ("units v0.1.0 (/a b/(c)/units)", Some("/a b/(c)/units")),
            ("units v0.1.0 (/a/units) (*)", Some("/a/units")),
            ("own v0.1.0 (proc-macro) (/a/own)", Some("/a/own")),
            ("serde_derive v1.0.1 (proc-macro)", None),
            ("serde_derive v1.0.1 (proc-macro) (*)", None),
            ("libc v0.2.1", None),
        ] {
            assert_eq!(folder_of(line), folder, "{line}");
        }
        assert_eq!(downloaded("libc v0.2.1"), "libc v0.2.1");
        assert_eq!(downloaded("a v1.0.1 (*)"), "a v1.0.1");
    }

    #[test]
    fn another_commit_of_a_clone_is_another_package() {
        let line =
            |commit: &str| format!("own v0.1.0 (https://example.org/own?branch=main#{commit})");
        let (one, other) = (line("01234567"), line("89abcdef"));
        assert_eq!(folder_of(&one), None);
        assert_ne!(downloaded(&one), downloaded(&other));
    }
}
