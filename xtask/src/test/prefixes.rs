//! Bundles from an LLVM that others packed: two packages of PyPI, whose archives have assertions.

use camino::Utf8Path;
use mondo_build::Result;
use mondo_build::bundle::{self, Options};
use mondo_testbed::files::unzip;
use mondo_testbed::verdict::expect;
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
    let downloads = scratch.join("downloads");
    Venv::kept(context, "tools")?
        .python("download LLVM from PyPI")
        .args(["-m", "pip", "download", "--quiet", "--no-deps"])
        .args(["--disable-pip-version-check", "--dest", downloads.as_str()])
        .args(PACKAGES)
        .output()?;
    let prefix = scratch.join("llvm");
    for wheel in downloads.read_dir_utf8()? {
        unzip(wheel?.path(), &prefix)?;
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
    fs_err::write(&manifest, lines.collect::<Vec<_>>().join("\n"))?;
    let options = Options {
        llvm_dir: Some(prefix.to_owned()),
        out_dir: folder.join("dist"),
        work_dir: scratch.join("work"),
        ..Options::new(manifest, context.workspace)
    };
    let made = bundle::bundle(&options, context.sink)?;
    let report = &made.report.toolchain;
    let tells =
        report.not_locked == [format!("LLVM in {prefix}")] && report.archives == ["assertions"];
    let shown = format!("{:?} {:?}", report.not_locked, report.archives);
    let what = "the report does not tell of the LLVM of PyPI";
    expect(tells && !report.hermetic, what, shown)?;
    let venv = Venv::with_wheels(context, &format!("prefixes-{name}"), [&made.wheel])?;
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
