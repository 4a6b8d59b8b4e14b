//! The language of comments and messages.

use crate::rule::Rule;
use crate::sources::SourceFile;

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "sentences",
        check: sentences,
    },
    Rule {
        name: "product-name",
        check: product_name,
    },
];

/// Each sort of source file, and the marks that begin a comment in it.
const COMMENTS: &[(&str, &[&str])] = &[
    (".rs", &["///", "//!", "//"]),
    (".h", &["///", "//"]),
    (".cpp", &["///", "//"]),
    (".py", &["#", "\"\"\""]),
    (".pyi", &["#", "\"\"\""]),
    (".toml", &["#"]),
    (".sh", &["#"]),
    (".yml", &["#"]),
    (".yaml", &["#"]),
    (".cmake", &["#"]),
    // CMakeLists.txt, requirements of pip, lists that tests read.
    (".txt", &["#"]),
    (".c", &["///", "//"]),
    (".td", &["//"]),
    (".js", &["//"]),
];

/// A comment is a sentence with a subject: it does not begin like a relative clause.
fn sentences(files: &[SourceFile]) -> Vec<String> {
    const FRAGMENTS: &[&str] = &[
        "What ", "Whether ", "How ", "Who ", "Where ", "Which ", "That ", "Why ",
    ];
    let mut complaints = Vec::new();
    for file in files {
        // A template is named after the file that is made of it.
        let path = file.path.strip_suffix(".in").unwrap_or(&file.path);
        let Some((_, marks)) = COMMENTS.iter().find(|(end, _)| path.ends_with(end)) else {
            continue;
        };
        let mut before = None;
        for (index, line) in file.text.lines().enumerate() {
            let line = line.trim_start();
            let mark = marks.iter().find(|mark| line.starts_with(**mark));
            let begins = mark.is_some() && mark != before;
            before = mark;
            let Some(text) = mark.and_then(|mark| line.strip_prefix(*mark)) else {
                continue;
            };
            let text = text.trim_start();
            let fragment = FRAGMENTS.iter().any(|word| text.starts_with(word));
            if begins && fragment && !text.contains('?') {
                complaints.push(format!(
                    "{}:{}: the comment begins with a fragment: {text}",
                    file.path,
                    index + 1
                ));
            }
        }
    }
    complaints
}

/// Messages name the command that their readers have, which is `mondo`: only xtask's own commands, and
/// the scripts of this repository, are run by `cargo xtask`.
fn product_name(files: &[SourceFile]) -> Vec<String> {
    const SHIPPED: &[&str] = &["crates/", "bundle/"];
    // Programs of this repository, not of its users.
    const OURS: &[&str] = &[
        "crates/mondo-acceptance/",
        "crates/mondo-lab/",
        "crates/mondo-testbed/",
        "crates/mondo-tidy/",
    ];
    files
        .iter()
        .filter(|file| SHIPPED.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| !OURS.iter().any(|folder| file.path.starts_with(folder)))
        .filter(|file| file.is_shipped_rust() || file.path.ends_with(".py"))
        .flat_map(|file| {
            file.complaints(file.before_tests(), |line| {
                let code = line.split("//").next().unwrap_or_default();
                code.contains("cargo xtask")
                    .then(|| "names `cargo xtask` to people who have none".to_owned())
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::file;

    #[test]
    fn a_comment_is_a_sentence() {
        let wrong = file("x.rs", "/// What is kept.\n///\n/// How long.\nfn f() {}");
        assert_eq!(sentences(&[wrong]).len(), 1);
        for path in [
            "ci.yml",
            "a.cmake",
            "python/CMakeLists.txt",
            "requirements.txt",
            "x.td",
            "t/lib.toml.in",
        ] {
            let mark = if path.ends_with(".td") { "//" } else { "#" };
            let wrong = file(path, &format!("{mark} What is installed.\n"));
            assert_eq!(sentences(&[wrong]).len(), 1, "{path}");
            let right = file(
                path,
                &format!("{mark} The packages.\n{mark} What follows.\n"),
            );
            assert!(sentences(&[right]).is_empty(), "{path}");
        }
        let right = file("x.rs", "// It says\n// What follows.\n// How?");
        assert!(sentences(&[right]).is_empty());
    }

    #[test]
    fn a_message_names_mondo() {
        let text = "// cargo xtask\nf(\"run cargo xtask doctor\")";
        assert_eq!(product_name(&[file("crates/a/src/b.rs", text)]).len(), 1);
        assert!(product_name(&[file("xtask/src/b.rs", text)]).is_empty());
    }
}
