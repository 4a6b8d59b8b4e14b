//! From upstream's example of a project, as it is, to a labelled wheel: `mondo new NAME --from FOLDER`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Options};
use mondo_build::project_tests;
use mondo_build::{Result, new_project};
use mondo_testbed::verdict::expect;
use mondo_testbed::{Context, Venv};

use crate::project_bundle::{options, passed, shows};

/// The new project's name.
const NAME: &str = "acme_mlir";

/// The example's test of Python, which imports the `mlir` of another package beside the example's own.
const SMOKE: &str = "test/python/smoketest.py";

/// Begins a project for the example in LLVM's `sources`, runs the example's tests over its wheel, and those that the new
/// project has; its wheel has nothing of another's name.
pub(crate) fn check(context: &Context<'_>, sources: &Utf8Path) -> Result<()> {
    let folder = context.scratch().join("standalone").join(NAME);
    let contents = new_project::existing(&sources.join("examples/standalone"), &folder)?;
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    new_project::create(NAME, &contents, folder.parent().unwrap_or(&folder))?;
    let options = options(context, folder.join("pyproject.toml"), "standalone");
    without_upstream(&options, context)?;
    let other = context.bundle("core")?.wheel.into_string();
    let results = project_tests::run("standalone", &[], &[other], &options, context.sink)?;
    passed("standalone", &results)?;
    let built = bundle::bundle(&options, context.sink)?;
    let smoke = results
        .iter()
        .any(|result| result.name.ends_with("smoketest.py"));
    shows(smoke, "the example's test of Python runs", &built)?;
    labelled(&built.wheel, &folder, context)
}

/// Without a package `mlir`, the next step names what installs one, although the test prints no traceback.
fn without_upstream(options: &Options, context: &Context<'_>) -> Result<()> {
    let test = [Utf8PathBuf::from(SMOKE)];
    let results = project_tests::run("standalone", &test, &[], options, context.sink)?;
    let step = project_tests::next_step("standalone", &results, options).unwrap_or_default();
    let fails = results.iter().any(|result| result.missing == ["mlir"]);
    let says = fails && step.contains("--with mondo-mlir");
    let what = "a test that needs MLIR's own package does not say so";
    expect(says, what, step)
}

/// The wheel has the label in its names, and passes the new project's tests; its `opt` runs the example's pass.
fn labelled(wheel: &Utf8PathBuf, folder: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let venv = Venv::with_wheels(context, NAME, [wheel])?;
    let packages = venv.packages()?;
    let library = packages.join("mlir_standalone/_mlir_libs/libacme_mlir_mondo.so");
    let is_labelled = library.is_file() && !packages.join("mlir").exists();
    let what = "the wheel's package or library has another name than the project and its label";
    expect(is_labelled, what, packages)?;
    let tests = venv
        .pytest("pass the new project's tests", &[folder])
        .output()?
        .stdout;
    let what = "the new project's tests do not run";
    expect(tests.contains("2 passed"), what, tests)?;
    let input = folder.with_file_name("switch.mlir");
    fs_err::write(&input, "func.func @bar() { return }\n")?;
    let lowered = venv
        .program("acme-mlir-opt", "run the example's pass")
        .args(["--standalone-switch-bar-foo", input.as_str()])
        .output()?
        .stdout;
    let what = "the example's pass is not in `opt`";
    expect(lowered.contains("@foo"), what, lowered)
}
