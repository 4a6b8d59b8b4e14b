//! Runs bindgen over the toolchain's `mlir-c` headers, `mondo.h` and `dialect_sdk.h`.
//!
//! Reads `MONDO_LLVM_DIR` (the prefix that holds `include/mlir-c`; else the headers beside the library in
//! `MONDO_LIBRARY_DIR`, as a wheel has them) and `MONDO_LIBCLANG_DIR` (the folder of libclang's shared
//! library); hands on to the build scripts of dependents the include
//! folders, as `DEP_MONDO_LLVM_INCLUDE` and `DEP_MONDO_RUNTIME_INCLUDE`, and LLVM's major version, by
//! the headers, as `DEP_MONDO_LLVM_MAJOR`.
//!
//! Code for older LLVMs alone is behind `cfg(llvm_before = "<major>")`, which is set for each greater
//! version up to the newest in [`VERSIONS`].

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The prefix of Debian's packages of the LLVM that this version of mondo is written for.
const SYSTEM_PREFIX: &str = "/usr/lib/llvm-22";

/// Functions that `before_22.rs` has in place of those that the older headers declare.
const REPLACED_BEFORE_22: &[&str] = &[
    "mlirApplyPatternsAndFoldGreedily",
    "mlirInferShapedTypeOpInterfaceInferReturnTypes",
    "mlirInferTypeOpInterfaceInferReturnTypes",
    "mlirPassManagerEnableIRPrinting",
];

/// Those that `before_23.rs` has.
const REPLACED_BEFORE_23: &[&str] = &["mlirTranslateOperationToSMTLIB"];

/// Functions that an LLVM after the newest of [`VERSIONS`] has under another name. The headers decide: all commits between
/// two releases have one version number. `lib.rs` gives each its older name, behind `cfg(newer_name = "…")`.
const RENAMED: &[&str] = &["mlirSymbolTableGetDefaultVisibilityAttributeName"];

/// The LLVM major versions by which the code of crates that ship differs (the configuration option
/// `llvm_before`).
const VERSIONS: &[u32] = &[20, 22, 23];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The digest of the compiler's version, its flags and all headers: cargo does not learn which files a
    // C compiler reads.
    println!("cargo::rerun-if-env-changed=MONDO_COMPILE_SETTINGS");
    println!("cargo::rerun-if-env-changed=MONDO_LLVM_DIR");
    println!("cargo::rerun-if-env-changed=MONDO_LIBRARY_DIR");
    println!("cargo::rerun-if-env-changed=MONDO_LIBCLANG_DIR");
    if let Err(message) = run() {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let include = llvm_include()?;
    let manifest_dir = PathBuf::from(required("CARGO_MANIFEST_DIR")?);
    let runtime_include = manifest_dir.join("../mondo-runtime/include");
    println!(
        "cargo::rerun-if-changed={}",
        include.join("mlir-c").display()
    );
    println!("cargo::rerun-if-changed={}", runtime_include.display());
    println!("cargo::metadata=llvm_include={}", include.display());
    let major = llvm_major(&include)?;
    println!("cargo::metadata=llvm_major={major}");
    println!("cargo::rustc-check-cfg=cfg(llvm_before, values(any()))");
    for newer in VERSIONS.iter().filter(|version| major < **version) {
        println!("cargo::rustc-cfg=llvm_before=\"{newer}\"");
    }
    println!(
        "cargo::metadata=runtime_include={}",
        runtime_include.display()
    );

    if let Some(dir) = env::var_os("MONDO_LIBCLANG_DIR") {
        // SAFETY: a build script's `main` has started no other thread that could read the
        // environment meanwhile.
        unsafe { env::set_var("LIBCLANG_PATH", dir) };
    }

    let mut text = String::new();
    for header in c_api_headers(&include)? {
        text.push_str(&format!("#include \"{header}\"\n"));
    }
    text.push_str("#include \"llvm/Config/llvm-config.h\"\n#include \"mondo.h\"\n");
    // The functions of the shim that mondo-ir's `sdk` calls, which are not for users.
    text.push_str("#include \"dialect_sdk.h\"\n");
    let shim = manifest_dir.join("../mondo-runtime/shim");
    println!(
        "cargo::rerun-if-changed={}",
        shim.join("dialect_sdk.h").display()
    );

    let mut builder = bindgen::Builder::default()
        .header_contents("mondo_sys.h", &text)
        .clang_arg(format!("-I{}", include.display()))
        .clang_arg(format!("-I{}", runtime_include.display()))
        .clang_arg(format!("-I{}", shim.display()))
        .allowlist_item("(mlir|Mlir|mondo).*")
        .allowlist_var("LLVM_VERSION_MAJOR")
        .prepend_enum_name(false)
        .layout_tests(true)
        .generate_comments(false)
        .merge_extern_blocks(true)
        .sort_semantically(true)
        .use_core()
        .rust_edition(bindgen::RustEdition::Edition2024)
        .formatter(bindgen::Formatter::None);
    for (newer, replaced) in [(22, REPLACED_BEFORE_22), (23, REPLACED_BEFORE_23)] {
        if major < newer {
            for function in replaced {
                builder = builder.blocklist_function(function);
            }
        }
    }
    if let Some(dir) = compiler_include() {
        builder = builder.clang_arg(format!("-isystem{}", dir.display()));
    }
    let bindings = builder.generate().map_err(|error| {
        format!(
            "bindgen cannot read the C API headers in {}: {error}",
            include.display()
        )
    })?;
    let text = bindings.to_string();
    println!("cargo::rustc-check-cfg=cfg(newer_name, values(any()))");
    let words = || text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for name in RENAMED {
        if words().any(|word| word == *name) {
            println!("cargo::rustc-cfg=newer_name=\"{name}\"");
        }
    }
    let out = PathBuf::from(required("OUT_DIR")?).join("bindings.rs");
    bindings
        .write_to_file(&out)
        .map_err(|error| format!("cannot write {}: {error}", out.display()))
}

fn required(name: &str) -> Result<String, String> {
    env::var(name).map_err(|error| format!("cargo did not set {name}: {error}"))
}

/// The folder that holds `mlir-c`: of the prefix that is named, else of the bundle whose library is linked, else
/// of the system's packages.
fn llvm_include() -> Result<PathBuf, String> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(prefix) = given("MONDO_LLVM_DIR") {
        let include = Path::new(&prefix).join("include");
        return if has_headers(&include) {
            Ok(include)
        } else {
            Err(missing(&include))
        };
    }
    if let Some(library) = given("MONDO_LIBRARY_DIR") {
        let library = Path::new(&library);
        let folder = if library.is_file() {
            library.parent().unwrap_or(library)
        } else {
            library
        };
        let mut found = Vec::new();
        collect_headers(folder, DEPTH, &mut found);
        found.sort();
        // Several bundles share no headers, and mondo-ir asks for one of them.
        if let [one] = found.as_slice() {
            return Ok(one.clone());
        }
    }
    let include = Path::new(SYSTEM_PREFIX).join("include");
    if has_headers(&include) {
        Ok(include)
    } else {
        Err(missing(&include))
    }
}

fn has_headers(include: &Path) -> bool {
    include.join("mlir-c/IR.h").is_file()
}

fn missing(include: &Path) -> String {
    format!(
        "there are no MLIR headers in {}: let `mondo` compile it, or set MONDO_LLVM_DIR to LLVM's prefix, or \
         MONDO_LIBRARY_DIR to the folder of an unpacked or installed mondo wheel",
        include.display()
    )
}

/// The depth to which headers are looked for, as mondo-ir looks for the library.
const DEPTH: usize = 6;

/// The folders named `include` at or below a folder that have the headers.
fn collect_headers(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let include = folder.join("include");
    if has_headers(&include) {
        found.push(include);
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect_headers(&entry.path(), depth - 1, found);
        }
    }
}

/// LLVM's major version, as its headers have it.
fn llvm_major(include: &Path) -> Result<u32, String> {
    let path = include.join("llvm/Config/llvm-config.h");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    text.lines()
        .find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "))
        .and_then(|major| major.trim().parse().ok())
        .ok_or_else(|| format!("{} does not say which LLVM it is of", path.display()))
}

/// Every C API header, as it is included, sorted; without the one that wants Python's headers.
fn c_api_headers(include: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut folders = vec!["mlir-c".to_owned()];
    while let Some(folder) = folders.pop() {
        let path = include.join(&folder);
        let failed = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                if name != "mlir-c/Bindings" {
                    folders.push(name);
                }
            } else if name.ends_with(".h") {
                found.push(name);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The C compiler's own headers (`stddef.h`), so that libclang's, which are another package, are
/// not needed. None where the compiler does not say: libclang may then find its own.
fn compiler_include() -> Option<PathBuf> {
    let compiler = cc::Build::new()
        .cargo_metadata(false)
        .try_get_compiler()
        .ok()?;
    let output = compiler
        .to_command()
        .arg("-print-file-name=include")
        .output()
        .ok()?;
    let folder = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    folder.join("stddef.h").is_file().then_some(folder)
}
