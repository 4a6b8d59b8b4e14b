//! The options by which a project's own `CMake` compiles an extension, in the words of a `dialect.toml`.

use crate::file_api::CompileGroup;

/// Prefixes of flags that an extension does not take from the project: warnings, and flags for what mondo decides
/// itself.
const OURS: &[&str] = &[
    "-W",
    "-w",
    "-O",
    "-g",
    "-pedantic",
    "-fdiagnostics",
    "-fcolor-diagnostics",
    "-fvisibility",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-ffunction-sections",
    "-fdata-sections",
    "-ffile-prefix-map",
    "-fdebug-prefix-map",
    "-fmacro-prefix-map",
    "-freorder-blocks",
    "-fno-reorder-blocks",
    "-fno-semantic-interposition",
    "-flto",
    "-fno-lto",
    "-fno-fat-lto",
    "-ffat-lto-objects",
    "-fsanitize",
    "-fno-omit-frame-pointer",
    "-march=native",
    "-mtune=native",
    "-mcpu=native",
    // Exceptions, RTTI and unwind tables: LLVM's own code is compiled without them, and nanobind needs them, so mondo
    // sets these flags.
    "-fno-exceptions",
    "-fexceptions",
    "-fno-rtti",
    "-frtti",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-funwind-tables",
];

/// Options whose next word is an argument of theirs for one part of the compiler: `-Xclang -fno-pch-timestamp`, as LLVM's
/// CMake has it since 23. An extension takes neither from the project.
const WITH_ARGUMENT: &[&str] = &["-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm"];

/// Macros that mondo defines itself: those that contain the bundle's label, and those that all code gets.
const OUR_DEFINES: &[&str] = &[
    "MLIR_CAPI_BUILDING_LIBRARY",
    "MLIR_PYTHON_PACKAGE_PREFIX",
    "NB_DOMAIN",
    "NDEBUG",
    "_GLIBCXX_USE_CXX11_ABI",
];

/// The language standard, flags and definitions of an extension.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CppOptions {
    /// `c++20`.
    pub(crate) std: Option<String>,
    pub(crate) flags: Vec<String>,
    /// `NAME` or `NAME=value`.
    pub(crate) defines: Vec<String>,
}

impl CppOptions {
    /// Reads how the C++ of a target is compiled.
    pub(crate) fn of(groups: &[CompileGroup]) -> Self {
        let mut options = Self::default();
        let Some(group) = groups.iter().find(|group| group.language == "CXX") else {
            return options;
        };
        let fragments = group.compile_command_fragments.iter();
        let mut words = fragments.flat_map(|fragment| fragment.fragment.split_whitespace());
        while let Some(word) = words.next() {
            if WITH_ARGUMENT.contains(&word) {
                words.next();
            } else if let Some(std) = word.strip_prefix("-std=") {
                options.std = Some(std.to_owned());
            } else if let Some(define) = word.strip_prefix("-D") {
                options.define(define);
            } else if (word.starts_with("-f") || word.starts_with("-m"))
                && !OURS.iter().any(|start| word.starts_with(start))
                && !options.flags.iter().any(|flag| flag == word)
            {
                options.flags.push(word.to_owned());
            }
        }
        for define in &group.defines {
            options.define(&define.define);
        }
        options
    }

    /// Reads how the C++ of a library is compiled, for other C++ that includes its headers: inline functions in the
    /// headers may throw exceptions.
    pub(crate) fn of_library(groups: &[CompileGroup]) -> Self {
        let mut options = Self::of(groups);
        let Some(group) = groups.iter().find(|group| group.language == "CXX") else {
            return options;
        };
        let fragments = group.compile_command_fragments.iter();
        let words = fragments.flat_map(|fragment| fragment.fragment.split_whitespace());
        let mut switches = words.filter(|word| matches!(*word, "-fexceptions" | "-fno-exceptions"));
        if switches.next_back() != Some("-fno-exceptions") {
            options.flags.push("-fexceptions".to_owned());
        }
        options
    }

    fn define(&mut self, define: &str) {
        let name = define.split(['=', '(']).next().unwrap_or_default();
        if !OUR_DEFINES.contains(&name) && !self.defines.iter().any(|known| known == define) {
            self.defines.push(define.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_argument_of_an_option_is_not_a_flag() {
        let groups: Vec<CompileGroup> = serde_json::from_str(
            r#"[{"language": "CXX", "defines": [],
                 "compileCommandFragments": [
                    {"fragment": "-Xclang -fno-pch-timestamp -mllvm -fast-isel"},
                    {"fragment": "-fno-math-errno"}]}]"#,
        )
        .unwrap();
        assert_eq!(CppOptions::of(&groups).flags, ["-fno-math-errno"]);
    }

    #[test]
    fn the_projects_options_are_kept_and_those_of_the_bundle_are_not() {
        let groups: Vec<CompileGroup> = serde_json::from_str(
            r#"[{"language": "C", "defines": [{"define": "C_ONLY"}]},
                {"language": "CXX",
                 "compileCommandFragments": [
                    {"fragment": "-fvisibility=hidden -fno-rtti -O2 -DNDEBUG -std=gnu++20 -fPIC"},
                    {"fragment": "-Wall"}, {"fragment": "-fno-math-errno"}, {"fragment": "-mavx2"}],
                 "defines": [{"define": "TOY_LIMIT=8"}, {"define": "NB_DOMAIN=toy"},
                             {"define": "TOY_NAME=\"a b\""}]}]"#,
        )
        .unwrap();
        assert_eq!(
            CppOptions::of(&groups),
            CppOptions {
                std: Some("gnu++20".to_owned()),
                flags: vec!["-fno-math-errno".to_owned(), "-mavx2".to_owned()],
                defines: vec!["TOY_LIMIT=8".to_owned(), "TOY_NAME=\"a b\"".to_owned()],
            }
        );
        assert_eq!(CppOptions::of(&groups[..1]), CppOptions::default());
    }
}
