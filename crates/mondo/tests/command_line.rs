//! Command lines that need no build: new projects, their plans, and kits that there are not.
//!
//! Run by `cargo xtask test bad-input`.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn mondo(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mondo"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("MONDO_KIT")
        .output()
        .unwrap()
}

/// Runs a command that succeeds, and returns its standard output and standard error.
#[track_caller]
fn prints(folder: &Path, arguments: &[&str]) -> [String; 2] {
    let output = mondo(folder, arguments);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {err}");
    [out, err]
}

/// Runs a command that ends with this exit code, and returns what it says.
#[track_caller]
fn refused(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = mondo(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

#[test]
fn a_new_project_is_of_one_kind() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    let said = refused(folder, &["new", "toy"], 2);
    for kind in ["--pick", "--cpp", "--cmake", "--rust", "--from"] {
        assert!(said.contains(kind), "{kind}: {said}");
    }
    refused(folder, &["new", "toy", "--cpp", "--rust"], 2);
    for kind in ["--pick", "--cpp", "--cmake"] {
        let said = refused(folder, &["new", "toy", kind, "--mondo", "nowhere"], 2);
        assert!(said.contains("--mondo"), "{kind}: {said}");
    }
    assert_eq!(folder.read_dir().unwrap().count(), 0);
}

#[test]
fn a_project_has_one_wheel() {
    let dir = tempfile::tempdir().unwrap();
    prints(dir.path(), &["new", "toy", "--cpp"]);
    let [plan, _] = prints(&dir.path().join("toy"), &["plan"]);
    let row = plan.lines().find(|line| line.starts_with("further wheels"));
    assert!(row.is_some_and(|row| row.ends_with(" none")), "{plan}");
}

#[test]
fn a_project_begins_from_one_with_cmake() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().canonicalize().unwrap();
    let cmake = "cmake_minimum_required(VERSION 3.20)\nproject(reef)\nfind_package(MLIR)\n\
                 set(MLIR_PYTHON_PACKAGE_PREFIX \"mlir_reef\")\n\
                 if(MLIR_INCLUDE_TESTS)\nendif()\n\
                 declare_mlir_python_extension(Reef.Extension MODULE_NAME _reef)\n\
                 add_mlir_python_modules(ReefModules ROOT_PREFIX a/mlir_reef)\n";
    std::fs::create_dir(folder.join("reef")).unwrap();
    std::fs::write(folder.join("reef/CMakeLists.txt"), cmake).unwrap();
    let [said, _] = prints(&folder, &["new", "acme", "--from", "reef"]);
    assert!(said.contains("mondo test-project reef"), "{said}");
    let text = std::fs::read_to_string(folder.join("acme/pyproject.toml")).unwrap();
    for line in [
        "import-root = \"mlir_reef\"",
        "label = \"acme\"",
        "cmake = \"../reef\"",
        "modules = [\"ReefModules\"]",
        "define = { MLIR_INCLUDE_TESTS = true }",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let [checked, _] = prints(&folder.join("acme"), &["manifest"]);
    assert_eq!(checked, "pyproject.toml: ok\n");
    refused(&folder, &["new", "other", "--from", "absent"], 30);
    assert!(!folder.join("other").exists());
}

#[test]
fn the_manifest_is_that_of_the_project_above() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().canonicalize().unwrap();
    prints(&folder, &["new", "toy", "--pick"]);
    let below = folder.join("toy/python/toy");
    // A file without the table is of something else.
    std::fs::write(below.join("pyproject.toml"), "[tool.other]\n").unwrap();
    let [plan, said] = prints(&below, &["plan"]);
    assert!(plan.contains("toy.mlir"), "{plan}");
    let manifest = folder.join("toy/pyproject.toml");
    assert!(said.contains(manifest.to_str().unwrap()), "{said}");
    let none = refused(&folder, &["plan"], 10);
    assert!(none.contains("manifests/default.toml"), "{none}");
}

#[test]
fn commands_agree_on_the_manifest() {
    let dir = tempfile::tempdir().unwrap();
    prints(dir.path(), &["new", "toy", "--pick"]);
    let project = dir.path().join("toy");
    let [jobs, _] = prints(&project, &["matrix"]);
    assert!(
        jobs.contains("toy-llvm22") && jobs.contains("pyproject.toml"),
        "{jobs}"
    );
    let [checked, _] = prints(&project, &["manifest"]);
    assert_eq!(checked, "pyproject.toml: ok\n");
    for command in ["bundle", "plan", "develop", "matrix", "manifest", "size"] {
        let said = refused(dir.path(), &[command], 10);
        assert!(said.contains("no manifest found"), "{command}: {said}");
    }
}

#[test]
fn a_project_begins_in_a_folder_that_exists() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("my-toy");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("README.md"), "mine").unwrap();
    prints(&folder, &["init", "--cpp"]);
    let [plan, _] = prints(&folder, &["plan"]);
    assert!(plan.contains("my_toy.mlir"), "{plan}");
    assert_eq!(std::fs::read(folder.join("README.md")).unwrap(), b"mine");
    let said = refused(&folder, &["init", "--pick", "--name", "other"], 30);
    assert!(said.contains("- pyproject.toml"), "{said}");
    assert!(!folder.join("python/other").exists());
}

#[test]
fn hooks_of_frontends_are_not_in_the_help() {
    let [help, _] = prints(Path::new("."), &["--help"]);
    assert!(help.contains("check") && !help.contains("pep517"), "{help}");
    let [hooks, _] = prints(Path::new("."), &["pep517", "--help"]);
    assert!(hooks.contains("build-wheel"), "{hooks}");
}

#[test]
fn no_environment_to_install_into() {
    let dir = tempfile::tempdir().unwrap();
    prints(dir.path(), &["new", "toy", "--pick"]);
    let project = dir.path().join("toy");
    let output = Command::new(env!("CARGO_BIN_EXE_mondo"))
        .args(["develop", "--offline"])
        .current_dir(&project)
        .env_remove("VIRTUAL_ENV")
        .env_remove("CONDA_PREFIX")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(13), "{said}");
    for word in ["no virtual environment found", "VIRTUAL_ENV", ".venv"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    // An interpreter that is too old says so itself; there is none on every machine.
    let python = dir.path().join("python");
    let answer = r#"{"python": "/v/bin/python", "prefix": "/v", "base_prefix": "/usr", "platlib": "/v/lib",
        "scripts": "/v/bin", "suffix": ".so", "version": [3, 9]}"#;
    std::fs::write(&python, format!("#!/bin/sh\ncat <<'end'\n{answer}\nend\n")).unwrap();
    std::fs::set_permissions(&python, std::fs::Permissions::from_mode(0o755)).unwrap();
    let arguments = ["develop", "--offline", "--python", python.to_str().unwrap()];
    let said = refused(&project, &arguments, 13);
    for words in [
        "Python 3.9 cannot import the bundle",
        "Python 3.10 or later",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// The result is printed while the spinner still turns: nothing of it may stay on the terminal.
#[test]
fn no_spinner_stays_above_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let program = "import os, pty, sys\n\
                   os.environ.update(TERM='xterm', COLUMNS='80'); os.environ.pop('CI', None)\n\
                   sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let output = Command::new("python3")
        .args(["-c", program, env!("CARGO_BIN_EXE_mondo"), "doctor"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let (before, _) = said.split_once("ready: ").unwrap();
    assert!(
        before.contains('⠙') || before.contains('⠁'),
        "no spinner: {said:?}"
    );
    // Each line that was drawn is erased before the next.
    let erased = before.rsplit_once("\u{1b}[2K").unwrap().1;
    assert_eq!(erased.trim_matches(['\r', '\n']), "", "{before:?}");
    assert!(!before.contains('\n'), "{before:?}");
}

#[test]
fn a_kit_of_another_llvm_is_not_advised() {
    let dir = tempfile::tempdir().unwrap();
    for command in ["check", "build"] {
        let said = refused(dir.path(), &["kit", command, "--llvm", "21"], 12);
        assert!(said.contains("LLVM 19, 22, 23"), "{command}: {said}");
        assert!(!said.contains("mondo-kit-21"), "{command}: {said}");
    }
}
