//! `mondo matrix`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::matrix::{Axes, matrix};
use mondo_build::progress::Sink;

use crate::args::MatrixArgs;
use crate::console;

/// One line of JSON for `fromJSON`, or a job a line for people.
pub(super) fn list(
    args: &MatrixArgs,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    let mut axes = Axes {
        manifests: args.manifest.clone(),
        labels: args.label.clone(),
        llvm: args.llvm.clone(),
    };
    if axes.manifests.is_empty() {
        for entry in workspace.join("manifests").read_dir_utf8()? {
            let entry = entry?;
            if entry.path().extension() == Some("toml") {
                axes.manifests.push(Utf8PathBuf::from(format!(
                    "manifests/{}",
                    entry.file_name()
                )));
            }
        }
        axes.manifests.sort();
    }
    let matrix = matrix(&axes, sink)?;
    if json {
        console::out(matrix.to_json()?);
        return Ok(());
    }
    for job in &matrix.include {
        console::out(format!("{:<32} {}", job.name, job.manifest));
    }
    Ok(())
}
