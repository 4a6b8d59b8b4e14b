//! Lines that differ from one before in digits alone, of which a text has many: they change what the check knows as that
//! one did, so that nothing in them is looked at but the names of aliases.

use super::aliases::{Pattern, is_in_name};
use super::brackets::Place;

/// The bytes of a line, with its end, that may be remembered.
const LENGTH: usize = 64;

/// The lines that are remembered at a time. A power of two, so that no index needs a comparison.
const SLOTS: usize = 256;

/// The most that `trust` can be.
const TRUST: u32 = 32;

/// The bytes after which lines are compared again, if those before were like none.
const PAUSE: usize = 1 << 10;

/// A line that was read, after which as many brackets were open as before, and no definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Its bytes, with `0` for each digit.
    bytes: [u8; LENGTH],
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
    slots: Vec<Line>,
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

/// The result of a comparison.
#[derive(Debug)]
pub(super) enum Seen {
    /// A line with this length, like one before.
    Like(usize, Option<Pattern>),
    New(New),
    /// The line is too long.
    Long,
}

impl Lines {
    pub(super) fn none() -> Self {
        Self {
            slots: Vec::new(),
            last: 0,
            trust: TRUST,
            from: 0,
            pause: PAUSE,
        }
    }

    /// Compares the line that begins at an offset with those before.
    #[inline]
    pub(super) fn see(&mut self, text: &[u8], start: usize, place: Place) -> Seen {
        let Some(bytes) = text[start..].first_chunk() else {
            self.from = usize::MAX;
            return Seen::Long;
        };
        let bytes = without_digits(bytes);
        if let Some(last) = self.slots.get(usize::from(self.last)) {
            let next = last.next;
            let line = &self.slots[usize::from(next) % SLOTS];
            if line.is(&bytes, place) {
                self.last = next;
                self.trust = (self.trust + 1).min(TRUST);
                return Seen::Like(usize::from(line.length), line.pattern);
            }
        }
        let Some(length) = length_of(&bytes) else {
            self.fail(start);
            return Seen::Long;
        };
        let slot = hash(&bytes, length);
        if let Some(line) = self.slots.get(usize::from(slot))
            && line.is(&bytes, place)
        {
            let found = Seen::Like(usize::from(line.length), line.pattern);
            self.follow(slot);
            self.trust = (self.trust + 1).min(TRUST);
            return found;
        }
        self.fail(start);
        Seen::New(New {
            bytes,
            length,
            slot,
        })
    }

    fn follow(&mut self, slot: u8) {
        self.slots[usize::from(self.last)].next = slot;
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
        if !stands_alone(&new.bytes[..new.length], place) {
            return;
        }
        let line = Line {
            bytes: new.bytes,
            // At most `LENGTH`.
            length: new.length as u8,
            next: new.slot,
            place,
            pattern,
        };
        if self.slots.is_empty() {
            let nothing = Line { length: 0, ..line };
            self.slots.resize(SLOTS, nothing);
        }
        self.slots[usize::from(new.slot)] = line;
        self.follow(new.slot);
    }
}

impl Line {
    /// True if a text that begins with these bytes begins with a line like this one.
    #[inline(always)]
    fn is(&self, bytes: &[u8; LENGTH], place: Place) -> bool {
        let mask = mask(usize::from(self.length));
        let pairs = bytes.iter().zip(&self.bytes).zip(mask);
        let differs = pairs.fold(0, |differs, ((one, two), mask)| {
            differs | (one ^ two) & mask
        });
        differs == 0 && self.place == place && self.length > 0
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
        let other = u64::from_le_bytes(*word) ^ ONES * b'\n' as u64;
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
    (hash >> 56) as u8
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
