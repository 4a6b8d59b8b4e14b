//! Zip files, written from entries.

use flate2::Crc;

const LOCAL: u32 = 0x0403_4b50;
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
pub(crate) const END: u32 = 0x0605_4b50;

/// A zip file of stored entries.
#[must_use]
pub fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut central) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let offset = small(file.len());
        let mut fields = Vec::new();
        fields.extend([0; 10]);
        fields.extend(sum(bytes).to_le_bytes());
        fields.extend(small(bytes.len()).to_le_bytes());
        fields.extend(small(bytes.len()).to_le_bytes());
        fields.extend(small(name.len()).to_le_bytes());
        file.extend(LOCAL.to_le_bytes());
        file.extend(&fields);
        file.extend(name.as_bytes());
        file.extend(*bytes);
        central.extend(CENTRAL.to_le_bytes());
        central.extend([0, 3]);
        central.extend(&fields);
        central.extend([0; 6]);
        central.extend((0o100_644_u32 << 16).to_le_bytes());
        central.extend(offset.to_le_bytes());
        central.extend(name.as_bytes());
    }
    let start = small(file.len());
    let size = small(central.len());
    file.extend(central);
    file.extend(END.to_le_bytes());
    file.extend([0; 4]);
    let count = u16::try_from(entries.len()).unwrap_or_default();
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend(size.to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0; 2]);
    file
}

pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

pub(crate) fn sum(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}
