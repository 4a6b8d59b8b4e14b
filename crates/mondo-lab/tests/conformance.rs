//! Tests of `cargo lab conformance` without LLVM's sources, whose error says how to get them; and the
//! doctests of the Python script that copies upstream's tests.

#![expect(
    clippy::disallowed_types,
    reason = "tests start the program under test"
)]

use std::process::Command;

#[track_caller]
fn fails(arguments: &[&str], words: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mondo-lab"));
    let output = command.arg("conformance").args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(12), "{said}");
    for word in words {
        assert!(said.contains(word), "no {word:?} in:\n{said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn conformance_without_sources() {
    let how = ["apt-get source", "--llvm-src"];
    fails(&[], &how);
    let elsewhere = tempfile::tempdir().unwrap();
    fails(
        &["--llvm-src", elsewhere.path().to_str().unwrap()],
        &["no mlir/test/python/ir", how[0], how[1]],
    );
}

#[test]
fn the_copies_have_the_import_root_and_the_edits() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/conformance");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(python)
        .current_dir(folder)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .args(["-m", "doctest", "rewriting.py"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
}
