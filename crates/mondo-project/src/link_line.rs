//! The libraries of a link line, as `CMake` writes it, in order. For each library it is known if every member is
//! linked (`--whole-archive`).

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};

use crate::file_api::Fragment;

/// A library of a link line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Linked {
    /// A path, or `-lname` where no folder of the link line has an archive of the name.
    pub(crate) word: String,
    /// True if every member is linked, needed or not.
    pub(crate) whole: bool,
}

/// Reads a link line. Relative paths start at `build`.
pub(crate) fn libraries(fragments: &[Fragment], build: &Utf8Path) -> Vec<Linked> {
    let words: Vec<(bool, String)> = fragments
        .iter()
        .flat_map(|fragment| {
            let library = fragment.role == "libraries";
            words(&fragment.fragment)
                .into_iter()
                .map(move |word| (library, word))
        })
        .collect();
    let folders: Vec<Utf8PathBuf> = words
        .iter()
        .filter_map(|(_, word)| word.strip_prefix("-L"))
        .map(|folder| build.join(folder))
        .collect();
    let mut whole = false;
    let mut outer = Vec::new();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (_, word) in words.iter().filter(|(library, _)| *library) {
        match word.as_str() {
            "--whole-archive" => whole = true,
            "--no-whole-archive" => whole = false,
            "--push-state" => outer.push(whole),
            "--pop-state" => whole = outer.pop().unwrap_or_default(),
            _ if word.starts_with("-l") || !word.starts_with('-') => {
                let word = archive(word, &folders).unwrap_or_else(|| word.clone());
                let one = Linked { word, whole };
                if seen.insert(one.clone()) {
                    found.push(one);
                }
            }
            _ => {}
        }
    }
    found
}

/// The archive that `-lname` or `-l:file` stands for. A linker would prefer a shared library beside it, of which a
/// bundle has no use.
fn archive(word: &str, folders: &[Utf8PathBuf]) -> Option<String> {
    let name = word.strip_prefix("-l")?;
    let file = match name.strip_prefix(':') {
        Some(file) => file.to_owned(),
        None => format!("lib{name}.a"),
    };
    let mut paths = folders.iter().map(|folder| folder.join(&file));
    paths
        .find(|path| path.is_file())
        .map(Utf8PathBuf::into_string)
}

/// The words of a part of a command line, those that the compiler hands to the linker as the linker sees them.
fn words(fragment: &str) -> Vec<String> {
    let split = shlex::split(fragment)
        .unwrap_or_else(|| fragment.split_whitespace().map(str::to_owned).collect());
    let mut words = Vec::new();
    for word in split {
        if let Some(inside) = word.strip_prefix("-Wl,") {
            words.extend(inside.split(',').map(str::to_owned));
        } else if word != "-Xlinker" {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fragments: &[(&str, &str)], build: &str) -> Vec<Linked> {
        let fragments: Vec<Fragment> = fragments
            .iter()
            .map(|(role, fragment)| Fragment {
                fragment: (*fragment).to_owned(),
                role: (*role).to_owned(),
                backtrace: None,
            })
            .collect();
        libraries(&fragments, Utf8Path::new(build))
    }

    fn linked(word: &str, whole: bool) -> Linked {
        Linked {
            word: word.to_owned(),
            whole,
        }
    }

    #[test]
    fn whole_archives_are_known() {
        let found = line(
            &[
                ("flags", "-O2"),
                ("libraries", "lib/liba.a"),
                (
                    "libraries",
                    "-Wl,--push-state,--whole-archive lib/libb.a -Wl,--pop-state lib/libc.a",
                ),
                ("libraries", "-Xlinker --whole-archive lib/libd.a"),
                (
                    "libraries",
                    "-Wl,--no-whole-archive \"/my libs/libe.a\" lib/liba.a",
                ),
            ],
            "/b",
        );
        let expected = [
            ("lib/liba.a", false),
            ("lib/libb.a", true),
            ("lib/libc.a", false),
            ("lib/libd.a", true),
            ("/my libs/libe.a", false),
        ];
        assert_eq!(found, expected.map(|(word, whole)| linked(word, whole)));
    }

    #[test]
    fn a_name_is_looked_up_in_the_folders_of_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let archive = folder.join("libthird.a");
        fs_err::write(&archive, "").unwrap();
        let path = format!("-L{folder}");
        let found = line(
            &[
                ("libraries", "-lthird -lother"),
                ("libraryPath", &path),
                ("libraries", "-l:libthird.a"),
            ],
            "/b",
        );
        assert_eq!(
            found,
            [linked(archive.as_str(), false), linked("-lother", false)]
        );
    }
}
