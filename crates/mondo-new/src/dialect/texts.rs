//! A new dialect crate from a template. The crate builds, its bundle has tests that pass, and its authors change it as
//! they like.

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::source::Source;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::names::is_keyword;

use super::existing;
use crate::new_folder::Texts;
use crate::template::{File, Words, files};

/// The language of the dialect's sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C++ over ODS, with an extension of its own.
    Cpp,
    /// Rust, over mondo-dialect.
    Rust,
}

pub(crate) const CPP: &[File] = files!("cpp":
    ".vscode/settings.json",
    "LICENSE",
    "bundle.toml",
    "dialect.toml",
    "include/NAME/NAME.h",
    "include/NAME/NAME.td",
    "include/NAME-c/NAME.h",
    "lib/CAPI.cpp",
    "lib/Dialect.cpp",
    "lib/Passes.cpp",
    "python/dialects/NAME.py",
    "python-ext/Module.cpp",
    "tests/test_NAME.py",
);

pub(crate) const RUST: &[File] = files!("rust":
    ".vscode/settings.json",
    "Cargo.toml",
    "LICENSE",
    "bundle.toml",
    "dialect.toml",
    "src/lib.rs",
    "tests/test_NAME.py",
);

/// The files of the crate `name`.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a dialect's.
pub(super) fn texts(name: &str, language: Language, source: &Source) -> Result<Texts> {
    check(name)?;
    let files = match language {
        Language::Cpp => CPP,
        Language::Rust => RUST,
    };
    let words = Words::new(name, source.root());
    let files = files.iter();
    Ok(files
        .map(|(path, text)| (words.path(path), words.text(text)))
        .collect())
}

/// The first version of the crate `name` for the project in the folder `project`, whose files stay where they are, and
/// a manifest. `folder` is the crate's, absolute: its files name the project's by their places from there.
///
/// # Errors
/// `ErrorKind::Manifest` for a name that cannot be a dialect's and for a project without a dialect; `ErrorKind::Io` where
/// the project cannot be read.
pub(super) fn texts_from(name: &str, folder: &Utf8Path, project: &Utf8Path) -> Result<Texts> {
    check(name)?;
    let project = camino::absolute_utf8(project)?;
    let project = project.canonicalize_utf8().unwrap_or(project);
    existing::files(name, folder, &project)
}

/// Refuses a name that cannot be a dialect's: it becomes a C++ namespace, a Python module and part of files' names.
///
/// # Errors
/// `ErrorKind::Manifest` with the reason.
pub(crate) fn check(name: &str) -> Result<()> {
    let refuse = |why: &str| {
        Err(Error::new(
            ErrorKind::Manifest,
            format!("invalid dialect name: `{name}`"),
        )
        .because(why)
        .help("use lower-case letters, digits and `_`, beginning with a letter: `fixed_point`"))
    };
    let mut bytes = name.bytes();
    let plain = bytes.next().is_some_and(|b| b.is_ascii_lowercase())
        && bytes.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if !plain || name.contains("__") || name.ends_with('_') {
        return refuse("it becomes a C++ namespace, a Python module and part of file names");
    }
    if is_keyword(name) {
        return refuse("it is a Python keyword, so it cannot be imported");
    }
    if CPP_WORDS.split_whitespace().any(|word| word == name) {
        return refuse("it already has a meaning in C++");
    }
    let upstream = Catalogue::upstream()?;
    let taken = upstream
        .dialects
        .iter()
        .any(|dialect| dialect.name.get_ref() == name || dialect.python.as_deref() == Some(name));
    if taken {
        return refuse("MLIR already has a dialect of this name");
    }
    Ok(())
}

/// Lower-case words that a C++ namespace of a dialect cannot have: the language's, and functions of C that headers
/// of the C++ library declare in the global namespace.
const CPP_WORDS: &str = "
    alignas alignof and_eq asm auto bitand bitor bool case catch char compl const constexpr
    decltype default delete do double enum explicit export extern float friend goto inline int
    llvm long main mlir mutable namespace new noexcept not_eq nullptr operator or_eq private
    protected public register short signed sizeof static std struct switch template this throw
    typedef typeid typename union unsigned using virtual void volatile xor xor_eq
    abort abs access alarm atof atoi atol atoll bsearch calloc ceil clock close cos daemon div dup erf exit exp
    floor fork free gamma index jn labs ldiv link llabs lldiv log lrand48 malloc mktime mrand48 nice open pause pipe
    pow printf putenv puts qsort raise rand random read realloc remove rename rindex round select signal sin sleep
    sqrt srand swab sync system tan time times trunc tzset wait write yn
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_has_no_placeholder_left() {
        let source = Source::locate().unwrap();
        for language in [Language::Cpp, Language::Rust] {
            for (path, text) in texts("my_toy", language, &source).unwrap() {
                let marks = ["@name@", "@Name@", "@NAME@", "@dist@", "@mondo@"];
                assert!(!marks.iter().any(|mark| text.contains(mark)), "{path}");
            }
        }
    }

    #[test]
    fn names_that_something_else_has_are_refused() {
        let source = Source::locate().unwrap();
        for name in [
            "", "9a", "A", "a-b", "a__b", "a_", "class", "template", "func", "openmp", "é", "atoll",
        ] {
            let error = texts(name, Language::Cpp, &source).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Manifest, "{name}");
        }
    }
}
