//! Chooses the declarations of the C API, and tells dependents which LLVM they are of.
//!
//! `src/declarations.rs` has the declarations of each LLVM in the catalogue, so that a dependent is checked and documented
//! without LLVM. With the feature `bindgen`, bindgen makes them from the headers instead; mondo's builds have that, since
//! a prefix of yours may be any commit of LLVM.
//!
//! Reads `MONDO_LLVM_DIR` (the prefix that holds `include/mlir-c`; else the headers beside the library in
//! `MONDO_LIBRARY_DIR`, as a wheel has them) and, with `bindgen`, `MONDO_LIBCLANG_DIR` (the folder of libclang's shared
//! library); hands on to the build scripts of dependents LLVM's major version, as `DEP_MONDO_LLVM_MAJOR`, and the
//! folder of its headers where there is one, as `DEP_MONDO_LLVM_INCLUDE`.
//!
//! Code for older LLVMs alone is behind `cfg(llvm_before = "<major>")`, which is set for each greater
//! version up to the newest in [`VERSIONS`].

#[cfg(feature = "bindgen")]
mod generate;
mod headers;

use std::path::Path;

/// The LLVM major versions by which the code of crates that ship differs (the configuration option
/// `llvm_before`).
const VERSIONS: &[u32] = &[20, 22, 23];

/// The LLVM that is assumed where nothing names one.
const DEFAULT_LLVM: u32 = 22;

/// The declarations, which begin with a line for each LLVM.
#[cfg(not(feature = "bindgen"))]
const DECLARATIONS: &str = include_str!("../src/declarations.rs");

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/declarations.rs");
    println!("cargo::rerun-if-env-changed=MONDO_LLVM_DIR");
    println!("cargo::rerun-if-env-changed=MONDO_LIBRARY_DIR");
    if let Err(message) = run() {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let include = headers::folder()?;
    let major = include
        .as_deref()
        .map_or(Ok(DEFAULT_LLVM), headers::llvm_major)?;
    if let Some(include) = &include {
        println!(
            "cargo::rerun-if-changed={}",
            include.join("mlir-c").display()
        );
        println!("cargo::metadata=llvm_include={}", include.display());
    }
    println!("cargo::metadata=llvm_major={major}");
    println!("cargo::rustc-check-cfg=cfg(llvm_before, values(any()))");
    println!("cargo::rustc-check-cfg=cfg(newer_name, values(any()))");
    for newer in VERSIONS.iter().filter(|version| major < **version) {
        println!("cargo::rustc-cfg=llvm_before=\"{newer}\"");
    }
    declare(include.as_deref(), major)
}

#[cfg(feature = "bindgen")]
fn declare(include: Option<&Path>, major: u32) -> Result<(), String> {
    let include = include.ok_or(
        "the feature `bindgen` reads MLIR's headers: set MONDO_LLVM_DIR to LLVM's prefix (`mondo doctor` prints it), \
         or MONDO_LIBRARY_DIR to the folder of an unpacked or installed mondo wheel",
    )?;
    println!(
        "cargo::rustc-env=MONDO_SYS_HEADERS={major} {:016x}",
        headers::digest(include)?
    );
    generate::declarations(include, major)
}

/// Accepts a library if its headers are those of the declarations.
#[cfg(not(feature = "bindgen"))]
fn declare(include: Option<&Path>, major: u32) -> Result<(), String> {
    let Some(include) = include else {
        return Ok(());
    };
    let known = DECLARATIONS.lines().filter_map(headers::made_of);
    let known: Vec<(u32, u64)> = known.collect();
    if known.contains(&(major, headers::digest(include)?)) {
        return Ok(());
    }
    Err(format!(
        "mondo-sys has no declarations for the headers of LLVM {major} in {}: enable its feature `bindgen`, which needs \
         libclang, or use a library of another LLVM (mondo-sys has {})",
        include.display(),
        known
            .iter()
            .map(|(major, _)| major.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    ))
}
