//! `CMAKE_CXX_FLAGS_RELEASE` and its sister for C: optimization, which a project may set for itself.

use mondo_toolchain::Instrumentation;

/// The flags of optimization: the project's own, else those of the bundle. Those for a debugger are the ones that dialect
/// crates get. `NDEBUG` comes last, so that it is defined whatever comes before: without it, inline functions of MLIR's
/// headers check what those in MLIR's own archives do not, and the link keeps one of each.
pub(crate) fn value(own: Option<String>, instrumentation: Instrumentation) -> String {
    let optimized = own.unwrap_or_else(|| "-O2".to_owned());
    match instrumentation {
        Instrumentation::None => format!("{optimized} -DNDEBUG"),
        Instrumentation::Debug => "-g -O0 -fno-omit-frame-pointer -DNDEBUG".to_owned(),
        Instrumentation::Address => {
            "-g -O0 -fno-omit-frame-pointer -fsanitize=address -DNDEBUG".to_owned()
        }
    }
}

/// An option's name without its type, as `CMake` takes it: `KEY:TYPE`.
pub(crate) fn name_of(key: &str) -> &str {
    key.split(':').next().unwrap_or(key)
}

/// True for the options that have these flags.
pub(crate) fn is_one(key: &str) -> bool {
    matches!(
        name_of(key),
        "CMAKE_C_FLAGS_RELEASE" | "CMAKE_CXX_FLAGS_RELEASE"
    )
}
