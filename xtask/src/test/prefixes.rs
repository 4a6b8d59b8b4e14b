//! Bundles from an LLVM that others packed: two packages of PyPI, whose archives have assertions.

use camino::Utf8Path;
use mondo_build::bundle::{self, Options};
use mondo_build::{Error, ErrorKind, Result};
use mondo_testbed::{Context, Venv};

use super::python;

/// The packages. They lack `mlir-tblgen` and libclang.
const PACKAGES: [&str; 2] = ["xtc-llvm-dev==22.1.8.2", "xtc-mlir-dev==22.1.8.4"];

/// The bundles, and the tests that fail with each: a list of their names in `tests/python`.
const BUNDLES: [(&str, &[&str]); 2] = [
    ("core", &["assertions.txt"]),
    ("standard", &["assertions.txt", "standard.txt"]),
];

/// The suite over each bundle, and the report's words about the prefix.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("prefixes")?;
    let tools = Venv::tools(context)?;
    let downloads = scratch.join("downloads");
    tools
        .python("download LLVM from PyPI")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--dest", downloads.as_str()])
        .args(PACKAGES)
        .output()?;
    let prefix = scratch.join("llvm");
    for wheel in downloads.read_dir_utf8()? {
        tools
            .python("unpack LLVM")
            .args(["-m", "zipfile", "-e", wheel?.path().as_str()])
            .arg(&prefix)
            .output()?;
    }
    for (name, lists) in BUNDLES {
        suite(name, lists, &prefix, &scratch, context)?;
    }
    Ok(())
}

fn suite(
    name: &str,
    lists: &[&str],
    prefix: &Utf8Path,
    scratch: &Utf8Path,
    context: &Context<'_>,
) -> Result<()> {
    // The manifest beside the original, for its relative paths; assertions make larger wheels than it allows.
    let folder = scratch.join("project");
    mondo_acceptance::copy_manifests(&folder, context)?;
    let manifest = folder.join(format!("manifests/{name}.toml"));
    let text = fs_err::read_to_string(&manifest)?;
    let lines = text.lines().filter(|line| !line.starts_with("size-budget"));
    let text: Vec<&str> = lines.collect();
    fs_err::write(&manifest, text.join("\n"))?;
    let options = Options {
        llvm_dir: Some(prefix.to_owned()),
        out_dir: folder.join("dist"),
        work_dir: scratch.join("work"),
        ..Options::new(manifest, context.workspace)
    };
    let made = bundle::bundle(&options, context.sink)?;
    let report = &made.report.toolchain;
    let llvm = format!("LLVM in {prefix}");
    if report.hermetic || report.not_locked != [llvm] || report.archives != ["assertions"] {
        let what = "the report does not tell of the LLVM of PyPI";
        return Err(Error::new(ErrorKind::Check, what)
            .details(&report.not_locked)
            .details(&report.archives));
    }
    let venv = Venv::for_tests(context, &format!("prefixes-{name}"))?;
    venv.pip_install(&["--no-index", made.wheel.as_str()])?;
    let mut deselected = String::new();
    for list in lists {
        let path = context.workspace.join("tests/python").join(list);
        for test in fs_err::read_to_string(path)?.lines() {
            if !test.starts_with('#') {
                // Quoted as for a shell, since pytest splits the variable like a shell.
                deselected.push_str(&format!(" --deselect '{}'", test.replace('\'', "'\\''")));
            }
        }
    }
    let env = [
        ("MONDO_IMPORT_ROOT", "mlir"),
        ("MONDO_BUNDLE", name),
        ("PYTEST_ADDOPTS", deselected.as_str()),
    ];
    python::pytest(context, &venv, &env, "suite")
}
