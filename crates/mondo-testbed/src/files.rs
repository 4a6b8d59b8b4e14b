//! Folders that tests copy, and wheels that they find in one.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::exec::Tool;
use mondo_build::{Error, ErrorKind, Result};

/// Copies a folder and all that is in it.
///
/// # Errors
///
/// If the file system refuses.
pub fn copy_tree(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    fs_err::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_tree(entry.path(), &target)?;
        } else {
            fs_err::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The files of the checkout that git tracks, or would track, by their paths in it: those of some patterns, or
/// all of them without a pattern.
///
/// # Errors
///
/// If git fails.
pub fn tracked(workspace: &Utf8Path, patterns: &[&str]) -> Result<Vec<String>> {
    let list = Tool::new("git", "list the tracked files")
        .fails_as(ErrorKind::Check)
        .installed_by("apt-get install git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .args(["--exclude-standard", "--"])
        .args(patterns)
        .cwd(workspace)
        .output()?
        .stdout;
    let files = list.split('\0').filter(|path| !path.is_empty());
    // A file that is deleted but not yet committed is listed all the same.
    Ok(files
        .filter(|path| workspace.join(path).is_file())
        .map(str::to_owned)
        .collect())
}

/// Copies the files of the checkout that git tracks, or would track, to `folder`.
///
/// # Errors
///
/// If git fails, or the file system refuses.
pub fn copy_tracked(workspace: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    for path in tracked(workspace, &[])? {
        let to = folder.join(&path);
        fs_err::create_dir_all(to.parent().unwrap_or(folder))?;
        fs_err::copy(workspace.join(path), to)?;
    }
    Ok(())
}

/// The wheel in a folder.
///
/// # Errors
///
/// If the folder has no wheel or several.
pub fn wheel_in(folder: &Utf8Path) -> Result<Utf8PathBuf> {
    let mut wheels = Vec::new();
    for entry in folder.read_dir_utf8()? {
        wheels.push(entry?.into_path());
    }
    wheels.retain(|path| path.extension() == Some("whl"));
    match wheels.pop() {
        Some(wheel) if wheels.is_empty() => Ok(wheel),
        Some(_) => Err(Error::new(ErrorKind::Check, "there are several wheels").at(folder)),
        None => Err(Error::new(ErrorKind::Check, "there is no wheel").at(folder)),
    }
}
