//! The code signature.

use object::Endianness;
use object::macho::{self, LinkeditDataCommand};
use object::read::macho::MachHeader;

use super::{ReadError, Reader};
use crate::facts::Signature;

/// A CMS blob without a signature in it has a header and nothing more.
const EMPTY_CMS: usize = 8;

impl<'a, M: MachHeader<Endian = Endianness>> Reader<'a, M> {
    /// Whether anyone signed.
    pub(super) fn signature(
        &self,
        command: &LinkeditDataCommand<Endianness>,
    ) -> Result<Signature, ReadError> {
        let start = command.dataoff.get(self.endian);
        let fail = |error: object::read::Error| {
            let place = format!("code signature, offset {start}");
            ReadError::malformed(self.name, error.to_string(), place)
        };
        let signature = command
            .code_signature(self.endian, self.bytes)
            .map_err(fail)?;
        let mut blobs = signature.blobs();
        let mut found = Signature::AdHoc;
        while let Some(blob) = blobs.next().map_err(fail)? {
            if blob.magic() == macho::CSMAGIC_BLOBWRAPPER && blob.data().len() > EMPTY_CMS {
                found = Signature::Certificate;
            }
        }
        Ok(found)
    }
}
