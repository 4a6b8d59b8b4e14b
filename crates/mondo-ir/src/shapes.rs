//! The shapes of operations that were made before, each of which is a number.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// The shapes that were accepted in a scope, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Shapes(RefCell<HashSet<u64, BuildHasherDefault<Mixing>>>);

impl Shapes {
    pub(crate) fn has(&self, number: u64) -> bool {
        self.0.borrow().contains(&number)
    }

    pub(crate) fn add(&self, number: u64) {
        self.0.borrow_mut().insert(number);
    }
}

/// A hash that takes a few instructions for each word: an operation is built in two thousand. Nobody gains anything by two shapes
/// of one number, as the verifier sees all operations in the end.
#[derive(Debug, Default)]
pub(crate) struct Mixing(u64);

impl Mixing {
    /// The golden ratio, whose multiples are spread evenly.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn mix(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(Self::FACTOR).rotate_left(29);
    }
}

impl Hasher for Mixing {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last));
        // What is filled up with zeros is not what ends with them.
        self.mix(bytes.len() as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }
}

#[cfg(test)]
mod tests {
    use std::hash::Hash;

    use super::*;

    #[test]
    fn what_differs_in_little_has_other_numbers() {
        let number = |name: &str, operands: usize| {
            let mut hasher = Mixing::default();
            (name, operands).hash(&mut hasher);
            hasher.finish()
        };
        let names = [
            "arith.addi",
            "arith.subi",
            "arith.addi\0",
            "",
            "a",
            "arith.add",
        ];
        let numbers = names.map(|name| [0, 1, 2, 1 << 40].map(|operands| number(name, operands)));
        let numbers: Vec<u64> = numbers.concat();
        let shapes = Shapes::default();
        for number in &numbers {
            assert!(!shapes.has(*number), "{numbers:x?}");
            shapes.add(*number);
        }
    }
}
