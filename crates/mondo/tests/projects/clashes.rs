//! Two projects that break the library that they are in: the error names both, and the wheel of before stays.

use std::collections::BTreeMap;

use super::Case;

/// Adds a project whose C API library is compiled with LLVM's headers.
fn with_headers(case: Case, name: &str, library: &str) -> Case {
    let lines = format!(
        "target_include_directories(obj.{library} PRIVATE ${{MLIR_INCLUDE_DIRS}} ${{LLVM_INCLUDE_DIRS}})\n"
    );
    let case = case.with_passes(name, &lines, "");
    let path = case.dir.path().join(name).join("CMakeLists.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text.replace("OneCAPI", library)).unwrap();
    case
}

impl Case {
    /// Replaces the C++ of a project, before the function that registers its passes.
    fn code(&self, name: &str, text: &str) {
        let text = format!("#include \"one-c/One.h\"\n{text}\nvoid {name}RegisterPasses() {{}}\n");
        self.write(&format!("{name}/one.cpp"), &text);
    }

    fn made(&self) -> BTreeMap<String, Vec<u8>> {
        let files = std::fs::read_dir(self.dist()).unwrap();
        let files = files.map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        });
        files.collect()
    }

    /// Expects that the bundle is refused with this code and these words.
    #[track_caller]
    fn is_refused(&self, code: i32, words: &[&str]) {
        let output = self.command().output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in:\n{said}");
        }
    }
}

#[test]
fn projects_that_break_each_other() {
    let case = with_headers(Case::new(), "one", "OneCAPI");
    let case = with_headers(case, "two", "TwoCAPI");
    super::succeeds(&mut case.command());
    let before = case.made();

    let both = |text: &str| ["one", "two"].iter().for_each(|name| case.code(name, text));
    both("#include \"llvm/Support/CommandLine.h\"\nstatic llvm::cl::opt<int> limit(\"my-limit\");");
    case.is_refused(
        24,
        &[
            "a command-line option is registered twice",
            "`-my-limit`: libOneCAPI.a(one.cpp.o) of `one` and libTwoCAPI.a(one.cpp.o) of `two`",
        ],
    );
    both(
        "#include \"mlir/Support/TypeID.h\"\nnamespace x { struct Y {}; }\n\
         MLIR_DECLARE_EXPLICIT_TYPE_ID(x::Y)\nMLIR_DEFINE_EXPLICIT_TYPE_ID(x::Y)",
    );
    case.is_refused(
        22,
        &[
            "TypeIDResolver<x::Y, void>::id: libOneCAPI.a(one.cpp.o) and libTwoCAPI.a(one.cpp.o)",
            "libOneCAPI.a belongs to `one`",
            "libTwoCAPI.a belongs to `two`",
            "rename the C++ class",
        ],
    );
    both("extern \"C\" int shared() { return 1; }");
    case.is_refused(
        22,
        &[
            "shared: libOneCAPI.a",
            "libTwoCAPI.a belongs to `two`",
            "rename it in one",
        ],
    );
    case.code("one", "");
    case.code(
        "two",
        "#include <cstdlib>\nstatic int ends = (std::abort(), 1);",
    );
    case.is_refused(
        24,
        &[
            "the library cannot be loaded",
            "SIGABRT",
            "libTwoCAPI.a(one.cpp.o) of `two`",
        ],
    );
    assert!(case.made() == before, "the wheel of before is another");
}

/// A symbol that a target of the project defines, which no library of the bundle links.
#[test]
fn a_target_that_no_library_declares() {
    let case = with_headers(Case::new(), "one", "OneCAPI");
    let lists = std::fs::read_to_string(case.dir.path().join("one/CMakeLists.txt")).unwrap();
    case.write(
        "one/CMakeLists.txt",
        &format!("{lists}add_library(OneUtils STATIC EXCLUDE_FROM_ALL utils.cpp)\n"),
    );
    case.write(
        "one/utils.cpp",
        "namespace one {\nint extra(int a) {\n  return a;\n}\n}\n",
    );
    case.code(
        "one",
        "namespace one { int extra(int); }\nstatic int used = one::extra(1);",
    );
    case.is_refused(
        22,
        &[
            "one::extra(int), referenced by libOneCAPI.a(one.cpp.o), defined at",
            "one/utils.cpp:2 of the target `OneUtils` of the project `one`, which is not linked",
            "target_link_libraries(OneCAPI PUBLIC OneUtils)",
        ],
    );
}
