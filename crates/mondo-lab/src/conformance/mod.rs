//! `cargo lab conformance`: runs upstream's own Python tests by lit, with one of mondo's wheels in a fresh
//! environment. The expected results are in `tests/conformance.toml`. With `--tools`, it runs the tests of
//! upstream's tools (`tools`).

mod expected;
mod lit;
mod report;
mod test_dialect;
pub(crate) mod tools;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::{Output, console, to_json};
use mondo_build::bundle::{self, Options};
use mondo_build::toolchain::Toolchain;
use mondo_build::{Error, ErrorKind, Result, manifest};
use mondo_testbed::{Context, Venv};

use self::expected::Expected;
use self::lit::Lit;
use self::report::Report;
use crate::args::ConformanceArgs;

/// Runs the tests that `args` names.
///
/// # Errors
///
/// If the result of a test is not the expected one.
pub(crate) fn run(args: &ConformanceArgs, context: &Context<'_>, output: Output) -> Result<()> {
    let (workspace, sink) = (context.workspace, context.sink);
    let mlir = sources(args.llvm_src.as_deref(), &context.toolchain)?;
    fs_err::create_dir_all(context.scratch())?;
    let folder = tempfile::Builder::new()
        .prefix("conformance-")
        .tempdir_in(context.scratch())?;
    let folder = Utf8Path::from_path(folder.path())
        .ok_or_else(|| Error::new(ErrorKind::Io, "the scratch folder's name is not UTF-8"))?;
    let path = if args.test_dialect {
        // The folder is the same in each run, so that compiled files are used again.
        let crates = bundle::work_dir(workspace).join("python-test");
        test_dialect::lay_out(&mlir, workspace, &crates)?
    } else {
        args.manifest.path()?
    };
    let manifest = manifest::load(&path)?;
    let targets = manifest.targets.iter().map(|it| it.get_ref().as_str());
    let mut expected =
        Expected::load(workspace, expected::OF_PYTHON)?.with_targets(&targets.collect());
    let mut pattern = args.pattern.as_deref().unwrap_or_default();
    if args.test_dialect {
        expected = expected.with_test_dialect();
        pattern = test_dialect::TEST;
    }
    if expected.listed(pattern).is_empty() {
        return Err(Error::new(ErrorKind::Check, "no test has this in its path")
            .because(format!("the pattern is `{pattern}`"))
            .help("patterns are parts of paths below mlir/test/python: ir/, rewrite"));
    }
    let root = &manifest.import_root;
    let (wheel, crate_wheels) = match &args.wheel {
        Some(wheel) => (wheel.canonicalize_utf8()?, Vec::new()),
        None => {
            let made = bundle::bundle(&Options::new(path, workspace), sink)?;
            (made.wheel, made.crate_wheels)
        }
    };
    let extension = match args.test_dialect {
        true => Some(test_dialect::extension(&crate_wheels)?),
        false => None,
    };
    let venv = environment(context, &wheel, root, extension)?;
    let lit = Lit {
        config: &workspace.join("tests/conformance"),
        venv: &venv,
        toolchain: &context.toolchain,
        mlir: &mlir,
        work: folder,
        parameters: vec![("root", root.clone()), ("edits", to_json(&expected.edits)?)],
    };
    let report = Report::new(lit.run(pattern, sink)?, &expected);
    show(&report, output)?;
    expected.covers(&report.tests(), pattern)?;
    report.judge()
}

/// Prints the results.
fn show(report: &Report, output: Output) -> Result<()> {
    if output.json() {
        console::out(to_json(report)?);
    } else {
        console::out(report.text(output.verbosity()));
    }
    Ok(())
}

/// Finds the mlir folder of LLVM's sources.
///
/// # Errors
///
/// If there are none; the error says how to get them.
fn sources(given: Option<&Utf8Path>, toolchain: &Toolchain) -> Result<Utf8PathBuf> {
    let version = &toolchain.version;
    let major = version.split('.').next().unwrap_or_default();
    let help = format!(
        "unpack the distribution's source package and name its folder:\n  \
         apt-get source --download-only llvm-toolchain-{major}   (with deb-src in its sources)\n  \
         tar -xJf llvm-toolchain-{major}_{version}.orig.tar.xz --wildcards '*/mlir/*'\n  \
         cargo lab conformance --llvm-src llvm-toolchain-{major}_{version}"
    );
    let Some(given) = given else {
        return Err(
            Error::new(ErrorKind::Toolchain, "LLVM's sources were not named")
                .because("upstream's tests are in no binary package, and none of them is kept here")
                .help(help),
        );
    };
    for folder in [given.join("mlir"), given.to_owned()] {
        if folder.join("test/python/ir").is_dir() {
            return folder.canonicalize_utf8().map_err(Error::from);
        }
    }
    Err(
        Error::new(ErrorKind::Toolchain, "upstream's tests are not there")
            .at(given)
            .because("it holds no mlir/test/python/ir")
            .help(help),
    )
}

/// Makes a fresh environment with the wheel, lit, the packages that the tests import, and the C++ extension
/// of the test dialect or a Python module in its place.
fn environment(
    context: &Context<'_>,
    wheel: &Utf8Path,
    root: &str,
    extension: Option<&Utf8Path>,
) -> Result<Venv> {
    let ours = context.workspace.join("tests/conformance");
    let venv = Venv::fresh(context, "conformance")?;
    let requirements = ours.join("requirements.txt");
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    if let Some(extension) = extension {
        venv.pip_install(&["--no-index", extension.as_str()])?;
        return Ok(venv);
    }
    let where_is = format!("import {root} as package; print(package.__path__[0])");
    let said = venv
        .python("find the installed package")
        .args(["-c", &where_is])
        .output()?;
    const REPLACEMENT: &str = "_mlirPythonTestNanobind.py";
    let native = Utf8Path::new(said.stdout.trim()).join("_mlir_libs");
    fs_err::copy(ours.join(REPLACEMENT), native.join(REPLACEMENT))?;
    Ok(venv)
}
