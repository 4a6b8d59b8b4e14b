//! Compiles the C++ shim against the MLIR headers of the toolchain. mondo-sys's build script finds
//! the folder of these headers and hands it on.
//!
//! Only the link of a bundle needs the shim, so it is compiled if mondo's build is what runs cargo, which sets
//! `MONDO_COMPILE_SETTINGS`; `cargo check` and clippy do without.

use std::env;

/// The functions that compiled modules call.
const RUNNERS: &[&str] = &[
    "runners/async_runtime.cpp",
    "runners/c_runner_utils.cpp",
    "runners/float16_utils.cpp",
    "runners/runner_utils.cpp",
];

/// The shim's translation units for each LLVM. Each file implements one part of `mondo.h` or of `dialect_sdk.h`, or
/// makes what the catalogue and the link ask for; those that read MLIR's headers are compiled together.
const UNITS: &[&str] = &[
    "shim/dialect_bufferization.cpp",
    "shim/dialect_tiling.cpp",
    "shim/dialect_to_llvm.cpp",
    "shim/guards.cpp",
    "shim/op_memory.cpp",
    "shim/pass_names.cpp",
    "shim/support.cpp",
    "shim/units/dialect_sdk.cpp",
    "shim/units/ir.cpp",
];

/// The sources of `mondo_backports.h`: functions of newer LLVMs' C API. They are compiled for older LLVMs only. With
/// [`NEWEST`] they would be empty, and a compile cache takes empty files for one and the same, so that the object of one
/// file would have the name of another.
const BACKPORTS: &[&str] = &[
    "shim/backports_dialects.cpp",
    "shim/backports_ir.cpp",
    "shim/backports_passes.cpp",
    "shim/backports_rewrite.cpp",
];

/// Macros for changes of MLIR between releases: each is defined if a header contains the text. A version number does
/// not tell, because it is the same for all commits between two releases.
const FEATURES: &[(&str, &str, &str)] = &[(
    "MONDO_WALKS_INHERENT_ATTRIBUTES",
    "mlir/IR/OperationSupport.h",
    "walkInherentAttrs",
)];

/// The LLVM major version that this version of mondo is written for.
const NEWEST: u32 = 22;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The digest of the compiler's version, its flags and all headers: cargo does not learn which files a
    // C++ compiler reads.
    println!("cargo::rerun-if-env-changed=MONDO_COMPILE_SETTINGS");
    println!("cargo::rerun-if-changed=shim");
    println!("cargo::rerun-if-changed=runners");
    println!("cargo::rerun-if-changed=include");
    if env::var_os("MONDO_COMPILE_SETTINGS").is_none() {
        return;
    }
    if let Err(message) = run() {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let llvm_include = required("DEP_MONDO_LLVM_INCLUDE")?;
    let manifest_dir = required("CARGO_MANIFEST_DIR")?;
    println!("cargo::rerun-if-changed={llvm_include}/llvm/Config/llvm-config.h");

    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        // The standard library is the final link's business: it takes libstdc++ statically.
        .cpp_link_stdlib(None)
        .pic(true)
        .opt_level(2)
        .debug(false)
        // Units include their parts by the path below this folder.
        .include(".")
        .include("include")
        // As system headers, so that their warnings are not ours.
        .flag("-isystem")
        .flag(&llvm_include)
        .define("NDEBUG", None)
        .flag("-fno-exceptions")
        // Classes that derive from LLVM's would refer to type information that some builds of LLVM lack.
        .flag("-fno-rtti")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag("-ffunction-sections")
        .flag("-fdata-sections")
        // No path of the build machine may end up in the object.
        .flag(format!("-ffile-prefix-map={manifest_dir}=mondo-runtime"))
        .flag(format!("-ffile-prefix-map={llvm_include}=llvm"))
        // The warning `subobject-linkage` takes an included part of a unit for a header.
        .flag_if_supported("-Wno-subobject-linkage")
        .warnings(true)
        .files(UNITS)
        .files(RUNNERS);
    for (define, header, text) in FEATURES {
        let path = format!("{llvm_include}/{header}");
        println!("cargo::rerun-if-changed={path}");
        let contents = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {path}: {error}"))?;
        if contents.contains(text) {
            build.define(define, None);
        }
    }
    let major = required("DEP_MONDO_LLVM_MAJOR")?;
    if major.parse().is_ok_and(|major: u32| major < NEWEST) {
        build.files(BACKPORTS);
    }
    build
        .try_compile("mondo_shim")
        .map_err(|error| format!("the C++ shim: {error}"))
}

fn required(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("cargo did not set {name}"))
}
