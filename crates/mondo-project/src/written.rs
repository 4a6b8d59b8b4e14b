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

/// The innermost option of `on` that decides whether `CMake` reads the line `folder/CMakeLists.txt:3`.
pub(crate) fn switch_around(place: &str, on: &[String]) -> Option<String> {
    let (file, line) = place.rsplit_once(':')?;
    let line: usize = line.parse().ok()?;
    let text = fs_err::read_to_string(file).ok()?;
    let mut around: Vec<&str> = Vec::new();
    for text in text.lines().take(line).map(without_comment) {
        let text = text.trim_start();
        let (command, condition) = text.split_once('(').unwrap_or((text, ""));
        match command.trim_end().to_lowercase().as_str() {
            "if" => around.push(condition),
            "elseif" | "else" => {
                around.pop();
                around.push(condition);
            }
            "endif" => drop(around.pop()),
            _ => {}
        }
    }
    around.iter().rev().find_map(|condition| {
        let part = |c: char| !(c.is_alphanumeric() || c == '_');
        let words: Vec<&str> = condition
            .split(part)
            .filter(|word| !word.is_empty())
            .collect();
        let mut words = words.iter().enumerate();
        let (_, switch) = words.find(|(at, word)| {
            let negated = *at > 0 && condition.contains(&format!("NOT {word}"));
            !negated && on.iter().any(|option| option == *word)
        })?;
        Some((*switch).to_owned())
    })
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

    #[test]
    fn an_option_around_a_line_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let file = Utf8Path::from_path(dir.path())
            .unwrap()
            .join("CMakeLists.txt");
        let text = "if(UNIX AND TOY_NATIVE)\n  if(NOT TOY_PLAIN)\n    add_compile_options(-march=native)\n  \
                    endif()\nelse()\n  add_compile_options(-O1)\nendif()\nadd_compile_options(-O2)\n";
        fs_err::write(&file, text).unwrap();
        let on = ["TOY_NATIVE".to_owned(), "TOY_PLAIN".to_owned()];
        let around = |line: usize| switch_around(&format!("{file}:{line}"), &on);
        assert_eq!(around(3).as_deref(), Some("TOY_NATIVE"));
        assert_eq!(around(6), None);
        assert_eq!(around(8), None);
    }
}
