//! Folders that tests make and copy, and files that they write and compare.

use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;

use crate::verdict::{expect, failed, tool};

/// Copies a folder and all that is in it.
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
pub fn tracked(workspace: &Utf8Path, patterns: &[&str]) -> Result<Vec<String>> {
    let list = tool("git", "list the tracked files")
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
pub fn copy_tracked(workspace: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    for path in tracked(workspace, &[])? {
        let to = folder.join(&path);
        fs_err::create_dir_all(to.parent().unwrap_or(folder))?;
        fs_err::copy(workspace.join(path), to)?;
    }
    Ok(())
}

/// Makes an empty folder. A folder that was there before is removed.
pub fn make_empty(folder: &Utf8Path) -> Result<()> {
    if folder.exists() {
        fs_err::remove_dir_all(folder)?;
    }
    Ok(fs_err::create_dir_all(folder)?)
}

/// Replaces a text of a file, which has to be there. Returns the file's text as it was.
pub fn replace_in(path: &Utf8Path, from: &str, to: &str) -> Result<String> {
    let text = fs_err::read_to_string(path)?;
    let what = format!("{path} has no `{from}`");
    expect(text.contains(from), what, &text)?;
    fs_err::write(path, text.replace(from, to))?;
    Ok(text)
}

/// Writes a script that can be started.
pub fn write_program(path: &Utf8Path, script: &str) -> Result<()> {
    fs_err::write(path, script)?;
    Ok(fs_err::set_permissions(
        path,
        PermissionsExt::from_mode(0o755),
    )?)
}

/// Unpacks a wheel.
pub fn unzip(wheel: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    tool("python3", "unpack the wheel")
        .args(["-m", "zipfile", "-e"])
        .args([wheel, folder])
        .output()
        .map(drop)
}

/// Checks that two wheels have the same file name and the same bytes.
pub fn expect_same(one: &Utf8Path, other: &Utf8Path, what: &str) -> Result<()> {
    let same = one.file_name() == other.file_name() && fs_err::read(one)? == fs_err::read(other)?;
    expect(same, what, format!("{one} and {other} differ"))
        .map_err(|error| error.help("unpack both and compare: diffoscope, or `cmp` file by file"))
}

/// The newest folder in `folder` whose name contains `part`.
pub fn newest_in(folder: &Utf8Path, part: &str) -> Result<Utf8PathBuf> {
    let mut newest = None;
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name().contains(part) {
            newest = newest.max(Some((entry.metadata()?.modified()?, entry.into_path())));
        }
    }
    let newest = newest.map(|(_, path)| path);
    newest.ok_or_else(|| failed(format!("no folder is called `{part}`")).at(folder))
}

/// The wheel in a folder.
pub fn wheel_in(folder: &Utf8Path) -> Result<Utf8PathBuf> {
    let entries = folder.read_dir_utf8()?;
    let paths = entries.map(|entry| Ok(entry?.into_path()));
    let mut wheels: Vec<Utf8PathBuf> = paths.collect::<Result<_>>()?;
    wheels.retain(|path| path.extension() == Some("whl"));
    match wheels.len() {
        1 => Ok(wheels.remove(0)),
        count => Err(failed(format!("there are {count} wheels, not one")).at(folder)),
    }
}
