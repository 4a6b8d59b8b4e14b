//! Deflate of a large file in pieces, beside each other: the streams of the pieces become one stream
//! (RFC 1951).
//!
//! A stream is a sequence of blocks of bits, of which the last has a flag. To append another stream,
//! the flag is cleared, and an empty stored block brings the end to a whole byte, as zlib's
//! `Z_SYNC_FLUSH` does. The flag's place is found by reading the blocks' codes, without their contents.

use mondo_core::error::{Error, ErrorKind, Result};

/// The size of a piece in bytes. It is a constant, because the compressed bytes depend on it; a window of
/// deflate is 32 KiB, so pieces of this size cost less than 0.02 %.
pub(super) const PIECE: usize = 8 << 20;

/// One stream with the contents of `streams`, in order.
pub(super) fn join(streams: Vec<(Vec<u8>, End)>) -> Vec<u8> {
    let length: usize = streams.iter().map(|(bytes, _)| bytes.len() + 6).sum();
    let mut joined = Vec::with_capacity(length);
    let last = streams.len().saturating_sub(1);
    for (index, (mut bytes, end)) in streams.into_iter().enumerate() {
        if index == last {
            joined.extend_from_slice(&bytes);
            break;
        }
        bytes[end.flag / 8] &= !(1 << (end.flag % 8));
        let used = end.bits % 8;
        if used > 0 {
            // The rest of the last byte must be zero: it becomes the header of the stored block.
            bytes[end.bits / 8] &= (1 << used) - 1;
        }
        joined.extend_from_slice(&bytes);
        if used == 0 || used > 5 {
            joined.push(0);
        }
        // The length of the stored block, and its complement.
        joined.extend_from_slice(&[0, 0, 0xff, 0xff]);
    }
    joined
}

/// The positions in a deflate stream that joining needs, in bits from the stream's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// The position of the flag that marks the last block.
    flag: usize,
    /// The stream's length.
    bits: usize,
}

impl End {
    /// Finds the two positions in `stream`.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for what is not a deflate stream.
    pub(super) fn of(stream: &[u8]) -> Result<Self> {
        Self::find(stream).ok_or_else(|| {
            Error::new(
                ErrorKind::Wheel,
                "cannot join the parts of a compressed file",
            )
            .because("a part is not a deflate stream")
            .help("this is a bug in mondo: report it")
        })
    }

    fn find(stream: &[u8]) -> Option<Self> {
        let mut bits = Bits {
            bytes: stream,
            at: 0,
        };
        let (mut lengths, mut distances) = (Code::default(), Code::default());
        loop {
            let flag = bits.at;
            let last = bits.take(1) == 1;
            match bits.take(2) {
                0 => {
                    bits.at = bits.at.next_multiple_of(8);
                    let length = bits.take(16) as usize;
                    bits.at += 16 + 8 * length;
                }
                1 => {
                    lengths.set(&fixed_lengths())?;
                    distances.set(&[5; 30])?;
                    skip(&mut bits, &lengths, &distances)?;
                }
                2 => {
                    dynamic(&mut bits, &mut lengths, &mut distances)?;
                    skip(&mut bits, &lengths, &distances)?;
                }
                _ => return None,
            }
            if bits.at > 8 * stream.len() {
                return None;
            }
            if last {
                return Some(Self {
                    flag,
                    bits: bits.at,
                });
            }
        }
    }
}

/// A reader of bits, least significant first; zeros follow the end.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next bits, at least 56 of them.
    fn peek(&self) -> u64 {
        let start = self.at / 8;
        let mut word = [0; 8];
        match self.bytes.get(start..start + 8) {
            Some(bytes) => word.copy_from_slice(bytes),
            None => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                word[..rest.len()].copy_from_slice(rest);
            }
        }
        u64::from_le_bytes(word) >> (self.at % 8)
    }

    fn take(&mut self, count: usize) -> u64 {
        let value = self.peek() & ((1 << count) - 1);
        self.at += count;
        value
    }
}

/// The longest code of a symbol, in bits.
const LONGEST: usize = 15;

/// A prefix code as a table: the symbol and the length of its code, by the next [`LONGEST`] bits.
#[derive(Default)]
struct Code(Vec<(u16, u8)>);

impl Code {
    /// The canonical code of these lengths. None if they do not give one.
    fn set(&mut self, lengths: &[u8]) -> Option<()> {
        self.0.clear();
        self.0.resize(1 << LONGEST, (0, 0));
        let mut code = 0;
        for length in 1..=LONGEST {
            code <<= 1;
            let symbols = lengths.iter().enumerate();
            for (symbol, _) in
                symbols.filter(|(_, symbol_length)| usize::from(**symbol_length) == length)
            {
                if code >= 1 << length {
                    return None;
                }
                let first = (code as u16).reverse_bits() as usize >> (16 - length);
                for slot in self.0[first..].iter_mut().step_by(1 << length) {
                    *slot = (symbol as u16, length as u8);
                }
                code += 1;
            }
        }
        Some(())
    }

    /// The next symbol. None where no code begins like this.
    fn next(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (symbol, length) = self.0[(bits.peek() & ((1 << LONGEST) - 1)) as usize];
        bits.at += usize::from(length);
        (length > 0).then_some(symbol.into())
    }
}

/// The symbol that ends a block; those above it are lengths of matches.
const END_OF_BLOCK: usize = 256;

/// The number of further bits by the symbol of a length, and by that of a distance.
const LENGTH_BITS: [u8; 29] = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];
const DISTANCE_BITS: [u8; 30] = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
];

/// Passes over the symbols of a block.
fn skip(bits: &mut Bits<'_>, lengths: &Code, distances: &Code) -> Option<()> {
    let end = 8 * bits.bytes.len();
    while bits.at <= end {
        let symbol = lengths.next(bits)?;
        match symbol {
            0..END_OF_BLOCK => {}
            END_OF_BLOCK => return Some(()),
            _ => {
                bits.at += usize::from(*LENGTH_BITS.get(symbol - END_OF_BLOCK - 1)?);
                let distance = distances.next(bits)?;
                bits.at += usize::from(*DISTANCE_BITS.get(distance)?);
            }
        }
    }
    None
}

/// The code lengths of blocks with fixed codes.
fn fixed_lengths() -> [u8; 288] {
    std::array::from_fn(|symbol| match symbol {
        144..=255 => 9,
        256..=279 => 7,
        _ => 8,
    })
}

/// The order in which the code lengths of the codes of code lengths are written.
const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// Reads the codes of a block with codes of its own.
fn dynamic(bits: &mut Bits<'_>, lengths: &mut Code, distances: &mut Code) -> Option<()> {
    let symbols = 257 + bits.take(5) as usize;
    let all = symbols + 1 + bits.take(5) as usize;
    let mut first = [0; 19];
    for place in &ORDER[..4 + bits.take(4) as usize] {
        first[*place] = bits.take(3) as u8;
    }
    // `lengths` is used as a buffer for the code of code lengths first, and then overwritten.
    lengths.set(&first)?;
    let mut read = Vec::with_capacity(all);
    while read.len() < all {
        let (value, times) = match lengths.next(bits)? {
            16 => (*read.last()?, 3 + bits.take(2)),
            17 => (0, 3 + bits.take(3)),
            18 => (0, 11 + bits.take(7)),
            length => (length as u8, 1),
        };
        read.extend(std::iter::repeat_n(value, times as usize));
    }
    let (first, second) = read.split_at_checked(symbols)?;
    lengths.set(first)?;
    distances.set(second)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use libdeflater::{CompressionLvl, Compressor};
    use proptest::prelude::*;

    use super::*;

    fn deflate(content: &[u8], level: i32) -> Vec<u8> {
        let mut compressor = Compressor::new(CompressionLvl::new(level).unwrap());
        let mut out = vec![0; compressor.deflate_compress_bound(content.len())];
        let length = compressor.deflate_compress(content, &mut out).unwrap();
        out.truncate(length);
        out
    }

    /// Joins the streams of `pieces`, and inflates the result.
    fn through(pieces: &[&[u8]], level: i32) -> Vec<u8> {
        let streams = pieces.iter().map(|piece| {
            let stream = deflate(piece, level);
            let end = End::of(&stream).unwrap();
            (stream, end)
        });
        let joined = join(streams.collect());
        let mut out = Vec::new();
        let mut reader = flate2::read::DeflateDecoder::new(joined.as_slice());
        reader.read_to_end(&mut out).unwrap();
        assert_eq!(reader.total_in(), joined.len() as u64, "nothing follows");
        out
    }

    /// Text whose matches are near and far, with parts that do not compress.
    fn mixed(length: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        (0..length)
            .map(|at| match at / 3000 % 3 {
                0 => b"mlir"[at % 4],
                1 => (next() % 11) as u8,
                _ => next() as u8,
            })
            .collect()
    }

    #[test]
    fn pieces_of_any_length_and_level_become_one_stream() {
        let all = mixed(200_000);
        for level in [0, 1, 5, 10, 12] {
            for cut in [0, 1, 7, 3000, 65_535, 65_536, 199_999] {
                let (a, b) = all.split_at(cut);
                let (b, c) = b.split_at(b.len() / 2);
                assert!(through(&[a, b, c], level) == all, "{level} {cut}");
            }
        }
    }

    #[test]
    fn what_is_no_stream_is_an_error() {
        let stream = deflate(&mixed(50_000), 6);
        assert!(End::of(&stream).is_ok());
        assert!(End::of(&stream[..stream.len() / 2]).is_err());
        assert!(End::of(&[]).is_err());
        assert!(End::of(&[7]).is_err());
    }

    proptest! {
        #[test]
        fn small_pieces_become_one_stream(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 1..6),
            level in 0..13,
        ) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            prop_assert_eq!(through(&pieces, level), pieces.concat());
        }

        #[test]
        fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = End::of(&bytes);
        }
    }
}
