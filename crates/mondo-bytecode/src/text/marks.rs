//! The bytes of a text that the check looks at, found 64 at a time.

/// The bytes of a block, one bit each.
pub(super) const BLOCK: usize = 64;

/// A part of a text, with zeros behind its end.
#[derive(Debug)]
pub(super) enum Block<'a> {
    Whole(&'a [u8; BLOCK]),
    Last([u8; BLOCK]),
}

impl<'a> Block<'a> {
    /// The block that begins at `start`.
    #[inline]
    pub(super) fn at(text: &'a [u8], start: usize) -> Self {
        let text = &text[start..];
        match text.first_chunk() {
            Some(whole) => Self::Whole(whole),
            None => {
                // No mark is zero.
                let mut last = [0; BLOCK];
                last[..text.len()].copy_from_slice(text);
                Self::Last(last)
            }
        }
    }

    #[inline]
    fn bytes(&self) -> &[u8; BLOCK] {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Last(bytes) => bytes,
        }
    }

    /// The byte at a place, which is below [`BLOCK`].
    #[inline]
    pub(super) fn byte(&self, place: usize) -> u8 {
        self.bytes()[place % BLOCK]
    }

    /// The brackets, quotes, comments, signs and sigils from a place on: bit `n` is set where byte `n` is one.
    #[inline]
    pub(super) fn marks_from(&self, place: usize) -> u64 {
        let all = marks_in(self.bytes());
        if place < BLOCK {
            all >> place << place
        } else {
            0
        }
    }
}

/// Without a branch, so that the compiler tests many bytes by one instruction.
#[inline]
fn marks_in(block: &[u8; BLOCK]) -> u64 {
    let found = block.map(|byte| u8::from(is_mark(byte)));
    let eights = found.as_chunks::<8>().0.iter().enumerate();
    eights.fold(0, |bits, (number, eight)| {
        // The product has the lowest bit of byte `n` in bit 56 + n.
        let product = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080);
        bits | (product >> 56) << (8 * number)
    })
}

/// True for one of `"/([{<>)]}-#!`. Those that differ in one bit are the same with that bit set.
#[inline]
fn is_mark(byte: u8) -> bool {
    let (one, two, case) = (byte | 1, byte | 2, byte | 0x20);
    (one == b')')
        | (one == b'#')
        | (two == b'#')
        | (two == b'/')
        | (two == b'>')
        | (case == b'{')
        | (case == b'}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKS: &[u8] = b"\"/([{<>)]}-#!";

    fn marks(text: &[u8]) -> Vec<usize> {
        let blocks = (0..text.len()).step_by(BLOCK);
        blocks
            .flat_map(|start| {
                let bits = Block::at(text, start).marks_from(0);
                (0..BLOCK)
                    .filter(move |n| bits >> n & 1 == 1)
                    .map(move |n| start + n)
            })
            .collect()
    }

    #[test]
    fn each_byte_at_each_place() {
        for byte in 0..=u8::MAX {
            for at in [0, 1, 15, 16, 62, 63, 64, 65, 130] {
                for behind in [0, 1, 64] {
                    let mut text = vec![b'a'; at];
                    text.push(byte);
                    text.resize(at + 1 + behind, b'a');
                    let expected = MARKS.contains(&byte).then_some(at);
                    assert_eq!(marks(&text), Vec::from_iter(expected), "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn marks_from_a_place_on() {
        let text = "(a)#b ".repeat(40);
        let all: Vec<_> = (0..text.len())
            .filter(|at| MARKS.contains(&text.as_bytes()[*at]))
            .collect();
        assert_eq!(marks(text.as_bytes()), all);
        let block = Block::at(text.as_bytes(), 192);
        assert_eq!(block.marks_from(7), block.marks_from(0) & !0x7f);
        assert_eq!(block.marks_from(63), 0);
        assert_eq!(block.marks_from(64), 0);
        assert_eq!(block.byte(2), b')');
    }
}
