//! The sections of a file.

use crate::error::Error;
use crate::reader::Reader;

/// The kind of a section, by its number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The strings that the others refer to.
    String,
    /// The dialects and the names of operations.
    Dialect,
    /// The contents of attributes and types.
    AttrType,
    /// The sizes of attributes and types.
    AttrTypeOffset,
    /// The operations.
    Ir,
    /// The contents of resources.
    Resource,
    /// The names and sizes of resources.
    ResourceOffset,
    /// The version of a dialect, within the section of dialects.
    DialectVersions,
    /// The properties of operations.
    Properties,
}

use Section::{
    AttrType, AttrTypeOffset, Dialect, DialectVersions, Ir, Properties, Resource, ResourceOffset,
    String,
};

const ALL: [Section; 9] = [
    String,
    Dialect,
    AttrType,
    AttrTypeOffset,
    Ir,
    Resource,
    ResourceOffset,
    DialectVersions,
    Properties,
];

impl Section {
    pub(crate) fn of(number: u8) -> Option<Self> {
        ALL.get(usize::from(number)).copied()
    }

    fn is_required(self, version: u64) -> bool {
        match self {
            String | Dialect | AttrType | AttrTypeOffset | Ir => true,
            Resource | ResourceOffset | DialectVersions => false,
            Properties => version >= 5,
        }
    }
}

/// The sections at the top level of a file, each at most once.
#[derive(Debug)]
pub(crate) struct Sections<'a> {
    found: [Option<Reader<'a>>; ALL.len()],
    /// The offset of the file's end.
    end: usize,
}

impl<'a> Sections<'a> {
    pub(crate) fn read(mut reader: Reader<'a>, version: u64) -> Result<Self, Error> {
        let mut found = [None; ALL.len()];
        while !reader.is_empty() {
            let at = reader.offset();
            let (section, contents) = reader.section()?;
            if found[section as usize].replace(contents).is_some() {
                return Err(Error::new(at, format!("a second section {section:?}")));
            }
        }
        let end = reader.offset();
        let sections = Self { found, end };
        for section in ALL {
            if section.is_required(version) {
                sections.required(section)?;
            }
        }
        if found[Resource as usize].is_some() != found[ResourceOffset as usize].is_some() {
            return Err(Error::new(
                end,
                "one of the sections Resource and ResourceOffset is missing",
            ));
        }
        Ok(sections)
    }

    /// A section that must be there.
    pub(crate) fn required(&self, section: Section) -> Result<Reader<'a>, Error> {
        self.optional(section)
            .ok_or_else(|| Error::new(self.end, format!("the section {section:?} is missing")))
    }

    /// A section that may be absent.
    pub(crate) fn optional(&self, section: Section) -> Option<Reader<'a>> {
        self.found[section as usize]
    }
}
