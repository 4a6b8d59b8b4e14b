//! The rule about the examples of mondo-ir: each public type and trait has one, and each public function and
//! constant is in one. The group `ir` runs them.

use std::collections::BTreeSet;

use crate::sources::SourceFile;

const CRATE: &str = "crates/mondo-ir/src/";

/// The kinds of items, and whether an item of the kind has an example of its own.
const KINDS: &[(&str, bool)] = &[
    ("struct", true),
    ("enum", true),
    ("trait", true),
    ("fn", false),
    ("const", false),
    ("type", false),
];

pub(crate) fn examples(files: &[SourceFile]) -> Vec<String> {
    let ours = files.iter();
    let ours = ours.filter(|file| file.path.starts_with(CRATE) && file.path.ends_with(".rs"));
    let hidden: Vec<String> = ours.clone().flat_map(hidden_in).collect();
    let is_shown = |file: &&SourceFile| !hidden.iter().any(|start| file.path.starts_with(start));
    let shown: Vec<_> = ours.filter(is_shown).collect();
    let lines = shown.iter().flat_map(|file| example_lines(&file.text));
    let words: BTreeSet<&str> = lines.flat_map(|line| line.split(is_no_name)).collect();
    let complaints = shown.iter().flat_map(|file| complaints(file, &words));
    complaints.collect()
}

fn is_no_name(character: char) -> bool {
    !character.is_alphanumeric() && character != '_'
}

/// The starts of the paths of modules that the documentation leaves out, and of what it leaves out of others.
fn hidden_in(file: &SourceFile) -> Vec<String> {
    let folder = match file.path.rsplit_once('/') {
        Some((folder, "lib.rs" | "mod.rs")) => folder.to_owned(),
        _ => file.path.trim_end_matches(".rs").to_owned(),
    };
    let mut found = Vec::new();
    let mut is_hidden = false;
    for line in file.text.lines() {
        let name = line
            .strip_prefix("pub mod ")
            .or(line.strip_prefix("pub use "));
        if let Some(name) = name.filter(|_| is_hidden) {
            let name = name.split([';', ':']).next().unwrap_or_default();
            found.extend([format!("{folder}/{name}.rs"), format!("{folder}/{name}/")]);
        }
        is_hidden = line == "#[doc(hidden)]";
    }
    found
}

/// The lines of the examples in the comments of a file.
fn example_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let comment = line.trim_start();
        let comment = comment
            .strip_prefix("///")
            .or(comment.strip_prefix("//!"))?;
        let is_fence = comment.trim_start().starts_with("```");
        inside ^= is_fence;
        (inside && !is_fence).then_some(comment)
    })
}

/// Complains about the public items of a file.
fn complaints(file: &SourceFile, words: &BTreeSet<&str>) -> Vec<String> {
    let mut complaints = Vec::new();
    let (mut has_example, mut is_hidden) = (false, false);
    for (number, line) in (1..).zip(file.text.lines()) {
        let code = line.trim_start();
        if code.starts_with("///") {
            has_example |= code.contains("```");
            continue;
        }
        if code.starts_with("#[") {
            is_hidden |= code.contains("doc(hidden)");
            continue;
        }
        let item = public_item(code).filter(|_| !is_hidden && !has_example);
        if let Some((name, wants_its_own)) = item
            && (wants_its_own || !words.contains(name))
        {
            let what = if wants_its_own { "has" } else { "is in" };
            let path = &file.path;
            complaints.push(format!("{path}:{number}: `{name}` {what} no example"));
        }
        (has_example, is_hidden) = (false, false);
    }
    complaints
}

/// The name of the public item that a line begins, and whether it has an example of its own.
fn public_item(code: &str) -> Option<(&str, bool)> {
    let item = code.strip_prefix("pub ")?;
    let item = item.strip_prefix("unsafe ").unwrap_or(item);
    // A constant has its name behind the word.
    let function = item
        .strip_prefix("const ")
        .filter(|rest| rest.starts_with("fn "));
    let (kind, rest) = function.unwrap_or(item).split_once(' ')?;
    let (_, wants_its_own) = KINDS.iter().find(|(known, _)| *known == kind)?;
    let name = rest.split(is_no_name).next().unwrap_or_default();
    // Items that need no example: the trait `Sealed`, which nobody else implements, and items whose
    // name a macro gives.
    (!name.is_empty() && name != "Sealed").then_some((name, *wants_its_own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints_about(text: &str) -> Vec<String> {
        let file = |path: &str, text: &str| crate::sources::file(&format!("{CRATE}{path}"), text);
        let lib = "#[doc(hidden)]\npub mod nodes;\nmod a;\n";
        let hidden = "pub struct Hidden;\n";
        examples(&[
            file("lib.rs", lib),
            file("nodes/mod.rs", hidden),
            file("a.rs", text),
        ])
    }

    const WITH_EXAMPLE: &str =
        "/// A.\n///\n/// ```\n/// A::b();\n/// ```\n#[derive(Debug)]\npub struct A;\n";

    #[test]
    fn a_type_has_an_example_of_its_own() {
        assert_eq!(complaints_about(WITH_EXAMPLE), [""; 0]);
        assert_eq!(complaints_about("/// A.\npub struct A;\n").len(), 1);
        assert_eq!(complaints_about("pub unsafe trait A {}\n").len(), 1);
    }

    #[test]
    fn the_example_of_one_item_is_not_that_of_the_next() {
        let text = format!("{WITH_EXAMPLE}pub enum B {{}}\n");
        assert_eq!(complaints_about(&text).len(), 1);
    }

    #[test]
    fn hidden_and_private_items_need_no_example() {
        assert_eq!(complaints_about("#[doc(hidden)]\npub struct A;\n"), [""; 0]);
        assert_eq!(complaints_about("pub(crate) struct A;\n"), [""; 0]);
    }

    #[test]
    fn a_function_is_in_some_example() {
        let example = "//! ```\n//! a.f();\n//! ```\n";
        let with_example = format!("{example}pub const fn f() {{}}\n");
        assert_eq!(complaints_about(&with_example), [""; 0]);
        let with_other = format!("{example}pub unsafe fn g() {{}}\n");
        assert_eq!(complaints_about(&with_other).len(), 1);
        assert_eq!(complaints_about("// f()\npub fn f() {}\n").len(), 1);
    }
}
