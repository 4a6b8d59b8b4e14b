//! Requests: which toolchain is wanted, and what finding it may use.

use camino::Utf8PathBuf;
use mondo_core::cache::cache_dir;
use mondo_core::error::Result;
use mondo_core::path::variable;

use crate::host::{Host, Target};
use crate::mirrors::NamedMirrors;

/// The variable that says that the mirror is a snapshot.
const SNAPSHOT: &str = "MONDO_DEB_SNAPSHOT";

/// The toolchain that is wanted, and what finding it may use.
#[derive(Debug, Clone)]
pub struct Request {
    /// The machine that the bundle is for.
    pub target: Target,
    /// LLVM's major version: 22.
    pub major: u32,
    /// The full version where the manifest pins one: `22.1.8`.
    pub exact: Option<String>,
    /// Optional packages of the lock, which the manifest names.
    pub packages: Vec<String>,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// `MONDO_LLVM_DIR`.
    pub env_llvm_dir: Option<Utf8PathBuf>,
    /// The path of `toolchain.lock`.
    pub lock: Utf8PathBuf,
    /// Never touch the network.
    pub offline: bool,
    /// Rewrite the lock with what apt offers now, before anything else.
    pub update_lock: bool,
    /// Ask a suite that moves what it has now, even if it was asked today.
    pub ask_suite: bool,
    /// `MONDO_DEB_SNAPSHOT`: the mirror is a snapshot, so that the index of a suite that moves may have expired.
    pub snapshot: bool,
    /// The per-user cache; see [`cache_dir`](crate::cache_dir).
    pub cache_dir: Utf8PathBuf,
    /// `MONDO_DEB_DIR`: a folder with package files that are used before any download.
    pub deb_dir: Option<Utf8PathBuf>,
    /// The mirrors that packages are downloaded from, by who named them.
    pub mirrors: NamedMirrors,
}

impl Request {
    /// A request for an LLVM, with all that the environment says: `MONDO_LLVM_DIR`,
    /// `MONDO_CACHE_DIR`, `MONDO_DEB_DIR`, `MONDO_DEB_MIRROR`,
    /// `MONDO_DEB_SNAPSHOT`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](mondo_core::error::ErrorKind::Io) where a path is not UTF-8, or no folder is there for the cache.
    pub fn from_environment(major: u32, lock: impl Into<Utf8PathBuf>) -> Result<Self> {
        Ok(Self {
            target: Target::like(&Host::here()),
            major,
            exact: None,
            packages: Vec::new(),
            llvm_dir: None,
            env_llvm_dir: variable("MONDO_LLVM_DIR")?,
            lock: lock.into(),
            offline: false,
            update_lock: false,
            ask_suite: false,
            snapshot: std::env::var(SNAPSHOT).is_ok_and(|value| value == "1"),
            cache_dir: cache_dir()?,
            deb_dir: variable("MONDO_DEB_DIR")?,
            mirrors: NamedMirrors::from_environment()?,
        })
    }
}
