//! The zip container: members that are compressed already become one archive in memory.
//!
//! Written here and not through the `zip` crate, because that one takes compressed bytes only from
//! another zip archive, which we would have to write first, and compresses with zlib-rs, whose wheels
//! are larger at comparable levels (bytes, LLVM 22.1.8, x86-64):
//!
//! | bundle | libdeflate 12 | zlib-rs 9 | libdeflate 5 | zlib-rs 6 |
//! |---|---|---|---|---|
//! | core | 1 982 849 | 2 039 146 | 2 051 788 | 2 087 373 |
//! | default | 26 183 700 | 26 936 975 | 27 217 415 | 27 667 924 |
//!
//! A wheel needs three records of PKWARE's APPNOTE; there are no data descriptors, no comments, and no
//! extra fields but zip64's. The `zip` crate reads every wheel back before it has its name
//! (`read_back`), and Python's `zipfile` reads the result in the tests.

/// One file of the archive.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its path, UTF-8, at most 65 535 bytes.
    pub(crate) path: String,
    /// Its Unix permissions: 0o644 or 0o755.
    pub(crate) permissions: u32,
    /// CRC-32 of its content.
    pub(crate) crc: u32,
    /// The content's size in bytes.
    pub(crate) size: u64,
    /// The content as a raw deflate stream.
    pub(crate) deflated: Vec<u8>,
}

/// Limits of the plain zip format: a field that reaches its limit must be stored as zip64.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// For sizes and offsets.
    pub(crate) bytes: u64,
    /// For the number of members.
    pub(crate) members: u64,
}

impl Limits {
    /// The format's own: a field of all ones means "see zip64".
    pub(crate) const FORMAT: Self = Self {
        bytes: u32::MAX as u64,
        members: u16::MAX as u64,
    };
}

const DEFLATE: u16 = 8;
const UTF8_NAME: u16 = 1 << 11;
const MADE_BY_UNIX: u16 = 3 << 8;
const NEEDS_DEFLATE: u16 = 20;
const NEEDS_ZIP64: u16 = 45;
const REGULAR_FILE: u32 = 0o100_000;

/// The archive of `members`, in their order, each with the time `dos` (time, date).
pub(crate) fn assemble(members: &[Member], dos: (u16, u16), limits: Limits) -> Vec<u8> {
    let names: usize = members.iter().map(|m| 2 * m.path.len() + 128).sum();
    let data: usize = members.iter().map(|m| m.deflated.len()).sum();
    let mut out = Out {
        bytes: Vec::with_capacity(names + data + 128),
        limits,
    };
    let mut offsets = Vec::with_capacity(members.len());
    for member in members {
        offsets.push(out.position());
        out.local_header(member, dos);
        out.bytes.extend_from_slice(&member.deflated);
    }
    let start = out.position();
    for (member, offset) in members.iter().zip(offsets) {
        out.central_header(member, dos, offset);
    }
    out.end(members.len() as u64, start);
    out.bytes
}

/// The bytes of the archive that have been written so far.
struct Out {
    bytes: Vec<u8>,
    limits: Limits,
}

impl Out {
    fn position(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// The value where the plain format can hold it; otherwise all ones, which points to zip64.
    fn plain(&self, value: u64) -> u32 {
        if value < self.limits.bytes {
            u32::try_from(value).unwrap_or(u32::MAX)
        } else {
            u32::MAX
        }
    }

    fn local_header(&mut self, member: &Member, dos: (u16, u16)) {
        let packed = member.deflated.len() as u64;
        // A local header has either both sizes in zip64 or none (APPNOTE 4.5.3).
        let large = member.size.max(packed) >= self.limits.bytes;
        let extra = if large {
            vec![member.size, packed]
        } else {
            Vec::new()
        };
        self.u32(0x0403_4b50);
        self.common(member, dos, !extra.is_empty());
        self.u32(if large { u32::MAX } else { self.plain(packed) });
        self.u32(if large {
            u32::MAX
        } else {
            self.plain(member.size)
        });
        self.u16(member.path.len() as u16);
        self.u16(extra_len(&extra));
        self.bytes.extend_from_slice(member.path.as_bytes());
        self.zip64_extra(&extra);
    }

    fn central_header(&mut self, member: &Member, dos: (u16, u16), offset: u64) {
        let packed = member.deflated.len() as u64;
        // The ZIP64 field of a central header has only those of these values that do not fit into 32 bits, in this order.
        let mut extra = vec![member.size, packed, offset];
        extra.retain(|value| *value >= self.limits.bytes);
        let needs = if extra.is_empty() {
            NEEDS_DEFLATE
        } else {
            NEEDS_ZIP64
        };
        self.u32(0x0201_4b50);
        self.u16(MADE_BY_UNIX | needs);
        self.common(member, dos, !extra.is_empty());
        self.u32(self.plain(packed));
        self.u32(self.plain(member.size));
        self.u16(member.path.len() as u16);
        self.u16(extra_len(&extra));
        self.u16(0); // comment
        self.u16(0); // disk
        self.u16(0); // internal attributes
        self.u32((REGULAR_FILE | member.permissions) << 16);
        self.u32(self.plain(offset));
        self.bytes.extend_from_slice(member.path.as_bytes());
        self.zip64_extra(&extra);
    }

    /// The fields that both headers of a member begin with.
    fn common(&mut self, member: &Member, (time, date): (u16, u16), zip64: bool) {
        self.u16(if zip64 { NEEDS_ZIP64 } else { NEEDS_DEFLATE });
        self.u16(if member.path.is_ascii() { 0 } else { UTF8_NAME });
        self.u16(DEFLATE);
        self.u16(time);
        self.u16(date);
        self.u32(member.crc);
    }

    fn zip64_extra(&mut self, values: &[u64]) {
        if values.is_empty() {
            return;
        }
        self.u16(1);
        self.u16(8 * values.len() as u16);
        for value in values {
            self.u64(*value);
        }
    }

    fn end(&mut self, members: u64, start: u64) {
        let end = self.position();
        let size = end - start;
        if members >= self.limits.members || size.max(start) >= self.limits.bytes {
            self.u32(0x0606_4b50);
            self.u64(44); // the length of what follows in this record
            self.u16(MADE_BY_UNIX | NEEDS_ZIP64);
            self.u16(NEEDS_ZIP64);
            self.u32(0); // this disk
            self.u32(0); // the directory's disk
            self.u64(members);
            self.u64(members);
            self.u64(size);
            self.u64(start);
            self.u32(0x0706_4b50);
            self.u32(0); // the disk of the record above
            self.u64(end);
            self.u32(1); // disks
        }
        let count = if members < self.limits.members {
            members as u16
        } else {
            u16::MAX
        };
        self.u32(0x0605_4b50);
        self.u16(0); // this disk
        self.u16(0); // the directory's disk
        self.u16(count);
        self.u16(count);
        self.u32(self.plain(size));
        self.u32(self.plain(start));
        self.u16(0); // comment
    }
}

fn extra_len(values: &[u64]) -> u16 {
    if values.is_empty() {
        0
    } else {
        4 + 8 * values.len() as u16
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    /// "hello" as a stored block: an independent reader must still find it.
    fn member(path: &str, permissions: u32) -> Member {
        Member {
            path: path.to_owned(),
            permissions,
            crc: 0x3610_a686,
            size: 5,
            deflated: b"\x01\x05\x00\xfa\xffhello".to_vec(),
        }
    }

    fn check(limits: Limits) -> Vec<u8> {
        let members = [member("a.txt", 0o644), member("b/ü.sh", 0o755)];
        let bytes = assemble(&members, (0, 0x21), limits);
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes.clone())).unwrap();
        assert_eq!(archive.len(), 2);
        for (index, member) in members.iter().enumerate() {
            let mut file = archive.by_index(index).unwrap();
            assert_eq!(file.name().unwrap(), member.path);
            assert_eq!(file.unix_mode(), Some(0o100_000 | member.permissions));
            assert_eq!((file.size(), file.compressed_size()), (5, 10));
            let time = file.last_modified().unwrap();
            assert_eq!(
                (time.year(), time.month(), time.day(), time.hour()),
                (1980, 1, 1, 0)
            );
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            assert_eq!(text, "hello");
        }
        bytes
    }

    #[test]
    fn a_plain_archive_has_nothing_of_zip64() {
        let bytes = check(Limits::FORMAT);
        assert!(
            !bytes
                .windows(4)
                .any(|w| w == b"PK\x06\x06" || w == b"PK\x06\x07")
        );
        let names = 2 * ("a.txt".len() + "b/ü.sh".len());
        assert_eq!(
            bytes.len(),
            2 * (30 + 46 + 10) + names + 22,
            "no extra fields"
        );
    }

    #[test]
    fn zip64_is_read_back_wherever_a_field_is_too_small() {
        for bytes in [1, 6, 8, 11, 60, 200] {
            for members in [1, 2, 100] {
                check(Limits { bytes, members });
            }
        }
    }
}
