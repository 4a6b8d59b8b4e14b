//! The check again, one byte after the other and with the names of aliases instead of their hashes. The tests
//! compare the two.

use std::collections::HashMap;

use super::error::TextError;
use super::lexer::{end_of_line, end_of_string};
use super::literals::{self, Resources};
use super::{check_text, end_of_signs};

const MARKS: &[u8] = b"\"/([{<>)]}-#!";
const NESTED: &str = "brackets nest deeper than the parser can follow";
const ALIASES: &str = "aliases in one another, deeper than the printer can follow";

#[derive(Default)]
struct Definition<'a> {
    name: &'a [u8],
    at: usize,
    depth: usize,
    levels: usize,
    has_value: bool,
}

#[derive(Default)]
struct Reference<'a> {
    open: Vec<u8>,
    /// The most brackets that were open in the definition.
    most: usize,
    known: HashMap<&'a [u8], usize>,
    definition: Option<Definition<'a>>,
}

impl<'a> Reference<'a> {
    fn close(&mut self, opening: u8) {
        if opening != b'<' && self.open.last() != Some(&opening) {
            while self.open.pop_if(|last| *last == b'<').is_some() {}
        }
        self.open.pop_if(|last| *last == opening);
    }

    fn end(&mut self, text: &[u8]) -> Result<(), TextError> {
        let Some(it) = self.definition.take() else {
            return Ok(());
        };
        let levels = it.levels.max(self.most.saturating_sub(it.depth));
        if levels > 3000 {
            return Err(TextError::at(text, it.at, ALIASES));
        }
        self.known.insert(it.name, levels);
        Ok(())
    }

    fn pass(&mut self, text: &[u8], before: &[u8]) -> Result<(), TextError> {
        for byte in before {
            let depth = self.open.len();
            let Some(it) = self
                .definition
                .as_mut()
                .filter(|definition| depth <= definition.depth)
            else {
                return Ok(());
            };
            match byte {
                b'\n' if it.has_value => self.end(text)?,
                b'=' | b' ' | b'\t' | b'\n' | b'\r' => {}
                _ => it.has_value = true,
            }
        }
        Ok(())
    }

    /// The offset behind the name of an alias.
    fn see(&mut self, text: &'a [u8], at: usize) -> Result<usize, TextError> {
        let depth = self.open.len();
        let may_define = depth == 0 || at == 0 || text[at - 1] == b'\n';
        if !may_define && self.definition.is_none() {
            return Ok(at + 1);
        }
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._$-".contains(byte);
        let length = text[at + 1..]
            .iter()
            .take_while(|byte| is_of_name(byte))
            .count();
        let end = at + 1 + length;
        let name = &text[at..end];
        let behind = text[end..].trim_ascii_start();
        if length == 0 {
            return Ok(end);
        }
        if may_define && behind.starts_with(b"=") && !behind.starts_with(b"==") {
            self.end(text)?;
            self.most = depth;
            self.definition = Some(Definition {
                name,
                at,
                depth,
                ..Definition::default()
            });
        } else if let Some(it) = &mut self.definition {
            let of_name = self.known.get(name).copied().unwrap_or(0);
            it.levels = it.levels.max(depth.saturating_sub(it.depth) + 1 + of_name);
            it.has_value = true;
        }
        Ok(end)
    }

    fn value(&mut self) {
        if let Some(it) = &mut self.definition {
            it.has_value = true;
        }
    }
}

fn check(text: &[u8]) -> Result<(), TextError> {
    let mut it = Reference::default();
    let mut resources = None;
    let mut from = 0;
    while let Some(next) = text
        .get(from..)
        .and_then(|rest| rest.iter().position(|byte| MARKS.contains(byte)))
    {
        let at = from + next;
        literals::check_digits(text, from..at)?;
        it.pass(text, &text[from..at])?;
        let next = text.get(at + 1).copied();
        from = at + 1;
        match text[at] {
            bracket @ (b'(' | b'[' | b'{' | b'<') => {
                it.open.push(bracket);
                it.most = it.most.max(it.open.len());
                let weights = it
                    .open
                    .iter()
                    .map(|bracket| if *bracket == b'<' { 1 } else { 2 });
                if it.open.len() > 1000 && weights.sum::<usize>() > 2000 {
                    return Err(TextError::at(text, at, NESTED));
                }
                it.value();
                if text[at..].starts_with(b"{-#") {
                    resources.get_or_insert_with(|| Resources::at(at));
                }
            }
            b')' => it.close(b'('),
            b']' => it.close(b'['),
            b'}' => it.close(b'{'),
            b'>' if next == Some(b'=') => from += 1,
            b'>' => it.close(b'<'),
            b'"' => {
                let end = end_of_string(text, at)
                    .ok_or_else(|| TextError::at(text, at, "expected '\"' in string literal"))?;
                if let Some(resources) = &mut resources {
                    resources.check(text, at..end)?;
                }
                it.value();
                from = end + 1;
            }
            b'#' | b'!' => {
                if next.is_some_and(|next| next.is_ascii_digit()) {
                    literals::check_result_number(text, at)?;
                }
                from = it.see(text, at)?;
            }
            b'/' if next == Some(b'/') => from = end_of_line(text, at),
            b'-' if next == Some(b'>') => from += 1,
            b'-' => from = end_of_signs(text, at)? + 1,
            _ => {}
        }
    }
    literals::check_digits(text, from.min(text.len())..text.len())?;
    it.end(text)
}

const BRACKETS: [&str; 8] = ["(", ")", "[", "]", "{", "}", "<", ">"];

/// The other parts that both kinds of texts are made of.
const SHARED: [&str; 16] = [
    "->",
    ">=",
    "-",
    "\"",
    "\\",
    " ",
    " = ",
    "==",
    "=",
    "//",
    "/",
    "#",
    "!",
    "\"0x00000000",
    "12345",
    "\u{e9}",
];

/// One of the parts in these lists.
fn one_of(lists: &[&[&'static str]], next: &mut impl FnMut(usize) -> usize) -> &'static str {
    let number = next(lists.iter().copied().map(<[_]>::len).sum());
    let part = lists.iter().copied().flatten().nth(number);
    part.expect("the number is below that of the parts")
}

const TOKENS: [&str; 16] = [
    "\"a\"",
    "\n",
    "\n",
    "  ",
    "\n#a = ",
    "\n#b = [#a]",
    "\n#c=#b",
    "!b.c-d",
    "\n!a_long_name_of_an_alias1 = ",
    "!a_long_name_of_an_alias1",
    "%a#1",
    "%a#99999999999",
    "{-# dialect_resources",
    "word.x",
    "#0",
    "#a",
];

/// A text of these tokens, some of them many times and with definitions of each other.
fn text_of(mut next: impl FnMut(usize) -> usize) -> String {
    let mut text = String::new();
    for _ in 0..next(60) {
        // Twice the brackets, so that more of them nest.
        let token = one_of(&[&BRACKETS, &BRACKETS, &SHARED, &TOKENS], &mut next);
        match next(40) {
            0 => text += &token.repeat(next(2500)),
            1 => {
                let (before, after) = [("", ""), ("[", "]"), ("<", ">"), ("(", "")][next(4)];
                for number in 1..next(1800) {
                    let last = number - next(2);
                    text += &format!("\n#x{number} = {before}#x{last}{after}");
                }
            }
            2 => text += &"1".repeat(next(20_000)),
            _ => text += token,
        }
    }
    text
}

/// The numbers below a bound that follow from a seed (xorshift).
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    }
}

#[test]
fn texts_of_tokens_are_checked_alike() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 1..=3000_u64 {
        let text = text_of(numbers(seed));
        let expected = check(text.as_bytes());
        assert_eq!(check_text(text.as_bytes()), expected, "seed {seed}");
        match expected {
            Ok(()) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 300 && accepted > 300, "{refused} {accepted}");
}

/// Parts of a line.
const PARTS: [&str; 20] = [
    "- ",
    "-1",
    "\"a1\"",
    "#a",
    "#a1",
    "#a12 ",
    "!b3.c-d",
    "%a#1",
    "%a#99999999",
    "{-# ",
    "dialect_resources",
    "word",
    "(#a1)",
    "[#a2, #a3]",
    "{a = 1}",
    "<4xi8>",
    "#a1-",
    "\r",
    "\t",
    "0",
];

/// Beginnings of lines.
const BEGINNINGS: [&str; 10] = [
    "#a1 = ",
    "#a12 = ",
    "#a1",
    "!b3 = ",
    "  ",
    "= ",
    "#long_name_of_an_alias1 = ",
    "",
    "-",
    "}",
];

/// A text of a few lines, each of which comes again with other digits.
fn lines_of(mut next: impl FnMut(usize) -> usize) -> String {
    let mut lines = Vec::new();
    for _ in 0..=next(5) {
        let mut line = BEGINNINGS[next(BEGINNINGS.len())].to_owned();
        for _ in 0..next(8) {
            line += one_of(&[&BRACKETS, &SHARED, &PARTS], &mut next);
        }
        lines.push(line);
    }
    let mut text = "{\n".repeat([0, 0, 0, 1, 998][next(5)]);
    for _ in 0..next(300) {
        let line = &lines[next(lines.len())];
        let digits = line.chars().map(|c| match c {
            '0'..='9' if next(2) == 0 => {
                (next(10) + usize::pow(10, next(9) as u32) - 1).to_string()
            }
            other => other.to_string(),
        });
        text += &digits.collect::<String>();
        text += if next(60) == 0 { "" } else { "\n" };
    }
    // The end of a text is read by blocks.
    text + &"\n".repeat(next(2) * 64)
}

#[test]
fn lines_that_differ_in_digits_are_checked_alike() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 1..=1000_u64 {
        let text = lines_of(numbers(seed));
        let text = text.as_bytes();
        let expected = check(text);
        match expected {
            Ok(()) => accepted += 1,
            Err(_) => refused += 1,
        }
        assert_eq!(check_text(text), expected, "seed {seed}");
    }
    assert!(refused > 200 && accepted > 100, "{refused} {accepted}");
}
