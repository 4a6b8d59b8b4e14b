//! Programs over mondo-ir, as a user has them: one outside of the repository, and one that has MLIR in itself.

use camino::Utf8Path;
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result, compile};
use mondo_testbed::Context;
use mondo_testbed::files::{copy_tracked, copy_tree};

/// The example program as a crate outside of the repository, with mondo-ir of a git repository and of MLIR an unpacked wheel
/// alone: it is built and run. The headers are those of the wheel.
///
/// # Errors
/// `ErrorKind::Check` if it does not compile, or does not compute what it should.
pub fn check_outside(context: &Context<'_>) -> Result<()> {
    let folder = context.empty_folder("outside")?;
    let (repository, program, unpacked) = (
        folder.join("mondo"),
        folder.join("program"),
        folder.join("wheel"),
    );
    copy_tracked(context.workspace, &repository)?;
    let git = |arguments: &[&str]| {
        Tool::new("git", "make a repository of the sources")
            .fails_as(ErrorKind::Check)
            .installed_by("apt-get install git")
            .args([
                "-c",
                "user.name=mondo",
                "-c",
                "user.email=mondo@example.org",
            ])
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
    let text = fs_err::read_to_string(&manifest)?;
    if !text.contains(by_path) {
        let message = format!("{manifest} has no `{by_path}`");
        return Err(Error::new(ErrorKind::Check, message));
    }
    let by_git = format!("git = \"file://{repository}\"");
    fs_err::write(&manifest, text.replace(by_path, &by_git))?;

    let wheel = context.bundle("default")?.wheel;
    Tool::new("python3", "unpack the wheel")
        .fails_as(ErrorKind::Check)
        .args(["-m", "zipfile", "-e", wheel.as_str(), unpacked.as_str()])
        .output()?;

    let said = program_run(context, "a crate outside of the repository", &program)
        .env_remove("MONDO_LLVM_DIR")
        .env("MONDO_LIBRARY_DIR", unpacked.as_str())
        .env("CARGO_TARGET_DIR", folder.join("target").as_str())
        .output()?
        .stdout;
    expect(&said, "the sum of the squares below 10 is 285")
}

/// The example whose build script makes the static library, with mondo as a build-dependency: it is built and run, then
/// run again, and for the second run nothing is built.
///
/// # Errors
/// `ErrorKind::Check` if it does not compile, or does not simplify its function.
pub fn check_build_script(context: &Context<'_>) -> Result<()> {
    let folder = context.workspace.join("examples/rust-static");
    let run = || {
        program_run(context, "a program that has MLIR in itself", &folder)
            .env(
                "CARGO_TARGET_DIR",
                context.scratch().join("rust-static").as_str(),
            )
            .output()
    };
    expect(&run()?.stdout, "%0 = arith.addi %arg0, %arg0 : i64")?;
    let again = run()?;
    if again.stderr.contains("Compiling") {
        let message = "a program whose library is made is built again, though nothing changed";
        return Err(Error::new(ErrorKind::Check, message).because(again.stderr));
    }
    Ok(())
}

/// `cargo run` in a program's folder, where its build scripts find LLVM's headers.
fn program_run(context: &Context<'_>, program: &str, folder: &Utf8Path) -> Tool {
    let mut cargo = compile::cargo(&format!("build and run {program}"))
        .fails_as(ErrorKind::Check)
        .cwd(folder);
    for (key, value) in compile::environment(&context.toolchain) {
        cargo = cargo.env(key, value);
    }
    cargo.arg("run")
}

fn expect(said: &str, text: &str) -> Result<()> {
    if said.contains(text) {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Check,
        format!("the program did not print `{text}`"),
    )
    .because(said))
}
