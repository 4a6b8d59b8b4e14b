//! Literals that MLIR makes sizes of, or cannot make a number of.

use std::ops::Range;

use super::error::TextError;

/// The digits that a number may have. `APFloat` writes outside of its powers of ten from some 40 000 on, and
/// `APInt` takes a minute for 100 000.
const DIGITS: usize = 10_000;

/// Checks the numbers in a part of the text without strings and comments. A run of so many digits goes over one of the
/// places that are looked at.
#[inline]
pub(super) fn check_digits(text: &[u8], part: Range<usize>) -> Result<(), TextError> {
    if part.len() <= DIGITS {
        return Ok(());
    }
    check_long(text, part)
}

#[cold]
fn check_long(text: &[u8], part: Range<usize>) -> Result<(), TextError> {
    for at in part.clone().step_by(DIGITS).skip(1) {
        let before = text[part.start..at]
            .iter()
            .rposition(|byte| !is_in_word(*byte));
        let start = before.map_or(part.start, |before| part.start + before + 1);
        let behind = text[at..part.end]
            .iter()
            .position(|byte| !is_in_word(*byte));
        let end = behind.map_or(part.end, |behind| at + behind);
        let is_name = start > 0 && matches!(text[start - 1], b'%' | b'^');
        if end - start > DIGITS && text[start].is_ascii_digit() && !is_name {
            let what = "more digits than the parser can make a number of";
            return Err(TextError::at(text, start, what));
        }
    }
    Ok(())
}

fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'$')
}

/// Checks the number behind `#` in `%a#1`. MLIR reserves so many results before it knows their number, each of which
/// has a type in a sound text.
#[inline]
pub(super) fn check_result_number(text: &[u8], at: usize) -> Result<(), TextError> {
    let digits = text[at + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    let number = digits.fold(0_usize, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(usize::from(digit - b'0'))
    });
    if number < text.len() || !is_behind_value(&text[..at]) {
        return Ok(());
    }
    Err(TextError::at(
        text,
        at,
        "the number of a result that the text has no room for",
    ))
}

/// True if the text ends with the name of a value.
fn is_behind_value(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let before = text
        .iter()
        .rposition(|byte| !is_in_word(*byte) && *byte != b'-');
    before.is_some_and(|at| text[at] == b'%' && at + 1 < text.len())
}

/// The resources at the end of a file. The data of a dialect's resource begins with its alignment, and MLIR ends the
/// process where that is 0.
#[derive(Debug)]
pub(super) struct Resources {
    /// The end of the part in which the kind of resources has been looked for.
    seen: usize,
    are_of_dialects: bool,
}

impl Resources {
    /// Those from `start` on.
    pub(super) fn at(start: usize) -> Self {
        Self {
            seen: start,
            are_of_dialects: false,
        }
    }

    /// Checks a string among them. No part of the text is searched twice, however many strings there are.
    pub(super) fn check(&mut self, text: &[u8], string: Range<usize>) -> Result<(), TextError> {
        if !text[string.clone()].starts_with(b"\"0x00000000") {
            return Ok(());
        }
        let before = &text[self.seen..string.start];
        let last = |name: &[u8]| before.windows(name.len()).rposition(|part| part == name);
        let (dialects, others) = (last(b"dialect_resources"), last(b"external_resources"));
        if dialects != others {
            self.are_of_dialects = dialects > others;
        }
        self.seen = string.start;
        match self.are_of_dialects {
            true => {
                let what = "a resource with the alignment 0";
                Err(TextError::at(text, string.start, what))
            }
            false => Ok(()),
        }
    }
}
