//! Notes: the build-id, and the properties by which compilers mark hardened code.

use object::read::elf::{FileHeader, Note, ProgramHeader as _};
use object::{Endianness, elf};

use super::reader::{Reader, in_part};
use crate::image_facts::{Arch, Hardening};
use crate::read::error::ReadError;

/// Contents of the notes.
#[derive(Default)]
pub(super) struct Notes<'a> {
    pub(super) build_id: Option<&'a [u8]>,
    pub(super) hardening: Hardening,
}

impl<'a, E: FileHeader<Endian = Endianness>> Reader<'a, E> {
    pub(super) fn notes(&self, arch: Arch) -> Result<Notes<'a>, ReadError> {
        let mut found = Notes::default();
        if matches!(arch, Arch::X86 | Arch::X86_64 | Arch::Aarch64) {
            found.hardening.landing_pads = Some(false);
            found.hardening.shadow_stack = Some(false);
        }
        let mut left = self.bytes.len() as u64;
        for segment in self.segments {
            let fail = in_part(self.name, "notes", segment.p_offset(self.endian).into());
            let Some(mut notes) = segment.notes(self.endian, self.bytes).map_err(&fail)? else {
                continue;
            };
            // Note segments of well-formed files do not overlap, so their sizes together are at most the file's.
            left = left
                .checked_sub(segment.p_filesz(self.endian).into())
                .ok_or_else(|| {
                    let place = format!("notes, offset {}", segment.p_offset(self.endian).into());
                    ReadError::malformed(self.name, "more notes than the file has bytes", place)
                })?;
            while let Some(note) = notes.next().map_err(&fail)? {
                if note.name() != elf::ELF_NOTE_GNU {
                    continue;
                }
                if note.n_type(self.endian) == elf::NT_GNU_BUILD_ID && !note.desc().is_empty() {
                    found.build_id = found.build_id.or(Some(note.desc()));
                }
                for (kind, bits) in self.properties(&note).map_err(&fail)? {
                    let pair = match (arch, kind) {
                        (Arch::X86 | Arch::X86_64, elf::GNU_PROPERTY_X86_FEATURE_1_AND) => (
                            elf::GNU_PROPERTY_X86_FEATURE_1_IBT,
                            elf::GNU_PROPERTY_X86_FEATURE_1_SHSTK,
                        ),
                        (Arch::Aarch64, elf::GNU_PROPERTY_AARCH64_FEATURE_1_AND) => (
                            elf::GNU_PROPERTY_AARCH64_FEATURE_1_BTI,
                            elf::GNU_PROPERTY_AARCH64_FEATURE_1_PAC,
                        ),
                        _ => continue,
                    };
                    found.hardening.landing_pads = Some(bits & pair.0 != 0);
                    found.hardening.shadow_stack = Some(bits & pair.1 != 0);
                }
            }
        }
        Ok(found)
    }

    /// The properties of a note that are words, by type.
    fn properties(
        &self,
        note: &Note<'a, E>,
    ) -> object::read::Result<Vec<(elf::GnuPropertyType, u32)>> {
        let mut found = Vec::new();
        let Some(mut properties) = note.gnu_properties(self.endian) else {
            return Ok(found);
        };
        while let Some(property) = properties.next()? {
            if let Ok(bits) = property.data_u32(self.endian) {
                found.push((property.pr_type(), bits));
            }
        }
        Ok(found)
    }
}
