//! Debian's package files, as deb(5) describes them: an `ar` archive of the format's version, a tar file with the
//! package's description, and one with its files.

use std::io::Read;

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_core::file;

use crate::tar_archive::{self, damaged, failed};

const MAGIC: &[u8] = b"!<arch>\n";

/// The bytes before each member of an `ar` archive.
const HEADER: usize = 60;

/// Unpacks the files of a package into `folder`, which may be new.
///
/// # Errors
/// `ErrorKind::Integrity` where the file is not a package or is damaged, and `ErrorKind::Io` on a full disk.
pub(super) fn unpack(package: &Utf8Path, folder: &Utf8Path, most: u64) -> Result<()> {
    let mut package: Box<dyn Read> = Box::new(file::open(package)?);
    let mut magic = [0; MAGIC.len()];
    package.read_exact(&mut magic).map_err(failed)?;
    if magic != MAGIC {
        return Err(damaged("it is not a Debian package"));
    }
    let version = member(&mut package)?;
    if version.name != "debian-binary" {
        return Err(damaged("it does not begin with the format's version"));
    }
    let mut text = String::new();
    let mut contents = package.as_mut().take(version.size);
    contents.read_to_string(&mut text).map_err(failed)?;
    if !text.starts_with("2.") {
        return Err(damaged("it has another version of the format"));
    }
    skip(&mut package, version.size % 2)?;
    let description = member(&mut package)?;
    if !description.name.starts_with("control.tar") {
        return Err(damaged("it has no description"));
    }
    skip(&mut package, description.size.next_multiple_of(2))?;
    let data = member(&mut package)?;
    if !data.name.starts_with("data.tar") {
        return Err(damaged("it has no files"));
    }
    let contents = package.take(data.size);
    let contents = tar_archive::decompressed(&data.name, contents)?;
    tar_archive::unpack(contents, folder, most, |_| true)
}

struct Member {
    name: String,
    size: u64,
}

/// Reads the header of the next member.
fn member(package: &mut impl Read) -> Result<Member> {
    let mut header = [0; HEADER];
    package.read_exact(&mut header).map_err(failed)?;
    let field = |from: usize, to: usize| {
        let text = std::str::from_utf8(&header[from..to]).unwrap_or_default();
        text.trim_end_matches([' ', '/'])
    };
    let size = field(48, 58).parse();
    match (size, &header[58..]) {
        (Ok(size), b"`\n") => Ok(Member {
            name: field(0, 16).to_owned(),
            size,
        }),
        _ => Err(damaged("the header of a member is invalid")),
    }
}

fn skip(package: &mut impl Read, bytes: u64) -> Result<()> {
    let skipped = std::io::copy(&mut package.take(bytes), &mut std::io::sink()).map_err(failed)?;
    match skipped == bytes {
        true => Ok(()),
        false => Err(damaged("it ends early")),
    }
}
