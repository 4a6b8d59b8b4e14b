//! The declarations that bindgen makes from the `mlir-c` headers, `mondo.h` and `dialect_sdk.h`.

use std::env;
use std::path::{Path, PathBuf};

use super::headers;

/// Functions that `before_22.rs` has in place of those that the older headers declare.
const REPLACED_BEFORE_22: &[&str] = &[
    "mlirApplyPatternsAndFoldGreedily",
    "mlirInferShapedTypeOpInterfaceInferReturnTypes",
    "mlirInferTypeOpInterfaceInferReturnTypes",
    "mlirPassManagerEnableIRPrinting",
];

/// Those that `before_23.rs` has.
const REPLACED_BEFORE_23: &[&str] = &["mlirTranslateOperationToSMTLIB"];

/// Functions that an LLVM after the newest in the catalogue has under another name. The headers decide: all commits between
/// two releases have one version number. `lib.rs` gives each its older name, behind `cfg(newer_name = "…")`.
const RENAMED: &[&str] = &["mlirSymbolTableGetDefaultVisibilityAttributeName"];

/// Writes them to `bindings.rs` in cargo's folder for results.
pub(super) fn declarations(include: &Path, major: u32) -> Result<(), String> {
    // The digest of the compiler's version, its flags and all headers: cargo does not learn which files a
    // C compiler reads.
    println!("cargo::rerun-if-env-changed=MONDO_COMPILE_SETTINGS");
    println!("cargo::rerun-if-env-changed=MONDO_LIBCLANG_DIR");
    // mondo's own, of the functions beside the C API. `dialect_sdk.h` has those of the shim that mondo-ir's `sdk` calls.
    let mondo = PathBuf::from(required("CARGO_MANIFEST_DIR")?).join("include");
    println!("cargo::rerun-if-changed={}", mondo.display());
    if let Some(dir) = env::var_os("MONDO_LIBCLANG_DIR") {
        // SAFETY: a build script's `main` has started no other thread that could read the
        // environment meanwhile.
        unsafe { env::set_var("LIBCLANG_PATH", dir) };
    }

    let others = ["llvm/Config/llvm-config.h", "mondo.h", "dialect_sdk.h"];
    let text: String = headers::c_api(include)?
        .iter()
        .map(String::as_str)
        .chain(others)
        .map(|header| format!("#include \"{header}\"\n"))
        .collect();
    let mut builder = bindgen::Builder::default()
        .header_contents("mondo_sys.h", &text)
        .clang_arg(format!("-I{}", include.display()))
        .clang_arg(format!("-I{}", mondo.display()))
        .allowlist_item("(mlir|Mlir|mondo).*")
        .allowlist_var("LLVM_VERSION_MAJOR")
        .prepend_enum_name(false)
        .layout_tests(true)
        .generate_comments(false)
        .merge_extern_blocks(true)
        .sort_semantically(true)
        .use_core()
        .rust_edition(bindgen::RustEdition::Edition2024)
        .disable_header_comment()
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
