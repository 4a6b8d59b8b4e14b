//! Correction of checksums and sizes in mutated zip files.

use flate2::{Decompress, FlushDecompress};

use crate::zip::{CENTRAL, END, small, sum};

/// An entry that unpacks to more bytes is not unpacked to compute its checksum.
const MOST: usize = 1 << 18;

/// Writes the sums and sizes that the entries of a central directory have into their headers.
pub(crate) fn settle(file: &mut [u8]) {
    let Some(end) = (0..file.len().saturating_sub(21))
        .rev()
        .find(|&at| u32_at(file, at) == Some(END))
    else {
        return;
    };
    let Some(start) = u32_at(file, end + 16) else {
        return;
    };
    let mut at = start as usize;
    while at < end && u32_at(file, at) == Some(CENTRAL) {
        settle_entry(file, at);
        let lengths = [28, 30, 32].map(|field| usize::from(u16_at(file, at + field).unwrap_or(0)));
        at += 46 + lengths.iter().sum::<usize>();
    }
}

fn settle_entry(file: &mut [u8], at: usize) -> Option<()> {
    let method = u16_at(file, at + 10)?;
    let packed = u32_at(file, at + 20)? as usize;
    let local = u32_at(file, at + 42)? as usize;
    let lengths = usize::from(u16_at(file, local + 26)?) + usize::from(u16_at(file, local + 28)?);
    let data = local.checked_add(30 + lengths)?;
    let packed = file.get(data..data.checked_add(packed)?)?;
    let mut unpacked = Vec::with_capacity(MOST);
    let bytes = if method == 8 {
        Decompress::new(false)
            .decompress_vec(packed, &mut unpacked, FlushDecompress::Finish)
            .ok()?;
        unpacked.as_slice()
    } else {
        packed
    };
    let (sum, size) = (sum(bytes), small(bytes.len()));
    for (place, number) in [
        (at + 16, sum),
        (at + 24, size),
        (local + 14, sum),
        (local + 22, size),
    ] {
        file.get_mut(place..place + 4)?
            .copy_from_slice(&number.to_le_bytes());
    }
    Some(())
}

fn u16_at(file: &[u8], at: usize) -> Option<u16> {
    let field = file.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(field.try_into().ok()?))
}

fn u32_at(file: &[u8], at: usize) -> Option<u32> {
    let field = file.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}
