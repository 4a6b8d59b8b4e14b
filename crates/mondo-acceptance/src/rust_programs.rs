//! Programs over mondo-ir, as a user has them: one outside of the repository, and one that has MLIR in itself.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::Context;
use mondo_testbed::cargo::cargo;
use mondo_testbed::files::{copy_tracked, copy_tree, replace_in, unzip};
use mondo_testbed::verdict::{expect, expect_words, tool};

const OUTPUT: &str = "the program printed something else";

/// The example program as a crate outside of the repository, with mondo-ir of a git repository and of MLIR an unpacked wheel
/// alone: it is built and run. The headers are those of the wheel.
pub fn check_outside(context: &Context<'_>) -> Result<()> {
    let folder = context.empty_folder("outside")?;
    let [repository, program, unpacked] =
        ["mondo", "program", "wheel"].map(|name| folder.join(name));
    copy_tracked(context.workspace, &repository)?;
    let git = |arguments: &[&str]| {
        tool("git", "make a repository of the sources")
            .installed_by("apt-get install git")
            .args(["-c", "user.name=mondo"])
            .args(["-c", "user.email=mondo@example.org"])
            .args(arguments)
            .cwd(&repository)
            .output()
    };
    git(&["init", "--quiet"])?;
    git(&["add", "--all"])?;
    git(&["commit", "--quiet", "--message", "the sources"])?;

    copy_tree(&context.workspace.join("examples/rust-program"), &program)?;
    let manifest = program.join("Cargo.toml");
    let by_path = "path = \"../../crates/mondo-ir\"";
    let by_git = format!("git = \"file://{repository}\"");
    replace_in(&manifest, by_path, &by_git)?;

    unzip(&context.bundle("default")?.wheel, &unpacked)?;

    let said = program_run(context, "a crate outside of the repository", &program)
        .env_remove("MONDO_LLVM_DIR")
        .env("MONDO_LIBRARY_DIR", &unpacked)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()?
        .stdout;
    expect_words(OUTPUT, &said, &["the sum of the squares below 10 is 285"])
}

/// The example whose build script makes the static library, with mondo as a build-dependency: it is built and run, then
/// run again, and for the second run nothing is built.
pub fn check_build_script(context: &Context<'_>) -> Result<()> {
    let folder = context.workspace.join("examples/rust-static");
    let run = || {
        program_run(context, "a program that has MLIR in itself", &folder)
            .env("CARGO_TARGET_DIR", context.scratch().join("rust-static"))
            .output()
    };
    let sum = "%0 = arith.addi %arg0, %arg0 : i64";
    expect_words(OUTPUT, &run()?.stdout, &[sum])?;
    let again = run()?.stderr;
    let what = "a program whose library is made is built again, though nothing changed";
    expect(!again.contains("Compiling"), what, again)
}

/// `cargo run` in a program's folder, where its build scripts find LLVM's headers.
fn program_run(context: &Context<'_>, program: &str, folder: &Utf8Path) -> Tool {
    let cargo = cargo(context, &format!("build and run {program}"));
    cargo.cwd(folder).arg("run")
}
