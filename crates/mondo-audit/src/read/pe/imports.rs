//! Imports and delayed imports: a list of libraries, each with a list of names or numbers.

use object::LittleEndian as LE;
use object::pe;
use object::read::Bytes;
use object::read::pe::{ImageNtHeaders, ImageThunkData as _};

use super::reader::Reader;
use crate::image_facts::{Facts, Import};
use crate::read::error::ReadError;

/// The bit that says that a delayed import is described by relative addresses.
const RELATIVE: u32 = 1;

impl<'a, P: ImageNtHeaders> Reader<'a, P> {
    pub(super) fn imports(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let place = self.place("import table", pe::IMAGE_DIRECTORY_ENTRY_IMPORT);
        let Some(directory) = self.directories.get(pe::IMAGE_DIRECTORY_ENTRY_IMPORT) else {
            return Ok(());
        };
        // The loader goes on to an empty entry, whatever size is stated.
        let mut entries = Bytes(self.at(directory.virtual_address.get(LE), &place)?);
        loop {
            let Ok(entry) = entries.read::<pe::ImageImportDescriptor>() else {
                return Err(self.endless(&place));
            };
            if entry.name.get(LE) == 0 {
                return Ok(());
            }
            let library = self.text(entry.name.get(LE), &place)?;
            facts.needed.push(library);
            // Before binding both lists are the same; old linkers leave the first one out.
            let names = match entry.original_first_thunk.get(LE) {
                0 => entry.first_thunk.get(LE),
                names => names,
            };
            self.thunks(facts, library, names, false, &place)?;
        }
    }

    pub(super) fn delayed_imports(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let place = self.place("delayed imports", pe::IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT);
        let Some(directory) = self.directories.get(pe::IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT) else {
            return Ok(());
        };
        let mut entries = Bytes(self.at(directory.virtual_address.get(LE), &place)?);
        loop {
            let Ok(entry) = entries.read::<pe::ImageDelayloadDescriptor>() else {
                return Err(self.endless(&place));
            };
            if entry.is_null() {
                return Ok(());
            }
            if entry.attributes.get(LE) & RELATIVE == 0 {
                facts
                    .unseen
                    .push("delayed imports in the form of Visual C++ 6".to_owned());
                return Ok(());
            }
            let library = self.text(entry.dll_name_rva.get(LE), &place)?;
            facts.needed.push(library);
            facts.optional.push(library);
            let names = entry.import_name_table_rva.get(LE);
            self.thunks(facts, library, names, true, &place)?;
        }
    }

    /// One library's names.
    fn thunks(
        &self,
        facts: &mut Facts<'a>,
        library: &'a str,
        address: u32,
        weak: bool,
        place: &str,
    ) -> Result<(), ReadError> {
        let mut thunks = Bytes(self.at(address, place)?);
        loop {
            let Ok(thunk) = thunks.read::<P::ImageThunkData>() else {
                return Err(self.endless(place));
            };
            if thunk.raw() == 0 {
                return Ok(());
            }
            let (name, ordinal) = if thunk.is_ordinal() {
                self.names.count(&[], place)?;
                ("", Some(thunk.ordinal()))
            } else {
                // A hint of two bytes stands before the name.
                let at = thunk.address().saturating_add(2);
                (self.text(at, place)?, None)
            };
            facts.imports.push(Import {
                name,
                ordinal,
                version: None,
                library: Some(library),
                weak,
            });
        }
    }

    fn endless(&self, place: &str) -> ReadError {
        ReadError::malformed(self.name, "a list without an end", place)
    }
}
