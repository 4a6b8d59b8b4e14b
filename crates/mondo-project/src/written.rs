//! Words in a project's `CMake` files and in its options. `CMake` does not say where it has some of them from: the value of
//! a variable, the link options of a static library, a misspelt library.

use camino::Utf8Path;
use mondo_plan::manifest::Project;

use crate::release_flags::name_of;

/// The first line that has the word, in the `CMakeLists.txt` of these folders: `folder/CMakeLists.txt:3`.
pub(crate) fn line_with<'f>(
    word: &str,
    folders: impl IntoIterator<Item = &'f Utf8Path>,
) -> Option<String> {
    folders.into_iter().find_map(|folder| {
        let file = folder.join("CMakeLists.txt");
        let text = fs_err::read_to_string(&file).ok()?;
        let mut lines = text.lines().map(without_comment);
        let line = lines.position(|line| has(line, word))?;
        Some(format!("{file}:{}", line + 1))
    })
}

/// The place of the option in the project's entry of the manifest whose value has the word.
pub(crate) fn option_with(word: &str, project: &Project) -> Option<String> {
    let mut values = project.define.values();
    let value = values.find(|value| has(value.get_ref(), word))?;
    Some(project.place(value))
}

/// The place of the value of the option `name` in the manifest.
pub(crate) fn option(name: &str, project: &Project) -> Option<String> {
    let mut options = project.define.iter();
    let (_, value) = options.find(|(key, _)| name_of(key) == name)?;
    Some(project.place(value))
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

/// True if the text has the word, and not as a part of another one.
fn has(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "-_./+=".contains(c);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(part) && !after.starts_with(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_not_a_part_of_another() {
        for text in [
            "target_link_options(a INTERFACE -static-libstdc++)",
            "set(CMAKE_CXX_FLAGS \"${CMAKE_CXX_FLAGS} -static-libstdc++\")",
            "-static-libstdc++;-O2",
            "$<$<CONFIG:Release>:-static-libstdc++>",
        ] {
            assert!(has(text, "-static-libstdc++"), "{text}");
        }
        for text in ["-Wno-static-libstdc++", "-static-libstdc++abi"] {
            assert!(!has(text, "-static-libstdc++"), "{text}");
        }
    }

    #[test]
    fn the_line_is_no_comment() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let text = "project(a)\n# without -frtti\nadd_compile_options(-frtti) # twice: -frtti\n";
        fs_err::write(folder.join("CMakeLists.txt"), text).unwrap();
        let place = line_with("-frtti", [Utf8Path::new("/none"), folder]);
        assert_eq!(place, Some(format!("{folder}/CMakeLists.txt:3")));
        assert_eq!(line_with("-O3", [folder]), None);
    }
}
