//! Targets that a project makes itself although the LLVM of the bundle exports targets of the same names, as
//! folders of LLVM's own sources do. `CMake` refuses the second target of a name, so that such a project is configured
//! without the exported ones.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;

/// The `CMake` variable with the names of these targets.
pub(crate) const VARIABLE: &str = "MONDO_OWN_TARGETS";

/// The comments before the commands of one exported target, up to its name.
const HEADINGS: &[&str] = &["# Create imported target ", "# Import target \""];

/// Ends of the names of functions that make a target and take its name as the first argument.
const MAKERS: &[&str] = &["library", "executable", "tool", "tablegen"];

/// Edits a file of exported targets, so that `CMake` skips those that [`VARIABLE`] lists.
pub(crate) fn optional(text: &str) -> String {
    let mut edited = String::with_capacity(text.len());
    let mut open = false;
    for line in text.split_inclusive('\n') {
        if open && (line.starts_with('#') || line.starts_with("if(")) {
            edited.push_str("endif()\n\n");
            open = false;
        }
        edited.push_str(line);
        if let Some(name) = exported(line) {
            edited.push_str(&format!("if(NOT \"{name}\" IN_LIST {VARIABLE})\n"));
            open = true;
        }
    }
    if open {
        edited.push_str("endif()\n");
    }
    edited
}

/// The target that the commands after this line are about.
fn exported(line: &str) -> Option<&str> {
    let rest = HEADINGS
        .iter()
        .find_map(|heading| line.strip_prefix(heading))?;
    rest.split(['"', '\n']).next()
}

/// The name of the target that `CMake` refused to make because a target of that name exists, or none for another error.
pub(crate) fn refused(said: &str) -> Option<String> {
    let folded = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = folded.split_once("cannot create target \"")?;
    let (name, reason) = rest.split_once('"')?;
    let reason = reason.trim_start();
    let imported =
        reason.starts_with("because an imported target with the same name already exists");
    imported.then(|| name.to_owned())
}

/// Names of exported targets that the project seems to make itself, by the text of the `CMake` files below `folders`.
/// A target that a file makes only if it does not exist yet is not among them.
pub(crate) fn made(folders: &[Utf8PathBuf], prefix: &Utf8Path) -> Result<BTreeSet<String>> {
    let mut known = BTreeSet::new();
    for file in ["mlir/MLIRTargets.cmake", "llvm/LLVMExports.cmake"] {
        let text = fs_err::read_to_string(prefix.join("lib/cmake").join(file))?;
        known.extend(text.lines().filter_map(exported).map(str::to_owned));
    }
    let (mut made, mut asked) = (BTreeSet::new(), BTreeSet::new());
    let mut pending: Vec<Utf8PathBuf> = folders.to_vec();
    while let Some(folder) = pending.pop() {
        for entry in folder.read_dir_utf8()? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                pending.push(path.to_owned());
            } else if path.file_name() == Some("CMakeLists.txt")
                || path.extension() == Some("cmake")
            {
                let bytes = fs_err::read(path)?;
                read(&String::from_utf8_lossy(&bytes), &mut made, &mut asked);
            }
        }
    }
    made.retain(|name| known.contains(name) && !asked.contains(name));
    Ok(made)
}

/// Adds the names of the targets that the text makes to `made`, and those that it looks for to `asked`.
fn read(text: &str, made: &mut BTreeSet<String>, asked: &mut BTreeSet<String>) {
    let first_word = |text: &str| {
        let word = text
            .trim_start()
            .split([' ', '\t', '\n', '\r', ')', '"'])
            .next();
        word.unwrap_or_default().to_owned()
    };
    for line in text.lines() {
        for (at, words) in line.match_indices("NOT TARGET ") {
            asked.insert(first_word(&line[at + words.len()..]));
        }
    }
    // The name may be on the line after the parenthesis.
    for (at, _) in text.match_indices('(') {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let start = before.rfind(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let command = before[start.map_or(0, |at| at + 1)..].to_ascii_lowercase();
        if command.starts_with("add_") && MAKERS.iter().any(|maker| command.ends_with(maker)) {
            made.insert(first_word(&text[at + 1..]));
        }
    }
}

/// The sentence about a project that makes such targets.
pub(crate) fn note(project: &str, own: &BTreeSet<String>) -> Option<String> {
    let first = own.first()?;
    Some(match own.len() {
        1 => format!(
            "the project `{project}` and the bundle's LLVM both define the target {first}; \
             the project's CMake uses its own"
        ),
        count => format!(
            "the project `{project}` and the bundle's LLVM both define {count} targets, \
             including {first}; the project's CMake uses its own"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_exported_target_can_be_excluded() {
        let text = "set(A 1)\n\n# Create imported target One\nadd_library(One STATIC IMPORTED)\n\n\
                    # Create imported target two\nadd_executable(two IMPORTED)\n\nif(X)\nendif()\n";
        let expected = "set(A 1)\n\n# Create imported target One\nif(NOT \"One\" IN_LIST MONDO_OWN_TARGETS)\n\
                        add_library(One STATIC IMPORTED)\n\nendif()\n\n# Create imported target two\n\
                        if(NOT \"two\" IN_LIST MONDO_OWN_TARGETS)\nadd_executable(two IMPORTED)\n\nendif()\n\n\
                        if(X)\nendif()\n";
        assert_eq!(optional(text), expected);
        let text = "# Import target \"One\" for configuration \"Release\"\nset_property(TARGET One)\n# End\n";
        let expected = "# Import target \"One\" for configuration \"Release\"\n\
                        if(NOT \"One\" IN_LIST MONDO_OWN_TARGETS)\nset_property(TARGET One)\nendif()\n\n# End\n";
        assert_eq!(optional(text), expected);
    }

    #[test]
    fn the_refused_target_is_known() {
        let said = "CMake Error at lib/CMakeLists.txt:2 (add_library):\n  add_library cannot create target \"One\" \
                    because an imported\n  target with the same name already exists.\n";
        assert_eq!(refused(said).as_deref(), Some("One"));
        let said =
            "add_library cannot create target \"One\" because another target with the same name";
        assert_eq!(refused(said), None);
    }

    #[test]
    fn targets_are_found_in_the_text_of_their_folders() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let prefix = root.join("prefix");
        for (file, names) in [
            (
                "mlir/MLIRTargets.cmake",
                &["One", "Two", "Three", "tool", "Else"][..],
            ),
            ("llvm/LLVMExports.cmake", &["Support"][..]),
        ] {
            let path = prefix.join("lib/cmake").join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            let lines: Vec<String> = names
                .iter()
                .map(|name| format!("# Create imported target {name}\n"))
                .collect();
            fs_err::write(path, lines.concat()).unwrap();
        }
        let folder = root.join("project");
        fs_err::create_dir_all(folder.join("lib")).unwrap();
        let text = "add_mlir_library(One\n  One.cpp)\nadd_llvm_executable(tool x.cpp)\nadd_dependencies(Else One)\n";
        fs_err::write(folder.join("CMakeLists.txt"), text).unwrap();
        let text = "ADD_LIBRARY (\n  Two two.cpp)\nadd_library(Own own.cpp)\n\
                    if(NOT TARGET Three)\n  add_library(Three INTERFACE)\nendif()\n";
        fs_err::write(folder.join("lib/own.cmake"), text).unwrap();
        let made = made(&[folder], &prefix).unwrap();
        assert_eq!(made.iter().collect::<Vec<_>>(), ["One", "Two", "tool"]);
    }
}
