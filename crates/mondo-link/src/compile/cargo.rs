//! Cargo as the build runs it: the program, its environment, its folder of downloads.

use camino::Utf8PathBuf;
use mondo_core::error::ErrorKind;
use mondo_core::exec::Tool;
use mondo_toolchain::{Toolchain, tool_path};

/// The folder in which cargo keeps its downloads.
pub(super) fn cargo_home() -> Option<Utf8PathBuf> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    home.ok().map(Utf8PathBuf::from)
}

/// The environment in which the runtime crates compile: for this phase and for clippy. Of LLVM these crates read only
/// the headers and libclang. So a prefix that consists of symbolic links into another prefix is resolved to that
/// other prefix, and both share what has been compiled.
pub fn environment(toolchain: &Toolchain) -> Vec<(String, String)> {
    let prefix = real_prefix(toolchain);
    let libclang = toolchain
        .libclang_dir
        .read_dir_utf8()
        .ok()
        .and_then(|entries| {
            let mut files = entries.filter_map(|entry| Some(entry.ok()?.into_path()));
            files.find(|path| {
                path.file_name()
                    .is_some_and(|name| name.starts_with("libclang"))
            })
        })
        .filter(|path| path.is_symlink())
        .and_then(|path| Some(path.read_link_utf8().ok()?.parent()?.to_owned()))
        .filter(|folder| folder.is_absolute());
    let libclang = libclang.unwrap_or_else(|| toolchain.libclang_dir.clone());
    let mut variables: Vec<(String, String)> = vec![
        ("MONDO_LLVM_DIR".into(), prefix.to_string()),
        ("MONDO_LIBCLANG_DIR".into(), libclang.to_string()),
        ("PYO3_NO_PYTHON".into(), "1".into()),
    ];
    variables.extend(tool_path(toolchain.base()).map(|path| ("LD_LIBRARY_PATH".into(), path)));
    variables
}

/// The prefix that the headers are really in.
fn real_prefix(toolchain: &Toolchain) -> Utf8PathBuf {
    let include = real_include(toolchain);
    match (include.file_name(), include.parent()) {
        (Some("include"), Some(prefix)) => prefix.to_owned(),
        _ => toolchain.prefix.clone(),
    }
}

/// The folder of LLVM's headers, without symbolic links.
pub(super) fn real_include(toolchain: &Toolchain) -> Utf8PathBuf {
    let include = toolchain.prefix.join("include");
    include.canonicalize_utf8().unwrap_or(include)
}

/// The cargo that runs us, so that `cargo xtask` stays with one toolchain; else the one on PATH.
/// `purpose` ends the sentence "could not …".
///
/// A cargo that runs us sets variables about our own package (`CARGO_PKG_…`). Build scripts of dependencies, such as
/// ring's, read these variables too, so that other values would make cargo compile half of the dependencies again.
/// Therefore they are removed.
#[must_use]
pub fn cargo(purpose: &str) -> Tool {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tool = Tool::new(program, purpose)
        .fails_as(ErrorKind::Compile)
        .installed_by("install Rust with rustup");
    std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| is_of_package(name))
        .fold(tool, Tool::env_remove)
}

fn is_of_package(variable: &str) -> bool {
    ["CARGO_MANIFEST_", "CARGO_PKG_"]
        .iter()
        .any(|start| variable.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_not_told_of_our_package() {
        assert!(is_of_package("CARGO_MANIFEST_DIR") && is_of_package("CARGO_PKG_VERSION_PRE"));
        assert!(!is_of_package("CARGO_HOME") && !is_of_package("CARGO"));
    }
}
