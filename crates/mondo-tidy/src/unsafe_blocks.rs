//! The rule about `unsafe` and pointers of the C API in the Python layer: there is less of both from change to
//! change, and none in what stands on mondo-ir.

use crate::sources::{Rule, SourceFile};

pub(crate) const RULES: &[Rule] = &[Rule {
    name: "python-layer-unsafe",
    check: python_layer,
}];

const LAYER: &str = "crates/mondo-py/src/";

/// The files that stand on mondo-ir, by the starts of their paths. The list only grows.
const SAFE: &[&str] = &[
    "affine/",
    "builtin/",
    "dialects/",
    "execution/runtime.rs",
    "execution/symbols.rs",
    "ir/",
    "passes/external.rs",
    "passes/mod.rs",
    "rewrite/config.rs",
    "rewrite/native_call.rs",
    "rewrite/python_pattern.rs",
];

/// The most `unsafe` blocks in the layer. The number only falls.
const MOST_BLOCKS: usize = 183;

/// The most functions that are safe by their declaration and take or return a handle of mondo-sys, of which only
/// the caller knows that it is live. The number only falls.
const MOST_HANDLES: usize = 0;

fn python_layer(files: &[SourceFile]) -> Vec<String> {
    let (mut blocks, mut handles, mut complaints) = (0, 0, Vec::new());
    for file in files {
        let Some(path) = file.path.strip_prefix(LAYER) else {
            continue;
        };
        let code = code_of(&file.text);
        let (mine, signatures) = (code.matches("unsafe {").count(), raw_signatures(&code));
        blocks += mine;
        handles += signatures;
        if SAFE.iter().any(|safe| path.starts_with(safe)) && (mine > 0 || names_handle(&code)) {
            complaints.push(format!(
                "{}: stands on mondo-ir, but has an unsafe block or names a handle of mondo-sys",
                file.path
            ));
        }
    }
    for (what, count, most) in [
        ("unsafe blocks", blocks, MOST_BLOCKS),
        ("safe functions with raw handles", handles, MOST_HANDLES),
    ] {
        if count > most {
            complaints.push(format!(
                "{LAYER}: {count} {what}, more than the {most} that were there"
            ));
        }
    }
    complaints
}

/// The text without comments and string literals.
fn code_of(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.split("//").next().unwrap_or_default();
        let outside = line.split('"').step_by(2);
        outside.collect::<Vec<_>>().join("\"")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// True if there is a name like `MlirType`.
fn names_handle(code: &str) -> bool {
    code.match_indices("Mlir").any(|(at, name)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && after.is_some_and(char::is_uppercase)
    })
}

/// The number of functions whose signature names such a handle, and that are not `unsafe`.
fn raw_signatures(code: &str) -> usize {
    let of = |(at, _): &(usize, &str)| {
        let signature = code[*at..].split(['{', ';']).next().unwrap_or_default();
        let before = code[..*at].lines().next_back().unwrap_or_default();
        // A pointer to a function has no name.
        let is_named =
            signature["fn ".len()..].starts_with(|it: char| it.is_alphabetic() || it == '_');
        is_named && !before.contains("unsafe") && names_handle(signature)
    };
    code.match_indices("fn ").filter(of).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> SourceFile {
        crate::sources::file(&format!("{LAYER}{path}"), text)
    }

    #[test]
    fn a_converted_file_has_neither_blocks_nor_handles() {
        for text in ["unsafe { f() }", "let a: MlirType = b;"] {
            assert_eq!(python_layer(&[file("builtin/x.rs", text)]).len(), 1);
            assert_eq!(python_layer(&[file("ownership/x.rs", text)]), [""; 0]);
        }
        let text = "// unsafe { MlirType }\nconst A: &str = \"MlirType\";";
        assert_eq!(python_layer(&[file("builtin/x.rs", text)]), [""; 0]);
    }

    #[test]
    fn more_than_the_numbers_is_noticed() {
        let blocks = "unsafe {\n}\n".repeat(MOST_BLOCKS + 1);
        assert_eq!(python_layer(&[file("ownership/x.rs", &blocks)]).len(), 1);
        let handles = "fn f(a: MlirType) {}\n".repeat(MOST_HANDLES + 1);
        assert_eq!(python_layer(&[file("ownership/x.rs", &handles)]).len(), 1);
        let vouched = "unsafe fn f(a: MlirType) {}\n".repeat(MOST_HANDLES + 1);
        assert_eq!(python_layer(&[file("ownership/x.rs", &vouched)]), [""; 0]);
    }
}
