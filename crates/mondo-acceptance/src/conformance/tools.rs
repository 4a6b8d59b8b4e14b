//! The tests of upstream's tools, over a bundle's commands. The expected results are in
//! `tests/conformance-tools.toml`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::Verbosity;
use mondo_build::bundle::{self, Options};
use mondo_build::path::utf8;
use mondo_build::{Error, ErrorKind, Result, manifest};
use mondo_testbed::{Context, Venv};

use super::expected::{Expected, OF_TOOLS};
use super::lit::Lit;
use super::{judge, work_folder};
use crate::projects::llvm_sources;

/// The tools by their names in manifests, and upstream's names, which the tests use.
const TOOLS: [(&str, &str); 6] = [
    ("lsp-server", "mlir-lsp-server"),
    ("opt", "mlir-opt"),
    ("pdll-lsp-server", "mlir-pdll-lsp-server"),
    ("reduce", "mlir-reduce"),
    ("tblgen-lsp-server", "tblgen-lsp-server"),
    ("translate", "mlir-translate"),
];

/// Runs the tests below `mlir/test` whose paths contain `pattern`, over the commands of a manifest's bundle.
///
/// # Errors
///
/// If the result of a test is not the expected one.
pub fn check(
    manifest: &Utf8Path,
    pattern: &str,
    verbosity: Verbosity,
    context: &Context<'_>,
) -> Result<()> {
    let workspace = context.workspace;
    let mlir = llvm_sources(context)?;
    let expected = Expected::load(workspace, OF_TOOLS)?;
    let folder = work_folder(context)?;
    let work = utf8(folder.path())?;
    let venv = Venv::fresh(context, "conformance-tools")?;
    let requirements = workspace.join("tests/conformance/requirements.txt");
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    let wheel = bundle::bundle(&Options::new(manifest, workspace), context.sink)?.wheel;
    venv.pip_install(&["--no-index", "--no-deps", wheel.as_str()])?;
    let label = manifest::load(manifest)?.label;
    let prefix = label.unwrap_or_else(|| "mlir".into());
    let programs = named(&venv.dir.join("bin"), &prefix, work)?;
    let lit = Lit {
        config: &workspace.join("tests/conformance/tools"),
        venv: &venv,
        toolchain: &context.toolchain,
        mlir: &mlir,
        work,
        parameters: vec![("programs", programs.into_string())],
    };
    judge(&lit, pattern, &expected, verbosity, context)
}

/// Makes a folder with the programs under upstream's names.
fn named(programs: &Utf8Path, prefix: &str, work: &Utf8Path) -> Result<Utf8PathBuf> {
    let folder = work.join("programs");
    fs_err::create_dir_all(&folder)?;
    for (tool, called) in TOOLS {
        let program = programs.join(format!("{}-{tool}", prefix.replace('_', "-")));
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
