//! The Rust API of MLIR, mondo-ir, over the library of the default wheel.

use mondo::DEFAULT_LLVM;
use mondo_acceptance::{rust_crates, rust_programs};
use mondo_build::bundle::{self, Options};
use mondo_build::catalogue::Catalogue;
use mondo_build::exec::Tool;
use mondo_build::report::Layout;
use mondo_build::{Result, compile};
use mondo_testbed::cargo::{RUNNER, cargo, cargo_test};
use mondo_testbed::verdict::expect_words;
use mondo_testbed::{Context, Extent, Venv, valgrind};

/// The steps that are compared with the model.
const STEPS: (&str, &str) = ("10000", "1000000");

/// The examples of rustdoc, the programs that must not compile, the table of declarations, random steps
/// against a model, and the example program. `--all` has more steps, some under valgrind, the headers of the other
/// LLVMs, the program outside of the repository and with the static library, and one whose build script makes that.
pub(super) fn check(extent: Extent, context: &Context<'_>) -> Result<()> {
    let wheel = context.bundle("default")?.wheel;
    let venv = Venv::fresh(context, "ir")?;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    let (steps, headers) = match extent {
        Extent::Gate => (STEPS.0, String::new()),
        Extent::All => (STEPS.1, other_headers(context)?),
    };
    let cargo = |purpose: &str, command: &str| -> Tool {
        cargo(context, purpose)
            .env("MONDO_LIBRARY_DIR", venv.dir.as_str())
            .env("MONDO_IR_STEPS", steps)
            .env("MONDO_IR_OTHER_HEADERS", &headers)
            .args([command, "--quiet", "--locked", "--profile", "xtask"])
            .args(["--package", "mondo-ir"])
    };
    // What follows is compiled with them.
    declarations(context)?;
    cargo("pass the tests of mondo-ir", "test")
        .args(["--lib", "--tests", "--features", "operations"])
        .stream()?;
    // The examples of the SDK's types are compiled, too.
    cargo("run the examples of mondo-ir's documentation", "test")
        .args(["--doc", "--features", "operations,sdk"])
        .stream()?;
    cargo("run the example program", "run")
        .args(["--example", "rust-program"])
        .stream()?;
    cargo("compare the typed operations with ODS", "test")
        .args(["--test", "typed_operations"])
        .stream()?;
    rust_crates::check_public_api(context)?;
    rust_crates::check_without_llvm(context)?;
    rust_crates::check_packages(context, extent.is_all())?;
    rust_crates::check_first_program(context, &venv.dir)?;
    if !extent.is_all() {
        return Ok(());
    }
    for major in other_llvms()? {
        declarations(&Context::with_llvm(major, context.workspace, context.sink)?)?;
    }
    // The same steps as the gate's, under valgrind: reads and writes outside of what lives are errors. Operations
    // have memory of malloc's then, which valgrind knows.
    cargo("find no memory error in the random steps", "test")
        .env(RUNNER, valgrind(context)?)
        .env("MONDO_IR_STEPS", STEPS.0)
        .env("MONDO_PLAIN_MALLOC", "1")
        .args(["--test", "model"])
        .stream()?;
    rust_programs::check_outside(context)?;
    rust_programs::check_build_script(context)?;
    let manifest = context.manifest("default");
    let options = Options {
        layout: Layout::Static,
        out_dir: context.scratch().join("static"),
        ..Options::new(manifest, context.workspace)
    };
    let made = bundle::bundle(&options, context.sink)?;
    // The program has MLIR and two standard libraries of Rust in itself.
    let said = cargo("run the example program with the static library", "run")
        .env("MONDO_LIBRARY_DIR", made.wheel.as_str())
        .args(["--no-default-features", "--features", "static-library"])
        .args(["--example", "rust-program"])
        .output()?
        .stdout;
    // The program also succeeds without an execution engine; the default bundle has one, so that
    // the sum has to be printed.
    let sum = "the sum of the squares below 10 is 285";
    expect_words("the program printed something else", &said, &[sum])
}

/// mondo-sys has the declarations that bindgen makes of this LLVM's headers; with `MONDO_UPDATE_DOCS` they are written.
fn declarations(context: &Context<'_>) -> Result<()> {
    cargo_test(context, "compare mondo-sys with the headers")
        .args(["--package", "mondo-sys", "--features", "bindgen"])
        .args(["--test", "declarations"])
        .stream()
}

/// The folders of the headers of the catalogue's other LLVMs, with colons between them.
fn other_headers(context: &Context<'_>) -> Result<String> {
    let mut folders = Vec::new();
    for major in other_llvms()? {
        let other = Context::with_llvm(major, context.workspace, context.sink)?;
        let environment = compile::environment(&other.toolchain).into_iter();
        let prefixes = environment.filter(|(key, _)| *key == "MONDO_LLVM_DIR");
        folders.extend(prefixes.map(|(_, prefix)| format!("{prefix}/include")));
    }
    Ok(folders.join(":"))
}

/// The LLVMs of the catalogue besides that of the manifests.
pub(super) fn other_llvms() -> Result<Vec<u32>> {
    let mut majors = Catalogue::upstream()?.llvm;
    majors.retain(|major| *major != DEFAULT_LLVM);
    Ok(majors)
}
