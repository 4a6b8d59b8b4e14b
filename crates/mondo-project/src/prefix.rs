//! The LLVM prefix as `find_package(MLIR)` accepts it.
//!
//! The distribution splits LLVM into packages, and the toolchain has only those with archives and headers. The
//! exported targets also name programs and libraries of the other packages, and `CMake` refuses all targets if one
//! file is missing. So this module makes a folder of symbolic links into the prefix, with edited copies of the
//! `CMake` files and with empty files in place of the missing ones.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_toolchain::Toolchain;

use crate::{modules, own_targets, precompiled};

/// The version of the procedure that makes the folder. It is part of the folder's name.
const RECIPE: u32 = 4;

/// MLIR's shared library, in the two spellings in which exported targets link it. Tools must not link it: code that
/// mondo compiles has its own `TypeID` for each trait, so that the library would not recognise the traits of a tool's
/// operations.
const SHARED_MLIR: &[&str] = &["MLIR", "\\$<LINK_ONLY:MLIR>"];

/// The key of the libraries that an exported target links.
const LINKS: &str = "INTERFACE_LINK_LIBRARIES \"";

/// The file whose presence says that the folder is complete, and of what it was made.
const COMPLETE: &str = ".mondo-complete";

/// The file with the digest of mondo's own modules in it.
const MODULES: &str = ".mondo-modules";

/// `set` lines of `LLVMConfig.cmake` and `MLIRConfig.cmake` that say how LLVM itself was built, and
/// would decide how the project is.
const EDITS: &[(&str, &str)] = &[
    // Programs link LLVM's components one by one: LLVM's shared library would be a second copy of LLVM in them.
    (
        "set(LLVM_LINK_LLVM_DYLIB ON)",
        "set(LLVM_LINK_LLVM_DYLIB OFF)",
    ),
    ("set(LLVM_ENABLE_RTTI ON)", "set(LLVM_ENABLE_RTTI OFF)"),
    // These settings describe the machine on which the distribution built LLVM; with them LLVM's `CMake` modules
    // would require the same libraries on the user's machine.
    ("set(LLVM_ENABLE_FFI TRUE)", "set(LLVM_ENABLE_FFI OFF)"),
    (
        "set(LLVM_ENABLE_LIBEDIT TRUE)",
        "set(LLVM_ENABLE_LIBEDIT OFF)",
    ),
    ("set(LLVM_ENABLE_LIBXML2 1)", "set(LLVM_ENABLE_LIBXML2 OFF)"),
    ("set(LLVM_ENABLE_CURL 1)", "set(LLVM_ENABLE_CURL OFF)"),
    ("set(LLVM_ENABLE_ZLIB 1)", "set(LLVM_ENABLE_ZLIB OFF)"),
    ("set(LLVM_ENABLE_ZSTD TRUE)", "set(LLVM_ENABLE_ZSTD OFF)"),
    // mondo itself decides if the project has Python bindings.
    ("set(MLIR_ENABLE_BINDINGS_PYTHON \"0\")", ""),
];

/// Makes the folder, or finds that it is there. Returns its path.
pub(crate) fn usable(toolchain: &Toolchain, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let own = &toolchain.prefix;
    // The digest does not contain mondo's own modules, so that a change of these does not make another folder and
    // recompile the projects.
    let key = digest::short(format!("{RECIPE} {own} {:?}", toolchain.library_dirs));
    let root = work.join(format!("projects/llvm-{}-{key}", toolchain.version));
    if root.join(COMPLETE).is_file() {
        with_modules(&root, own)?;
        return Ok(root);
    }
    if root.exists() {
        fs_err::remove_dir_all(&root)?;
    }
    for folder in ["include", "share"] {
        link(&own.join(folder), &root.join(folder))?;
    }
    for folder in ["lib", "bin"] {
        for entry in own.join(folder).read_dir_utf8()? {
            let entry = entry?;
            if entry.file_name() != "cmake" {
                link(entry.path(), &root.join(folder).join(entry.file_name()))?;
            }
        }
    }
    let mut named = BTreeSet::new();
    for package in ["llvm", "mlir"] {
        let from = own.join("lib/cmake").join(package);
        let to = root.join("lib/cmake").join(package);
        fs_err::create_dir_all(&to)?;
        for entry in from.read_dir_utf8()? {
            let entry = entry?;
            let path = entry.path().canonicalize_utf8()?;
            if path.is_file() {
                let text = edited(&fs_err::read_to_string(&path)?);
                named.extend(files_named_in(&text));
                fs_err::write(to.join(entry.file_name()), text)?;
            }
        }
    }
    with_modules(&root, own)?;
    let config = root.join("lib/cmake/llvm/LLVMConfig.cmake");
    let text = fs_err::read_to_string(&config)?;
    fs_err::write(&config, format!("{}{text}", libraries(toolchain)))?;
    for name in named {
        let path = root.join(name);
        if !path.exists() {
            replace(&path, b"")?;
        }
    }
    let lit = root.join("bin/llvm-lit");
    if !lit.exists() && root.join("bin/lit").exists() {
        link(&root.join("bin/lit"), &lit)?;
    }
    replace(&root.join(COMPLETE), own.as_str().as_bytes())?;
    Ok(root)
}

/// Adds mondo's own modules to the folder, unless it has this version of them.
fn with_modules(root: &Utf8Path, own: &Utf8Path) -> Result<()> {
    let digest = modules::digest();
    let mark = root.join(MODULES);
    if fs_err::read_to_string(&mark).is_ok_and(|there| there == digest) {
        return Ok(());
    }
    let folder = root.join("lib/cmake/mlir");
    for (name, text) in modules::REPLACED {
        if folder.join(name).is_file() {
            replace(&folder.join(name), text.as_bytes())?;
        }
    }
    for (name, more) in [
        ("AddMLIR.cmake", modules::AGGREGATE),
        ("MLIRConfig.cmake", modules::FOUND),
    ] {
        let text = edited(&fs_err::read_to_string(
            own.join("lib/cmake/mlir").join(name),
        )?);
        replace(&folder.join(name), format!("{text}{more}").as_bytes())?;
    }
    with_script(root, own)?;
    precompiled::write(root)?;
    replace(&mark, digest.as_bytes())
}

/// Puts mondo's script in place of `mlir-pdll`, where LLVM has that.
fn with_script(root: &Utf8Path, own: &Utf8Path) -> Result<()> {
    let program = own.join("bin/mlir-pdll");
    if !program.exists() {
        return Ok(());
    }
    let script = root.join("bin/mlir-pdll");
    let text = modules::PDLL.replace("@PROGRAM@", program.as_str());
    replace(&script, text.as_bytes())?;
    fs_err::set_permissions(&script, PermissionsExt::from_mode(0o755))?;
    Ok(())
}

fn link(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    if !from.exists() {
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs_err::create_dir_all(folder)?;
    }
    Ok(fs_err::os::unix::fs::symlink(from, to)?)
}

fn edited(text: &str) -> String {
    let mut text = EDITS
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    // LLVMSupport's exported target names libz3 of the distribution's build machine, which no code in a bundle calls.
    while let Some(end) = text.find("/libz3.so;") {
        let start = text[..end].rfind([';', '"']).map_or(0, |at| at + 1);
        text.replace_range(start..end + "/libz3.so;".len(), "");
    }
    own_targets::optional(&without_shared_mlir(&text))
}

fn without_shared_mlir(text: &str) -> String {
    let mut parts = text.split(LINKS);
    let mut edited = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (words, rest) = part.split_once('"').unwrap_or((part, ""));
        let kept = words.split(';').filter(|word| !SHARED_MLIR.contains(word));
        edited.push_str(LINKS);
        edited.push_str(&kept.collect::<Vec<_>>().join(";"));
        edited.push('"');
        edited.push_str(rest);
    }
    edited
}

/// The paths below the prefix that the exported targets refer to.
fn files_named_in(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split("${_IMPORT_PREFIX}/").skip(1);
    parts.filter_map(|part| {
        let path = part.split(['"', ')', ' ', '\n', ';']).next()?;
        let file = path.starts_with("bin/") || path.starts_with("lib/");
        (file && !path.contains("objects-")).then(|| path.to_owned())
    })
}

/// Imported targets for the static libraries that LLVM depends on, in place of the machine's shared ones.
fn libraries(toolchain: &Toolchain) -> String {
    let mut text = String::from("# Static libraries below LLVM, where the toolchain has them.\n");
    for (targets, file) in [
        (["ZLIB::ZLIB", ""], "libz.a"),
        (
            ["zstd::libzstd_shared", "zstd::libzstd_static"],
            "libzstd.a",
        ),
    ] {
        let mut found = toolchain.library_dirs.iter().map(|dir| dir.join(file));
        let Some(path) = found.find(|path| path.is_file()) else {
            continue;
        };
        for target in targets.iter().filter(|target| !target.is_empty()) {
            text.push_str(&format!(
                "if(NOT TARGET {target})\n  add_library({target} STATIC IMPORTED GLOBAL)\n  \
                 set_target_properties({target} PROPERTIES IMPORTED_LOCATION \"{path}\")\nendif()\n"
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use mondo_core::exec::Tool;

    use super::*;

    #[test]
    fn other_modules_come_into_the_same_folder() {
        let dir = tempfile::tempdir().unwrap();
        let own = Utf8Path::from_path(dir.path()).unwrap().join("llvm");
        let root = own.with_file_name("usable");
        for folder in [&own, &root] {
            let folder = folder.join("lib/cmake/mlir");
            fs_err::create_dir_all(&folder).unwrap();
            for name in ["AddMLIR.cmake", "AddMLIRPython.cmake", "MLIRConfig.cmake"] {
                fs_err::write(folder.join(name), format!("# {name}\n")).unwrap();
            }
        }
        // These modules are of another version of mondo.
        fs_err::write(root.join(MODULES), "0123").unwrap();
        let config = root.join("lib/cmake/mlir/MLIRConfig.cmake");
        for _ in 0..2 {
            with_modules(&root, &own).unwrap();
            let text = fs_err::read_to_string(&config).unwrap();
            assert_eq!(text, format!("# MLIRConfig.cmake\n{}", modules::FOUND));
        }
        let python = root.join("lib/cmake/mlir/AddMLIRPython.cmake");
        let text = fs_err::read_to_string(&python).unwrap();
        assert!(text.contains("add_mlir_python_modules"));
        // They are written once.
        fs_err::write(&python, "").unwrap();
        with_modules(&root, &own).unwrap();
        assert_eq!(fs_err::read_to_string(&python).unwrap(), "");
    }

    #[test]
    fn the_code_that_mlir_pdll_writes_has_no_paths() {
        let dir = tempfile::tempdir().unwrap();
        let own = Utf8Path::from_path(dir.path()).unwrap().join("llvm");
        let root = own.with_file_name("usable");
        let program = own.join("bin/mlir-pdll");
        let text = "#!/bin/sh\necho '%0 = type loc(\"/s/lib/A.pdll\":1:2) loc(\"/i/B.td\":3:4) // \"/x/y\"' > \"$3\"\n\
                    exit \"$1\"\n";
        replace(&program, text.as_bytes()).unwrap();
        fs_err::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        with_script(&root, &own).unwrap();
        let output = own.join("A.inc");
        let run = |code: &str| {
            let script = root.join("bin/mlir-pdll");
            let tool = Tool::new(script.as_str(), "write C++").args([code, "-o", output.as_str()]);
            tool.output_unchecked().unwrap().status.code()
        };
        assert_eq!(run("0"), Some(0));
        assert_eq!(
            fs_err::read_to_string(&output).unwrap(),
            "%0 = type loc(\"A.pdll\":1:2) loc(\"B.td\":3:4) // \"/x/y\"\n"
        );
        assert_eq!(run("3"), Some(3));
    }

    #[test]
    fn files_of_exported_targets_are_found() {
        let text = "set_target_properties(LTO PROPERTIES\n  IMPORTED_LOCATION_RELEASE \
                    \"${_IMPORT_PREFIX}/lib/libLTO.so.22.1\"\n)\n\
                    list(APPEND _cmake_import_check_files_for_opt \"${_IMPORT_PREFIX}/bin/opt\" )\n\
                    INTERFACE_INCLUDE_DIRECTORIES \"${_IMPORT_PREFIX}/include\"\n";
        let found: Vec<String> = files_named_in(text).collect();
        assert_eq!(found, ["lib/libLTO.so.22.1", "bin/opt"]);
    }

    #[test]
    fn static_libraries_do_not_link_the_shared_one() {
        let text = "set_target_properties(A PROPERTIES\n  INTERFACE_LINK_LIBRARIES \
                    \"LLVM;MLIR;MLIRIR;\\$<LINK_ONLY:MLIR>\"\n)\nadd_library(MLIR SHARED IMPORTED)\n";
        assert_eq!(
            edited(text),
            "set_target_properties(A PROPERTIES\n  INTERFACE_LINK_LIBRARIES \"LLVM;MLIRIR\"\n)\n\
             add_library(MLIR SHARED IMPORTED)\n"
        );
    }

    #[test]
    fn options_of_the_distributions_build_are_taken_back() {
        let text = "set(LLVM_ENABLE_RTTI ON)\n  INTERFACE_LINK_LIBRARIES \
                    \"rt;m;/usr/lib/x86_64-linux-gnu/libz3.so;ZLIB::ZLIB\"\n";
        assert_eq!(
            edited(text),
            "set(LLVM_ENABLE_RTTI OFF)\n  INTERFACE_LINK_LIBRARIES \"rt;m;ZLIB::ZLIB\"\n"
        );
    }
}
