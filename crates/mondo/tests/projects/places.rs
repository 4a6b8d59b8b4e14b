//! Mistakes in a project's entry that are found after its build, at their places in the manifest.

use std::process::Command;

use super::Case;

#[test]
fn a_further_target_that_does_not_exist() {
    let lines = "add_custom_target(one-docs)\n";
    let case = Case::new().project("one", lines, "targets = [\"one-dosc\"]");
    case.fails(
        11,
        &[
            "`project.targets` of `one` names `one-dosc`",
            "bundle.toml:13:11",
            "did you mean `one-docs`?",
        ],
    );
}

#[test]
fn a_c_function_that_no_header_declares() {
    let case = Case::new().project("one", "", "dialects = []\npasses = \"oneRegisterPases\"");
    case.write(
        "one/include/one-c/One.h",
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid oneRegisterPasses(void);\n#ifdef __cplusplus\n}\n#endif\n",
    );
    let said = case.fails(
        10,
        &[
            "`project.passes` is `oneRegisterPases`",
            "bundle.toml:14:10",
            "did you mean `oneRegisterPasses`?",
        ],
    );
    assert!(!said.contains("dialect.toml"), "{said}");
}

#[test]
fn a_dialect_of_two_projects() {
    let case = Case::new().project("one", "", "").project("two", "", "");
    let said = case.fails(
        11,
        &[
            "bundle.toml:11:8",
            "bundle.toml:15:8",
            "remove one project from the manifest",
        ],
    );
    assert!(
        !said.contains("dialect.toml") && !said.contains("contents.crates"),
        "{said}"
    );
}

#[test]
fn a_folder_of_another_project() {
    let options = "define = { X = \"{one.source};{one.build}\" }";
    let lines = "message(FATAL_ERROR \"X is ${X}\")\n";
    let case = Case::new().project("one", "", "").project(
        "two",
        lines,
        &format!("needs = [\"one\"]\n{options}"),
    );
    let folder = case.dir.path().canonicalize().unwrap();
    let folder = folder.to_str().unwrap();
    case.fails(
        20,
        &[
            &format!("{folder}/one;"),
            "target/mondo/projects/one-",
            "two/CMakeLists.txt:10",
        ],
    );
    let case = Case::new()
        .project("one", "", "")
        .project("two", "", options);
    case.fails(
        10,
        &[
            "`{one.source}`",
            "bundle.toml:17:16",
            "add `one` to `needs`",
        ],
    );
    let case = Case::new().project("one", "", "define = { X = \"{oen.source}/a\" }");
    case.fails(10, &["`{oen.source}`", "did you mean `one.source`?"]);
}

#[test]
fn a_python_file_of_the_bundle() {
    let case = Case::new().project("one", "", "python = \"py\"");
    case.write("py/ir.py", "");
    case.write("py/dialects/func.py", "");
    case.write("py/dialects/scf.py", "");
    let said = case.fails(
        11,
        &[
            "`one` has Python files that the bundle already contains",
            "bundle.toml:11:8",
            "dialects/func.py: ",
            "/py/ir.py",
        ],
    );
    assert!(!said.contains("scf"), "{said}");
}

#[test]
fn one_package_of_two_projects() {
    let root = "python-root = \"same\"";
    let case = Case::new()
        .project("one", "", root)
        .project("two", "", root);
    case.fails(
        11,
        &[
            "`one` and `two` have the same `python-root`: same",
            "bundle.toml:15:8",
        ],
    );
}

/// A file that is named without a folder.
#[test]
fn a_dialect_crate_in_the_folder_that_one_is_in() {
    let case = Case::new();
    case.write(
        "dialect.toml",
        "dialect-crate = 1\nname = \"one\"\n[[pass-group]]\nname = \"one\"\nregister = \"f\"\n[cpp]\n\
         sources = [\"a.cpp\"]\ninclude = [\".\"]\nheaders = [\"a.h\"]\n",
    );
    case.write("a.cpp", "#include \"a.h\"\nvoid f() {}\n");
    case.write("a.h", "void f(void);\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mondo"));
    command
        .args(["manifest", "dialect.toml"])
        .current_dir(case.dir.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}
