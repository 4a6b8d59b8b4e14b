//! The places of mondo's own sources: the runtime crates that `compile` builds and the pure Python
//! that `stage` packs. A downstream that depends on this crate by path or by git has them beside it.

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// A checkout of mondo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    root: Utf8PathBuf,
}

impl Source {
    /// `MONDO_SOURCE_DIR`, else the checkout that this crate was compiled from.
    ///
    /// # Errors
    /// `ErrorKind::Toolchain` where the folder is no checkout of mondo.
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

    /// The C++ of MLIR's tools, which is compiled for bundles that have some.
    #[must_use]
    pub fn tools(&self) -> Utf8PathBuf {
        self.root.join("crates/mondo-runtime/tools")
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
