//! Aliases in one another. An attribute, type or location that refers to another by an alias nests as deep as if it
//! stood there, and MLIR's printer and its walks recurse in it.

use std::collections::HashMap;

use super::error::TextError;
use super::lexer::{end_of_line, end_of_string};

/// The levels that attributes may have, as in bytecode.
const LEVELS: usize = 3000;

/// The definitions of aliases that refer to others, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    definitions: Vec<usize>,
    /// The levels if each of these definitions were in the one before it.
    levels: usize,
    /// The most levels of a definition that refers to no other, and of what is in none.
    flat: usize,
    last: Part,
}

/// The text between two definitions.
#[derive(Debug, Default)]
struct Part {
    definition: Option<usize>,
    refers: bool,
    levels: usize,
}

impl Aliases {
    /// Takes note of what begins with `#` or `!`.
    pub(super) fn see(&mut self, text: &[u8], at: usize) {
        let end = at + 1 + name(&text[at + 1..]);
        if end == at + 1 {
            return;
        }
        if after_equals(text, end).is_some() {
            self.end_part(Some(at));
        } else {
            self.last.refers = true;
        }
    }

    /// Takes note of a bracket.
    pub(super) fn nest(&mut self, depth: usize) {
        self.last.levels = self.last.levels.max(depth);
    }

    fn end_part(&mut self, next: Option<usize>) {
        let part = std::mem::take(&mut self.last);
        self.last.definition = next;
        match part.definition.filter(|_| part.refers) {
            Some(at) => {
                self.definitions.push(at);
                self.levels += part.levels + 1;
            }
            None => self.flat = self.flat.max(part.levels),
        }
    }

    /// Checks the levels of each definition, which may refer to those before it.
    pub(super) fn check(mut self, text: &[u8]) -> Result<(), TextError> {
        self.end_part(None);
        if self.levels + self.flat <= LEVELS {
            return Ok(());
        }
        let mut known = HashMap::new();
        for start in self.definitions {
            let end = start + 1 + name(&text[start + 1..]);
            let value = after_equals(text, end).unwrap_or(end);
            let levels = levels(text, value, |alias| *known.get(alias).unwrap_or(&self.flat));
            if levels > LEVELS {
                let what = "aliases in one another, deeper than the printer can follow";
                return Err(TextError::at(text, start, what));
            }
            known.insert(&text[start..end], levels);
        }
        Ok(())
    }
}

/// The offset behind the `=` that follows a name, if one does.
fn after_equals(text: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    (text.get(at) == Some(&b'=') && text.get(at + 1) != Some(&b'=')).then_some(at + 1)
}

/// The levels of the definition from `start` on: of what stands there until a line ends outside of brackets.
fn levels<'a>(text: &'a [u8], start: usize, of_alias: impl Fn(&'a [u8]) -> usize) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    let mut at = start;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at = end_of_string(text, at).unwrap_or(text.len()),
            b'/' if text.get(at + 1) == Some(&b'/') => at = end_of_line(text, at),
            b'(' | b'[' | b'{' | b'<' => {
                open += 1;
                most = most.max(open);
            }
            b'\n' if open == 0 && !text[start..at].trim_ascii().is_empty() => break,
            b'-' if text.get(at + 1) == Some(&b'>') => at += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            b'#' | b'!' => {
                let end = at + 1 + name(&text[at + 1..]);
                most = most.max(open + 1 + of_alias(&text[at..end]));
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    most
}

/// The bytes that the name of an alias may have.
const NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        name[byte] = (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    name[b'.' as usize] = true;
    name[b'_' as usize] = true;
    name[b'$' as usize] = true;
    name[b'-' as usize] = true;
    name
};

fn name(text: &[u8]) -> usize {
    let end = text.iter().position(|byte| !NAME[usize::from(*byte)]);
    end.unwrap_or(text.len())
}
