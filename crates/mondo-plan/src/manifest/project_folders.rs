//! The folders of projects in the values of a project's options.

use mondo_core::error::{ErrorKind, Result};

use super::project::Project;
use crate::document::suggest;

/// Checks that `{toy.source}` in the values of a project's options stands for a folder of a project that it needs, or
/// of its own.
pub(super) fn check(projects: &[Project]) -> Result<()> {
    let all: Vec<&str> = projects
        .iter()
        .map(|project| project.name.get_ref().as_str())
        .collect();
    projects
        .iter()
        .try_for_each(|project| folders_exist(project, &all))
}

fn folders_exist(project: &Project, all: &[&str]) -> Result<()> {
    let needed: Vec<&str> = project.needs.iter().map(String::as_str).collect();
    let project_name = project.name.get_ref().as_str();
    for (key, value) in &project.define {
        for (name, folder) in folder_words(value.get_ref()) {
            let known = name == project_name || needed.contains(&name);
            if known && matches!(folder, "source" | "build") {
                continue;
            }
            let what = format!(
                "unknown folder `{{{name}.{folder}}}` in `project.define.{key}` of `{project_name}`"
            );
            let error = project.error(ErrorKind::Manifest, value, what);
            return Err(if !known && all.contains(&name) {
                error.help(format!(
                    "add `{name}` to `needs`, so that mondo builds it first"
                ))
            } else {
                let names = needed.iter().copied().chain([project_name]);
                let words =
                    names.flat_map(|name| [format!("{name}.source"), format!("{name}.build")]);
                let words: Vec<String> = words.collect();
                let word = format!("{name}.{folder}");
                error.help(suggest(&word, words.iter().map(String::as_str)))
            });
        }
    }
    Ok(())
}

/// The words `{name.folder}` of an option's value. A `${…}` is a variable of `CMake`.
fn folder_words(value: &str) -> impl Iterator<Item = (&str, &str)> {
    let word = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        !text.is_empty() && text.chars().all(plain)
    };
    value.match_indices('{').filter_map(move |(at, _)| {
        let (inside, _) = value[at + 1..].split_once('}')?;
        let (name, folder) = inside.split_once('.')?;
        let of_cmake = value[..at].ends_with('$');
        (!of_cmake && word(name) && word(folder)).then_some((name, folder))
    })
}

#[cfg(test)]
mod tests {
    use super::folder_words;

    #[test]
    fn words_of_folders_are_told_from_those_of_cmake() {
        let value = "{a.source}/x;${b.source};$<IF:1,{c-d.build},>;{llvm};{a b.c};{e.soruce";
        let found: Vec<_> = folder_words(value).collect();
        assert_eq!(found, [("a", "source"), ("c-d", "build")]);
    }
}
