//! Upstream's own tests, run by lit from LLVM's sources: those of Python over one of mondo's wheels, and those of MLIR's
//! tools over a bundle's commands. `tests/conformance.toml` and `tests/conformance-tools.toml` list those that fail.

mod expected;
mod lit;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::to_json;
use mondo_build::bundle::{self, Options};
use mondo_build::{Error, ErrorKind, Result, manifest};
use mondo_testbed::{Context, Venv};

use self::expected::{Expected, OF_PYTHON, OF_TOOLS};

/// The tools by their names in manifests, and upstream's names, which the tests use.
const TOOLS: [(&str, &str); 6] = [
    ("lsp-server", "mlir-lsp-server"),
    ("opt", "mlir-opt"),
    ("pdll-lsp-server", "mlir-pdll-lsp-server"),
    ("reduce", "mlir-reduce"),
    ("tblgen-lsp-server", "tblgen-lsp-server"),
    ("translate", "mlir-translate"),
];

/// Runs the tests below `mlir/test/python` whose paths match `pattern`, over the bundle of a manifest.
pub fn python(manifest: &Utf8Path, pattern: &str, context: &Context<'_>) -> Result<()> {
    /// A Python module in place of the test dialect's C++ extension.
    const REPLACEMENT: &str = "_mlirPythonTestNanobind.py";
    let config = context.workspace.join("tests/conformance");
    let venv = installed("conformance", manifest, context)?;
    let manifest = manifest::load(manifest)?;
    let root = &manifest.import_root;
    let package = venv.packages()?.join(root.replace('.', "/"));
    let native = package.join("_mlir_libs");
    fs_err::copy(config.join(REPLACEMENT), native.join(REPLACEMENT))?;
    let targets = manifest.targets.iter();
    let targets = targets.map(|target| target.get_ref().as_str()).collect();
    let expected = Expected::load(context.workspace, OF_PYTHON)?.with_targets(&targets);
    let edits = to_json(&expected.edits)?;
    let parameters = [("root", root.clone()), ("edits", edits)];
    lit::run(&config, &venv, &parameters, pattern, &expected, context)
}

/// Runs the tests below `mlir/test` whose paths match `pattern`, over the commands of a manifest's bundle.
pub fn tools(manifest: &Utf8Path, pattern: &str, context: &Context<'_>) -> Result<()> {
    let config = context.workspace.join("tests/conformance/tools");
    let expected = Expected::load(context.workspace, OF_TOOLS)?;
    let venv = installed("conformance-tools", manifest, context)?;
    let label = manifest::load(manifest)?.label;
    let programs = named(&venv, &label.unwrap_or_else(|| "mlir".into()))?;
    let parameters = [("programs", programs.into_string())];
    lit::run(&config, &venv, &parameters, pattern, &expected, context)
}

/// A fresh environment with a bundle's wheel, lit, and the packages that upstream's tests import.
fn installed(name: &str, manifest: &Utf8Path, context: &Context<'_>) -> Result<Venv> {
    let venv = Venv::fresh(context, name)?;
    let requirements = "tests/conformance/requirements.txt";
    let requirements = context.workspace.join(requirements);
    venv.pip_install(&["--requirement", requirements.as_str()])?;
    let options = Options::new(manifest, context.workspace);
    let wheel = bundle::bundle(&options, context.sink)?.wheel;
    venv.pip_install(&["--no-index", wheel.as_str()])?;
    Ok(venv)
}

/// Makes a folder with the installed tools under upstream's names.
fn named(venv: &Venv, prefix: &str) -> Result<Utf8PathBuf> {
    let folder = venv.dir.join("upstream-names");
    fs_err::create_dir_all(&folder)?;
    for (tool, called) in TOOLS {
        let name = format!("bin/{}-{tool}", prefix.replace('_', "-"));
        let program = venv.dir.join(name);
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
