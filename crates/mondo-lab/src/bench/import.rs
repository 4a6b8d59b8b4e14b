//! `cargo lab bench import`: time and memory of importing bundles of several manifests and other people's
//! packages. Writes docs/measurements/import.md.

use mondo_build::Result;
use mondo_build::exec::Tool;
use mondo_testbed::Context;

use crate::folders::measurement;
use crate::packages;

/// The manifests that are measured.
const MANIFESTS: [&str; 3] = ["core", "standard", "default"];

/// Measures the imports, and writes the table.
pub(super) fn costs(context: &Context<'_>) -> Result<()> {
    let (others, venv) = packages::others(context)?;
    let mut subjects = Vec::new();
    for name in MANIFESTS {
        let wheel = context.bundle(name)?.wheel;
        // All bundles have the same import root, so that each is installed into a folder of its own.
        let folder = context.scratch().join("import").join(name);
        if folder.exists() {
            fs_err::remove_dir_all(&folder)?;
        }
        venv.pip_install(&[
            "--no-index",
            "--no-deps",
            "--target",
            folder.as_str(),
            wheel.as_str(),
        ])?;
        subjects.push(format!("ours, {name}=mlir={folder}"));
    }
    for package in others {
        if let Some(root) = package.import.as_ref().filter(|root| *root != "numpy") {
            let title = format!("{} {}", package.name, package.version);
            subjects.push(format!("{title}={root}="));
        }
    }
    let measure: Tool = venv
        .python("measure imports")
        .arg(context.workspace.join("tests/python/bench/footprint.py"))
        .arg("--out")
        .arg(measurement(context, "import.md"));
    measure.args(&subjects).stream()
}
