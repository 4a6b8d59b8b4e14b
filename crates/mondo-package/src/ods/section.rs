//! The section of an archive's object files that describes dialects defined in Rust.

use std::collections::BTreeMap;

use camino::Utf8Path;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection};

use super::described::{self, Description, SECTION};

/// The descriptions in a static archive, by the dialects' names.
pub(super) fn read(archive: &Utf8Path) -> Result<BTreeMap<String, Description>> {
    let unreadable = |error: object::read::Error| {
        Error::new(ErrorKind::Archive, "cannot read the archive")
            .at(archive)
            .caused_by(error)
    };
    let map = file::map(archive)?;
    let file = ArchiveFile::parse(&*map).map_err(unreadable)?;
    let mut found = BTreeMap::new();
    for member in file.members() {
        let member = member.map_err(unreadable)?;
        let data = member.data(&*map).map_err(unreadable)?;
        // An archive of Rust also has members that are not object files.
        let Ok(object) = object::File::parse(data) else {
            continue;
        };
        let sections = object.sections();
        for section in sections.filter(|section| section.name() == Ok(SECTION)) {
            let bytes = section.data().map_err(unreadable)?;
            for description in described::parse(bytes).map_err(|error| error.at(archive))? {
                found.insert(description.name.clone(), description);
            }
        }
    }
    Ok(found)
}
