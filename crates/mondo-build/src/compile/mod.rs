//! The compile phase: the dialect crates' C++, and the Rust staticlibs of the bundle and of the
//! extension, by cargo, with the C++ shim inside. What they hold depends on the manifest's contents but never on its label, so
//! another label of the same contents compiles nothing.

pub(crate) mod cpp;
pub(crate) mod dialect_crates;
pub(crate) mod step;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::error::{ErrorKind, Result};
use crate::exec::Tool;
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
}

/// The crates whose code ships.
pub const SHIPPED_CRATES: &[&str] = &["mondo-bundle", EXTENSION_CRATE];

/// The crate of the extension, whose features are its code for single dialects.
const EXTENSION_CRATE: &str = "mondo-py";

/// What `bundle/build.rs` reads: the registration calls and the entry points to leave out.
#[derive(Debug, Serialize)]
struct RegistrationFile<'a> {
    handles: &'a [String],
    registries: &'a [String],
    passes: &'a [String],
    contexts: &'a [String],
    stub_entry_points: &'a [String],
    dialects: Vec<&'a str>,
    translations: &'a [String],
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
    let target_dir = work.join("cargo");
    let registration = registration_file(plan, work)?;
    cargo_build(
        plan,
        source,
        toolchain,
        &linker.cxx,
        &target_dir,
        &registration,
    )?;
    // The staticlibs' names carry no hash of registration and features, so the next manifest's build
    // replaces them; they are linked under the work folder's lock, before anyone else can.
    let profile = target_dir.join("bundle");
    Ok(Compiled {
        bundle: profile.join("libmondo_bundle.a"),
        extension: profile.join("libmondo_py.a"),
        crates,
    })
}

/// The environment in which the runtime tower compiles: for this phase and for clippy.
pub fn environment(toolchain: &Toolchain) -> Vec<(String, String)> {
    let mut variables: Vec<(String, String)> = vec![
        ("MONDO_LLVM_DIR".into(), toolchain.prefix.to_string()),
        (
            "MONDO_LIBCLANG_DIR".into(),
            toolchain.libclang_dir.to_string(),
        ),
        ("PYO3_NO_PYTHON".into(), "1".into()),
    ];
    variables.extend(tool_path(toolchain).map(|path| ("LD_LIBRARY_PATH".into(), path)));
    variables
}

fn cargo_build(
    plan: &Plan,
    source: &Source,
    toolchain: &Toolchain,
    cxx: &str,
    target_dir: &Utf8Path,
    registration: &Utf8Path,
) -> Result<()> {
    let mut tool = cargo("compile the Rust and C++ parts of the bundle")
        .arg("build")
        .args(["--quiet", "--locked", "--profile", "bundle", "--lib"])
        .arg("--manifest-path")
        .arg(source.cargo_manifest())
        .arg("--target-dir")
        .arg(target_dir)
        // Neither the checkout's place nor the caller's flags may change what ships.
        .cwd(source.root())
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_ENCODED_RUSTFLAGS", remaps(source).join("\u{1f}"))
        .env("MONDO_BUNDLE_REGISTRATION", registration)
        .env("CXX", cxx);
    for name in SHIPPED_CRATES {
        tool = tool.args(["--package", name]);
    }
    for feature in &plan.extension_features {
        tool = tool.arg("--features");
        tool = tool.arg(format!("{EXTENSION_CRATE}/{feature}"));
    }
    for (key, value) in environment(toolchain) {
        tool = tool.env(key, value);
    }
    tool.output().map(drop)
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

/// `--remap-path-prefix` for every folder whose name could end up in a panic message.
fn remaps(source: &Source) -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=/mondo", source.root())];
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    if let Ok(home) = home {
        flags.push(format!("--remap-path-prefix={home}=/cargo"));
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
        dialects: plan
            .dialects
            .iter()
            .map(|dialect| dialect.name.as_str())
            .collect(),
        translations: &plan.translations,
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
