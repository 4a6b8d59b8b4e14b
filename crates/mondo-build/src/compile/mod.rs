//! The compile phase: the dialect crates' C++, and the Rust staticlibs of the bundle and of the
//! extension, by cargo, with the C++ shim inside. What they hold depends on the manifest's contents
//! but never on its label, so another label of the same contents compiles nothing.

pub(crate) mod cpp;
pub(crate) mod dialect_crates;
mod rust_crates;
pub(crate) mod step;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::error::{ErrorKind, Result};
use crate::exec::Tool;
use crate::floor::{self, Floor};
use crate::plan::Plan;
use crate::source::Source;
use crate::toolchain::{Linker, Toolchain, tool_path};
use cpp::Compiler;
pub use dialect_crates::CompiledCrate;
use step::Digests;

/// The result of the compile phase.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The core runtime and the dialect crates: `libmondo_bundle.a`.
    pub bundle: Utf8PathBuf,
    /// The extension module: `libmondo_py.a`.
    pub extension: Utf8PathBuf,
    /// The dialect crates, in the plan's order.
    pub crates: Vec<CompiledCrate>,
    /// What it takes to link for an older glibc than the installed one.
    pub floor: Option<Floor>,
    /// The Cargo packages whose code these hold, by the manifest that Cargo finds them through.
    pub packages: Vec<(Utf8PathBuf, &'static [&'static str])>,
}

/// The crate of the bundle's Rust part.
const BUNDLE_CRATE: &str = "mondo-bundle";

/// The crate of the extension, whose features are its code for single dialects.
const EXTENSION_CRATE: &str = "mondo-py";

/// What makes the extension small: its own code, not that of the crates it calls all the time.
const SMALL_EXTENSION: &str = "profile.bundle.package.mondo-py.opt-level=\"s\"";

/// What `bundle/build.rs` reads: the registration calls and the entry points to leave out.
#[derive(Debug, Serialize)]
struct RegistrationFile<'a> {
    handles: &'a [String],
    registries: &'a [String],
    passes: &'a [String],
    contexts: &'a [String],
    stub_entry_points: &'a [String],
    unreachable_functions: &'a [String],
    null_functions: &'a [String],
    dialects: Vec<&'a str>,
    translations: &'a [String],
    rust_crates: Vec<String>,
}

/// Compiles the shipped crates for `plan` into `work`.
pub fn compile(
    plan: &Plan,
    toolchain: &Toolchain,
    source: &Source,
    linker: &Linker,
    work: &Utf8Path,
) -> Result<Compiled> {
    let digests = Digests::new(&toolchain.prefix);
    let compiler = Compiler {
        linker,
        toolchain,
        digests: &digests,
    };
    // First, as it is where mistakes are made.
    let crates = dialect_crates::compile(plan, compiler, work)?;
    let floor = floor::floor(plan.link.glibc_floor.as_deref(), source, compiler, work)?;
    let registration = registration_file(plan, work)?;
    let build = CargoBuild {
        source,
        toolchain,
        cxx: &linker.cxx,
        work,
        registration: &registration,
    };
    let own = source.cargo_manifest();
    let packages: Vec<(Utf8PathBuf, &'static [&'static str])> =
        match rust_crates::package(plan, source, work)? {
            None => vec![(own, &[BUNDLE_CRATE, EXTENSION_CRATE])],
            Some(folder) => vec![
                (folder.join("Cargo.toml"), &[BUNDLE_CRATE]),
                (own, &[EXTENSION_CRATE]),
            ],
        };
    for (manifest, names) in &packages {
        build.run(plan, manifest, names)?;
    }
    // The staticlibs' names carry no hash of registration and features, so the next manifest's build
    // replaces them; they are linked under the work folder's lock, before anyone else can.
    let made_in = |(manifest, _): &(Utf8PathBuf, _)| build.target_dir(manifest).join("bundle");
    Ok(Compiled {
        bundle: made_in(&packages[0]).join("libmondo_bundle.a"),
        extension: made_in(&packages[packages.len() - 1]).join("libmondo_py.a"),
        crates,
        floor,
        packages,
    })
}

/// The environment in which the runtime tower compiles: for this phase and for clippy. Of LLVM it
/// reads headers and libclang alone, so a prefix of links to another one's is that other one: what
/// was compiled for it need not be compiled again.
pub fn environment(toolchain: &Toolchain) -> Vec<(String, String)> {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let include = real(&toolchain.prefix.join("include"));
    let prefix = match (include.file_name(), include.parent()) {
        (Some("include"), Some(prefix)) => prefix,
        _ => &toolchain.prefix,
    };
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

/// What the runs of cargo have in common.
struct CargoBuild<'a> {
    source: &'a Source,
    toolchain: &'a Toolchain,
    cxx: &'a str,
    work: &'a Utf8Path,
    registration: &'a Utf8Path,
}

impl CargoBuild<'_> {
    /// Where cargo compiles. A package with dialect crates has other flags, and in one folder each
    /// kind would have everything of the other compiled again.
    fn target_dir(&self, manifest: &Utf8Path) -> Utf8PathBuf {
        let own = manifest == self.source.cargo_manifest();
        self.work.join(if own { "cargo" } else { "cargo-crates" })
    }

    /// Builds these packages, which cargo finds through `manifest`.
    fn run(&self, plan: &Plan, manifest: &Utf8Path, names: &[&str]) -> Result<()> {
        let mut tool = cargo("compile the Rust and C++ parts of the bundle")
            .arg("build")
            .args(["--quiet", "--locked", "--profile", "bundle", "--lib"])
            .args(["--manifest-path", manifest.as_str()])
            .args(["--target-dir", self.target_dir(manifest).as_str()])
            // Neither the checkout's place nor the caller's flags may change what ships.
            .cwd(self.source.root())
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .env_remove("CARGO_TARGET_DIR")
            .env(
                "CARGO_ENCODED_RUSTFLAGS",
                remaps(plan, self.source, manifest).join("\u{1f}"),
            )
            .env("MONDO_BUNDLE_REGISTRATION", self.registration)
            .env("CXX", self.cxx);
        for name in names {
            tool = tool.args(["--package", name]);
        }
        if names.contains(&EXTENSION_CRATE) {
            if plan.link.small_extension {
                tool = tool.args(["--config", SMALL_EXTENSION]);
            }
            for feature in &plan.extension_features {
                tool = tool.arg("--features");
                tool = tool.arg(format!("{EXTENSION_CRATE}/{feature}"));
            }
        }
        for (key, value) in environment(self.toolchain) {
            tool = tool.env(key, value);
        }
        tool.output().map(drop)
    }
}

/// The cargo that runs us, so that `cargo xtask` stays with one toolchain; else the one on PATH.
/// `purpose` ends the sentence "could not …".
#[must_use]
pub fn cargo(purpose: &str) -> Tool {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    Tool::new(program, purpose)
        .fails_as(ErrorKind::Compile)
        .installed_by("install Rust with rustup")
}

/// `--remap-path-prefix` for every folder whose name could end up in a panic message. The last that
/// fits wins, and flags that differ compile everything again: so a plan without crates in Rust has
/// the same as ever.
fn remaps(plan: &Plan, source: &Source, manifest: &Utf8Path) -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=/mondo", source.root())];
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    if let Ok(home) = home {
        flags.push(format!("--remap-path-prefix={home}=/cargo"));
    }
    if manifest != source.cargo_manifest() {
        for (one, package) in rust_crates::of(plan) {
            flags.push(format!("--remap-path-prefix={}=/{package}", one.folder));
        }
        let folder = manifest.parent().unwrap_or(manifest);
        flags.push(format!("--remap-path-prefix={folder}=/mondo/bundle"));
    }
    flags
}

fn registration_file(plan: &Plan, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let calls = &plan.registration;
    let content = RegistrationFile {
        handles: &calls.handles,
        registries: &calls.registries,
        passes: &calls.passes,
        contexts: &calls.contexts,
        stub_entry_points: &plan.left_out_entry_points,
        unreachable_functions: &plan.unreachable_functions,
        null_functions: &plan.null_functions,
        dialects: plan
            .dialects
            .iter()
            .map(|dialect| dialect.name.as_str())
            .collect(),
        translations: &plan.translations,
        rust_crates: rust_crates::of(plan)
            .into_iter()
            .map(|(_, package)| rust_crates::extern_name(package))
            .collect(),
    };
    let text = serde_json::to_string_pretty(&content).map_err(|error| {
        crate::Error::new(ErrorKind::Compile, "the registration cannot be written").caused_by(error)
    })?;
    // One file per contents: cargo rebuilds when the variable's value or the file changes.
    let path = work
        .join("cargo")
        .join(format!("registration-{}.json", crate::digest::short(&text)));
    fs_err::create_dir_all(work.join("cargo"))?;
    if fs_err::read_to_string(&path).ok().as_deref() != Some(&text) {
        fs_err::write(&path, text)?;
    }
    Ok(path)
}
