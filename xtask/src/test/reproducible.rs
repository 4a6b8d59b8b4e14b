//! Two builds of the same sources in two folders give the same bytes.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result};

use super::Context;

/// Copies the tracked files to two folders whose names differ in length, builds the core bundle in
/// each with nothing shared but the toolchain, and compares the wheels.
pub(super) fn check(context: &Context<'_>) -> Result<()> {
    let scratch = context.scratch().join("reproducible");
    if scratch.exists() {
        fs_err::remove_dir_all(&scratch)?;
    }
    let first = build(context, &scratch.join("a"))?;
    let second = build(context, &scratch.join("another folder"))?;
    let (one, other) = (fs_err::read(&first)?, fs_err::read(&second)?);
    if first.file_name() == second.file_name() && one == other {
        // The copies hold a whole cargo target each.
        fs_err::remove_dir_all(&scratch)?;
        return Ok(());
    }
    Err(
        Error::new(ErrorKind::Check, "two builds in different folders differ")
            .offenders([first, second].map(String::from))
            .help("unpack both and compare: diffoscope, or `cmp` file by file"),
    )
}

fn build(context: &Context<'_>, folder: &Utf8Path) -> Result<Utf8PathBuf> {
    copy_tracked(context, folder)?;
    let xtask = std::env::current_exe()?;
    Tool::new(xtask, "build in another folder")
        .fails_as(ErrorKind::Check)
        .args(["bundle", "--quiet", "--manifest", "manifests/core.toml"])
        .cwd(folder)
        .env("MONDO_SOURCE_DIR", folder)
        .env("MONDO_WORKSPACE_DIR", folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()?;
    let dist = folder.join("dist");
    let mut wheels = Vec::new();
    for entry in dist.read_dir_utf8()? {
        let path = entry?.into_path();
        if path.extension() == Some("whl") {
            wheels.push(path);
        }
    }
    match wheels.pop() {
        Some(wheel) if wheels.is_empty() => Ok(wheel),
        _ => Err(Error::new(ErrorKind::Check, "the build left no wheel, or several").at(dist)),
    }
}

fn copy_tracked(context: &Context<'_>, folder: &Utf8Path) -> Result<()> {
    let list = Tool::new("git", "list the tracked files")
        .fails_as(ErrorKind::Check)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .cwd(context.workspace)
        .output()?
        .stdout;
    for path in list.split('\0').filter(|path| !path.is_empty()) {
        let from = context.workspace.join(path);
        // A file that is deleted but not yet committed is listed all the same.
        if !from.is_file() {
            continue;
        }
        let to = folder.join(path);
        fs_err::create_dir_all(to.parent().unwrap_or(folder))?;
        fs_err::copy(from, to)?;
    }
    Ok(())
}
