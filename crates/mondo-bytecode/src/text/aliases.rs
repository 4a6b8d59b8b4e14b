//! Aliases in one another. An attribute, type or location that refers to another by an alias nests as deep as if it
//! stood there, and MLIR's printer and its walks recurse in it.

use std::collections::HashMap;
use std::ops::Range;

/// The levels that attributes may have, as in bytecode.
const LEVELS: usize = 3000;

/// The levels of the definitions before a place in the text.
#[derive(Debug)]
pub(super) enum Known<'a> {
    /// A table indexed by some bits of the name's hash. Names that collide share an entry, which has the largest of
    /// their numbers: the answer may be too large, and is never too small. Memory does not grow with the number of names.
    ByHash(Option<Box<[u16; HASHES]>>),
    /// The exact number of each name.
    ByName(HashMap<&'a [u8], u16>),
}

const HASHES: usize = 1 << 12;

impl<'a> Known<'a> {
    #[inline(always)]
    fn get(&self, name: &Name<'_>) -> u16 {
        match self {
            Self::ByHash(Some(levels)) => levels[name.hash % HASHES],
            Self::ByHash(None) => 0,
            Self::ByName(levels) => exact(levels, name),
        }
    }

    #[inline(always)]
    fn set(&mut self, name: &Name<'a>, levels: u16) {
        match self {
            Self::ByHash(_) if levels == 0 => {}
            Self::ByHash(all) => {
                let all = all.get_or_insert_with(|| Box::new([0; HASHES]));
                let of_name = &mut all[name.hash % HASHES];
                *of_name = levels.max(*of_name);
            }
            Self::ByName(all) => set_exact(all, name, levels),
        }
    }
}

/// Out of the way of those that are asked more often.
#[inline(never)]
fn exact(levels: &HashMap<&[u8], u16>, name: &Name<'_>) -> u16 {
    levels.get(name.bytes).copied().unwrap_or(0)
}

#[inline(never)]
fn set_exact<'a>(all: &mut HashMap<&'a [u8], u16>, name: &Name<'a>, levels: u16) {
    all.insert(name.bytes, levels);
}

/// The name of an alias, with `#` or `!`.
#[derive(Debug)]
struct Name<'a> {
    bytes: &'a [u8],
    hash: usize,
}

impl<'a> Name<'a> {
    /// The name that begins at an offset.
    #[inline]
    fn at(text: &'a [u8], at: usize) -> Self {
        let rest = &text[at..];
        let behind = rest[1..]
            .iter()
            .position(|byte| !IS_IN_NAME[usize::from(*byte)]);
        Self::of(rest, behind.map_or(rest.len(), |behind| behind + 1))
    }

    /// The name that a text begins with, of which the length is known.
    #[inline]
    fn of(rest: &'a [u8], length: usize) -> Self {
        let bytes = &rest[..length];
        let last = || word(&bytes[length - WORD..]);
        Self {
            bytes,
            hash: hash(word(rest), length, last),
        }
    }

    fn is_empty(&self) -> bool {
        self.bytes.len() == 1
    }
}

const WORD: usize = size_of::<u64>();

/// The first bytes of a text, with zeros behind its end.
#[inline]
fn word(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => {
            let mut word = [0; WORD];
            word[..text.len()].copy_from_slice(text);
            u64::from_le_bytes(word)
        }
    }
}

/// The hash of a name of some length, of which the first word may have bytes behind the name. The last word is asked for
/// where the name is longer.
#[inline(always)]
fn hash(first: u64, length: usize, last: impl FnOnce() -> u64) -> usize {
    const BITS: u32 = HASHES.trailing_zeros();
    let word = match length {
        // No name is empty, and the shift is one of less than a word.
        ..=WORD => first.wrapping_shl((u8::BITS as usize * (WORD - length)) as u32),
        _ => first ^ last().rotate_left(23),
    };
    (word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
}

/// The definitions of aliases in a text.
#[derive(Debug)]
pub(super) struct Aliases<'a> {
    known: Known<'a>,
    /// The definition that the text is in.
    open: Option<Definition<'a>>,
    /// The brackets below which the definition can end: one more than those around it, and none outside of all.
    ends_below: usize,
    /// True if its value has begun.
    has_value: bool,
}

#[derive(Debug)]
struct Definition<'a> {
    name: Name<'a>,
    /// The offset of its name.
    at: usize,
    /// The brackets around it, of which there are none in a sound text.
    depth: usize,
    /// The levels of its references.
    levels: usize,
}

/// The offset of a definition that has more levels than the printer can follow.
#[derive(Debug)]
pub(super) struct TooDeep(pub(super) usize);

impl<'a> Aliases<'a> {
    pub(super) fn new(known: Known<'a>) -> Self {
        Self {
            known,
            open: None,
            ends_below: 0,
            has_value: false,
        }
    }

    /// True if the `#` or `!` at an offset, inside of `depth` brackets, may begin a definition or is in one.
    #[inline]
    pub(super) fn may_see(&self, text: &[u8], at: usize, depth: usize) -> bool {
        self.ends_below > 0 || may_define(text, at, depth)
    }

    /// Takes note of the `#` or `!` at an offset, inside of `depth` brackets, of which there were `most` at a time since
    /// the definition began. Returns the offset behind the name, or behind the `=` where a definition begins, and whether
    /// one does.
    ///
    /// # Errors
    /// [`TooDeep`] with the definition that ends here.
    #[inline]
    pub(super) fn see(
        &mut self,
        text: &'a [u8],
        at: usize,
        depth: usize,
        most: usize,
    ) -> Result<(usize, bool), TooDeep> {
        let name = Name::at(text, at);
        let end = at + name.bytes.len();
        if name.is_empty() {
            return Ok((end, false));
        }
        if may_define(text, at, depth)
            && let Some(value) = value_of_definition(text, end)
        {
            self.end(most)?;
            self.open = Some(Definition {
                at,
                depth,
                levels: 0,
                name,
            });
            self.ends_below = depth + 1;
            self.has_value = false;
            return Ok((value, true));
        }
        if let Some(open) = &mut self.open {
            let around = depth.saturating_sub(open.depth) + 1;
            let levels = around + usize::from(self.known.get(&name));
            open.levels = open.levels.max(levels);
            self.has_value = true;
        }
        Ok((end, false))
    }

    /// Takes note of the text before a mark, inside of `depth` brackets, of which there were `most` at a time since the
    /// definition began. A definition ends with its line, unless a bracket is open or its value has not begun.
    ///
    /// # Errors
    /// [`TooDeep`] with the definition that ends here.
    #[inline]
    pub(super) fn pass(
        &mut self,
        text: &[u8],
        before: Range<usize>,
        depth: usize,
        most: usize,
    ) -> Result<(), TooDeep> {
        if depth >= self.ends_below {
            return Ok(());
        }
        for byte in &text[before] {
            match byte {
                b'\n' if self.has_value => return self.end(most),
                b'=' | b' ' | b'\t' | b'\n' | b'\r' => {}
                _ => self.has_value = true,
            }
        }
        Ok(())
    }

    /// Takes note that a bracket or a string begins.
    #[inline]
    pub(super) fn value(&mut self) {
        self.has_value = true;
    }

    /// Takes note of the end of the definition, in which `most` brackets were open at a time.
    ///
    /// # Errors
    /// [`TooDeep`] with the definition.
    pub(super) fn end(&mut self, most: usize) -> Result<(), TooDeep> {
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        self.ends_below = 0;
        let own = most.saturating_sub(open.depth);
        let levels = open.levels.max(own);
        match u16::try_from(levels) {
            Ok(few) if levels <= LEVELS => {
                self.known.set(&open.name, few);
                Ok(())
            }
            _ => Err(TooDeep(open.at)),
        }
    }
}

/// A definition is at the top; in text that is no MLIR, one on a line of its own counts as well.
#[inline]
fn may_define(text: &[u8], at: usize, depth: usize) -> bool {
    depth == 0 || at == 0 || text[at - 1] == b'\n'
}

/// The offset behind the `=` of a definition, if what follows the end of a name makes it that of one.
#[inline]
fn value_of_definition(text: &[u8], end: usize) -> Option<usize> {
    let space = text[end..]
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())?;
    let equals = end + space;
    (text[equals] == b'=' && text.get(equals + 1) != Some(&b'=')).then_some(equals + 1)
}

/// The bytes that the name of an alias may have.
const IS_IN_NAME: [bool; 256] = {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_text;

    #[test]
    fn names_with_the_same_hash_are_told_apart() {
        let hash = |name: &str| Name::at(name.as_bytes(), 0).hash;
        let same = (0..1_000_000)
            .map(|number| format!("#b{number}"))
            .find(|name| hash(name) == hash("#a"))
            .expect("one of 4096 has the same hash");
        let text = format!("#a = [{same}]\n").repeat(2000);
        assert_eq!(check_text(text.as_bytes()), Ok(()));
        let itself = "#a = [#a]\n".repeat(2000);
        assert_eq!(check_text(itself.as_bytes()).unwrap_err().line, 1501);
    }

    #[test]
    fn a_name_has_one_hash_wherever_it_is() {
        let name = "!a_name_of_an_alias1.2-3$";
        for length in 1..=name.len() {
            let name = &name[..length];
            let alone = Name::at(name.as_bytes(), 0).hash;
            let amid = format!("x{name}\t= some more words than one");
            assert_eq!(Name::at(amid.as_bytes(), 1).hash, alone, "{name}");
        }
    }

    #[test]
    fn a_definition_ends_with_its_line() {
        let line = |number: usize| format!("#a{number} = #a{}\n", number - 1);
        let definitions: String = (1..2900).map(line).collect();
        // Deep, but in no definition.
        let deep = format!("{}#a2000{}", "(".repeat(900), ")".repeat(900));
        let deeper = deep.replace("2000", "2800");
        for text in [
            format!("{definitions}{deeper}"),
            format!("{definitions}// comment\n{deeper}"),
            format!("{definitions}module {{\n{deeper}\n}}\n{deeper}"),
            format!("{definitions}#b = {deep}"),
        ] {
            assert_eq!(check_text(text.as_bytes()), Ok(()));
        }
        for value in ["", "\n", "\n(", "1(\n", "loc("] {
            let text = format!("{definitions}#b = {value}{deeper}");
            assert!(check_text(text.as_bytes()).is_err(), "{value}");
        }
    }
}
