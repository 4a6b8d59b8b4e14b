//! The brackets that are open at a place in a text.

/// The weight that open brackets may have at a time. MLIR's deepest recursion, that of regions, takes some
/// 2 kB of stack for a unit of it: the half of the 8 MB that a main thread has.
const LIMIT: usize = 2000;

/// The weight of `(`, `[` and `{`. One of `<` is 1: it takes less of the stack, and a dialect may have one
/// that nothing closes.
const BRACKET: usize = 2;

/// More brackets than can be open within the limit, as a power of two, so that no index needs a comparison.
const MOST: usize = 2048;

const _: () = assert!(MOST > LIMIT + 1);

#[derive(Debug)]
pub(super) struct Open {
    /// The brackets from 1 to `depth`.
    brackets: [u8; MOST],
    depth: usize,
    weight: usize,
    /// The most that were open at a time since this was set.
    pub(super) most: usize,
}

/// There is no room for a bracket.
#[derive(Debug)]
pub(super) struct TooMany;

impl Open {
    pub(super) fn none() -> Self {
        Self {
            brackets: [0; MOST],
            depth: 0,
            weight: 0,
            most: 0,
        }
    }

    #[inline]
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// # Errors
    /// [`TooMany`] where the limit is exceeded.
    #[inline]
    pub(super) fn push(&mut self, bracket: u8) -> Result<(), TooMany> {
        self.depth += 1;
        self.brackets[self.depth % MOST] = bracket;
        self.weight += weight_of(bracket);
        self.most = self.most.max(self.depth);
        if self.weight > LIMIT {
            return Err(TooMany);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn close(&mut self, opening: u8) {
        // No bracket is the 0 in front of the first.
        if self.brackets[self.depth % MOST] == opening {
            self.pop(opening);
        } else if opening != b'<' {
            self.close_around(opening);
        }
    }

    #[inline]
    fn pop(&mut self, opening: u8) {
        self.depth -= 1;
        self.weight -= weight_of(opening);
    }

    /// A dialect may write `<` for "less than": that ends with the bracket around it.
    #[inline(never)]
    fn close_around(&mut self, opening: u8) {
        while self.brackets[self.depth % MOST] == b'<' {
            self.pop(b'<');
        }
        if self.brackets[self.depth % MOST] == opening {
            self.pop(opening);
        }
    }
}

#[inline]
fn weight_of(bracket: u8) -> usize {
    if bracket == b'<' { 1 } else { BRACKET }
}
