//! `ar` archives: System V/GNU long names (`//`), BSD long names (`#1/`), GNU 64-bit indexes,
//! Microsoft's second index; and GNU's thin ones, which hold paths in place of members.

use std::collections::{HashMap, HashSet};

use object::read::archive::ArchiveFile;
use rayon::prelude::*;

use super::error::ReadError;
use super::names::{NameBudget, Names};
use crate::image_facts::{Facts, Format, ImageKind, Section};

const THIN: &[u8] = b"!<thin>\n";
const FULL: &[u8] = b"!<arch>\n";

/// A member of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name, without the slash that GNU ar puts at its end.
    pub name: &'a str,
    /// Offset of its contents in the archive.
    pub offset: u64,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// The members of an archive in order, without its symbol index and table of long names.
///
/// # Errors
///
/// [`ReadError::ThinArchive`], and [`ReadError::Malformed`] with the member before which or in which
/// the archive ends.
pub fn members<'a>(name: &str, bytes: &'a [u8]) -> Result<Vec<Member<'a>>, ReadError> {
    members_within(name, bytes, NameBudget::for_file(bytes.len()))
}

fn members_within<'a>(
    name: &str,
    bytes: &'a [u8],
    budget: NameBudget,
) -> Result<Vec<Member<'a>>, ReadError> {
    if bytes.starts_with(THIN) {
        return Err(ReadError::ThinArchive {
            name: name.to_owned(),
        });
    }
    let archive = parse(name, bytes)?;
    let names = Names::new(name, budget);
    let mut members: Vec<Member<'a>> = Vec::new();
    for member in archive.members() {
        let place = || match members.last() {
            Some(last) => format!(
                "after member {}, near offset {}",
                last.name,
                last.offset + last.bytes.len() as u64
            ),
            None => format!("first member, offset {}", FULL.len()),
        };
        let member =
            member.map_err(|error| ReadError::malformed(name, error.to_string(), place()))?;
        names.count(member.name(), &place())?;
        let member_name = std::str::from_utf8(member.name())
            .map_err(|_| ReadError::malformed(name, "a member's name is not UTF-8", place()))?;
        let (offset, size) = member.file_range();
        let contents = member.data(bytes).map_err(|_| {
            ReadError::malformed(
                name,
                format!("the member is {size} bytes long, but the archive ends before that"),
                format!("member {member_name}, offset {offset}"),
            )
        })?;
        members.push(Member {
            name: member_name,
            offset,
            bytes: contents,
        });
    }
    Ok(members)
}

fn parse<'a>(name: &str, bytes: &'a [u8]) -> Result<ArchiveFile<'a>, ReadError> {
    ArchiveFile::parse(bytes)
        .map_err(|error| ReadError::malformed(name, error.to_string(), "archive header, offset 0"))
}

/// Returns whether the bytes start an archive, thin or not.
pub(super) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(FULL) || bytes.starts_with(THIN)
}

/// Returns whether the bytes start a thin archive.
#[must_use]
pub fn is_thin(bytes: &[u8]) -> bool {
    bytes.starts_with(THIN)
}

/// The paths in a thin archive, relative to the folder it is in; `None` if it is not a thin archive.
///
/// # Errors
///
/// [`ReadError::Malformed`] with the number of the member at fault.
pub fn thin_members<'a>(name: &str, bytes: &'a [u8]) -> Result<Option<Vec<&'a str>>, ReadError> {
    if !bytes.starts_with(THIN) {
        return Ok(None);
    }
    let names = Names::new(name, NameBudget::for_file(bytes.len()));
    let mut paths = Vec::new();
    for member in parse(name, bytes)?.members() {
        let fail = |what: String| {
            ReadError::malformed(name, what, format!("member number {}", paths.len() + 1))
        };
        let member = member.map_err(|error| fail(error.to_string()))?;
        names.count(member.name(), "members")?;
        let path = std::str::from_utf8(member.name())
            .map_err(|_| fail("a member's path is not UTF-8".to_owned()))?;
        paths.push(path);
    }
    Ok(Some(paths))
}

/// The facts of an archive as one unit: the symbols that its members define, and those that are undefined in all of
/// them.
pub(super) fn facts<'a>(
    name: &'a str,
    bytes: &'a [u8],
    budget: NameBudget,
    read: ReadMember<'a>,
) -> Result<Facts<'a>, ReadError> {
    let members = members_within(name, bytes, budget)?;
    let members: Result<Vec<(Member<'a>, Known<'a>)>, ReadError> = members
        .into_par_iter()
        .map(|member| {
            let share = budget.share(member.bytes.len(), bytes.len());
            Ok((member, read_member(name, member, share, read)?))
        })
        .collect();
    let mut whole = Facts::new(name, Format::Elf, bytes);
    whole.kind = ImageKind::Archive;
    let mut first = true;
    let mut exports = HashSet::new();
    let mut undefined = Vec::new();
    for (member, facts) in members? {
        whole.sections.push(Section {
            name: member.name,
            address: 0,
            offset: member.offset,
            file_size: member.bytes.len() as u64,
            read_only_data: false,
        });
        let facts = match facts {
            Ok(facts) => facts,
            Err(found) => {
                whole
                    .unseen
                    .push(format!("member {}: {found}", member.name));
                continue;
            }
        };
        if first {
            first = false;
            (whole.format, whole.arch) = (facts.format, facts.arch);
            (whole.bits, whole.big_endian) = (facts.bits, facts.big_endian);
            whole.stripped = true;
        } else if (whole.format, whole.arch) != (facts.format, facts.arch) {
            whole.unseen.push(format!(
                "member {}: it is for another machine than the first member",
                member.name
            ));
            continue;
        }
        whole.stripped &= facts.stripped;
        whole.debug_info = whole.debug_info.saturating_add(facts.debug_info);
        whole.nameless_exports += facts.nameless_exports;
        for export in facts.exports {
            if exports.insert(export.name.to_string()) {
                whole.exports.push(export);
            }
        }
        undefined.extend(facts.imports);
        let unseen = facts.unseen.into_iter();
        whole
            .unseen
            .extend(unseen.map(|what| format!("member {}: {what}", member.name)));
    }
    let mut imports: HashMap<&str, usize> = HashMap::new();
    for import in undefined {
        if exports.contains(import.name) {
            continue;
        }
        match imports.get(import.name) {
            // The import is weak only if every member's reference is weak.
            Some(&at) => whole.imports[at].weak &= import.weak,
            None => {
                imports.insert(import.name, whole.imports.len());
                whole.imports.push(import);
            }
        }
    }
    Ok(whole)
}

/// The facts of a member, or a description of a member for which there is no reader.
type Known<'a> = Result<Facts<'a>, &'static str>;

/// The reader of images and objects; an argument, since that reader itself reads archives.
type ReadMember<'a> = fn(&'a str, &'a [u8], NameBudget) -> Result<Facts<'a>, ReadError>;

fn read_member<'a>(
    archive: &str,
    member: Member<'a>,
    budget: NameBudget,
    read: ReadMember<'a>,
) -> Result<Known<'a>, ReadError> {
    // Archives of archives are not followed: linkers do not look into them either.
    if is_archive(member.bytes) {
        return Ok(Err("it is an archive itself"));
    }
    match read(member.name, member.bytes, budget) {
        Ok(facts) => Ok(Ok(facts)),
        Err(ReadError::Unsupported { found, .. }) => Ok(Err(found)),
        Err(ReadError::Malformed { what, place, .. }) => Err(ReadError::malformed(
            archive,
            what,
            format!(
                "{place} of member {}, which starts at offset {}",
                member.name, member.offset
            ),
        )),
        Err(other) => Err(other),
    }
}
