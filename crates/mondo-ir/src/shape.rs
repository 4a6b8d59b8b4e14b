//! The shape of an operation that is made: the numbers of its parts, and the names of its attributes.
//!
//! MLIR makes an operation of any parts. Those that no operation of the name can have are refused here, where they are
//! given. A shape that was accepted is remembered for the scope, so that the verifier is asked once for each.

use std::hash::{Hash, Hasher};

use mondo_sys::{MlirOperation, mondoOperationHasParts, mondoOperationNames};

use crate::callback::{string_ref, text};
use crate::scope::State;
use crate::shapes::Mixing;

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
            state.shapes.add(self.number());
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
