//! The check of language standards, compiler flags and definitions.

use mondo_core::error::Result;

use super::Placer;
use crate::compiler_flags::forbidden;
use crate::dialect_crate::model::CppOptions;
use crate::names::is_identifier;
use crate::spanned::Spanned;

/// The ends of the standards' names that MLIR's headers can be read with.
const STANDARDS: [&str; 7] = ["17", "2a", "20", "2b", "23", "2c", "26"];

const LINK: &str = "it is a linker option, and mondo links the bundle";
const STATIC: &str = "it is a linker option, and the bundle already contains the C++ library";
const ARCHIVES: &str = "it is a linker option; list archives in `archives`";
const INCLUDE: &str = "list include folders in `cpp.include`";
const PREFIX: &str =
    "the build maps its folders itself, so that the wheel contains no path of this machine";
const DRIVER: &str = "mondo chooses the compiler's action and its output";

/// Flags that are refused here beside those that no code of a bundle has, by how they begin, and why.
const REFUSED_STARTS: &[(&str, &str)] = &[
    ("-std=", "set the standard with `std`"),
    ("-I", INCLUDE),
    ("-isystem", INCLUDE),
    ("-iquote", INCLUDE),
    ("-static", STATIC),
    ("-shared", LINK),
    ("-l", ARCHIVES),
    ("-L", ARCHIVES),
    ("-Wl,", LINK),
    ("-Xlinker", LINK),
    ("-fuse-ld", LINK),
    ("-rdynamic", LINK),
    (
        "-fvisibility",
        "only functions that the C API headers declare are exported",
    ),
    ("-ffile-prefix-map", PREFIX),
    ("-fdebug-prefix-map", PREFIX),
    ("-fmacro-prefix-map", PREFIX),
    ("-save-temps", DRIVER),
    ("-M", DRIVER),
    ("-o", DRIVER),
    ("-x", DRIVER),
];

/// Flags that are refused as they are.
const REFUSED: [&str; 3] = ["-c", "-E", "-S"];

impl Placer<'_> {
    /// The options of the table `key`.
    pub(super) fn options(
        &self,
        key: &str,
        std: Option<Spanned<String>>,
        flags: Vec<Spanned<String>>,
        defines: Vec<Spanned<String>>,
    ) -> Result<CppOptions> {
        if let Some(std) = &std {
            self.standard(key, std)?;
        }
        for flag in &flags {
            if let Some(why) = refusal(flag.get_ref()) {
                return Err(self
                    .refuse(
                        flag.span(),
                        format!("`{}` is not allowed in `{key}.flags`", flag.get_ref()),
                    )
                    .because(why));
            }
        }
        for define in &defines {
            let word = define.get_ref();
            let name = word.split(['=', '(']).next().unwrap_or_default();
            if !is_identifier(name) || word.contains(char::is_control) {
                return Err(self
                    .refuse(
                        define.span(),
                        format!("`{word}` is not allowed in `{key}.defines`"),
                    )
                    .because("a definition is `NAME` or `NAME=value`"));
            }
            if let Some(why) = forbidden(&format!("-D{word}")) {
                let what = format!("`{word}` is not allowed in `{key}.defines`");
                return Err(self.refuse(define.span(), what).because(why));
            }
        }
        Ok(CppOptions {
            std,
            flags,
            defines,
        })
    }

    fn standard(&self, key: &str, std: &Spanned<String>) -> Result<()> {
        let word = std.get_ref();
        let year = word.strip_prefix("c++").or(word.strip_prefix("gnu++"));
        if year.is_some_and(|year| STANDARDS.contains(&year)) {
            return Ok(());
        }
        Err(self
            .refuse(std.span(), format!("invalid `{key}.std`: {word:?}"))
            .because("MLIR's headers are written in C++17")
            .help("write `c++17`, `c++20`, `c++23` or `c++26`, or `gnu++…`"))
    }
}

/// The reason for which a flag is refused, if it is.
fn refusal(word: &str) -> Option<&'static str> {
    if !word.starts_with('-') || word.len() < 2 || word.contains(char::is_whitespace) {
        return Some("write each flag as a separate word that begins with `-`");
    }
    if REFUSED.contains(&word) {
        return Some(DRIVER);
    }
    let mut starts = REFUSED_STARTS.iter();
    let found = starts.find(|(start, _)| word.starts_with(start));
    found.map(|(_, why)| *why).or_else(|| forbidden(word))
}
