//! mondo's own `CMake` files, which are part of the program.

use camino::Utf8Path;
use mondo_core::digest;
use mondo_core::error::Result;
use mondo_core::file::replace;

/// Files that take the place of MLIR's of the same names.
pub(crate) const REPLACED: &[(&str, &str)] = &[
    (
        "AddMLIRPython.cmake",
        include_str!("../data/AddMLIRPython.cmake"),
    ),
    (
        "MLIRDetectPythonEnv.cmake",
        include_str!("../data/MLIRDetectPythonEnv.cmake"),
    ),
];

/// A function that is appended to `AddMLIR.cmake`, where it takes the place of the one before it.
pub(crate) const AGGREGATE: &str = include_str!("../data/aggregate.cmake");

/// The end of `MLIRConfig.cmake`. The property tells the record that the project has found MLIR, in any of its folders.
/// The language C is enabled since LLVM's modules, such as `HandleLLVMOptions`, test flags of its compiler, and a project
/// may name C++ alone.
pub(crate) const FOUND: &str = r#"
set_property(GLOBAL PROPERTY MONDO_MLIR "${MLIR_CMAKE_DIR}")
get_property(mondo_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "C" IN_LIST mondo_languages AND NOT CMAKE_CURRENT_FUNCTION)
  enable_language(C)
endif()
"#;

/// The script in place of `mlir-pdll`, in which the program itself is `@PROGRAM@`.
pub(crate) const PDLL: &str = include_str!("../data/mlir-pdll.sh");

/// The script that starts compilers with MLIR's headers precompiled.
pub(crate) const WITH_HEADERS: &str = include_str!("../data/with-headers.sh");

/// The headers that it compiles.
pub(crate) const PRELUDE: &str = include_str!("../data/prelude.h.in");

/// mondo's other `CMake` files, which replace none of MLIR's.
const OWN: &[(&str, &str)] = &[
    ("project.cmake", include_str!("../data/project.cmake")),
    ("sources.cmake", include_str!("../data/sources.cmake")),
    (
        "python/nanobind/__init__.py",
        include_str!("../data/nanobind/__init__.py"),
    ),
    (
        "python/nanobind/__main__.py",
        include_str!("../data/nanobind/__main__.py"),
    ),
    (
        "nanobind-config.cmake",
        include_str!("../data/nanobind-config.cmake"),
    ),
    (
        "unified/CMakeLists.txt",
        include_str!("../data/unified/CMakeLists.txt"),
    ),
    (
        "unified/mlir_folder.cmake",
        include_str!("../data/unified/mlir_folder.cmake"),
    ),
];

/// A digest of all of mondo's files in a prefix.
pub(crate) fn digest() -> String {
    let texts: String = REPLACED.iter().chain(OWN).map(|(_, text)| *text).collect();
    digest::short(texts + AGGREGATE + FOUND + PDLL + WITH_HEADERS + PRELUDE)
}

/// Writes the files of [`OWN`] to `folder`; a file that has the same contents already is not touched.
pub(crate) fn write(folder: &Utf8Path) -> Result<()> {
    for (name, text) in OWN {
        let path = folder.join(name);
        if fs_err::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        replace(&path, text.as_bytes())?;
    }
    Ok(())
}
