//! Runs of cargo for what ships.

use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};

use super::cache::{self, Key, Keys};
use super::packages::Package;
use super::{Request, rust_crates};
use crate::cache::{COMPILED, folder};
use crate::digest;
use crate::error::{ErrorKind, Result};
use crate::exec::Tool;
use crate::report::replace;
use crate::toolchain::{self, Toolchain, tool_path};

/// Flags of everything in Rust that ships. LLVM inlines what costs at most so much (225 by itself at
/// optimisation level 3), but for functions with `#[inline]`, whose limit stays 325: in mondo-py those
/// are the hot ones with few callers. It takes an eighth off the extension; docs/design/size.md has what
/// it costs in instructions.
const RUST_FLAGS: &[&str] = &["-Cllvm-args=-inline-threshold=35"];

/// The program that cargo takes for rustc.
const RUSTC: &str = include_str!("rustc.sh");

/// The profile, in the workspace's Cargo.toml.
pub(super) const PROFILE: &str = "bundle";

/// The part of the compile phase that cargo does.
#[derive(Clone, Copy)]
pub(super) struct RustBuild<'a>(pub(super) Request<'a>);

/// The staticlibs of a bundle, and the files outside of their packages that they were made from.
#[derive(Debug, Clone)]
pub(super) struct Staticlibs {
    pub(super) bundle: cache::Kept,
    pub(super) extension: cache::Kept,
}

impl RustBuild<'_> {
    /// Both staticlibs: from the user's cache, else compiled and put there.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`] where cargo fails; [`ErrorKind::Io`] where the cache cannot be written.
    pub(super) fn staticlibs(&self, keys: &Keys) -> Result<Staticlibs> {
        let packages = self.0.packages;
        let found = (keys.bundle.look_up(), keys.extension.look_up());
        let missing: Vec<&Package> = [
            (&packages.bundle, found.0.is_none()),
            (&packages.extension, found.1.is_none()),
        ]
        .into_iter()
        .filter_map(|(package, missing)| missing.then_some(package))
        .collect();
        self.compile(&missing)?;
        Ok(Staticlibs {
            bundle: found.0.map_or_else(|| keys.bundle.store(), Ok)?,
            extension: found.1.map_or_else(|| keys.extension.store(), Ok)?,
        })
    }

    /// The places of the staticlibs in the cache.
    pub(super) fn keys(&self) -> Result<Keys> {
        let cache = folder(COMPILED, self.0.work)?;
        let settings = self.settings()?;
        let key = |package| Key::of(package, self, &settings, &cache);
        Ok(Keys {
            bundle: key(&self.0.packages.bundle)?,
            extension: key(&self.0.packages.extension)?,
        })
    }

    /// Compiles packages, those of one workspace in one run.
    fn compile(&self, packages: &[&Package]) -> Result<()> {
        let mut left = packages;
        while let Some(first) = left.first() {
            let of_one = left
                .iter()
                .take_while(|it| it.manifest == first.manifest)
                .count();
            let (together, others) = left.split_at(of_one);
            self.run(together)?;
            left = others;
        }
        Ok(())
    }

    fn run(&self, packages: &[&Package]) -> Result<()> {
        let Some(first) = packages.first() else {
            return Ok(());
        };
        let rustc = self.0.work.join(format!("rustc-{}", digest::short(RUSTC)));
        if !rustc.is_file() {
            replace(&rustc, RUSTC.as_bytes())?;
        }
        // Each time: an earlier run may have been interrupted between the two.
        fs_err::set_permissions(&rustc, PermissionsExt::from_mode(0o755))?;
        let mut tool = cargo("compile the Rust and C++ parts of the bundle")
            .arg("build")
            .args(["--locked", "--profile", PROFILE, "--lib"])
            .args(["--manifest-path", first.manifest.as_str()])
            .args(["--target-dir", self.target_dir().as_str()])
            .args(["--color", "never"])
            .args(packages.iter().flat_map(|it| ["--package", it.name]))
            // Neither the checkout's place nor the caller's flags may change what ships.
            .cwd(self.0.source.root())
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("CARGO_TARGET_DIR")
            .env_remove("RUSTC_WORKSPACE_WRAPPER")
            .env("CARGO_ENCODED_RUSTFLAGS", RUST_FLAGS.join("\u{1f}"))
            .env("RUSTC", &rustc)
            .env("MONDO_RUSTC", toolchain::rustc())
            .env("MONDO_REMAPS", self.remaps(&first.manifest).join("\n"))
            .env("CXX", &self.0.linker.cxx);
        for (key, value) in environment(self.0.toolchain) {
            tool = tool.env(key, value);
        }
        tool.output_watched(&|line| {
            if let Some(crate_name) = line.trim_start().strip_prefix("Compiling ") {
                self.0.sink.update(&format!("Rust and C++: {crate_name}"));
            }
        })
        .map(drop)
    }

    fn target_dir(&self) -> Utf8PathBuf {
        self.0.work.join("cargo")
    }

    /// The path of a package's staticlib in cargo's target folder.
    pub(super) fn output(&self, package: &Package) -> Utf8PathBuf {
        let name = rust_crates::extern_name(package.name);
        self.target_dir().join(PROFILE).join(format!("lib{name}.a"))
    }

    /// `--remap-path-prefix` for every folder whose name could end up in a panic message. The last
    /// that fits wins.
    fn remaps(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut folders = vec![(self.0.source.root().to_owned(), "/mondo".to_owned())];
        if let Some(home) = cargo_home() {
            folders.push((home, "/cargo".into()));
        }
        for (one, package) in rust_crates::of(self.0.plan) {
            folders.push((one.folder.clone(), format!("/{package}")));
        }
        if *manifest != self.0.source.cargo_manifest() {
            let folder = manifest.parent().unwrap_or(manifest);
            folders.push((folder.to_owned(), "/mondo/bundle".into()));
        }
        folders
            .into_iter()
            .map(|(from, to)| format!("--remap-path-prefix={from}={to}"))
            .collect()
    }

    /// All but the sources that decides what rustc and the C++ compiler make: compilers, flags, the
    /// profile, headers.
    fn settings(&self) -> Result<String> {
        let workspace = fs_err::read_to_string(self.0.source.cargo_manifest())?;
        let rustc = Tool::new(toolchain::rustc(), "ask rustc for its version")
            .fails_as(ErrorKind::MissingTool)
            .arg("-vV")
            .output()?;
        let headers = headers(self.0.toolchain)?;
        let variables = VARIABLES.map(|name| format!("{name}={:?}", std::env::var_os(name)));
        Ok(format!(
            "{}\n{}\n{:?}\n{}\n{workspace}\n{headers}\n{}",
            rustc.stdout,
            self.0.linker.cxx_version,
            RUST_FLAGS,
            RUSTC,
            variables.join("\n"),
        ))
    }
}

/// Variables by which the build scripts' libraries, cc and bindgen, let a caller change what they do.
const VARIABLES: [&str; 8] = [
    "CXXFLAGS",
    "CFLAGS",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "CRATE_CC_NO_DEFAULTS",
    "BINDGEN_EXTRA_CLANG_ARGS",
    "CARGO_PROFILE_BUNDLE_OPT_LEVEL",
    "CARGO_PROFILE_BUNDLE_LTO",
];

/// The folder in which cargo keeps its downloads.
pub(super) fn cargo_home() -> Option<Utf8PathBuf> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    home.ok().map(Utf8PathBuf::from)
}

/// A digest of the headers of LLVM that C and C++ of ours includes: names, sizes and times, for there
/// are thousands.
fn headers(toolchain: &Toolchain) -> Result<String> {
    let include = real_include(toolchain);
    let mut lines = vec![toolchain.version.clone()];
    let mut folders = ["mlir", "mlir-c", "llvm/Config", "llvm/ADT", "llvm/Support"]
        .map(|folder| include.join(folder))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if metadata.is_dir() {
                folders.push(entry.into_path());
            } else {
                let name = entry.path().strip_prefix(&include).unwrap_or(entry.path());
                let (size, time) = (metadata.len(), metadata.modified()?);
                lines.push(format!("{name} {size} {time:?}"));
            }
        }
    }
    lines.sort();
    Ok(digest::of(lines.join("\n")))
}

/// The environment in which the runtime tower compiles: for this phase and for clippy. Of LLVM it
/// reads headers and libclang alone, so a prefix of links to another one's is that other one: what
/// was compiled for it need not be compiled again.
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
                    .is_some_and(|it| it.starts_with("libclang"))
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
    variables.extend(tool_path(toolchain).map(|path| ("LD_LIBRARY_PATH".into(), path)));
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
/// A cargo that runs us sets variables about our own package. Build scripts of others read them too
/// (ring's does), so that half of what they build would be compiled again: they are taken away.
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
