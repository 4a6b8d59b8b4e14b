//! The patch phase: MLIR's own objects, with the calls redirected that create and destroy
//! operations, blocks and block arguments, so that the shim sees each of them die.
//!
//! Nothing is recompiled. A handful of relocations gets another target; what is expected of the
//! archives is data (`expectations`). Archives that no table describes are read by `rules`, and refused where a rule does not
//! hold. The patched members go to the linker before the archives, whose own copies are then never pulled.

#[cfg(test)]
mod against_llvm;
mod expectations;
mod relocatable;
mod rules;
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

use expectations::{Member, all_forms, members};

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
    /// True if no table describes the member, so that rules found the calls.
    #[serde(default, skip_serializing_if = "is_false")]
    pub by_rules: bool,
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
        let (patched, bytes) = patch_any_form(archive, member)?;
        patched_members.push(patched);
        contents
            .entry(member.archive)
            .or_default()
            .push((member.name, bytes));
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

impl PatchedArchives {
    /// True if no table describes one of the members, so that only the check at load proves the hooks.
    #[must_use]
    pub fn by_rules(&self) -> bool {
        self.members.iter().any(|member| member.by_rules)
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

/// Changes when the rules give other patches.
const RULES: u32 = 1;

/// A digest of the table of patches for LLVM `major`, for caches of results that depend on the patches.
pub fn fingerprint(major: u32) -> String {
    let forms: Vec<&Member<'_>> = all_forms().collect();
    digest::short(format!("{:?}{forms:?}{RULES}", members(major)))
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

/// The patched bytes of a member: in the form that this LLVM has, else in that of any other, else by the rules. The error is
/// about `member` itself, and about the rules.
fn patch_any_form(
    archive: &Archive,
    member: &'static Member<'static>,
) -> Result<(PatchedMember, Vec<u8>)> {
    let place = format!("{}({})", archive.path, member.name);
    let object = object_of(archive, member.name, &place)?;
    let others =
        all_forms().filter(|other| (other.archive, other.name) == (member.archive, member.name));
    let refusal = match relocatable::patch_object(&object, member) {
        Ok(bytes) => return Ok(patched(member, false, bytes)),
        Err(refusal) => refusal,
    };
    for other in others {
        if let Ok(bytes) = relocatable::patch_object(&object, other) {
            return Ok(patched(other, false, bytes));
        }
    }
    let by_rules = rules::redirects(&object, member).and_then(|found| {
        let redirects: Vec<_> = found.iter().map(rules::Found::redirect).collect();
        let member = Member {
            redirects: &redirects,
            totals: &[],
            ..*member
        };
        Ok(patched(
            &member,
            true,
            relocatable::patch_object(&object, &member)?,
        ))
    });
    by_rules.map_err(|rule| differs(&place).because(format!("{refusal};\n{rule}")))
}

fn patched(member: &Member<'_>, by_rules: bool, bytes: Vec<u8>) -> (PatchedMember, Vec<u8>) {
    let patched = PatchedMember {
        archive: member.archive.into(),
        member: member.name.into(),
        redirected: member.redirects.iter().map(|redirect| redirect.count).sum(),
        renamed: member.renames.len(),
        by_rules,
        sha256: digest::of(&bytes),
    };
    (patched, bytes)
}

/// The bytes of one member of an archive.
fn object_of(archive: &Archive, name: &str, place: &str) -> Result<Vec<u8>> {
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
        if entry.name() == name.as_bytes() {
            found.push(entry.data(&*map).map_err(unreadable)?);
        }
    }
    let [object] = found[..] else {
        return Err(differs(place).because(format!(
            "{} members have this name, but mondo expects 1",
            found.len()
        )));
    };
    Ok(object.to_vec())
}

fn differs(place: &str) -> Error {
    Error::new(
        ErrorKind::Archive,
        "an archive of MLIR does not match the operation hooks",
    )
    .at(place)
    .help(
        "use the LLVM that manifests/toolchain.lock pins; to support this one, compare the object with \
         mlir/lib/IR of its source, and extend the table in mondo-link/src/patch/expectations.rs, or the rules in rules.rs",
    )
}
