//! The shape of an operation that is made: the numbers of its parts, and the names of its attributes.
//!
//! MLIR makes an operation of any parts. Those that no operation of the name can have are refused here, where they are
//! given. A shape that was accepted is remembered for the scope, so that the verifier is asked once for each.

use std::cell::RefCell;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use mondo_sys::{MlirOperation, mondoOperationHasParts, mondoOperationNames};

use crate::callback::{string_ref, text};
use crate::scope::State;

/// The numbers and names by which a verifier refuses an operation, whatever its values and types are.
#[derive(Hash)]
pub(crate) struct Shape<'a> {
    pub(crate) name: &'a str,
    pub(crate) operands: usize,
    pub(crate) results: usize,
    pub(crate) inferred: bool,
    pub(crate) successors: usize,
    pub(crate) regions: usize,
    pub(crate) attributes: Vec<&'a str>,
}

/// The shapes that were accepted in a scope, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Shapes(RefCell<HashSet<u64, BuildHasherDefault<Mixing>>>);

impl Shapes {
    pub(crate) fn has(&self, number: u64) -> bool {
        self.0.borrow().contains(&number)
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

impl Shape<'_> {
    /// The number that stands for the shape. Two shapes of one number, which no program meets, are taken for each other: then
    /// the verifier finds later what is wrong.
    pub(crate) fn number(&self) -> u64 {
        let mut hasher = Mixing::default();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// Checks the names of the attributes: one that is hardly another one than the operation has is misspelt.
    pub(crate) fn check_names(&self, state: &State) -> Result<(), String> {
        // SAFETY: the context is live, by the scope; MLIR reads the name during the call only.
        let (known, ()) = text(|sink, data| unsafe {
            mondoOperationNames(state.context, string_ref(self.name), sink, data);
        });
        let known: Vec<_> = known.split('\n').filter(|one| !one.is_empty()).collect();
        for name in &self.attributes {
            if name.contains('.') || known.contains(name) {
                continue;
            }
            let misspelt = known
                .iter()
                .find(|one| !self.attributes.contains(one) && is_near(one, name));
            if let Some(one) = misspelt {
                return Err(format!("has no attribute `{name}`; did you mean `{one}`?"));
            }
        }
        Ok(())
    }

    /// Checks a new operation of the shape.
    ///
    /// # Safety
    ///
    /// The operation is live.
    pub(crate) unsafe fn check(&self, state: &State, op: MlirOperation) -> Result<(), String> {
        // SAFETY: the operation is live, by this function's contract.
        let (message, fits) = text(|sink, data| unsafe { mondoOperationHasParts(op, sink, data) });
        if fits {
            state.shapes.0.borrow_mut().insert(self.number());
            return Ok(());
        }
        let told = message.split_once("' op ").map(|(_, told)| told.to_owned());
        Err(told.unwrap_or(message))
    }
}

/// Returns true if one name becomes the other by adding, leaving out or changing one letter, or by exchanging two neighbours.
fn is_near(one: &str, other: &str) -> bool {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[same..], &other[same..]);
    match (one, other) {
        ([], rest) | (rest, []) => rest.len() == 1,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) if a == b => true,
        ([a, b, left @ ..], [c, d, right @ ..]) => a == d && b == c && left == right,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_near() {
        for slip in [
            "predicat",
            "predicte",
            "predicates",
            "prediacte",
            "predikate",
            "redicate",
        ] {
            assert!(is_near("predicate", slip), "{slip}");
        }
        for other in ["predicate", "pred", "note", "", "prdicat", "perdiacte"] {
            assert!(!is_near("predicate", other), "{other}");
        }
        assert!(is_near("a", "") && !is_near("", ""));
    }
}
