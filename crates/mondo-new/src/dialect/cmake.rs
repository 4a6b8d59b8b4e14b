//! Calls in the `CMakeLists.txt` files of a project that is there already, as far as their text says all.

use std::collections::BTreeSet;

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_core::file;

use mondo_plan::c_declarations::closing;

/// A call of a function or macro.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call<'a> {
    /// Its name, as it is written.
    name: &'a str,
    /// Its arguments, without quotes.
    pub(super) words: Vec<&'a str>,
}

/// The text of a file of the project, whatever its encoding.
pub(super) fn read(path: &Utf8Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&file::read(path, file::LARGEST_TEXT)?).into_owned())
}

/// The text without comments.
pub(super) fn without_comments(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().to_owned() + "\n");
    lines.collect()
}

/// The calls of a text without comments. Parentheses inside of one do not count.
pub(super) fn calls(text: &str) -> Vec<Call<'_>> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let before = rest[..open].trim_end();
        let start = before.rfind(|c: char| !word(c)).map_or(0, |at| at + 1);
        let inside = &rest[open + 1..];
        let close = closing(inside).unwrap_or(inside.len());
        let split = |c: char| c.is_whitespace() || "\"()".contains(c);
        let words = inside[..close].split(split);
        found.push(Call {
            name: &before[start..],
            words: words.filter(|word| !word.is_empty()).collect(),
        });
        rest = inside.get(close + 1..).unwrap_or_default();
    }
    found
}

impl<'a> Call<'a> {
    /// True for a call of this function; `CMake` takes no notice of case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The library that it makes.
    pub(super) fn library(&self) -> Option<&'a str> {
        let name = self.name.to_ascii_lowercase();
        let makes = name.starts_with("add_") && name.ends_with("library");
        let first = self.words.first().filter(|name| !name.contains('$'));
        first.copied().filter(|_| makes)
    }

    /// The libraries that it links.
    pub(super) fn links(&self) -> Vec<&'a str> {
        if self.is("target_link_libraries") || self.is("mlir_target_link_libraries") {
            return self.words.iter().skip(1).copied().collect();
        }
        let mut words = Vec::new();
        let mut linked = false;
        for word in &self.words {
            // `MLIRIR` is a library.
            let library = word.starts_with("MLIR") || word.starts_with("LLVM");
            let upper = word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
            let keyword = upper && !library;
            match *word {
                "PUBLIC" | "PRIVATE" | "INTERFACE" => {}
                other if keyword => linked = other.ends_with("LINK_LIBS"),
                other if linked => words.push(other),
                _ => {}
            }
        }
        words
    }

    /// The argument after this one.
    pub(super) fn after(&self, key: &str) -> Option<&'a str> {
        let bare = key.trim_start_matches('-');
        let mut words = self.words.iter();
        words.find_map(|word| {
            let word = word.trim_start_matches('-');
            let rest = word.strip_prefix(bare)?;
            match rest.strip_prefix('=') {
                Some(value) => Some(value),
                None if rest.is_empty() => self
                    .words
                    .iter()
                    .skip_while(|word| word.trim_start_matches('-') != bare)
                    .nth(1)
                    .copied(),
                None => None,
            }
        })
    }
}

/// Names that a text makes as libraries or other targets.
pub(super) fn made<'a>(calls: &[Call<'a>]) -> BTreeSet<&'a str> {
    let libraries = calls.iter().filter_map(Call::library);
    let others = calls.iter().filter(|call| {
        [
            "add_public_tablegen_target",
            "add_custom_target",
            "add_executable",
            "add_llvm_executable",
        ]
        .iter()
        .any(|name| call.is(name))
    });
    libraries
        .chain(others.filter_map(|call| call.words.first().copied()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_have_words_and_libraries() {
        let text = "add_mlir_dialect_library(MLIRToy\n  Toy.cpp\n  DEPENDS MLIRToyIncGen\n  LINK_LIBS PUBLIC\n  MLIRIR\n  \
                    MLIRPass)\nif(A AND (B))\nInclude(MLIRDetectPythonEnv)\ntarget_link_libraries(MLIRToy PRIVATE z)\n\
                    mlir_tablegen(P.inc -gen-pass-capi-header --prefix Toy)\nmlir_tablegen(P.inc -gen-pass-decls -name=Goo)\n";
        let calls = calls(text);
        assert_eq!(calls[0].library(), Some("MLIRToy"));
        assert_eq!(calls[0].links(), ["MLIRIR", "MLIRPass"]);
        assert_eq!(calls[1].words, ["A", "AND", "B"]);
        assert!(calls[2].is("include"));
        assert_eq!(calls[3].links(), ["PRIVATE", "z"]);
        assert_eq!(calls[4].after("--prefix"), Some("Toy"));
        assert_eq!(calls[5].after("-name"), Some("Goo"));
        assert_eq!(made(&calls), BTreeSet::from(["MLIRToy"]));
    }
}
