//! The headers of MLIR's C API: where they are, of which LLVM, and their digest.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The prefix of Debian's packages of the LLVM that this version of mondo is written for.
const SYSTEM_PREFIX: &str = "/usr/lib/llvm-22";

/// The folder that holds `mlir-c`: of the prefix that is named, else of the bundle whose library is linked, else, for
/// bindgen, of the system's packages.
pub(super) fn folder() -> Result<Option<PathBuf>, String> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    if let Some(prefix) = given("MONDO_LLVM_DIR") {
        let include = Path::new(&prefix).join("include");
        if has_headers(&include) {
            return Ok(Some(include));
        }
        return Err(format!(
            "there are no MLIR headers in {}: set MONDO_LLVM_DIR to LLVM's prefix (`mondo doctor` prints it), or unset it",
            include.display()
        ));
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
            return Ok(Some(one.clone()));
        }
    }
    let include = Path::new(SYSTEM_PREFIX).join("include");
    let is_read = cfg!(feature = "bindgen") && has_headers(&include);
    Ok(is_read.then_some(include))
}

fn has_headers(include: &Path) -> bool {
    include.join("mlir-c/IR.h").is_file()
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
pub(super) fn llvm_major(include: &Path) -> Result<u32, String> {
    let path = include.join("llvm/Config/llvm-config.h");
    println!("cargo::rerun-if-changed={}", path.display());
    read(&path)?
        .lines()
        .find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "))
        .and_then(|major| major.trim().parse().ok())
        .ok_or_else(|| format!("{} does not say which LLVM it is of", path.display()))
}

/// Every C API header, as it is included, sorted; without the one that wants Python's headers.
pub(super) fn c_api(include: &Path) -> Result<Vec<String>, String> {
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

/// A digest of the C API's headers without their comments, in which point releases differ. FNV-1a is enough: it tells
/// releases apart, and guards against nobody.
pub(super) fn digest(include: &Path) -> Result<u64, String> {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for name in c_api(include)? {
        let text = read(&include.join(&name))?;
        let code = text
            .lines()
            .map(|line| line.split_once("//").map_or(line, |(code, _)| code).trim());
        for part in std::iter::once(name.as_str()).chain(code) {
            for byte in part.bytes() {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
    Ok(state)
}

/// The LLVM, and the digest of the headers, in one of the first lines of the declarations.
#[cfg(not(feature = "bindgen"))]
pub(super) fn made_of(line: &str) -> Option<(u32, u64)> {
    let (major, digest) = line.strip_prefix("// LLVM ")?.split_once(", headers ")?;
    Some((
        major.parse().ok()?,
        u64::from_str_radix(digest.trim_end_matches('.'), 16).ok()?,
    ))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}
