//! The bytes of a text that the check looks at, found 64 at a time.

/// The bytes of a block, one bit each.
const BLOCK: usize = 64;

/// The brackets, quotes, comments, signs and sigils of a text, in their order.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    text: &'a [u8],
    /// The offset of the block in which the marks are known.
    block: usize,
    /// Bit `n` is set where `text[block + n]` is a mark.
    bits: u64,
}

impl<'a> Marks<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        let bits = marks_of(text);
        Self {
            text,
            block: 0,
            bits,
        }
    }

    /// The offset of the first mark at `from` or behind it. `from` is not before that of an earlier call.
    #[inline]
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        let mut from = from;
        loop {
            let skipped = from - self.block;
            if skipped < BLOCK {
                let bits = self.bits >> skipped;
                if bits != 0 {
                    return Some(from + bits.trailing_zeros() as usize);
                }
                from = self.block + BLOCK;
            }
            self.bits = marks_of(self.text.get(from..)?);
            self.block = from;
        }
    }
}

/// The marks among the first 64 bytes of a text.
#[inline]
fn marks_of(text: &[u8]) -> u64 {
    match text.first_chunk::<BLOCK>() {
        Some(block) => marks_in(block),
        None => {
            // No mark is zero.
            let mut block = [0; BLOCK];
            block[..text.len()].copy_from_slice(text);
            marks_in(&block)
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

    #[test]
    fn each_byte_at_each_place() {
        for byte in 0..=u8::MAX {
            for at in [0, 1, 15, 16, 62, 63, 64, 65, 130] {
                for behind in [0, 1, 64] {
                    let mut text = vec![b'a'; at];
                    text.push(byte);
                    text.resize(at + 1 + behind, b'a');
                    let expected = MARKS.contains(&byte).then_some(at);
                    assert_eq!(Marks::of(&text).next(0), expected, "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn marks_come_in_order_from_where_the_search_goes_on() {
        let text = "(a)#b ".repeat(40);
        let mut marks = Marks::of(text.as_bytes());
        let mut from = 0;
        let mut found = Vec::new();
        while let Some(at) = marks.next(from) {
            found.push(at);
            from = at + 1;
        }
        let all: Vec<_> = (0..text.len())
            .filter(|at| MARKS.contains(&text.as_bytes()[*at]))
            .collect();
        assert_eq!(found, all);
        let mut marks = Marks::of(text.as_bytes());
        assert_eq!(marks.next(199), Some(200));
        assert_eq!(marks.next(240), None);
        assert_eq!(marks.next(5000), None);
    }
}
