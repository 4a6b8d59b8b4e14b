//! `project.define`: the options that a project's `CMake` gets, and those that are not its own to set.

use mondo_core::error::{ErrorKind, Result};
use toml::Value;

use crate::document::Document;
use crate::spanned::Spanned;

const BUNDLE: &str =
    "mondo sets it to the same value for everything that is linked into one library";
const OFFLINE: &str = "`--offline` controls downloads";
const FOUND: &str = "mondo sets it to the bundle's LLVM, interpreter or tool";

const BUILD_TYPE: &str = "CMAKE_BUILD_TYPE";

/// Variables of `CMake` that mondo sets, and why they are not the project's to set.
const OWNED: &[(&str, &str)] = &[
    (
        "BUILD_SHARED_LIBS",
        "everything in a mondo library is linked statically",
    ),
    (
        BUILD_TYPE,
        "MLIR's own archives are compiled without assertions, and code with assertions cannot be linked with them",
    ),
    ("CMAKE_POSITION_INDEPENDENT_CODE", BUNDLE),
    ("CMAKE_EXE_LINKER_FLAGS", BUNDLE),
    ("CMAKE_SHARED_LINKER_FLAGS", BUNDLE),
    ("CMAKE_MODULE_LINKER_FLAGS", BUNDLE),
    ("CMAKE_C_COMPILER_ARG1", BUNDLE),
    ("CMAKE_CXX_COMPILER_ARG1", BUNDLE),
    ("CMAKE_C_COMPILER", FOUND),
    ("CMAKE_CXX_COMPILER", FOUND),
    ("CMAKE_MAKE_PROGRAM", FOUND),
    (
        "CMAKE_GENERATOR",
        "mondo reads the contents of a project from Ninja",
    ),
    ("MLIR_DIR", FOUND),
    ("LLVM_DIR", FOUND),
    ("Python_EXECUTABLE", FOUND),
    ("Python3_EXECUTABLE", FOUND),
    ("nanobind_DIR", FOUND),
    (
        "CMAKE_C_COMPILER_LAUNCHER",
        "set the launcher with `--compiler-launcher`",
    ),
    (
        "CMAKE_CXX_COMPILER_LAUNCHER",
        "set the launcher with `--compiler-launcher`",
    ),
    (
        "CMAKE_PROJECT_TOP_LEVEL_INCLUDES",
        "mondo uses it to record the parts of the project",
    ),
    ("FETCHCONTENT_FULLY_DISCONNECTED", OFFLINE),
    ("CMAKE_POLICY_DEFAULT_CMP0170", OFFLINE),
];

/// The beginning of the names of mondo's own variables.
const OWN: &str = "MONDO_";

/// The reason for which a variable of `CMake` is not the project's to set, or none for one that is.
#[must_use]
pub fn owned_by_mondo(key: &str) -> Option<&'static str> {
    if key.starts_with(OWN) {
        return Some("variables with this prefix are reserved for mondo");
    }
    let mut owned = OWNED.iter();
    owned.find(|(owned, _)| *owned == key).map(|(_, why)| *why)
}

/// The text that `CMake` gets for a value of the manifest.
pub(super) fn text(key: &str, value: &Spanned<Value>, source: &Document) -> Result<String> {
    let refuse = |what: String| source.error(ErrorKind::Manifest, value.span(), what);
    // `KEY:TYPE`, as on CMake's command line.
    let name = key.split(':').next().unwrap_or(key);
    if let Some(why) = owned_by_mondo(name) {
        let help = if name == BUILD_TYPE {
            "remove it; `mondo develop --debug` compiles with debug information, and \
             `CMAKE_CXX_FLAGS_RELEASE = \"-O0\"` without optimization"
        } else {
            "remove it; `define` is for the project's own options"
        };
        return Err(
            refuse(format!("`{name}` is not allowed in `project.define`"))
                .because(why)
                .help(help),
        );
    }
    match value.get_ref() {
        Value::String(text) => Ok(text.clone()),
        Value::Boolean(true) => Ok("ON".to_owned()),
        Value::Boolean(false) => Ok("OFF".to_owned()),
        Value::Integer(number) => Ok(number.to_string()),
        other => {
            let is_list = matches!(other, Value::Array(_));
            let sort = if is_list { "a list" } else { other.type_str() };
            Err(
                refuse(format!("`{key}` in `project.define` must not be {sort}"))
                    .because("a CMake option is a string, a number or a boolean")
                    .help(if is_list {
                        "write a CMake list as one string with semicolons: \"a;b\""
                    } else {
                        "write it as a string"
                    }),
            )
        }
    }
}
