//! Runs of cargo for what ships.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::cache::{CARGO, COMPILED, folder, prune, use_entry};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::{self, replace};
use mondo_core::interrupt::{self, Stop};
use mondo_core::lock;
use mondo_toolchain::{self as toolchain, Launcher, Linker};

use super::cache::{self, Key};
use super::caller::{cargo_variables, configuration, hermetic};
use super::cargo::{cargo, cargo_home, environment, real_include};
use super::packages::{Package, Packages};
use super::request::Request;
use super::rust_crates;

/// Flags of everything in Rust that ships. The threshold is that of LLVM's inliner, 225 by default at
/// optimisation level 3. Functions with `#[inline]` keep theirs of 325: in mondo-py those are the hot ones
/// with few callers. The extension is an eighth smaller; docs/design/size.md has the cost in instructions.
const RUST_FLAGS: &[&str] = &["-Cllvm-args=-inline-threshold=35"];

/// The wrapper script that cargo runs in place of rustc.
const RUSTC: &str = include_str!("rustc.sh");

/// The profile, in the workspace's Cargo.toml.
pub(super) const PROFILE: &str = "bundle";

/// Writes the wrapper script [`RUSTC`] into `work` if it is not there yet; returns its path.
///
/// # Errors
/// [`ErrorKind::Io`] where it cannot be written.
pub(super) fn wrapper(work: &Utf8Path) -> Result<Utf8PathBuf> {
    // A compiler launcher recognises rustc by the file's name, so the digest is in the name of the folder. The folder
    // is not called `rustc-<digest>`, because work folders of earlier versions have a file of that name.
    let rustc = work.join(format!("rustc/{}/rustc", digest::short(RUSTC)));
    if !rustc.is_file() {
        replace(&rustc, RUSTC.as_bytes())?;
    }
    // The permissions are set each time, because an earlier run may have been interrupted between the write and this
    // call.
    fs_err::set_permissions(&rustc, PermissionsExt::from_mode(0o755))?;
    Ok(rustc)
}

/// Cargo with rustc, and the C++ compiler of build scripts, started through `launcher`. The crate `cc`
/// splits `CXX` at a space if the first word is a launcher that it knows, or that a variable names.
fn launched(cargo: Tool, launcher: &Launcher, cxx: &str) -> Tool {
    let program = launcher.program();
    let cargo = cargo.env("RUSTC_WRAPPER", program);
    if program.as_str().contains(char::is_whitespace) {
        return cargo;
    }
    cargo.env("CXX", format!("{program} {cxx}")).env(
        "CC_KNOWN_WRAPPER_CUSTOM",
        program.file_stem().unwrap_or_default(),
    )
}

/// Cargo whose build scripts are linked, compile and read headers with the locked packages alone, if the compiler is theirs.
pub(super) fn with_compiler(cargo: Tool, linker: &Linker) -> Tool {
    let Some(locked) = &linker.locked else {
        return cargo;
    };
    let target = std::env::consts::ARCH.to_uppercase();
    cargo
        .env("CC", &locked.cc)
        .env("AR", &locked.ar)
        .env(
            "BINDGEN_EXTRA_CLANG_ARGS",
            format!("--sysroot={}", locked.sysroot),
        )
        .env(
            format!("CARGO_TARGET_{target}_UNKNOWN_LINUX_GNU_LINKER"),
            &locked.host_cc,
        )
}

/// The part of the compile phase that cargo does.
#[derive(Clone, Copy)]
pub(super) struct RustBuild<'a>(pub(super) Request<'a>);

impl RustBuild<'_> {
    /// A staticlib: from the user's cache, else compiled and put there.
    ///
    /// # Errors
    /// [`ErrorKind::Compile`] where cargo fails; [`ErrorKind::Io`] where the cache cannot be written.
    pub(super) fn staticlib(
        &self,
        key: &Key,
        package: &Package,
        stop: Option<&Arc<Stop>>,
    ) -> Result<cache::Kept> {
        if let Some(found) = key.look_up(self.0.sink)? {
            return Ok(found);
        }
        let target = self.target_dir()?;
        let check = || stop.map_or_else(interrupt::check, |stop| stop.check());
        let _held = lock::hold(&target, self.0.sink, &check)?;
        self.compile(package, &target, key, stop)?;
        unchanged(key, &self.key(package, &target, &self.settings()?)?)?;
        key.store(self.0.work, self.0.sink)
    }

    /// The place of a staticlib in the cache, from its inputs as they are now.
    fn key(&self, package: &Package, target: &Utf8Path, settings: &str) -> Result<Key> {
        let cache = folder(COMPILED, self.0.work)?;
        Key::of(package, output(target, package), self.0, settings, &cache)
    }

    /// The places of both staticlibs in the cache.
    pub(super) fn keys(&self, packages: &Packages) -> Result<[Key; 2]> {
        let settings = self.settings()?;
        let target = self.target_dir()?;
        let key = |package| self.key(package, &target, &settings);
        Ok([key(&packages.bundle)?, key(&packages.extension)?])
    }

    fn compile(
        &self,
        package: &Package,
        target: &Utf8Path,
        key: &Key,
        stop: Option<&Arc<Stop>>,
    ) -> Result<()> {
        let rustc = wrapper(self.0.work)?;
        // Cargo writes the staticlib here again. The file of an earlier run is removed first, so that it is not taken
        // for the result if cargo writes none.
        let output = output(target, package);
        if output.is_file() {
            fs_err::remove_file(&output)?;
        }
        let mut tool = hermetic(cargo("compile the Rust and C++ parts of the bundle"))
            .arg("build")
            .args(["--locked", "--profile", PROFILE, "--lib"])
            .args(["--manifest-path", package.manifest.as_str()])
            .args(["--target-dir", target.as_str()])
            .args(["--color", "never"])
            .args(["--package", package.name])
            // Neither the checkout's place nor the caller's flags may change what ships.
            .cwd(self.0.source.root())
            .env("CARGO_ENCODED_RUSTFLAGS", RUST_FLAGS.join("\u{1f}"))
            .env("RUSTC", &rustc)
            .env("MONDO_RUSTC", self.rustc()?)
            .env("MONDO_REMAPS", self.remaps(&package.manifest).join("\n"))
            .env("MONDO_COMPILE_SETTINGS", key.settings())
            .env("CXX", &self.0.linker.cxx);
        if let Some(launcher) = &self.0.linker.launcher {
            tool = launched(tool, launcher, &self.0.linker.cxx);
        }
        for (key, value) in environment(self.0.toolchain) {
            tool = tool.env(key, value);
        }
        tool = with_compiler(tool, self.0.linker);
        if let Some(stop) = stop {
            tool = tool.until(stop);
        }
        let watch = |line: &str| {
            if let Some(crate_name) = line.trim_start().strip_prefix("Compiling ") {
                self.0.sink.update(&format!("Rust and C++: {crate_name}"));
            }
        };
        match (tool.output_watched(&watch), &self.0.linker.launcher) {
            (Err(error), Some(launcher)) if error.kind() == ErrorKind::Compile => {
                Err(error.help(format!(
                    "if the compiler launcher {} is at fault, build without it: \
                     `--compiler-launcher none`",
                    launcher.program()
                )))
            }
            (Ok(_), Some(launcher)) => check_launched(&output, launcher),
            (result, _) => result.map(drop),
        }
    }

    /// The path of the rustc binary, also where `rustc` is rustup's proxy. sccache asks the program that it is given
    /// if it accepts `+stable`. A proxy does, and then sccache starts the compiler and not the wrapper, so that the
    /// wrapper's arguments are missing.
    fn rustc(&self) -> Result<String> {
        let named = toolchain::rustc();
        let sysroot = Tool::new(&named, "ask rustc for its folder")
            .fails_as(ErrorKind::MissingTool)
            .args(["--print", "sysroot"])
            .cwd(self.0.source.root())
            .output()?;
        let rustc = Utf8Path::new(sysroot.stdout.trim()).join("bin/rustc");
        Ok(match rustc.is_file() {
            true => rustc.into_string(),
            false => named,
        })
    }

    /// Cargo's target folder. It contains the results of build scripts, whose paths a compiler launcher takes as a
    /// part of its cache's key. So with a launcher the target folder is in the user's cache, at a path that is the
    /// same for every checkout.
    fn target_dir(&self) -> Result<Utf8PathBuf> {
        if self.0.linker.launcher.is_none() {
            let folder = self.0.work.join("cargo");
            fs_err::create_dir_all(&folder)?;
            return Ok(folder);
        }
        let shared = folder(CARGO, self.0.work)?;
        prune(&shared);
        let target = shared.join("launched");
        fs_err::create_dir_all(&target)?;
        use_entry(&target);
        Ok(target)
    }

    /// `--remap-path-prefix` for every folder whose name could end up in a panic message. The last
    /// that fits wins.
    fn remaps(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut folders = vec![(self.0.source.root().to_owned(), "/mondo".to_owned())];
        if let Some(home) = cargo_home() {
            folders.push((home, "/cargo".into()));
        }
        for (one, package) in rust_crates::of(&self.0.plan.crates) {
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

    /// Everything besides the sources that decides the output of rustc and of the C++ compiler: compilers, flags, the
    /// profile, headers, and those parts of the caller's environment and of cargo's configuration that reach the
    /// compilers.
    fn settings(&self) -> Result<String> {
        let workspace = fs_err::read_to_string(self.0.source.cargo_manifest())?;
        let rustc = Tool::new(toolchain::rustc(), "ask rustc for its version")
            .fails_as(ErrorKind::MissingTool)
            .arg("-vV")
            .cwd(self.0.source.root())
            .output()?;
        let headers = headers(&real_include(self.0.toolchain))?;
        let variables = cargo_variables(std::env::vars_os());
        let configuration = configuration(self.0.source.root(), cargo_home().as_deref())?;
        let version = &self.0.toolchain.version;
        let locked = self.0.linker.locked.as_ref();
        let identity = locked.map_or("", |locked| locked.identity.as_str());
        Ok(format!(
            "{version}\n{identity}\n{}\n{}\n{RUST_FLAGS:?}\n{RUSTC}\n{workspace}\n{headers}\n{variables}\n{configuration}",
            rustc.stdout, self.0.linker.cxx_version,
        ))
    }
}

/// Refuses code that was made while one of its inputs changed: nobody knows which state it is of, and the cache would serve
/// it as that of `before`.
fn unchanged(before: &Key, after: &Key) -> Result<()> {
    if before.digest() == after.digest() {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Compile,
        "a source, header or setting changed while it was compiled",
    )
    .because("the result may mix both states, so mondo discards it")
    .help("build again"))
}

/// The path of a package's staticlib in cargo's target folder.
fn output(target: &Utf8Path, package: &Package) -> Utf8PathBuf {
    let name = rust_crates::extern_name(package.name);
    target.join(PROFILE).join(format!("lib{name}.a"))
}

/// Refuses a staticlib that a launcher compiled without the wrapper: the cache would serve it to all bundles.
fn check_launched(output: &Utf8Path, launcher: &Launcher) -> Result<()> {
    let bytes = file::map(output)?;
    let names = |folder: &Utf8Path| {
        let folder = format!("{folder}/");
        bytes
            .windows(folder.len())
            .any(|part| part == folder.as_bytes())
    };
    match cargo_home().filter(|home| names(home)) {
        None => Ok(()),
        Some(home) => Err(launcher.failure(&format!(
            "{output} contains {home}, so another program than mondo's compiled it"
        ))),
    }
}

/// A digest of LLVM's headers, which mondo's own C and C++ includes. It covers names, sizes and times and not
/// contents, because there are thousands of headers.
fn headers(include: &Utf8Path) -> Result<String> {
    let mut lines = Vec::new();
    let mut folders = vec![include.to_owned()];
    let mut seen = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        // In LLVM packages of distributions some folders are symbolic links, which could form a cycle.
        if !seen.insert(folder.canonicalize_utf8()?) {
            continue;
        }
        for entry in folder.read_dir_utf8()? {
            let path = entry?.into_path();
            // A dangling symbolic link cannot be included, so it is skipped.
            let Ok(metadata) = path.metadata() else {
                continue;
            };
            if metadata.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(include).unwrap_or(&path);
                let (size, time) = (metadata.len(), metadata.modified()?);
                lines.push(format!("{name} {size} {time:?}"));
            }
        }
    }
    lines.sort();
    Ok(digest::of(lines.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_sources_that_changed_meanwhile_is_not_kept() {
        let key = Key::of_text;
        unchanged(&key("one"), &key("one")).unwrap();
        let error = unchanged(&key("one"), &key("other")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Compile);
        assert!(error.to_string().contains("build again"), "{error}");
    }

    #[test]
    fn every_header_of_llvm_is_digested_and_a_link_is_followed_once() {
        let dir = tempfile::tempdir().unwrap();
        let prefix = Utf8Path::from_path(dir.path()).unwrap().to_owned();
        let linked = prefix.join("elsewhere");
        for folder in ["include/mlir/IR", "include/llvm/IR", "elsewhere/llvm-c"] {
            fs_err::create_dir_all(prefix.join(folder)).unwrap();
        }
        let link = |to: &str, name: &str| {
            fs_err::os::unix::fs::symlink(prefix.join(to), prefix.join(name)).unwrap();
        };
        link("elsewhere", "include/linked");
        link("include", "elsewhere/back");
        link("nowhere", "include/dangling.h");
        let include = prefix.join("include");
        let mut before = headers(&include).unwrap();
        for file in [
            prefix.join("include/mlir/IR/Operation.h"),
            prefix.join("include/llvm/IR/Type.h"),
            prefix.join("include/new.h"),
            linked.join("llvm-c/Core.h"),
        ] {
            fs_err::write(&file, "").unwrap();
            let after = headers(&include).unwrap();
            assert_ne!(after, before, "{file}");
            before = after;
        }
        assert_eq!(headers(&include).unwrap(), before);
    }
}
