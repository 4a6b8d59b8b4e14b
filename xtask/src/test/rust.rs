//! rustfmt, clippy and cargo test.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_testbed::cargo::{cargo, cargo_test, test_program};
use mondo_testbed::verdict::{expect, failed};
use mondo_testbed::{Context, Venv};
use toml::Value;

pub(super) fn fmt(context: &Context<'_>) -> Result<()> {
    cargo(context, "check the formatting")
        .args(["fmt", "--all", "--check"])
        .stream()?;
    // A workspace of its own.
    cargo(context, "check the formatting of the fuzz targets")
        .args(["fmt", "--check", "--manifest-path"])
        .arg("crates/mondo-audit/fuzz/Cargo.toml")
        .stream()
}

/// cargo-deny over the dependencies, by deny.toml. The database of advisories is a Git repository, which a build without
/// network lacks; CI's nightly run asks it.
pub(super) fn deny(context: &Context<'_>) -> Result<()> {
    Venv::kept(context, "tools")?
        .program("cargo-deny", "satisfy cargo-deny")
        .cwd(context.workspace)
        .args(["--offline", "--locked", "--log-level", "error"])
        .args(["check", "bans", "licenses", "sources"])
        .stream()
}

/// The workspaces beside ours have locks that still fit what they take from ours.
pub(super) fn locks(context: &Context<'_>) -> Result<()> {
    for manifest in [
        "crates/mondo-audit/fuzz/Cargo.toml",
        "examples/downstream/Cargo.toml",
        "examples/rust-program/Cargo.toml",
        "examples/rust-static/Cargo.toml",
        "examples/tarn/Cargo.toml",
    ] {
        cargo(
            context,
            "find the lock of another workspace as it should be",
        )
        .args(["tree", "--quiet", "--locked", "--manifest-path", manifest])
        .output()?;
    }
    Ok(())
}

/// Over everything, and over the extension's code for an interpreter without a global lock.
///
/// Build crates and runtime crates are checked apart and in xtask's profile: the macros and build
/// scripts of the build crates are then those that xtask itself was built with. With both in one run,
/// their features are others, and all of them are compiled again.
pub(super) fn clippy(context: &Context<'_>) -> Result<()> {
    let clippy = |purpose: &str| {
        cargo(context, purpose).args(["clippy", "--quiet", "--locked", "--profile", "xtask"])
    };
    let deny = ["--", "--deny", "warnings"];
    clippy("satisfy clippy")
        .args(["--all-targets", "--all-features"])
        .args(deny)
        .stream()?;
    let others = build_crates(context.workspace)?;
    clippy("satisfy clippy in the crates that ship")
        .args(["--workspace", "--all-targets", "--all-features"])
        .args(others.iter().flat_map(|name| ["--exclude", name.as_str()]))
        .args(deny)
        .stream()?;
    clippy("satisfy clippy without a global lock")
        .args(["--package", "mondo-py"])
        .args(deny)
        .args(["--cfg", "Py_GIL_DISABLED"])
        .stream()
}

/// The default members of the workspace: the crates that are compiled like xtask itself.
fn build_crates(workspace: &Utf8Path) -> Result<Vec<String>> {
    let path = workspace.join("Cargo.toml");
    let manifest: toml::Table =
        toml::from_str(&fs_err::read_to_string(&path)?).map_err(|error| {
            failed("cannot read the workspace's manifest").because(error.to_string())
        })?;
    let members = manifest["workspace"]["default-members"].as_array();
    let folders = members.into_iter().flatten().filter_map(Value::as_str);
    Ok(folders
        .filter_map(|folder| Utf8Path::new(folder).file_name().map(str::to_owned))
        .collect())
}

/// rustdoc over the build crates, which other projects build with.
pub(super) fn documentation(context: &Context<'_>) -> Result<()> {
    cargo(context, "satisfy rustdoc")
        .env("RUSTDOCFLAGS", "--deny warnings")
        .args(["doc", "--quiet", "--locked", "--no-deps"])
        .args(["--profile", "xtask"])
        .stream()
}

/// The build crates' tests, those marked as needing LLVM included. They are built like xtask itself, and all packages at
/// once, so that what these depend on has the same features as in xtask and is compiled once.
pub(super) fn unit(context: &Context<'_>) -> Result<()> {
    let mut test =
        cargo_test(context, "pass cargo test").args(["--no-fail-fast", "--lib", "--bins"]);
    for package in ["mondo-audit", "mondo-package"] {
        for name in test_programs(&context.workspace.join("crates").join(package))? {
            test = test.args(["--test", &name]);
        }
    }
    test.args(["--", "--include-ignored"])
        // The group `fuzz` makes what this needs.
        .args(["--skip", "each_target_takes_its_seeds"])
        .stream()?;
    // Cargo takes `--doc` alone.
    cargo_test(context, "run the examples of the documentation")
        .args(["--no-fail-fast", "--doc"])
        .stream()
}

/// The names of a package's test programs: `--tests` would add mondo's, which are the group `bad-input`.
fn test_programs(package: &Utf8Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in package.join("tests").read_dir_utf8()? {
        let entry = entry?;
        let path = entry.path();
        if path.extension() == Some("rs") || path.join("main.rs").is_file() {
            names.extend(path.file_stem().map(str::to_owned));
        }
    }
    expect(!names.is_empty(), "a package has no test programs", package)?;
    Ok(names)
}

/// The tests that compare what we say of an LLVM with the one of `context`.
pub(super) fn against_llvm(context: &Context<'_>) -> Result<()> {
    cargo_test(context, "agree with this LLVM")
        .args(["--no-fail-fast", "--package", "mondo-plan"])
        .args(["--package", "mondo-link"])
        .args(["--package", "mondo-package", "--lib"])
        .args(["--", "--include-ignored"])
        .args(["against_llvm", "every_dialect_of"])
        .stream()
}

/// The tests of the SDK and of dialects in Rust, which need no MLIR: cargo gets neither LLVM nor libclang.
pub(super) fn dialects(context: &Context<'_>) -> Result<()> {
    cargo_test(context, "pass the tests of dialects in Rust")
        .env_remove("MONDO_LLVM_DIR")
        .env_remove("MONDO_LIBCLANG_DIR")
        .args(["--no-fail-fast", "--package", "mondo-dialect"])
        .args(["--package", "mondo-dialect-units", "--lib", "--tests"])
        .stream()
}

/// `crates/mondo/tests`: the command line under bad input, on the real toolchain. The gate runs all of it;
/// the tests bring manifests of their own.
pub(super) fn bad_input(context: &Context<'_>) -> Result<()> {
    test_program(context, "requires", "ask for what a project needs")?;
    test_program(context, "command_line", "tell what a command line lacks")?;
    test_program(
        context,
        "special_files",
        "refuse what is not a regular file",
    )?;
    test_program(context, "bad_input", "survive bad input")
}
