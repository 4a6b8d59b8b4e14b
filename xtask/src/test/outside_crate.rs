//! A crate outside of the repository that has mondo-ir of a git repository, and of MLIR an unpacked wheel alone.

use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result, compile};
use mondo_testbed::Context;
use mondo_testbed::files::{copy_tracked, copy_tree};

/// The example program, as a user of mondo-ir has it: it is built and run. The headers are those of the wheel.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let folder = context.scratch().join("outside");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
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

    let mut cargo = compile::cargo("build and run a crate outside of the repository")
        .fails_as(ErrorKind::Check)
        .env_remove("MONDO_LLVM_DIR")
        .env("MONDO_LIBRARY_DIR", unpacked.as_str())
        .env("CARGO_TARGET_DIR", folder.join("target").as_str())
        .cwd(&program);
    for (key, value) in compile::environment(&context.toolchain) {
        if key != "MONDO_LLVM_DIR" {
            cargo = cargo.env(key, value);
        }
    }
    let said = cargo.args(["run", "--quiet"]).output()?.stdout;
    if said.contains("the sum of the squares below 10 is 285") {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Check, "the program did not compile its function").because(said))
}
