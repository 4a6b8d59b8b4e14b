//! Links the shared library of a bundle, or its static one, and hands its folder and the major version of
//! LLVM to the build scripts of dependents.
//!
//! Reads `MONDO_LIBRARY_DIR`: the library itself, the folder that has it (`_mlir_libs`), or a folder
//! above that: an unpacked wheel, `site-packages`, or the result of `--layout tree` or `--layout static`;
//! and `MONDO_LIBRARY_NAME`: what a program asks the loader for in place of the library's path.

mod stand_in;

use std::env;
use std::fs;
use std::path::{Display, Path, PathBuf};

/// The ends of the files' names: of the shared library, and of the static one.
const SHARED: &str = "_mondo.so";
const STATIC: &str = "_mondo.a";

/// The depth to which the library is looked for below the folder. In an environment it is in
/// `lib/python3.12/site-packages/acme/mlir/_mlir_libs`.
const DEPTH: usize = 6;

/// The name by which the linker misses the library.
const MISSING: &str = "mlir_of_mondo__set_MONDO_LIBRARY_DIR_to_an_unpacked_wheel";

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=MONDO_LIBRARY_DIR");
    println!("cargo::rerun-if-env-changed=MONDO_LIBRARY_NAME");
    println!("cargo::rustc-check-cfg=cfg(llvm_before, values(\"20\", \"22\", \"23\"))");
    // mondo-sys's build script has it from the headers.
    let major = env::var("DEP_MONDO_LLVM_MAJOR").unwrap_or_default();
    println!("cargo::metadata=llvm_major={major}");
    for newer in [20, 22, 23] {
        if major.parse::<u32>().is_ok_and(|major| major < newer) {
            println!("cargo::rustc-cfg=llvm_before=\"{newer}\"");
        }
    }
    // The headers that the table of declarations is compared with.
    let headers = env::var("DEP_MONDO_LLVM_INCLUDE").unwrap_or_default();
    println!("cargo::rustc-env=MONDO_IR_HEADERS={headers}");
    let is_static = env::var_os("CARGO_FEATURE_STATIC_LIBRARY").is_some();
    if !is_static && env::var_os("CARGO_FEATURE_SHARED_LIBRARY").is_none() {
        return;
    }
    let Some(given) = env::var_os("MONDO_LIBRARY_DIR").filter(|given| !given.is_empty()) else {
        // A check needs no library, so this is no error. Cargo shows warnings of the caller's own packages alone, so the
        // linker says it, too.
        println!(
            "cargo::warning=MONDO_LIBRARY_DIR is not set, so nothing can be linked: set it to the folder of an unpacked or \
             installed mondo wheel, or to what `mondo bundle --layout tree` writes"
        );
        println!("cargo::rustc-link-lib=dylib={MISSING}");
        return;
    };
    let given = Path::new(&given);
    let linked = if is_static {
        link_static(given)
    } else {
        link(given)
    };
    if let Err(message) = linked {
        println!("cargo::error={message}");
        std::process::exit(1);
    }
}

fn link(given: &Path) -> Result<(), String> {
    let library = announced(given, SHARED)?;
    let name = match env::var("MONDO_LIBRARY_NAME") {
        Ok(name) if !name.is_empty() => name,
        _ => library.display().to_string(),
    };
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not set OUT_DIR")?);
    stand_in::write(&library, &name, &out)?;
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=dylib={}", stand_in::NAME);
    Ok(())
}

/// The library becomes a part of the program. It stays out of mondo-ir's own archive, which would be a copy of it.
fn link_static(given: &Path) -> Result<(), String> {
    let library = announced(given, STATIC)?;
    let file = name_of(&library);
    println!("cargo::rustc-link-search=native={}", folder_of(&library));
    let import = file.trim_start_matches("lib").trim_end_matches(".a");
    println!("cargo::rustc-link-lib=static:-bundle={import}");
    for system in ["m", "pthread", "dl"] {
        println!("cargo::rustc-link-lib=dylib={system}");
    }
    Ok(())
}

/// The library that is found, whose folder the build scripts of dependents get.
fn announced(given: &Path, end: &str) -> Result<PathBuf, String> {
    let library = find(given, end)?;
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::metadata=library_dir={}", folder_of(&library));
    Ok(library)
}

fn folder_of(library: &Path) -> Display<'_> {
    library.parent().unwrap_or(Path::new(".")).display()
}

/// The one library at or below `given` whose name has this end.
fn find(given: &Path, end: &str) -> Result<PathBuf, String> {
    let given = given
        .canonicalize()
        .map_err(|error| format!("MONDO_LIBRARY_DIR is {}: {error}", given.display()))?;
    if given.is_file() && (end == SHARED || name_of(&given).ends_with(end)) {
        return Ok(given);
    }
    let mut found = Vec::new();
    collect(&given, end, DEPTH, &mut found);
    found.sort();
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(format!(
            "there is no lib…{end} in MONDO_LIBRARY_DIR, {}: {}",
            given.display(),
            if end == STATIC {
                "name the folder that `mondo bundle --layout static` wrote"
            } else {
                "unpack a mondo wheel there"
            }
        )),
        several => Err(format!(
            "MONDO_LIBRARY_DIR, {}, has several libraries; name one of: {}",
            given.display(),
            several
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        )),
    }
}

fn collect(folder: &Path, end: &str, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = name_of(&path);
        if name.starts_with("lib") && name.ends_with(end) {
            found.push(path);
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&path, end, depth - 1, found);
        }
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
