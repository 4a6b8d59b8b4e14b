//! `ar` archives: System V/GNU long names (`//`), BSD long names (`#1/`), GNU 64-bit indexes.

use object::read::archive::ArchiveFile;

use super::ReadError;

/// A member of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name, without the slash that GNU ar puts at its end.
    pub name: &'a str,
    /// Where its contents start in the archive.
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
    if bytes.starts_with(b"!<thin>\n") {
        return Err(ReadError::ThinArchive {
            name: name.to_owned(),
        });
    }
    let archive = ArchiveFile::parse(bytes).map_err(|error| {
        ReadError::malformed(name, error.to_string(), "archive header, offset 0")
    })?;
    if archive.is_thin() {
        return Err(ReadError::ThinArchive {
            name: name.to_owned(),
        });
    }
    let mut members: Vec<Member<'a>> = Vec::new();
    for member in archive.members() {
        let place = || match members.last() {
            Some(last) => format!(
                "after member {}, near offset {}",
                last.name,
                last.offset + last.bytes.len() as u64
            ),
            None => "first member".to_owned(),
        };
        let member =
            member.map_err(|error| ReadError::malformed(name, error.to_string(), place()))?;
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
