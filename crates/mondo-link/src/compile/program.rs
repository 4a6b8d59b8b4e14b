//! The command `mondo` as a program for other machines: it needs no newer glibc than a bundle does,
//! and names no folder of this machine.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::glibc::GlibcVersion;
use mondo_core::progress::Sink;
use mondo_core::source::Source;
use mondo_toolchain::{self as toolchain, Linker, Toolchain};

use super::caller::hermetic;
use super::cargo::{cargo, cargo_home};
use super::rust::{with_compiler, wrapper};
use crate::cpp::Compiler;
use crate::glibc_stubs::{self, GlibcStubs};
use crate::step::Digests;

/// The package and the binary.
const PACKAGE: &str = "mondo";

/// The profile, in the workspace's Cargo.toml.
const PROFILE: &str = "command";

/// The borrowed inputs of the program.
#[derive(Clone, Copy)]
pub struct ProgramRequest<'a> {
    /// A checkout of mondo.
    pub source: &'a Source,
    /// The LLVM whose lld links it.
    pub toolchain: &'a Toolchain,
    /// The linker and its driver.
    pub linker: &'a Linker,
    /// The oldest glibc that it must run on.
    pub glibc: GlibcVersion,
    /// The folder of intermediate files.
    pub work: &'a Utf8Path,
    /// The receiver of progress.
    pub sink: &'a dyn Sink,
}

/// Compiles and links the program; returns its path. The symbol table is still in it.
///
/// # Errors
/// [`ErrorKind::Compile`] with cargo's message if it fails.
pub fn program(request: ProgramRequest<'_>) -> Result<Utf8PathBuf> {
    let ProgramRequest {
        source,
        toolchain,
        linker,
        ..
    } = request;
    let digests = Digests::new(&toolchain.prefix);
    let compiler = Compiler {
        linker,
        toolchain,
        digests: &digests,
    };
    let stubs = glibc_stubs::prepare(Some(request.glibc), source, compiler, request.work)?;
    let mut arguments = vec![
        format!("-Clinker={}", linker.cxx),
        // Use the pinned lld and not the one that rustc brings, whose version changes with rustc's.
        "-Clinker-features=-lld".to_owned(),
        format!("-Clink-arg=-B{}", linker.lld_dir),
        "-Clink-arg=-fuse-ld=lld".to_owned(),
        "-Clink-arg=-Wl,--build-id=sha1".to_owned(),
        // The installed libgcc_s refers to symbols of the installed glibc, which the stub libraries do not define.
        "-Clink-arg=-Wl,--allow-shlib-undefined".to_owned(),
    ];
    let stubs = stubs.iter().flat_map(GlibcStubs::arguments);
    arguments.extend(stubs.map(|argument| format!("-Clink-arg={argument}")));
    arguments.push(format!("--remap-path-prefix={}=/mondo", source.root()));
    let mut c_flags = format!("-ffile-prefix-map={}=/mondo", source.root());
    if let Some(home) = cargo_home() {
        arguments.push(format!("--remap-path-prefix={home}=/cargo"));
        c_flags += &format!(" -ffile-prefix-map={home}=/cargo");
    }
    // Cargo does not track these arguments, so each set of arguments has a target folder of its own.
    let folder = request
        .work
        .join("command")
        .join(digest::short(arguments.join("\n")));
    let mut tool = hermetic(cargo("compile the command mondo"))
        .arg("build")
        .args(["--locked", "--profile", PROFILE, "--color", "never"])
        .args(["--package", PACKAGE, "--bin", PACKAGE])
        .args(["--manifest-path", source.cargo_manifest().as_str()])
        .args(["--target-dir", folder.as_str()])
        .cwd(source.root())
        .env("CARGO_ENCODED_RUSTFLAGS", "")
        .env("RUSTC", wrapper(request.work)?)
        .env("MONDO_RUSTC", toolchain::rustc())
        .env("MONDO_REMAPS", arguments.join("\n"))
        .env("MONDO_RELEASE", "1")
        .env("CFLAGS", c_flags);
    for (key, value) in &linker.lld_env {
        tool = tool.env(key, value);
    }
    tool = with_compiler(tool, linker);
    tool.output_watched(&|line| {
        if let Some(name) = line.trim_start().strip_prefix("Compiling ") {
            request.sink.update(&format!("Rust: {name}"));
        }
    })?;
    let program = folder.join(PROFILE).join(PACKAGE);
    if program.is_file() {
        return Ok(program);
    }
    Err(Error::new(
        ErrorKind::Compile,
        "cargo did not build the `mondo` command",
    )
    .at(program))
}
