//! The code signature: its kind, and whether the signed bytes of the file are unchanged.

use object::macho::{self, CsCodeDirectoryV0, LinkeditDataCommand};
use object::read::macho::MachHeader;
use object::{BigEndian, Endianness};
use rayon::prelude::*;
use ring::digest::{Algorithm, SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};

use super::reader::Reader;
use crate::image_facts::{Facts, Signature};
use crate::read::error::ReadError;

/// A CMS blob without a signature in it has a header and nothing more.
const EMPTY_CMS: usize = 8;

impl<'a, M: MachHeader<Endian = Endianness>> Reader<'a, M> {
    pub(super) fn signature(
        &self,
        facts: &mut Facts<'a>,
        command: &LinkeditDataCommand<Endianness>,
    ) -> Result<(), ReadError> {
        let start = command.dataoff.get(self.endian);
        let place = || format!("code signature, offset {start}");
        let fail = |error: object::read::Error| {
            ReadError::malformed(self.name, error.to_string(), place())
        };
        let signature = command
            .code_signature(self.endian, self.bytes)
            .map_err(fail)?;
        let mut blobs = signature.blobs();
        let mut found = Signature::AdHoc;
        // There may be one code directory for each kind of hash. Only the best is compared with the file: each
        // comparison hashes the whole file.
        let mut directory: Option<Directory<'a>> = None;
        while let Some(blob) = blobs.next().map_err(fail)? {
            if blob.magic() == macho::CSMAGIC_BLOBWRAPPER && blob.data().len() > EMPTY_CMS {
                found = Signature::Certificate;
            }
            if blob.magic() == macho::CSMAGIC_CODEDIRECTORY {
                let what = "a code directory that is cut short";
                let other = Directory::read(blob.data())
                    .ok_or_else(|| ReadError::malformed(self.name, what, place()))?;
                if directory
                    .as_ref()
                    .is_none_or(|known| known.rank() < other.rank())
                {
                    directory = Some(other);
                }
            }
        }
        facts.signature = Some(found);
        match directory.and_then(|directory| directory.changed_pages(self.bytes)) {
            Some(changed) => facts.changed_pages = changed,
            None => facts
                .unseen
                .push("a signature whose hashes could not be held against the file".to_owned()),
        }
        Ok(())
    }
}

/// The hashes of a file's pages.
struct Directory<'a> {
    header: &'a CsCodeDirectoryV0,
    hashes: &'a [u8],
}

impl<'a> Directory<'a> {
    /// `None` if it says that it has more than its bytes.
    fn read(blob: &'a [u8]) -> Option<Self> {
        let (header, _) = object::pod::from_bytes::<CsCodeDirectoryV0>(blob).ok()?;
        let start = header.hash_offset.get(BigEndian) as usize;
        let slots = header.n_code_slots.get(BigEndian) as usize;
        let size = slots.checked_mul(header.hash_size.into())?;
        let hashes = blob.get(start..start.checked_add(size)?)?;
        Some(Self { header, hashes })
    }

    fn algorithm(&self) -> Option<&'static Algorithm> {
        let algorithm = match self.header.hash_type {
            macho::CS_HASHTYPE_SHA1 => &SHA1_FOR_LEGACY_USE_ONLY,
            macho::CS_HASHTYPE_SHA256 => &SHA256,
            _ => return None,
        };
        (algorithm.output_len() == usize::from(self.header.hash_size)).then_some(algorithm)
    }

    /// The better hash is the one to check.
    fn rank(&self) -> usize {
        self.algorithm().map_or(0, Algorithm::output_len)
    }

    /// The number of pages whose hash differs from the signed one. Pages without a hash, and pages that the file
    /// lacks, count as different. `None` if the kind of hash is not known here, or if the signed size is stored in
    /// the field that only files of more than 4 GiB use.
    fn changed_pages(&self, bytes: &[u8]) -> Option<u64> {
        let algorithm = self.algorithm()?;
        let limit = Some(self.header.code_limit.get(BigEndian)).filter(|&limit| limit > 0)?;
        // A page size of zero means that the whole file is one page.
        let page = match self.header.page_size {
            0 => limit,
            bits => 1_u32.checked_shl(bits.into()).unwrap_or(u32::MAX),
        };
        let signed = &bytes[..bytes.len().min(limit as usize)];
        let hashes = self.hashes.par_chunks(algorithm.output_len());
        let right = signed
            .par_chunks(page as usize)
            .zip(hashes)
            .filter(|(page, hash)| digest(algorithm, page).as_ref() == *hash)
            .count();
        Some(u64::from(limit.div_ceil(page)).saturating_sub(right as u64))
    }
}
