//! Puts the vendored MLIR where pyproject.toml's `include` takes it from.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const TREE: &str = "vendor/brook_mlir-tree";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={TREE}");
    let to = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("brook");
    if to.exists() {
        fs::remove_dir_all(&to)?;
    }
    if !Path::new(TREE).join("mondo.json").exists() {
        println!("cargo::error=there is no {TREE}: make it with `cargo xtask bundle --layout tree`");
        return Ok(());
    }
    copy(&Path::new(TREE).join("python/brook"), &to)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            copy(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
