//! Lines that differ from one before in their numbers alone, of which a text has many: they change what the check knows as
//! that one did, so that nothing in them is looked at but the names of aliases.

use super::aliases::{Pattern, is_in_name};
use super::brackets::Place;
use super::spots::{STEPS, Spot, Starts};

/// The bytes of a line, with its end, that may be remembered, and those from its beginning on that a comparison may look at:
/// it begins no step behind `LENGTH`, and takes the length of a step for less than `MASKS.len()`.
const LENGTH: usize = 128;
const WINDOW: usize = LENGTH + MASKS.len() + size_of::<u64>();

/// The bytes that are compared at a time.
const STEP: usize = size_of::<u128>();

/// The digits that a number in a line may have.
const DIGITS: usize = 7;

/// The lines that are remembered at a time. A power of two, so that no index needs a comparison.
const SLOTS: usize = 64;

/// The length from which on a comparison takes less than reading the line.
const SHORT: usize = 8;

/// The most that `trust` can be.
const TRUST: u32 = 32;

/// The bytes after which lines are compared again, if those before were like none.
const PAUSE: usize = 1 << 10;

/// Some bytes of a line without digits, and whether a number follows.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Zeros behind the bytes.
    bytes: u128,
    length: u8,
    number: bool,
}

impl Step {
    const NONE: Self = Self {
        bytes: 0,
        length: 0,
        number: false,
    };

    fn push(&mut self, byte: u8) {
        self.bytes |= u128::from(byte) << (8 * u32::from(self.length));
        self.length += 1;
    }
}

/// A line that was read, after which as many brackets were open as before, and no definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    steps: [Step; STEPS],
    count: u8,
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
    steps: [Step; STEPS],
    count: u8,
    starts: Starts,
    pub(super) length: usize,
    slot: u8,
}

/// A line that is like one before.
#[derive(Debug)]
pub(super) struct Like<'a> {
    pub(super) length: usize,
    /// The definition that it is.
    pub(super) pattern: Option<&'a Pattern>,
    pub(super) starts: Starts,
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

    /// The line that begins at an offset, if it is like one before.
    #[inline(always)]
    pub(super) fn like(&mut self, text: &[u8], start: usize, place: Place) -> Option<Like<'_>> {
        let bytes = text.get(start..)?.first_chunk()?;
        let slots = self.slots.as_deref_mut()?;
        let mut starts = [0; STEPS];
        let last = usize::from(self.last) % SLOTS;
        let mut slot = slots[last].next;
        let mut length = slots[usize::from(slot) % SLOTS].length_in(bytes, place, &mut starts);
        if length.is_none() {
            slot = hash(bytes)?;
            length = slots[usize::from(slot) % SLOTS].length_in(bytes, place, &mut starts);
            slots[last].next = slot;
        }
        let length = length?;
        self.last = slot;
        self.trust = TRUST;
        Some(Like {
            length,
            pattern: slots[usize::from(slot) % SLOTS].pattern.as_ref(),
            starts,
        })
    }

    /// The line that begins at an offset, and is like none before, if it can be remembered.
    pub(super) fn new_at(&mut self, text: &[u8], start: usize) -> Option<New> {
        self.fail(start);
        let Some(bytes) = text[start..].first_chunk() else {
            self.from = usize::MAX;
            return None;
        };
        New::of(bytes)
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

    /// Remembers a line which was read from the start of `text` on.
    pub(super) fn remember(
        &mut self,
        text: &[u8],
        new: &New,
        place: Place,
        pattern: Option<Pattern>,
    ) {
        if new.length < SHORT || !stands_alone(&text[..new.length], place) {
            return;
        }
        let line = Line {
            steps: new.steps,
            count: new.count,
            next: new.slot,
            place,
            pattern: pattern.map(|it| it.with_spots(|offset| new.spot(offset))),
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
    /// The length of the first line of these bytes, if it is like this one, with the offsets of its steps.
    #[inline(always)]
    fn length_in(&self, bytes: &[u8; WINDOW], place: Place, starts: &mut Starts) -> Option<usize> {
        if self.place != place {
            return None;
        }
        let mut at = 0;
        let steps = self.steps.get(..usize::from(self.count))?;
        for (step, start) in steps.iter().zip(starts) {
            *start = at as u8;
            if at > LENGTH {
                return None;
            }
            let here = bytes[at..].first_chunk()?;
            let length = usize::from(step.length) % MASKS.len();
            if (u128::from_le_bytes(*here) ^ step.bytes) & MASKS[length] != 0 {
                return None;
            }
            at += length;
            if step.number {
                at += some_digits(bytes[at..].first_chunk()?)?;
            }
        }
        Some(at)
    }
}

/// Ones for the first bytes of a step.
const MASKS: [u128; 2 * STEP] = {
    let mut masks = [u128::MAX; 2 * STEP];
    let mut length = 0;
    while length < STEP {
        masks[length] = !(u128::MAX << (8 * length));
        length += 1;
    }
    masks
};

/// The highest bit of each byte that is no digit, up to the first one. What is behind that may be wrong.
#[inline(always)]
fn no_digits(bytes: &[u8; size_of::<u64>()]) -> u64 {
    let word = u64::from_le_bytes(*bytes);
    // Bytes above `9` set the bit in the sum, those below `0` in the difference, and those above 0x7f in one of them. Only bytes
    // that are no digits carry or borrow.
    let above = word.wrapping_add(ONES * (0x7f - b'9' as u64));
    let below = word.wrapping_sub(ONES * b'0' as u64);
    (above | below) & HIGHEST
}

/// The number of digits that the bytes begin with, unless there are none. More than [`DIGITS`] count as so many: a digit
/// is behind them then, and no step begins with one.
#[inline(always)]
fn some_digits(bytes: &[u8; size_of::<u64>()]) -> Option<usize> {
    let others = no_digits(bytes);
    if others & 0x80 != 0 {
        return None;
    }
    Some((others | 1 << (8 * DIGITS)).trailing_zeros() as usize / 8)
}

/// The number of digits at an offset, unless there are none or many.
fn digits(bytes: &[u8; WINDOW], at: usize) -> Option<usize> {
    let others = no_digits(bytes.get(at..)?.first_chunk()?);
    let count = others.trailing_zeros() as usize / 8;
    (1..=DIGITS).contains(&count).then_some(count)
}

const ONES: u64 = u64::MAX / 0xff;
const HIGHEST: u64 = ONES << 7;

impl New {
    fn of(bytes: &[u8; WINDOW]) -> Option<Self> {
        let mut new = Self {
            steps: [Step::NONE; STEPS],
            count: 1,
            starts: [0; STEPS],
            length: 0,
            slot: hash(bytes)?,
        };
        let mut step = &mut new.steps[0];
        let mut at = 0;
        loop {
            let byte = bytes[at];
            if byte.is_ascii_digit() {
                step.number = true;
                at += digits(bytes, at)?;
            } else {
                step.push(byte);
                at += 1;
            }
            if at >= LENGTH {
                return None;
            }
            if byte == b'\n' {
                new.length = at;
                return Some(new);
            }
            let is_full = usize::from(step.length) == STEP && !bytes[at].is_ascii_digit();
            if step.number || is_full {
                let count = usize::from(new.count);
                step = new.steps.get_mut(count)?;
                new.starts[count] = at as u8;
                new.count += 1;
            }
        }
    }

    /// The place of an offset, which is not that of a digit behind the first of a number.
    fn spot(&self, offset: u8) -> Spot {
        let starts = &self.starts[..usize::from(self.count)];
        let step = starts.partition_point(|start| *start <= offset) - 1;
        Spot {
            step: step as u8,
            offset: offset - starts[step],
        }
    }
}

/// The length of the line that begins the bytes, with its end.
#[inline(always)]
pub(super) fn length_of(bytes: &[u8]) -> Option<usize> {
    let words = bytes.as_chunks::<8>().0.iter().enumerate();
    for (number, word) in words {
        let other = u64::from_le_bytes(*word) ^ (ONES * b'\n' as u64);
        // The lowest bit that is set is that of the first zero.
        let zeros = other.wrapping_sub(ONES) & !other & HIGHEST;
        if zeros != 0 {
            return Some(8 * number + zeros.trailing_zeros() as usize / 8 + 1);
        }
    }
    None
}

/// A hash of the bytes of a line that are no digits, whatever their places.
#[inline(never)]
fn hash(bytes: &[u8; WINDOW]) -> Option<u8> {
    let length = length_of(&bytes[..LENGTH])?;
    let (mut sum, mut squares) = (0_u32, 0_u32);
    for byte in &bytes[..length] {
        let byte = if byte.is_ascii_digit() {
            0
        } else {
            u32::from(*byte)
        };
        sum += byte;
        squares += byte * byte;
    }
    let hash = (u64::from(sum) << 32 | u64::from(squares)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    Some((hash >> (u64::BITS - SLOTS.trailing_zeros())) as u8)
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
        let text = format!("{text}{}", "\n".repeat(WINDOW));
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
            " ".repeat(WINDOW)
        )
        .into_bytes();
        let new = lines.new_at(&text, 0).expect("the line is short");
        assert_eq!(new.length, 9);
        lines.remember(&text, &new, place, None);
        let lengths =
            [0, 9, 18, 27, 36].map(|start| lines.like(&text, start, place).map(|it| it.length));
        assert_eq!(lengths, [Some(9), Some(9), None, None, None]);
    }

    #[test]
    fn the_first_byte_that_is_no_digit_ends_a_number() {
        for count in 0..=DIGITS {
            for byte in 0..=u8::MAX {
                let mut bytes = *b"90909090";
                bytes[count] = byte;
                // The byte behind it must not matter.
                let behind = bytes.get_mut(count + 1);
                behind.into_iter().for_each(|it| *it = byte ^ 0xff);
                let digits = bytes.iter().take_while(|it| it.is_ascii_digit()).count();
                let expected = (digits > 0).then_some(digits.min(DIGITS));
                assert_eq!(some_digits(&bytes), expected, "{byte} behind {count}");
            }
        }
    }

    #[test]
    fn numbers_behind_a_whole_step_are_part_of_it() {
        let text = format!(" = loc(callsite(12)\nx{}", "\n".repeat(WINDOW));
        let new = New::of(text.as_bytes().first_chunk().unwrap()).expect("the line is short");
        assert_eq!((new.count, new.length), (2, 20));
        assert_eq!((new.steps[0].length, new.steps[0].number), (16, true));
        let many = format!(" = loc(callsite(12345678)\n{}", "\n".repeat(WINDOW));
        assert!(New::of(many.as_bytes().first_chunk().unwrap()).is_none());
    }

    #[test]
    fn a_number_of_more_digits_is_like_none() {
        let few = "numbers(1)\nnumbers(1234567)\n";
        let text = format!("{few}numbers(12345678)\n{}", "\n".repeat(WINDOW)).into_bytes();
        let place = super::super::brackets::Open::none().place();
        let mut lines = Lines::none();
        let new = lines.new_at(&text, 0).expect("the line is short");
        lines.remember(&text, &new, place, None);
        assert!(lines.like(&text, 11, place).is_some());
        assert!(lines.like(&text, few.len(), place).is_none());
    }
}
