//! The folder of links: files that people edit are links to where they are, so that an edit is in use
//! without a build.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, Result};
use mondo_core::file::replace;

use crate::wheel::{Source, Stage, check_paths};

/// Makes `folder` look like the unpacked `stage`. Generated contents are written. Files below `made`, which the next
/// build replaces, become hard links. All other files become symbolic links to their sources. All else in `folder` is
/// removed, except Python's bytecode.
///
/// # Errors
/// `ErrorKind::Io` where the folder cannot be written.
pub fn lay_out(stage: &Stage, made: &Utf8Path, folder: &Utf8Path) -> Result<()> {
    check_paths(stage.entries.iter().map(|entry| entry.path.as_str()))?;
    let mut wanted = BTreeSet::new();
    for entry in &stage.entries {
        let target = folder.join(&entry.path);
        wanted.insert(target.clone());
        match &entry.source {
            Source::Bytes(bytes) => {
                let same = target.read_link_utf8().is_err()
                    && fs_err::read(&target).is_ok_and(|now| now == *bytes);
                if !same {
                    replace(&target, bytes)?;
                }
            }
            Source::File(file) => link(file, &target, file.starts_with(made))?,
        }
    }
    tidy(folder, &wanted).map(drop)
}

/// Makes `target` a link to `file`. The link is created under a temporary name and then renamed, so that a process
/// which has the earlier file open or mapped keeps it.
fn link(file: &Utf8Path, target: &Utf8Path, hard: bool) -> Result<()> {
    let file = camino::absolute_utf8(file)?;
    if !hard && target.read_link_utf8().is_ok_and(|now| now == file) {
        return Ok(());
    }
    let parent = target.parent().unwrap_or(target);
    fs_err::create_dir_all(parent)?;
    let temporary = tempfile::Builder::new()
        .prefix(".mondo-")
        .tempdir_in(parent)?;
    let name = temporary.path().join("link");
    if hard {
        if fs_err::hard_link(&file, &name).is_err() {
            fs_err::copy(&file, &name)?;
        }
    } else {
        fs_err::os::unix::fs::symlink(&file, &name)?;
    }
    fs_err::rename(&name, target).map_err(|error| Error::from(error).at(target))?;
    Ok(())
}

/// Removes the files that are not in `wanted`, and the folders that become empty. Returns true for a folder that has
/// become empty.
fn tidy(folder: &Utf8Path, wanted: &BTreeSet<Utf8PathBuf>) -> Result<bool> {
    let mut empty = true;
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            let gone = if entry.file_name() == "__pycache__" {
                // Bytecode is kept as long as the folder has modules.
                let some = wanted.iter().any(|it| it.parent() == path.parent());
                if !some {
                    fs_err::remove_dir_all(path)?;
                }
                !some
            } else if tidy(path, wanted)? {
                fs_err::remove_dir(path)?;
                true
            } else {
                false
            };
            empty &= gone;
        } else if wanted.contains(path) {
            empty = false;
        } else {
            fs_err::remove_file(path)?;
        }
    }
    Ok(empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_seen_and_what_is_gone_goes() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let (made, folder) = (dir.join("made"), dir.join("site"));
        fs_err::create_dir(&made).unwrap();
        fs_err::write(made.join("lib.so"), "1").unwrap();
        fs_err::write(dir.join("a.py"), "1").unwrap();
        let mut stage = Stage::default();
        stage.file("p/a.py", dir.join("a.py"), false);
        stage.file("p/q/lib.so", made.join("lib.so"), true);
        stage.bytes("p/gen.py", "1");
        stage.bytes("old/gone.py", "1");
        lay_out(&stage, &made, &folder).unwrap();
        let read = |path: &str| fs_err::read_to_string(folder.join(path)).unwrap();
        fs_err::write(dir.join("a.py"), "2").unwrap();
        assert_eq!(read("p/a.py"), "2");
        // The next build makes a new file of the same name.
        fs_err::remove_file(made.join("lib.so")).unwrap();
        fs_err::write(made.join("lib.so"), "2").unwrap();
        assert_eq!(read("p/q/lib.so"), "1");
        fs_err::create_dir_all(folder.join("old/__pycache__")).unwrap();
        stage.entries.pop();
        lay_out(&stage, &made, &folder).unwrap();
        assert_eq!(read("p/q/lib.so"), "2");
        assert!(!folder.join("old").exists());
        assert_eq!(folder.join("p").read_dir_utf8().unwrap().count(), 3);
    }
}
