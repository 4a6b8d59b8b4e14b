//! `cargo lab conformance`: upstream's own Python tests, run by lit over one of our wheels in a fresh
//! environment. The expected results are in `tests/conformance.toml`.

mod expected;
mod lit;
mod report;

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

/// Runs the tests that `args` names; an error if one of them does not do what is expected.
pub(crate) fn run(args: &ConformanceArgs, context: &Context<'_>, output: Output) -> Result<()> {
    let (workspace, sink) = (context.workspace, context.sink);
    let mlir = sources(args.llvm_src.as_deref(), &context.toolchain)?;
    let manifest = manifest::load(&args.manifest.manifest)?;
    let targets = manifest.targets.iter().map(|it| it.get_ref().as_str());
    let expected = Expected::load(workspace)?.with_targets(&targets.collect());
    let pattern = args.pattern.as_deref().unwrap_or_default();
    if expected.listed(pattern).is_empty() {
        return Err(Error::new(ErrorKind::Check, "no test has this in its path")
            .because(format!("the pattern is `{pattern}`"))
            .help("patterns are parts of paths below mlir/test/python: ir/, rewrite"));
    }
    let root = &manifest.import_root;
    let wheel = match &args.wheel {
        Some(wheel) => wheel.canonicalize_utf8()?,
        None => bundle::bundle(&Options::new(&args.manifest.manifest, workspace), sink)?.wheel,
    };

    fs_err::create_dir_all(context.scratch())?;
    let folder = tempfile::Builder::new()
        .prefix("conformance-")
        .tempdir_in(context.scratch())?;
    let folder = Utf8Path::from_path(folder.path())
        .ok_or_else(|| Error::new(ErrorKind::Io, "the scratch folder's name is not UTF-8"))?;
    let venv = environment(context, &wheel, root)?;
    let lit = Lit {
        config: &workspace.join("tests/conformance"),
        venv: &venv,
        toolchain: &context.toolchain,
        mlir: &mlir,
        work: folder,
        root,
        edits: &expected.edits,
    };
    let report = Report::new(lit.run(pattern, sink)?, &expected);
    if output.json() {
        console::out(to_json(&report)?);
    } else {
        console::out(report.text(output.verbosity()));
    }
    expected.covers(&report.tests(), pattern)?;
    report.judge()
}

/// The mlir folder of LLVM's sources.
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

/// A fresh environment with the wheel, lit, the packages that the tests import, and a substitute of
/// their C++ extension.
fn environment(context: &Context<'_>, wheel: &Utf8Path, root: &str) -> Result<Venv> {
    let ours = context.workspace.join("tests/conformance");
    let venv = Venv::fresh(context, "conformance")?;
    let requirements = ours.join("requirements.txt");
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
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
