//! MLIR's headers, compiled once for all code of projects. A script in the compiler's place uses them, makes them for each
//! set of options, and compiles without them what they break.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_plan::manifest::Project;
use mondo_toolchain::Linker;

use crate::modules::{PRELUDE, WITH_HEADERS};
use crate::release_flags::name_of;

/// `CMake`'s variable that switches a project's own precompiled headers off, and mondo's as well.
const SWITCH: &str = "CMAKE_DISABLE_PRECOMPILE_HEADERS";

/// `CMake`'s variable of the environment for a program that starts compilers.
const LAUNCHER: &str = "CMAKE_CXX_COMPILER_LAUNCHER";

/// The number of sources with the same options from which on the headers take less time than they save.
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

/// Compiles the headers for the options that enough of these commands have. All code of the project counts, so that the
/// same headers serve each bundle. If they do not compile, the project is compiled without them.
pub(crate) fn make(root: &Utf8Path, commands: &str, sink: &dyn Sink) -> Result<()> {
    let script = script(root);
    let compiled = commands
        .lines()
        .filter_map(|line| line.strip_prefix(script.as_str()));
    let mut groups: BTreeMap<BTreeSet<String>, (usize, Vec<String>)> = BTreeMap::new();
    for words in compiled.filter_map(shlex::split) {
        let group = groups.entry(options(&words)).or_default();
        group.0 += 1;
        group.1 = words;
    }
    for (count, words) in groups.into_values() {
        if count >= SOURCES {
            sink.update("precompile MLIR's headers");
            Tool::new(script.as_str(), "precompile MLIR's headers")
                .arg("--make")
                .args(words)
                .output_unchecked()?;
        }
    }
    Ok(())
}

/// The words of a compiler's command that are no files and no folders.
fn options(words: &[String]) -> BTreeSet<String> {
    let mut file = false;
    let options = words.iter().filter(|word| {
        let named = std::mem::replace(
            &mut file,
            matches!(
                word.as_str(),
                "-o" | "-MT" | "-MF" | "-MQ" | "-isystem" | "-c"
            ),
        );
        !named && !word.starts_with("-I") && *word != "-isystem"
    });
    options.cloned().collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_a_command_are_its_words_without_files() {
        let of = |command: &str| options(&shlex::split(command).unwrap());
        let one = of("c++ -DA -I/x -isystem /y -O0 -MD -MF a.d -o a.o -c a.cpp");
        assert_eq!(one, of("c++ -O0 -DA -I/z -MD -MF b.d -o b.o -c b.cpp"));
        assert_ne!(one, of("c++ -O1 -DA -MD -o b.o -c b.cpp"));
    }
}
