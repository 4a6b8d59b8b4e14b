//! The patch phase: MLIR's own objects, with the calls redirected that create and destroy
//! operations, blocks and block arguments, so that the shim sees each of them die.
//!
//! Nothing is recompiled. A handful of relocations gets another target; what is expected of the
//! archives is data (`expectations`), and an archive that is anything else is refused. The patched
//! members go to the linker before the archives, whose own copies are then never pulled.

#[cfg(test)]
mod against_llvm;
mod expectations;
mod relocatable;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use object::read::archive::ArchiveFile;
use serde::{Deserialize, Serialize};

use crate::archive::{Archive, archive_of};
use crate::collect::Collected;

use expectations::{Member, members, other_forms};
use relocatable::Refusal;

/// The result of the patch phase.
#[derive(Debug, Clone)]
pub struct PatchedArchives {
    /// Archives of patched members, named like those they replace members of. They are linked whole.
    pub archives: Vec<Utf8PathBuf>,
    /// The patched members, in the order of the expectations.
    pub members: Vec<PatchedMember>,
}

/// A patched member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatchedMember {
    /// The archive's name, without `lib` and `.a`.
    pub archive: String,
    /// The member's name.
    pub member: String,
    /// The number of calls that have another target now.
    pub redirected: usize,
    /// The number of definitions that have another name now.
    pub renamed: usize,
    /// SHA-256 of the patched object.
    pub sha256: String,
}

/// Patches the members of `collected`, archives of LLVM `major`, that the hooks need, and writes them below `out`.
///
/// # Errors
/// `ErrorKind::Archive` where an object is not what the expectations describe.
pub fn patch(collected: &Collected, major: u32, out: &Utf8Path) -> Result<PatchedArchives> {
    let dir = out.join("patched");
    fs_err::create_dir_all(&dir)?;
    let mut patched_members = Vec::new();
    let mut contents: BTreeMap<&str, Vec<(&str, Vec<u8>)>> = BTreeMap::new();
    for member in members(major) {
        let archive = archive(collected, member.archive)?;
        let (member, patched) = patch_any_form(archive, member, other_forms(major))?;
        patched_members.push(PatchedMember {
            archive: member.archive.into(),
            member: member.name.into(),
            redirected: member.redirects.iter().map(|redirect| redirect.count).sum(),
            renamed: member.renames.len(),
            sha256: digest::of(&patched),
        });
        contents
            .entry(member.archive)
            .or_default()
            .push((member.name, patched));
    }
    let mut archives = Vec::new();
    for (name, members) in contents {
        let path = dir.join(format!("lib{name}.a"));
        fs_err::write(&path, archive_of(&members))?;
        archives.push(path);
    }
    Ok(PatchedArchives {
        archives,
        members: patched_members,
    })
}

/// A digest of the table of patches for LLVM `major`, for caches of results that depend on the patches.
pub fn fingerprint(major: u32) -> String {
    digest::short(format!("{:?}{:?}", members(major), other_forms(major)))
}

fn archive<'a>(collected: &'a Collected, name: &str) -> Result<&'a Archive> {
    let found = collected
        .whole
        .iter()
        .chain(&collected.by_need)
        .find(|archive| archive.name == name);
    found.ok_or_else(|| {
        Error::new(
            ErrorKind::Archive,
            format!("lib{name}.a is not among the archives"),
        )
        .because("it contains the code that creates and destroys operations")
        .help("install the MLIR development package of this version")
    })
}

/// The patched bytes of a member, and the form that it has: that of `member`, or one of `forms`. The error is about
/// `member` itself.
fn patch_any_form(
    archive: &Archive,
    member: &'static Member,
    forms: &'static [Member],
) -> Result<(&'static Member, Vec<u8>)> {
    let refusal = match patch_member(archive, member) {
        Ok(patched) => return Ok((member, patched)),
        Err(refusal) => refusal,
    };
    let others = forms
        .iter()
        .filter(|other| (other.archive, other.name) == (member.archive, member.name));
    for other in others {
        if let Ok(patched) = patch_member(archive, other) {
            return Ok((other, patched));
        }
    }
    Err(refusal)
}

/// The patched bytes of one member.
fn patch_member(archive: &Archive, member: &Member) -> Result<Vec<u8>> {
    let map = file::map(&archive.path)?;
    let unreadable = |error: object::read::Error| {
        Error::new(ErrorKind::Archive, "cannot read the archive")
            .at(&archive.path)
            .caused_by(error)
    };
    let file = ArchiveFile::parse(&*map).map_err(unreadable)?;
    let mut found = Vec::new();
    for entry in file.members() {
        let entry = entry.map_err(unreadable)?;
        if entry.name() == member.name.as_bytes() {
            found.push(entry.data(&*map).map_err(unreadable)?);
        }
    }
    let place = format!("{}({})", archive.path, member.name);
    let [object] = found[..] else {
        return Err(differs(&place).because(format!(
            "{} members have this name, but mondo expects 1",
            found.len()
        )));
    };
    relocatable::patch_object(object, member).map_err(|refusal| refused(&place, &refusal))
}

fn differs(place: &str) -> Error {
    Error::new(
        ErrorKind::Archive,
        "an archive of MLIR does not match the operation hooks",
    )
    .at(place)
    .help(
        "use the LLVM that manifests/toolchain.lock pins; to support another release, compare \
         this object with mlir/lib/IR of its source, and extend the table in \
         mondo-link/src/patch/expectations.rs",
    )
}

fn refused(place: &str, refusal: &Refusal) -> Error {
    differs(place).because(refusal.to_string())
}
