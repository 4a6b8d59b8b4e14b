//! The sections of a file.

use crate::error::Error;
use crate::reader::Reader;
use crate::section::{ALL, Section};

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
        if found[Section::Resource as usize].is_some()
            != found[Section::ResourceOffset as usize].is_some()
        {
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
