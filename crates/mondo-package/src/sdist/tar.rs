//! A tar archive in memory, in the format of POSIX.1-2001 (pax): a ustar header for each file, and an
//! extended header before those whose names do not fit into one.

use mondo_core::error::{Error, ErrorKind, Result};

use crate::wheel::Epoch;

const BLOCK: usize = 512;
/// The most bytes of a name in a ustar header.
const NAME: usize = 100;
/// The largest size in bytes that the octal field of a header can represent.
const LARGEST: usize = 0o77_777_777_777;

pub(super) struct Archive {
    bytes: Vec<u8>,
    epoch: Epoch,
}

impl Archive {
    pub(super) fn new(epoch: Epoch) -> Self {
        Self {
            bytes: Vec::new(),
            epoch,
        }
    }

    /// Adds a regular file.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for a file of more than 8 GiB.
    pub(super) fn file(&mut self, path: &str, content: &[u8], executable: bool) -> Result<()> {
        if content.len() > LARGEST {
            return Err(
                Error::new(ErrorKind::Wheel, "a file is too large for an sdist")
                    .at(path)
                    .help("leave it out with `exclude` in [tool.mondo.sdist]"),
            );
        }
        let mode = if executable { 0o755 } else { 0o644 };
        if path.len() <= NAME && path.is_ascii() {
            self.member(path.as_bytes(), b'0', mode, content);
            return Ok(());
        }
        let record = pax_record("path", path);
        self.member(b"pax_header", b'x', 0o644, record.as_bytes());
        let short: String = path.chars().filter(char::is_ascii).take(NAME).collect();
        self.member(short.as_bytes(), b'0', mode, content);
        Ok(())
    }

    /// The archive's bytes, with the two empty blocks at its end.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 2 * BLOCK, 0);
        self.bytes
    }

    fn member(&mut self, name: &[u8], kind: u8, mode: u32, content: &[u8]) {
        let mut header = [0_u8; BLOCK];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, name);
        put(100, format!("{mode:07o}").as_bytes());
        // The owner and the group are 0, and have no names.
        put(108, b"0000000");
        put(116, b"0000000");
        put(124, format!("{:011o}", content.len()).as_bytes());
        put(136, format!("{:011o}", self.epoch.0).as_bytes());
        // The checksum is computed over a header with blanks in the checksum's field.
        put(148, b"        ");
        put(156, &[kind]);
        put(257, b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        self.bytes.extend_from_slice(&header);
        self.bytes.extend_from_slice(content);
        let padding = content.len().next_multiple_of(BLOCK) - content.len();
        self.bytes.resize(self.bytes.len() + padding, 0);
    }
}

/// `<length> <key>=<value>\n`, whose length counts its own digits.
fn pax_record(key: &str, value: &str) -> String {
    let rest = key.len() + value.len() + 3;
    let mut length = rest;
    while length != rest + length.to_string().len() {
        length = rest + length.to_string().len();
    }
    format!("{length} {key}={value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_its_own_digits() {
        for length in 1..300 {
            let record = pax_record("path", &"x".repeat(length));
            let (number, _) = record.split_once(' ').unwrap();
            assert_eq!(number.parse(), Ok(record.len()));
        }
    }
}
