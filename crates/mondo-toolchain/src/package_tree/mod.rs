//! The files of one package, in a folder of their own: what may be among them, and how they join those of other
//! packages.
//!
//! A package is unpacked by itself, so that a link of one package is never a folder of the next, which would be written
//! to wherever the link points.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;

/// The permission bits that run a program as its owner or group, or restrict a folder.
const SPECIAL_BITS: u32 = 0o7000;

/// The unpacked bytes for each byte of a package. A file of zeros, or with a hole, has any size.
const MOST_TIMES: u64 = 200;

/// The unpacked bytes that any package may have.
const LEAST_LIMIT: u64 = 1 << 30;

/// The bytes that a package of `packed` bytes may unpack to.
pub(super) fn most(packed: u64) -> u64 {
    packed.saturating_mul(MOST_TIMES).max(LEAST_LIMIT)
}

/// Checks the tree that a package of `packed` bytes was unpacked to. Bits that run programs as another user are
/// removed.
///
/// # Errors
/// `ErrorKind::Integrity` for devices, pipes and sockets, links that leave the tree, names with control characters, and
/// files that are larger than a package of this size has.
pub(super) fn check(tree: &Utf8Path, packed: u64) -> Result<()> {
    let mut left = most(packed);
    let mut hard_links: HashMap<u64, (u64, Utf8PathBuf)> = HashMap::new();
    let mut folders = vec![tree.to_owned()];
    while let Some(folder) = folders.pop() {
        interrupt::check()?;
        for entry in folder.read_dir_utf8()? {
            let path = entry?.into_path();
            let metadata = fs_err::symlink_metadata(&path)?;
            let name = path.strip_prefix(tree).unwrap_or(&path);
            if let Some(flaw) = flaw(&path, name, &metadata)? {
                return Err(refused(name, flaw));
            }
            if metadata.is_dir() {
                folders.push(path.clone());
            } else if metadata.is_file() {
                left = left.checked_sub(metadata.len()).ok_or_else(|| {
                    refused(name, "it is larger than a package of this size can contain")
                })?;
                if metadata.nlink() > 1 {
                    let links = hard_links
                        .entry(metadata.ino())
                        .or_insert_with(|| (metadata.nlink(), name.to_owned()));
                    links.0 -= 1;
                }
            }
            let mode = metadata.permissions().mode();
            if !metadata.is_symlink() && mode & SPECIAL_BITS != 0 {
                let plain = std::fs::Permissions::from_mode(mode & !SPECIAL_BITS);
                fs_err::set_permissions(&path, plain)?;
            }
        }
    }
    match hard_links.values().find(|(outside, _)| *outside > 0) {
        None => Ok(()),
        Some((_, name)) => Err(refused(
            name,
            "it is a hard link to a file outside the package",
        )),
    }
}

/// The reason for which an entry is refused.
fn flaw(path: &Utf8Path, name: &Utf8Path, metadata: &Metadata) -> Result<Option<&'static str>> {
    let kind = metadata.file_type();
    if kind.is_fifo() || kind.is_socket() {
        return Ok(Some("it is a pipe or a socket"));
    }
    if kind.is_char_device() || kind.is_block_device() {
        return Ok(Some("it is a device"));
    }
    if name.as_str().contains(char::is_control) {
        return Ok(Some("its name has a control character"));
    }
    if kind.is_symlink() && leaves(name, &path.read_link_utf8()?) {
        return Ok(Some("it is a link that leaves the folder"));
    }
    Ok(None)
}

/// Returns whether a link at `name` in a tree has a relative target above the tree. An absolute one is meant to be
/// below the tree's root.
fn leaves(name: &Utf8Path, target: &Utf8Path) -> bool {
    let mut depth = name.components().count().saturating_sub(1);
    for part in target.components() {
        match part {
            Utf8Component::RootDir => depth = 0,
            // The folder above the root is the root itself.
            Utf8Component::ParentDir if target.is_absolute() => depth = depth.saturating_sub(1),
            Utf8Component::ParentDir => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return true,
            },
            Utf8Component::Normal(_) => depth += 1,
            Utf8Component::CurDir | Utf8Component::Prefix(_) => {}
        }
    }
    false
}

fn refused(name: &Utf8Path, why: &str) -> Error {
    Error::new(
        ErrorKind::Integrity,
        "a package contains a file that mondo does not unpack",
    )
    .at(format!("{:?}", name.as_str()))
    .because(why)
    .help("download the package again from a distribution that you trust")
}

/// Moves the files of the tree `from` into the tree `root`. A folder that is a link in `root` stays one, if it leads to
/// a folder of `root`.
///
/// # Errors
/// `ErrorKind::Integrity` where a file of one package is a folder of another, or a link leads out of `root`.
pub(super) fn merge(from: &Utf8Path, root: &Utf8Path) -> Result<()> {
    let mut pending = vec![(from.to_owned(), root.to_owned())];
    while let Some((from, to)) = pending.pop() {
        interrupt::check()?;
        for entry in from.read_dir_utf8()? {
            let entry = entry?;
            let source = entry.path();
            let place = to.join(entry.file_name());
            let existing = place.symlink_metadata().ok();
            let is_folder = entry.file_type()?.is_dir();
            match (is_folder, existing) {
                (_, None) => fs_err::rename(source, &place)?,
                (true, Some(existing)) if existing.is_dir() => {
                    pending.push((source.to_owned(), place));
                }
                (true, Some(existing)) if existing.is_symlink() => {
                    let folder = folder_behind(&place, root).ok_or_else(|| {
                        refused(
                            &place,
                            "it is a folder in one package and a link in another",
                        )
                    })?;
                    pending.push((source.to_owned(), folder));
                }
                (false, Some(existing)) if !existing.is_dir() => fs_err::rename(source, &place)?,
                _ => {
                    let why = "it is a folder in one package and a file in another";
                    return Err(refused(&place, why));
                }
            }
        }
    }
    Ok(())
}

/// The folder of `root` that a link leads to, if no part of its path is another link.
fn folder_behind(link: &Utf8Path, root: &Utf8Path) -> Option<Utf8PathBuf> {
    let target = link.read_link_utf8().ok()?;
    let mut folder = match target.strip_prefix("/") {
        Ok(_) => root.to_owned(),
        Err(_) => link.parent()?.to_owned(),
    };
    for part in target.components() {
        match part {
            Utf8Component::Normal(name) => folder.push(name),
            Utf8Component::ParentDir if folder == root => return None,
            Utf8Component::ParentDir => {
                folder.pop();
            }
            _ => continue,
        }
        if !folder.symlink_metadata().ok()?.is_dir() {
            return None;
        }
    }
    Some(folder)
}

#[cfg(test)]
mod tests;
