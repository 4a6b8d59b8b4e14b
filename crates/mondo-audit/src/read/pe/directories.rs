//! Exports, debug directory and certificates.

use std::collections::HashSet;

use object::LittleEndian as LE;
use object::pe;
use object::read::Bytes;
use object::read::pe::ImageNtHeaders;

use super::reader::Reader;
use crate::image_facts::{Binding, Export, Facts, Signature, Visibility};
use crate::read::error::ReadError;

/// The entry of the debug directory that says where the PDB file is: `RSDS`, GUID, age, path.
const RSDS: &[u8] = b"RSDS";
const GUID_AND_AGE: usize = 20;

/// The extended characteristic that says that the image can run with shadow stacks.
const CET_COMPAT: u32 = 1;

impl<'a, P: ImageNtHeaders> Reader<'a, P> {
    pub(super) fn exports(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let place = self.place("export table", pe::IMAGE_DIRECTORY_ENTRY_EXPORT);
        let fail = |error: object::read::Error| {
            ReadError::malformed(self.name, error.to_string(), &*place)
        };
        let table = self.directories.export_table(self.bytes, &self.sections);
        let Some(table) = table.map_err(fail)? else {
            return Ok(());
        };
        let own_name = table.directory().name.get(LE);
        if own_name != 0 {
            facts.soname = Some(self.text(own_name, &place)?);
        }
        let mut named = HashSet::new();
        for (pointer, index) in table.name_iter() {
            let name = self
                .names
                .text(table.name_from_pointer(pointer).map_err(fail)?, &place)?;
            let address = table.address_by_index(index).map_err(fail)?;
            let forwarded = match table.forward_string(address).map_err(fail)? {
                Some(target) => Some(self.names.text(target, &place)?),
                None => None,
            };
            named.insert(index.0);
            facts.exports.push(Export {
                name: name.into(),
                version: None,
                default_version: true,
                kind: self.kind_at(address),
                binding: Binding::Global,
                visibility: Visibility::Default,
                address: address.into(),
                size: 0,
                forwarded,
            });
        }
        facts.nameless_exports = table
            .address_iter()
            .filter(|(index, _, address)| *address != 0 && !named.contains(&index.0))
            .count();
        Ok(())
    }

    pub(super) fn debug(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let part = "debug directory";
        let place = self.place(part, pe::IMAGE_DIRECTORY_ENTRY_DEBUG);
        let fail = |error: object::read::Error| {
            ReadError::malformed(self.name, error.to_string(), &*place)
        };
        let Some(directory) = self.directories.get(pe::IMAGE_DIRECTORY_ENTRY_DEBUG) else {
            return Ok(());
        };
        let mut entries = Bytes(directory.data(self.bytes, &self.sections).map_err(fail)?);
        while let Ok(entry) = entries.read::<pe::ImageDebugDirectory>() {
            let start = entry.pointer_to_raw_data.get(LE) as usize;
            let size = entry.size_of_data.get(LE) as usize;
            let data = start
                .checked_add(size)
                .and_then(|end| self.bytes.get(start..end))
                .ok_or_else(|| {
                    let what = format!("an entry of {size} bytes reaches beyond the file");
                    ReadError::malformed(self.name, what, format!("{part}, offset {start}"))
                })?;
            match entry.typ.get(LE) {
                pe::IMAGE_DEBUG_TYPE_CODEVIEW => {
                    let Some(rest) = data.strip_prefix(RSDS) else {
                        continue;
                    };
                    let Some((id, path)) = rest.split_at_checked(GUID_AND_AGE) else {
                        let what = "an entry is too short for a GUID";
                        return Err(ReadError::malformed(self.name, what, &*place));
                    };
                    facts.build_id = Some(id);
                    let end = memchr::memchr(0, path).unwrap_or(path.len());
                    facts.pdb = Some(self.names.text(&path[..end], &place)?)
                        .filter(|path| !path.is_empty());
                }
                pe::IMAGE_DEBUG_TYPE_EX_DLLCHARACTERISTICS => {
                    let compatible = data
                        .first()
                        .is_some_and(|bits| u32::from(*bits) & CET_COMPAT != 0);
                    let stack = &mut facts.hardening.shadow_stack;
                    *stack = stack.map(|_| compatible);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The certificates. Theirs is the only directory whose address is a file offset.
    pub(super) fn certificates(&self, facts: &mut Facts<'a>) -> Result<(), ReadError> {
        let Some(directory) = self.directories.get(pe::IMAGE_DIRECTORY_ENTRY_SECURITY) else {
            return Ok(());
        };
        let (start, size) = directory.address_range();
        if u64::from(start) + u64::from(size) > self.bytes.len() as u64 {
            return Err(ReadError::malformed(
                self.name,
                format!("certificates of {size} bytes reach beyond the file"),
                format!("certificates, offset {start}"),
            ));
        }
        facts.signature = (size > 0).then_some(Signature::Certificate);
        Ok(())
    }
}
