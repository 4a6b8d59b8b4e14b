//! MLIR's headers, compiled once for all code of projects. A script in the compiler's place uses them, makes them for each
//! set of options, and compiles without them what they break.

use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::file::replace;
use mondo_plan::manifest::Project;
use mondo_toolchain::Linker;

use crate::file_api::Reply;
use crate::modules::{PRELUDE, WITH_HEADERS};
use crate::record::Record;
use crate::release_flags::name_of;
use crate::unlinked::is_cpp;

/// The variable that lets the script make headers that are not there yet.
pub(crate) const VARIABLE: &str = "MONDO_PRECOMPILE";

/// `CMake`'s variable that switches a project's own precompiled headers off, and mondo's as well.
const SWITCH: &str = "CMAKE_DISABLE_PRECOMPILE_HEADERS";

/// `CMake`'s variable of the environment for a program that starts compilers.
const LAUNCHER: &str = "CMAKE_CXX_COMPILER_LAUNCHER";

/// The number of sources from which on the headers take less time than they save.
const SOURCES: usize = 10;

/// Whether a project is compiled with precompiled headers: by mondo's own compiler, without debug information, and unless
/// the project or the environment says otherwise.
pub(crate) fn are_wanted(project: &Project, linker: &Linker) -> bool {
    let mut options = project.define.iter();
    let switched_off = options.any(|(key, value)| {
        let off = ["", "0", "OFF", "NO", "FALSE", "N"];
        let value = value.get_ref().to_uppercase();
        name_of(key) == SWITCH && !off.contains(&value.as_str())
    });
    linker.locked.is_some()
        && linker.instrumentation.is_none()
        && !switched_off
        && std::env::var_os(LAUNCHER).is_none_or(|launcher| launcher.is_empty())
}

/// Whether the project has enough code. All of it counts, so that the answer is the same for each bundle.
pub(crate) fn pay(record: &Record, reply: &Reply) -> Result<bool> {
    let mut sources = 0;
    for target in &record.targets {
        if target.kind == "STATIC_LIBRARY" || target.kind == "OBJECT_LIBRARY" {
            let described = reply.target(&target.name)?.unwrap_or_default();
            let own = described.sources.iter();
            sources += own.filter(|source| is_cpp(&source.path)).count();
        }
    }
    Ok(sources >= SOURCES)
}

/// The script for the LLVM prefix `root`.
pub(crate) fn script(root: &Utf8Path) -> Utf8PathBuf {
    root.join("mondo/with-headers.sh")
}

/// Writes the script and the headers' names to the LLVM prefix `root`. Headers that were compiled of others are removed.
pub(crate) fn write(root: &Utf8Path) -> Result<()> {
    let script = script(root);
    let prelude = script.with_file_name("prelude.h");
    let compiled = script.with_file_name("compiled");
    let text = WITH_HEADERS
        .replace("@FOLDER@", compiled.as_str())
        .replace("@INCLUDE@", root.join("include").as_str())
        .replace("@PRELUDE@", prelude.as_str());
    let same =
        |path: &Utf8Path, text: &str| fs_err::read_to_string(path).is_ok_and(|there| there == text);
    if same(&prelude, PRELUDE) && same(&script, &text) {
        return Ok(());
    }
    if compiled.exists() {
        fs_err::remove_dir_all(&compiled)?;
    }
    replace(&prelude, PRELUDE.as_bytes())?;
    replace(&script, text.as_bytes())?;
    fs_err::set_permissions(&script, PermissionsExt::from_mode(0o755))?;
    Ok(())
}
