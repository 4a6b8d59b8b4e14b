//! Upstream's own tests, run by lit from LLVM's sources: those of Python over one of mondo's wheels, whose expected
//! results are in `tests/conformance.toml`, and those of MLIR's tools over a bundle's commands ([`tools`]).

mod expected;
mod lit;
mod report;
pub mod tools;

use camino::Utf8Path;
use mondo::{Verbosity, console, to_json};
use mondo_build::bundle::{self, Options};
use mondo_build::path::utf8;
use mondo_build::{Error, ErrorKind, Result, manifest};
use mondo_testbed::{Context, Venv};

use self::expected::Expected;
use self::lit::Lit;
use self::report::Report;
use crate::projects::llvm_sources;

/// Runs the tests below `mlir/test/python` whose paths contain `pattern`, over the bundle of a manifest.
///
/// # Errors
///
/// If the result of a test is not the expected one.
pub fn python(
    manifest: &Utf8Path,
    pattern: &str,
    verbosity: Verbosity,
    context: &Context<'_>,
) -> Result<()> {
    let (workspace, sink) = (context.workspace, context.sink);
    let mlir = llvm_sources(context)?;
    let folder = work_folder(context)?;
    let options = Options::new(manifest, workspace);
    let manifest = manifest::load(manifest)?;
    let targets = manifest.targets.iter();
    let targets = targets.map(|target| target.get_ref().as_str()).collect();
    let expected = Expected::load(workspace, expected::OF_PYTHON)?.with_targets(&targets);
    if expected.listed(pattern).is_empty() {
        return Err(Error::new(ErrorKind::Check, "no test has this in its path")
            .because(format!("the pattern is `{pattern}`"))
            .help("patterns are parts of paths below mlir/test/python: ir/, rewrite"));
    }
    let root = &manifest.import_root;
    let wheel = bundle::bundle(&options, sink)?.wheel;
    let venv = environment(context, &wheel, root)?;
    let lit = Lit {
        config: &workspace.join("tests/conformance"),
        venv: &venv,
        toolchain: &context.toolchain,
        mlir: &mlir,
        work: utf8(folder.path())?,
        parameters: vec![("root", root.clone()), ("edits", to_json(&expected.edits)?)],
    };
    judge(&lit, pattern, &expected, verbosity, context)
}

/// An empty folder for copies of the tests and for their output.
fn work_folder(context: &Context<'_>) -> Result<tempfile::TempDir> {
    fs_err::create_dir_all(context.scratch())?;
    let folder = tempfile::Builder::new()
        .prefix("conformance-")
        .tempdir_in(context.scratch())?;
    Ok(folder)
}

/// Runs the tests, prints the results, and compares them with the expected ones.
fn judge(
    lit: &Lit<'_>,
    pattern: &str,
    expected: &Expected,
    verbosity: Verbosity,
    context: &Context<'_>,
) -> Result<()> {
    let report = Report::new(lit.run(pattern, context.sink)?, expected);
    console::out(report.text(verbosity));
    expected.covers(&report.tests(), pattern)?;
    report.judge()
}

/// Makes a fresh environment with the wheel, lit, the packages that the tests import, and a Python module in the
/// place of the test dialect's C++ extension.
fn environment(context: &Context<'_>, wheel: &Utf8Path, root: &str) -> Result<Venv> {
    const REPLACEMENT: &str = "_mlirPythonTestNanobind.py";
    let ours = context.workspace.join("tests/conformance");
    let venv = Venv::fresh(context, "conformance")?;
    let requirements = ours.join("requirements.txt");
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    let package = venv.packages()?.join(root.replace('.', "/"));
    let native = package.join("_mlir_libs");
    fs_err::copy(ours.join(REPLACEMENT), native.join(REPLACEMENT))?;
    Ok(venv)
}
