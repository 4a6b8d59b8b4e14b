//! The folder of links: files that people edit are links to where they are, so that an edit is in use
//! without a build.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, Result};
use mondo_core::file::{self, replace};

use crate::wheel::{Source, Stage, check_paths};

/// The folders whose files an editable install has in its folder of links, each in its way.
#[derive(Debug, Clone, Copy)]
pub struct Origins<'a> {
    /// The folder of results, which the next build replaces: its files become hard links.
    pub made: &'a Utf8Path,
    /// The project's own folders, where people edit: their files become symbolic links.
    pub edited: &'a [Utf8PathBuf],
}

/// Makes `folder` look like the unpacked `stage`. Generated contents are written. A file that is neither a result nor the
/// project's own is copied: it may be in an isolated build environment, which its frontend deletes after the build. All
/// else in `folder` is removed, except Python's bytecode.
///
/// # Errors
/// `ErrorKind::Io` where the folder cannot be written.
pub fn lay_out(stage: &Stage, origins: Origins<'_>, folder: &Utf8Path) -> Result<()> {
    check_paths(stage.entries.iter().map(|entry| entry.path.as_str()))?;
    let mut wanted = BTreeSet::new();
    for entry in &stage.entries {
        let target = folder.join(&entry.path);
        wanted.insert(target.clone());
        match &entry.source {
            Source::Bytes(bytes) => write(&target, bytes, entry.executable)?,
            Source::File(file) if file.starts_with(origins.made) => link(file, &target, true)?,
            Source::File(file) if origins.edited.iter().any(|own| file.starts_with(own)) => {
                link(file, &target, false)?;
            }
            Source::File(path) => write(&target, &file::read(path, u64::MAX)?, entry.executable)?,
        }
    }
    tidy(folder, &wanted).map(drop)
}

/// Writes `target`, which is not a link then, unless it has these bytes already.
fn write(target: &Utf8Path, bytes: &[u8], executable: bool) -> Result<()> {
    let is_link = target.read_link_utf8().is_ok();
    if is_link || !fs_err::read(target).is_ok_and(|now| now == bytes) {
        replace(target, bytes)?;
    }
    if executable {
        fs_err::set_permissions(target, PermissionsExt::from_mode(0o755))?;
    }
    Ok(())
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
                let some = wanted.iter().any(|module| module.parent() == path.parent());
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
        let (own, kit) = (dir.join("own"), dir.join("kit"));
        for folder in [&made, &own, &kit] {
            fs_err::create_dir(folder).unwrap();
        }
        let origins = Origins {
            made: &made,
            edited: std::slice::from_ref(&own),
        };
        fs_err::write(kit.join("ir.py"), "1").unwrap();
        fs_err::write(made.join("lib.so"), "1").unwrap();
        fs_err::write(own.join("a.py"), "1").unwrap();
        let mut stage = Stage::default();
        stage.file("p/a.py", own.join("a.py"), false);
        stage.file("p/ir.py", kit.join("ir.py"), false);
        stage.file("p/q/lib.so", made.join("lib.so"), true);
        stage.bytes("p/gen.py", "1");
        stage.bytes("old/gone.py", "1");
        lay_out(&stage, origins, &folder).unwrap();
        // The environment that the kit was installed into is gone after the build.
        fs_err::remove_dir_all(&kit).unwrap();
        let read = |path: &str| fs_err::read_to_string(folder.join(path)).unwrap();
        fs_err::write(own.join("a.py"), "2").unwrap();
        assert_eq!(read("p/a.py"), "2");
        assert_eq!(read("p/ir.py"), "1");
        fs_err::create_dir(&kit).unwrap();
        fs_err::write(kit.join("ir.py"), "2").unwrap();
        // The next build makes a new file of the same name.
        fs_err::remove_file(made.join("lib.so")).unwrap();
        fs_err::write(made.join("lib.so"), "2").unwrap();
        assert_eq!(read("p/q/lib.so"), "1");
        fs_err::create_dir_all(folder.join("old/__pycache__")).unwrap();
        stage.entries.pop();
        lay_out(&stage, origins, &folder).unwrap();
        assert_eq!(read("p/q/lib.so"), "2");
        assert!(!folder.join("old").exists());
        assert_eq!(read("p/ir.py"), "2");
        assert_eq!(folder.join("p").read_dir_utf8().unwrap().count(), 4);
    }
}
