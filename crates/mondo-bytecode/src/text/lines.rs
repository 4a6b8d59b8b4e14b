//! Lines that differ from one before in digits alone, of which a text has many: they change what the check knows as that
//! one did, so that nothing in them is looked at but the names of aliases.

use std::ops::Range;

use super::aliases::{Pattern, is_in_name};
use super::brackets::Place;

/// The bytes of a line, with its end, that may be remembered.
const LENGTH: usize = 64;

/// The lines that are remembered at a time. A power of two, so that no index needs a comparison.
const SLOTS: usize = 128;

/// The length from which on a comparison takes less than reading the line.
const SHORT: usize = 8;

/// The most that `trust` can be.
const TRUST: u32 = 32;

/// The bytes after which lines are compared again, if those before were like none.
const PAUSE: usize = 1 << 10;

/// A line that was read, after which as many brackets were open as before, and no definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// The least and the most that each byte of a line like it can be, which differ for digits and behind its end.
    least: [u8; LENGTH],
    most: [u8; LENGTH],
    length: u8,
    /// The line that came after this one the last time.
    next: u8,
    /// The brackets around it.
    place: Place,
    /// The definition that it is, if it is one.
    pub(super) pattern: Option<Pattern>,
}

/// The lines that are remembered.
#[derive(Debug)]
pub(super) struct Lines {
    slots: Option<Box<[Line; SLOTS]>>,
    /// The slot of the last one.
    last: u8,
    /// Falls with each line that is like none before.
    trust: u32,
    /// The offset from which on lines are compared.
    pub(super) from: usize,
    pause: usize,
}

/// A line that is like none before.
#[derive(Debug)]
pub(super) struct New {
    bytes: [u8; LENGTH],
    pub(super) length: usize,
    slot: u8,
}

impl Lines {
    pub(super) fn none() -> Self {
        Self {
            slots: None,
            last: 0,
            trust: TRUST,
            from: 0,
            pause: PAUSE,
        }
    }

    /// The length of the line that begins at an offset, if it is like one before, and the pattern of the definition that it is.
    #[inline(always)]
    pub(super) fn like(
        &mut self,
        text: &[u8],
        start: usize,
        place: Place,
    ) -> Option<(usize, Option<&Pattern>)> {
        let bytes = text.get(start..)?.first_chunk()?;
        let slots = self.slots.as_deref_mut()?;
        let last = usize::from(self.last) % SLOTS;
        let mut slot = slots[last].next;
        if !slots[usize::from(slot) % SLOTS].is(bytes, place) {
            slot = hash(&without_digits(bytes), length_of(bytes)?);
            if !slots[usize::from(slot) % SLOTS].is(bytes, place) {
                return None;
            }
            slots[last].next = slot;
        }
        self.last = slot;
        self.trust = TRUST;
        let line = &slots[usize::from(slot) % SLOTS];
        Some((usize::from(line.length), line.pattern.as_ref()))
    }

    /// The line that begins at an offset, and is like none before, if it can be remembered.
    pub(super) fn new_at(&mut self, text: &[u8], start: usize) -> Option<New> {
        self.fail(start);
        let Some(bytes) = text[start..].first_chunk() else {
            self.from = usize::MAX;
            return None;
        };
        let length = length_of(bytes)?;
        let bytes = without_digits(bytes);
        let slot = hash(&bytes, length);
        Some(New {
            bytes,
            length,
            slot,
        })
    }

    fn follow(&mut self, slot: u8) {
        if let Some(slots) = &mut self.slots {
            slots[usize::from(self.last) % SLOTS].next = slot;
        }
        self.last = slot;
    }

    /// Takes note of a line that is like none before. After some of them, lines are not compared for a while.
    fn fail(&mut self, start: usize) {
        self.trust = self.trust.saturating_sub(3);
        if self.trust == 0 {
            self.trust = TRUST / 4;
            self.from = start + self.pause;
            self.pause = (2 * self.pause).min(64 * PAUSE);
        } else if self.trust > TRUST / 2 {
            self.pause = PAUSE;
        }
    }

    /// Remembers a line which was read from an offset on.
    pub(super) fn remember(&mut self, new: New, place: Place, pattern: Option<Pattern>) {
        if new.length < SHORT || !stands_alone(&new.bytes[..new.length], place) {
            return;
        }
        let line = Line {
            least: std::array::from_fn(|at| if at < new.length { new.bytes[at] } else { 0 }),
            most: std::array::from_fn(|at| match new.bytes[at] {
                _ if at >= new.length => u8::MAX,
                b'0' => b'9',
                other => other,
            }),
            // At most `LENGTH`.
            length: new.length as u8,
            next: new.slot,
            place,
            pattern,
        };
        let nothing = Line {
            place: Place::NOWHERE,
            ..line
        };
        let slots = self.slots.get_or_insert_with(|| Box::new([nothing; SLOTS]));
        slots[usize::from(new.slot) % SLOTS] = line;
        self.follow(new.slot);
    }
}

impl Line {
    /// True if a text that begins with these bytes begins with a line like this one.
    #[inline(always)]
    fn is(&self, bytes: &[u8; LENGTH], place: Place) -> bool {
        let half = |half: Range<usize>| {
            half.fold(0, |differs, at| {
                let byte = bytes[at];
                let (least, most) = (self.least[at], self.most[at]);
                differs | least.saturating_sub(byte) | byte.saturating_sub(most)
            }) == 0
        };
        self.place == place
            && half(0..LENGTH / 2)
            && (usize::from(self.length) <= LENGTH / 2 || half(LENGTH / 2..LENGTH))
    }
}

/// The bytes with `0` for each digit.
#[inline(always)]
fn without_digits(bytes: &[u8; LENGTH]) -> [u8; LENGTH] {
    bytes.map(|byte| if byte.is_ascii_digit() { b'0' } else { byte })
}

/// Ones for the first bytes, of which there are at most `LENGTH`.
#[inline(always)]
fn mask(length: usize) -> &'static [u8; LENGTH] {
    const MASKS: [u8; 2 * LENGTH] = {
        let mut masks = [0; 2 * LENGTH];
        let mut at = 0;
        while at < LENGTH {
            masks[at] = u8::MAX;
            at += 1;
        }
        masks
    };
    let masks = MASKS[LENGTH - length.min(LENGTH)..].first_chunk();
    masks.expect("there are at least as many behind it")
}

/// The length of the line that begins the bytes.
#[inline(always)]
fn length_of(bytes: &[u8; LENGTH]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    let words = bytes.as_chunks::<8>().0.iter().enumerate();
    for (number, word) in words {
        let other = u64::from_le_bytes(*word) ^ (ONES * b'\n' as u64);
        // The lowest bit that is set is that of the first zero.
        let zeros = other.wrapping_sub(ONES) & !other & ONES << 7;
        if zeros != 0 {
            return Some(8 * number + zeros.trailing_zeros() as usize / 8 + 1);
        }
    }
    None
}

#[inline(always)]
fn hash(bytes: &[u8; LENGTH], length: usize) -> u8 {
    let mask = mask(length);
    let mut words = [0_u64; 2];
    for (at, (bytes, mask)) in bytes
        .as_chunks::<8>()
        .0
        .iter()
        .zip(mask.as_chunks::<8>().0)
        .enumerate()
    {
        let word = u64::from_le_bytes(*bytes) & u64::from_le_bytes(*mask);
        words[at % 2] = words[at % 2].rotate_left(5) ^ word;
    }
    let hash =
        words[0].wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ words[1].wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (hash >> (u64::BITS - SLOTS.trailing_zeros())) as u8
}

/// True if the effect of a line does not depend on its digits, nor on the line behind it.
fn stands_alone(line: &[u8], place: Place) -> bool {
    let is_sigil = |byte: &u8| matches!(byte, b'#' | b'!');
    // The number of a result.
    if line
        .windows(2)
        .any(|pair| is_sigil(&pair[0]) && pair[1].is_ascii_digit())
    {
        return false;
    }
    let line = line.trim_ascii_end();
    // The next line may begin with a sign,
    if line.last() == Some(&b'-') {
        return false;
    }
    // or with the `=` of a definition.
    let Some(sigil) = line.iter().rposition(is_sigil) else {
        return true;
    };
    let may_define = place.is_top() || sigil == 0;
    !may_define || !line[sigil + 1..].iter().all(|byte| is_in_name(*byte))
}

#[cfg(test)]
mod tests {
    use super::super::{Known, read};
    use super::*;

    fn is_accepted(text: &str) -> bool {
        let text = format!("{text}{}", "\n".repeat(LENGTH));
        read(text.as_bytes(), Known::ByHash(None), Some(Lines::none())).is_ok()
    }

    #[test]
    fn digits_and_the_next_line_may_say_what_a_line_is() {
        let results = "f(%0#1)\n".repeat(300);
        assert!(is_accepted(&results));
        assert!(!is_accepted(&format!("{results}f(%0#9)\nf(%0#99999999)\n")));
        let signs = |count| format!("{}{}", "a, b, c -\n".repeat(20), "-\n".repeat(count));
        assert!(is_accepted(&signs(999)));
        assert!(!is_accepted(&signs(1000)));
        let names = "#a0000 \n".repeat(20);
        let chain = |count: usize| -> String {
            let line = |number: usize| format!("#a{number:04} \n= [#a{:04}]\n", number - 1);
            (1..count).map(line).collect()
        };
        assert!(is_accepted(&format!("{names}.\n{}", chain(1500))));
        assert!(!is_accepted(&format!("{names}.\n{}", chain(1600))));
    }

    #[test]
    fn the_brackets_around_a_line_say_what_it_is() {
        let line = format!("{}1{}\n", "(".repeat(10), ")".repeat(10));
        let deep = |depth| format!("{}{}\n{line}", line.repeat(20), "{".repeat(depth));
        assert!(is_accepted(&deep(990)));
        assert!(!is_accepted(&deep(991)));
        // It closes brackets of which it does not see the kind.
        let text = |other, last| {
            let (before, line) = ("{".repeat(996) + "\n", "1, ))((\n");
            format!("{before}((\n{}))\n{other}\n{line}{last}\n", line.repeat(20))
        };
        assert!(is_accepted(&text("((", "((")));
        assert!(is_accepted(&text("[(", "(")));
        assert!(!is_accepted(&text("[(", "((")));
    }

    #[test]
    fn names_of_flat_definitions_count() {
        let flat = |number| format!("#b{number:02} = [[[[[[1]]]]]]\n");
        let flat: String = (0..30).map(flat).collect();
        let chain = |count: usize| -> String {
            let line = |number: usize| format!("#c{number:04} = [#c{:04}]\n", number - 1);
            let lines: String = (1..=count).map(line).collect();
            format!("{flat}#c0000 = [#b29]\n{lines}")
        };
        assert!(is_accepted(&chain(1490)));
        assert!(!is_accepted(&chain(1497)));
    }

    #[test]
    fn lines_with_other_digits_are_alike() {
        let mut lines = Lines::none();
        let place = super::super::brackets::Open::none().place();
        let text = format!(
            "(a1) b 1\n(a2) b 5\n(a2) c 1\n(aa) b 1\n(a9) b\n{}",
            " ".repeat(LENGTH)
        )
        .into_bytes();
        let new = lines.new_at(&text, 0).expect("the line is short");
        assert_eq!(new.length, 9);
        lines.remember(new, place, None);
        let lengths =
            [0, 9, 18, 27, 36].map(|start| lines.like(&text, start, place).map(|it| it.0));
        assert_eq!(lengths, [Some(9), Some(9), None, None, None]);
    }
}
