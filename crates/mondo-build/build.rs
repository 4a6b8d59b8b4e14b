//! Exports the fingerprint of the pipeline's sources as `MONDO_PIPELINE`.

#[path = "build/fingerprint.rs"]
mod fingerprint;

use std::path::{Path, PathBuf};

fn main() {
    let own = variable("CARGO_MANIFEST_DIR");
    let crates = own.parent().expect("the crate has a parent folder");
    let lock = lock(&variable("OUT_DIR"), crates);
    let inputs = fingerprint::inputs(crates, lock.as_deref());
    for path in &inputs {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let digest = fingerprint::of(crates, &inputs).unwrap_or_else(|error| panic!("{error}"));
    println!("cargo::rustc-env=MONDO_PIPELINE={digest:016x}");
}

/// The Cargo.lock that decides the versions of dependencies. It is found from the target folder: where mondo is a
/// dependency, it is the downstream's lock. If the target folder is outside of the workspace, it is the lock of
/// mondo's own checkout.
fn lock(out: &Path, crates: &Path) -> Option<PathBuf> {
    let folders = out.ancestors().chain(crates.parent());
    let mut locks = folders.map(|folder| folder.join("Cargo.lock"));
    locks.find(|lock| lock.is_file())
}

/// A path that cargo gives to build scripts.
fn variable(name: &str) -> PathBuf {
    let value = std::env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}"));
    PathBuf::from(value)
}
