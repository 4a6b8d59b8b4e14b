//! The fingerprint of the pipeline's sources. The build script computes it, and a test computes it again and
//! compares.
//!
//! The hash is FNV-1a in 64 bits and no cryptographic digest. It only distinguishes states of a checkout, which
//! nobody forges, and the crate of a digest would have to be compiled before this one. `DefaultHasher` differs
//! between releases of Rust.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// The crates that decide what a bundle consists of: mondo-build, and its dependencies in the workspace.
pub(crate) const CRATES: [&str; 9] = [
    "mondo-audit",
    "mondo-build",
    "mondo-core",
    "mondo-link",
    "mondo-new",
    "mondo-package",
    "mondo-plan",
    "mondo-project",
    "mondo-toolchain",
];

/// Files and folders of each crate that its code is made from: sources, and files that the sources include.
const PARTS: [&str; 6] = [
    "Cargo.toml",
    "build.rs",
    "build",
    "data",
    "src",
    "templates",
];

/// A file of another crate that mondo-plan includes.
const CATALOGUE: &str = "dialects/upstream/dialect.toml";

/// The files and folders that the fingerprint covers: those under the folder `crates`, and `lock`.
pub(crate) fn inputs(crates: &Path, lock: Option<&Path>) -> Vec<PathBuf> {
    let parts = CRATES
        .iter()
        .flat_map(|name| PARTS.map(|part| crates.join(name).join(part)));
    let required = |path: &PathBuf| path.ends_with("src") || path.exists();
    let parts = parts.filter(required);
    let others = [crates.join(CATALOGUE)];
    parts
        .chain(others)
        .chain(lock.map(Path::to_owned))
        .collect()
}

/// The fingerprint of `inputs`: of their names relative to `crates`, so that it does not depend on the
/// place of the checkout, and of their contents.
///
/// # Errors
/// The error of the system, with the path, where one cannot be read.
pub(crate) fn of(crates: &Path, inputs: &[PathBuf]) -> Result<u64> {
    let mut files = Vec::new();
    for path in inputs {
        files_under(path, &mut files)?;
    }
    let mut named: Vec<(&Path, &Path)> = files
        .iter()
        .map(|path| (name(crates, path), &**path))
        .collect();
    named.sort();
    let mut state = Fnv::new();
    for (name, path) in named {
        let content = std::fs::read(path).map_err(|error| at(error, path))?;
        for bytes in [name.to_string_lossy().as_bytes(), &content] {
            state.update(&(bytes.len() as u64).to_le_bytes());
            state.update(bytes);
        }
    }
    Ok(state.0)
}

/// The path of a file relative to `crates`, and the mere name of the lock, which is elsewhere.
fn name<'a>(crates: &Path, path: &'a Path) -> &'a Path {
    let inside = path.strip_prefix(crates).ok();
    inside.or(path.file_name().map(Path::new)).unwrap_or(path)
}

fn files_under(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if std::fs::metadata(path)
        .map_err(|error| at(error, path))?
        .is_dir()
    {
        for entry in std::fs::read_dir(path).map_err(|error| at(error, path))? {
            files_under(&entry?.path(), files)?;
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

fn at(error: Error, path: &Path) -> Error {
    let what = format!(
        "{}: {error}; mondo-build needs the whole checkout",
        path.display()
    );
    Error::new(error.kind(), what)
}

/// FNV-1a.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
