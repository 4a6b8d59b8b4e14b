//! Where mondo's own sources are: the runtime tower that `compile` builds and the pure Python that
//! `stage` packs. A downstream that depends on this crate by path or by git has them beside it.

use camino::{Utf8Path, Utf8PathBuf};

use crate::digest::Sha256;
use crate::error::{Error, ErrorKind, Result};
use crate::interrupt;

/// A checkout of mondo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    root: Utf8PathBuf,
}

impl Source {
    /// `MONDO_SOURCE_DIR`, else the checkout that this crate was compiled from.
    pub fn locate() -> Result<Self> {
        let root = match std::env::var("MONDO_SOURCE_DIR") {
            Ok(dir) => Utf8PathBuf::from(dir),
            Err(_) => Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        };
        let root = root.canonicalize_utf8().unwrap_or(root);
        if root.join("bundle/Cargo.toml").is_file() {
            return Ok(Self { root });
        }
        Err(
            Error::new(ErrorKind::Toolchain, "mondo's own sources were not found")
                .at(root)
                .because("the folder has no bundle/Cargo.toml")
                .help("set MONDO_SOURCE_DIR to a checkout of mondo"),
        )
    }

    /// The checkout's folder, absolute.
    #[must_use]
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The workspace's Cargo.toml.
    #[must_use]
    pub fn cargo_manifest(&self) -> Utf8PathBuf {
        self.root.join("Cargo.toml")
    }

    /// The pure-Python package, written without its label.
    #[must_use]
    pub fn python(&self) -> Utf8PathBuf {
        self.root.join("bundle/python")
    }

    /// mondo's own dialect crates, by the names of their folders.
    #[must_use]
    pub fn dialect_crates(&self) -> Utf8PathBuf {
        self.root.join("crates/dialects")
    }

    /// The C headers that go beside MLIR's: `mondo.h`.
    #[must_use]
    pub fn runtime_headers(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-runtime/include")
    }

    /// The headers that C++ extensions include in place of MLIR's of the same paths:
    /// `mlir/Bindings/Python/IRCore.h` and what belongs to it.
    #[must_use]
    pub fn extension_headers(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-extension/include")
    }

    /// mondo's licence text.
    #[must_use]
    pub fn license(&self) -> Utf8PathBuf {
        self.root.join("LICENSE")
    }

    /// The lock of the toolchain's packages.
    #[must_use]
    pub fn toolchain_lock(&self) -> Utf8PathBuf {
        self.root.join("manifests/toolchain.lock")
    }
}

/// Feeds the file or every file of the folder `path` to `digest`, named relative to `base`, sorted.
pub fn hash_tree(base: &Utf8Path, path: &Utf8Path, digest: &mut Sha256) -> Result<()> {
    for file in files_under(path)? {
        interrupt::check()?;
        let bytes = fs_err::read(&file)?;
        digest.update(file.strip_prefix(base).unwrap_or(&file).as_str().as_bytes());
        digest.update([0]);
        digest.update((bytes.len() as u64).to_le_bytes());
        digest.update(&bytes);
    }
    Ok(())
}

/// Every file under `path` (or `path` itself), sorted, without Python's and cargo's leavings.
fn files_under(path: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    let mut pending = vec![path.to_owned()];
    while let Some(next) = pending.pop() {
        if !fs_err::metadata(&next)?.is_dir() {
            found.push(next);
            continue;
        }
        for entry in next.read_dir_utf8()? {
            let entry = entry?;
            let name = entry.file_name();
            let leaving = matches!(
                name,
                "__pycache__" | "target" | ".mypy_cache" | ".ruff_cache"
            ) || name.ends_with(".pyc");
            if !leaving {
                pending.push(entry.into_path());
            }
        }
    }
    found.sort();
    Ok(found)
}
