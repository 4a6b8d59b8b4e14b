//! `cargo lab conformance --tools`: runs the tests of upstream's tools by lit, with a bundle's commands. The
//! expected results are in `tests/conformance-tools.toml`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::Output;
use mondo_build::bundle::{self, Options};
use mondo_build::{Error, ErrorKind, Result, manifest};
use mondo_testbed::{Context, Venv};

use super::expected::{Expected, OF_TOOLS};
use super::lit::Lit;
use super::report::Report;
use super::{show, sources};
use crate::args::ConformanceArgs;

/// The tools by their names in manifests, and upstream's names, which the tests use.
const TOOLS: [(&str, &str); 6] = [
    ("lsp-server", "mlir-lsp-server"),
    ("opt", "mlir-opt"),
    ("pdll-lsp-server", "mlir-pdll-lsp-server"),
    ("reduce", "mlir-reduce"),
    ("tblgen-lsp-server", "tblgen-lsp-server"),
    ("translate", "mlir-translate"),
];

/// Runs the tests that `args` names.
///
/// # Errors
///
/// If the result of a test is not the expected one.
pub(crate) fn run(args: &ConformanceArgs, context: &Context<'_>, output: Output) -> Result<()> {
    let (workspace, sink) = (context.workspace, context.sink);
    let mlir = sources(args.llvm_src.as_deref(), &context.toolchain)?;
    let expected = Expected::load(workspace, OF_TOOLS)?;
    fs_err::create_dir_all(context.scratch())?;
    let folder = tempfile::Builder::new()
        .prefix("conformance-")
        .tempdir_in(context.scratch())?;
    let folder = Utf8Path::from_path(folder.path())
        .ok_or_else(|| Error::new(ErrorKind::Io, "the scratch folder's name is not UTF-8"))?;
    let venv = Venv::fresh(context, "conformance-tools")?;
    let requirements = workspace.join("tests/conformance/requirements.txt");
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    let manifest = args.manifest.path()?;
    let (programs, prefix) = match &args.programs {
        Some(folder) => (folder.canonicalize_utf8()?, "mlir".to_owned()),
        None => {
            let wheel = match &args.wheel {
                Some(wheel) => wheel.canonicalize_utf8()?,
                None => bundle::bundle(&Options::new(&manifest, workspace), sink)?.wheel,
            };
            venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
            let label = manifest::load(&manifest)?.label;
            (venv.dir.join("bin"), label.unwrap_or_else(|| "mlir".into()))
        }
    };
    let lit = Lit {
        config: &workspace.join("tests/conformance/tools"),
        venv: &venv,
        toolchain: &context.toolchain,
        mlir: &mlir,
        work: folder,
        parameters: vec![("programs", named(&programs, &prefix, folder)?.into_string())],
    };
    let pattern = args.pattern.as_deref().unwrap_or_default();
    let report = Report::new(lit.run(pattern, sink)?, &expected);
    show(&report, output)?;
    expected.covers(&report.tests(), pattern)?;
    report.judge()
}

/// Makes a folder with the programs under upstream's names.
fn named(programs: &Utf8Path, prefix: &str, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let folder = work.join("programs");
    fs_err::create_dir_all(&folder)?;
    for (tool, called) in TOOLS {
        let ours = programs.join(format!("{}-{tool}", prefix.replace('_', "-")));
        // With `--programs`, the folder may have upstream's own programs.
        let program = if ours.is_file() {
            ours
        } else {
            programs.join(called)
        };
        if !program.is_file() {
            let names = TOOLS.map(|(tool, _)| format!("`{tool}`"));
            return Err(Error::new(ErrorKind::Check, "a tool is not there")
                .at(program)
                .because(format!("the tests call {}", names.join(", ")))
                .help("take a manifest with all of these in `contents.tools`"));
        }
        fs_err::os::unix::fs::symlink(program, folder.join(called))?;
    }
    Ok(folder)
}
