//! Notes of `mondo plan --build` about a project that are no mistakes.

use std::process::Command;

use super::{Case, succeeds};

impl Case {
    /// Expects these words in what `mondo plan --build` prints.
    #[track_caller]
    fn plans(&self, words: &[&str]) -> String {
        let output = self.plan().output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in:\n{said}");
        }
        said
    }
}

#[test]
fn a_licence_and_embedded_groups_that_the_bundle_lacks() {
    let modules = "include(AddMLIRPython)\nadd_mlir_python_modules(OnePythonModules ROOT_PREFIX x DECLARED_SOURCES \
         MLIRPythonSources.Core MLIRPythonSources.Dialects.scf MLIRPythonSources.ExecutionEngine \
         MLIRPythonExtension.RegisterEverything MLIRPythonSources.Nonsense COMMON_CAPI_LINK_LIBS OneCAPI)\n";
    let case = Case::new().project("one", modules, "modules = \"OnePythonModules\"");
    case.write(
        "one/LICENSE",
        "MIT License\n\nPermission is hereby granted, free of charge, to any person\n",
    );
    case.plans(&[
        "`one` sets no `license`, and its LICENSE looks like MIT",
        "`license = \"MIT\"`",
        "dialects that this bundle lacks: scf; add them to `contents.dialects`",
        "`contents.execution-engine = true`",
        "embeds MLIRPythonExtension.RegisterEverything",
        "omits them: MLIRPythonSources.Nonsense",
    ]);
}

/// One that its CMake reads is no note, and neither is one that nothing declares and a condition reads.
#[test]
fn an_option_that_the_project_does_not_read() {
    let lines = "option(ONE_JIT \"Engine\" ON)\nif(ONE_TOOLS)\nendif()\n";
    let keys = "define = { ONE_JTI = false, ONE_JIT = false, ONE_TOOLS = true }";
    let case = Case::new().project("one", lines, keys);
    // The second run asks Ninja alone.
    for _ in 0..2 {
        let words = [
            "the CMake of the project `one` does not use `ONE_JTI`",
            "did you mean `ONE_JIT`?",
        ];
        let said = case.plans(&words);
        assert!(
            !said.contains("read `ONE_JIT`") && !said.contains("`ONE_TOOLS`"),
            "{said}"
        );
    }
}

/// A header with a part for C++ alone is taken, one without `extern "C"` is named with its function, and a function that
/// no archive defines is told before the link.
#[test]
fn headers_and_functions_of_the_c_api() {
    let case = Case::new().project("one", "", "");
    let guarded = |function: &str| {
        format!(
            "#ifdef __cplusplus\nnamespace x {{ class Y; }}\nextern \"C\" {{\n#endif\nint {function}(int a);\n\
             #ifdef __cplusplus\n}}\n#endif\n"
        )
    };
    case.write("one/include/one-c/More.h", &guarded("oneMore"));
    case.write("one/include/one-c/None.h", &guarded("oneNone"));
    case.write(
        "one/include/one-c/Aside.h",
        "int oneAside(int a);\nint oneCpp(int a);\n",
    );
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\n#include \"one-c/More.h\"\n#include \"one-c/None.h\"\nextern \"C\" {\n\
         #include \"one-c/Aside.h\"\nvoid *mlirGetDialectHandle__one__() { return 0; }\n}\n\
         int oneMore(int a) { return a; }\nint oneAside(int a) { return a; }\n",
    );
    let said = case.plans(&[
        "warning: the dialect crate `one` declares `oneNone` but does not define it",
        "one-c/None.h:5",
        "the header ",
        "one-c/Aside.h of the project `one` is excluded",
        ": oneAside; it has neither",
    ]);
    assert!(!said.contains("`oneMore`"), "{said}");
    assert!(!said.contains("mlirGetDialectHandle"), "{said}");
    let made = case.described("one");
    let headers = made.split("headers = [").nth(1).unwrap();
    let headers = headers.split(']').next().unwrap();
    assert!(
        headers.contains("one-c/More.h") && !headers.contains("Aside.h"),
        "{headers}"
    );
}

/// The handle of one of MLIR's dialects is for the project's users.
#[test]
fn a_handle_of_one_of_mlirs_dialects() {
    let case = Case::new().project("one", "", "");
    case.write(
        "one/include/one-c/One.h",
        "#pragma once\n#define MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Name, Namespace)\n\
         MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Transform, transform);\n\
         MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(One, one);\n",
    );
    let said = case.plans(&["builtin func one\n"]);
    assert!(!said.contains("transform"), "{said}");
}

/// The first version of a manifest for each of this repository's projects that stand alone is one that `mondo plan`
/// takes as it is.
#[test]
fn a_project_that_new_dialect_describes() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for (name, project, words) in [
        (
            "toyland",
            "examples/toy-project/toy",
            ["func tick toy", "pass groups        toyland"],
        ),
        (
            "lagoons",
            "crates/mondo-project/fixtures/kinds/lagoon",
            ["func lagoon\n", "pass groups        lagoons"],
        ),
    ] {
        let case = Case::new();
        let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
        let from = format!("{root}/{project}");
        command
            .args(["new-dialect", name, "--from", &from, "--dir"])
            .arg(case.dir.path());
        succeeds(&mut command);
        let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
        let manifest = case.dir.path().join(name).join("bundle.toml");
        command
            .args(["plan", "--build", "--manifest"])
            .arg(&manifest);
        command.env("CARGO_TARGET_DIR", case.dir.path().join("target"));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in:\n{said}{errors}");
        }
        assert!(!errors.contains("passes of the project"), "{errors}");
    }
}

/// Passes that the functions of the manifest do not register, with the function that does.
#[test]
fn passes_that_the_named_function_does_not_register() {
    let case = Case::new().with_passes("one", "", "");
    case.write(
        "one/include/one/Passes.h",
        "void registerFirstPasses();\nvoid registerSecondPasses();\n",
    );
    case.write(
        "one/one.cpp",
        "#include \"one-c/One.h\"\n#include \"one/Passes.h\"\nvoid registerFirstPasses() {}\n\
         void registerSecondPasses() {}\nvoid oneRegisterPasses() { registerFirstPasses(); }\n",
    );
    let said = case.plans(&["do not call `registerSecondPasses`"]);
    assert!(!said.contains("registerFirstPasses"), "{said}");
}
