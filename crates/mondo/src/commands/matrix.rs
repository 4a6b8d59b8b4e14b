//! `mondo matrix`.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;
use mondo_build::matrix::{Axes, matrix};
use mondo_build::progress::Sink;

use crate::args::{MatrixArgs, manifest_of};
use crate::console;

/// One line of JSON for `fromJSON`, or a job a line for people.
pub(super) fn list(args: &MatrixArgs, json: bool, sink: &dyn Sink) -> Result<()> {
    let mut axes = Axes {
        manifests: args.manifest.clone(),
        labels: args.label.clone(),
        llvm: args.llvm.clone(),
    };
    if axes.manifests.is_empty() {
        axes.manifests = manifests()?;
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

/// The manifests of the current folder: the default one, with all others in its folder if that is `manifests`.
fn manifests() -> Result<Vec<Utf8PathBuf>> {
    let default = manifest_of(Utf8Path::new(""), None)?;
    let folder = match default.parent() {
        Some(folder) if folder.file_name() == Some("manifests") => folder,
        _ => return Ok(vec![default]),
    };
    let mut manifests = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let path = entry?.into_path();
        if path.extension() == Some("toml") {
            manifests.push(path);
        }
    }
    manifests.sort();
    Ok(manifests)
}
