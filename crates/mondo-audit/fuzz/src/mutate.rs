//! Mutations that know a little about binary formats: they find tables by following offsets in the file, and replace
//! numbers by values that often expose errors of readers.

use libfuzzer_sys::fuzzer_mutate;

use crate::settle::settle;

/// Numbers from a seed; the same ones each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        // The constants are those of the splitmix64 generator.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or_default()
    }
}

/// Mutates an image: in half of the cases with libFuzzer's own mutator, otherwise by changing numbers in its tables.
#[must_use]
pub fn image(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let mut numbers = Numbers(seed.into());
    if size < 64 || numbers.below(2) == 0 {
        return fuzzer_mutate(data, size, max);
    }
    for _ in 0..=numbers.below(3) {
        field(&mut data[..size], &mut numbers);
    }
    size
}

/// Mutates a zip file in the same way. In most cases it then corrects the checksums and sizes, because a reader
/// refuses a wrong checksum before it reads anything else.
#[must_use]
pub fn zip(data: &mut [u8], size: usize, max: usize, seed: u32) -> usize {
    let size = image(data, size, max, seed);
    if !seed.is_multiple_of(8) {
        settle(&mut data[..size]);
    }
    size
}

/// Writes a number at a place that a chain of up to three offsets leads to.
fn field(data: &mut [u8], numbers: &mut Numbers) {
    let mut start = 0;
    for _ in 0..numbers.below(4) {
        let at = (start + numbers.below(256)) & !3;
        let Some(offset) = read(data, at) else {
            continue;
        };
        if offset < data.len() {
            start = offset;
        }
    }
    let width = [1, 2, 4, 8][numbers.below(4)];
    let at = (start + numbers.below(128)) & !(width - 1);
    let size = data.len() as u64;
    let value = match numbers.below(8) {
        0 => 0,
        1 => u64::MAX >> numbers.below(64),
        2 => size.wrapping_sub(numbers.below(64) as u64),
        3 => 1 << numbers.below(64),
        4 => numbers.below(data.len()) as u64,
        5 => at as u64,
        6 => read(data, numbers.below(data.len())).unwrap_or_default() as u64,
        _ => numbers.next(),
    };
    let mut bytes = value.to_le_bytes();
    if numbers.below(4) == 0 {
        bytes[..width].reverse();
    }
    if let Some(place) = data.get_mut(at..at + width) {
        place.copy_from_slice(&bytes[..width]);
    }
}

/// Reads 32 bits in both byte orders, and returns the smaller value.
fn read(data: &[u8], at: usize) -> Option<usize> {
    let word: [u8; 4] = data.get(at..at + 4)?.try_into().ok()?;
    let number = u32::from_le_bytes(word).min(u32::from_be_bytes(word));
    usize::try_from(number).ok()
}
