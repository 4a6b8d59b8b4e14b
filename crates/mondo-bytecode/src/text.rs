//! The check of text: its nesting, in which MLIR's parser, printer and destructors recurse without a limit, and
//! its last string, behind whose missing end MLIR's lexer reads on.

use std::fmt;

/// The weight that open brackets may have at a time. MLIR's deepest recursion, that of regions, takes some
/// 2 kB of stack for a unit of it: the half of the 8 MB that a main thread has.
const LIMIT: usize = 2000;

/// The weight of `(`, `[` and `{`. One of `<` is 1: it takes less of the stack, and a dialect may have one
/// that nothing closes.
const BRACKET: usize = 2;

/// The minus signs in a row, each of which is a recursion of affine expressions.
const SIGNS: usize = 1000;

/// A place in a text that MLIR must not be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    what: &'static str,
}

impl TextError {
    #[cold]
    fn at(text: &[u8], offset: usize, what: &'static str) -> Self {
        let before = &text[..offset];
        let start = before.iter().rposition(|byte| *byte == b'\n');
        Self {
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
            column: offset - start.map_or(0, |newline| newline + 1) + 1,
            what,
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, what } = self;
        write!(f, "at line {line}, column {column}: {what}")
    }
}

impl std::error::Error for TextError {}

/// The bytes that the check looks at.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let bytes = b"\"/([{<>)]}-";
    let mut index = 0;
    while index < bytes.len() {
        marks[bytes[index] as usize] = true;
        index += 1;
    }
    marks
};

/// The brackets that are open.
#[derive(Debug, Default)]
struct Open {
    brackets: Vec<u8>,
    weight: usize,
}

impl Open {
    fn weight_of(bracket: u8) -> usize {
        if bracket == b'<' { 1 } else { BRACKET }
    }

    fn push(&mut self, bracket: u8) {
        self.brackets.push(bracket);
        self.weight += Self::weight_of(bracket);
    }

    fn pop(&mut self) {
        if let Some(bracket) = self.brackets.pop() {
            self.weight -= Self::weight_of(bracket);
        }
    }

    fn close(&mut self, opening: u8) {
        // A dialect may write `<` for "less than": that ends with the bracket around it.
        while opening != b'<' && self.brackets.last() == Some(&b'<') {
            self.pop();
        }
        if self.brackets.last() == Some(&opening) {
            self.pop();
        }
    }
}

/// Checks that brackets in `text`, as MLIR's lexer sees them, do not nest deeper than its parser can follow
/// on a stack of 8 MB, and that its last string ends. Everything else is left to MLIR.
///
/// ```
/// let text = format!("module {{\n  {}1{}\n}}", "[".repeat(5000), "]".repeat(5000));
/// let error = mondo_bytecode::check_text(text.as_bytes()).unwrap_err();
/// assert_eq!((error.line, error.column), (2, 1002));
/// ```
///
/// # Errors
/// [`TextError`] with the first bracket that is too many, or the string that does not end.
pub fn check_text(text: &[u8]) -> Result<(), TextError> {
    let mut open = Open::default();
    let mut at = 0;
    while let Some(skipped) = text[at..].iter().position(|byte| MARKS[usize::from(*byte)]) {
        at += skipped;
        let next = text.get(at + 1).copied();
        match text[at] {
            b'"' => {
                at = end_of_string(text, at)
                    .ok_or_else(|| TextError::at(text, at, "expected '\"' in string literal"))?;
            }
            b'/' if next == Some(b'/') => at = end_of_line(text, at),
            b'-' if next == Some(b'>') => at += 1,
            b'-' => at = end_of_signs(text, at)?,
            // A comparison of an integer set.
            b'>' if next == Some(b'=') => at += 1,
            b'>' => open.close(b'<'),
            b')' => open.close(b'('),
            b']' => open.close(b'['),
            b'}' => open.close(b'{'),
            bracket @ (b'(' | b'[' | b'{' | b'<') => {
                open.push(bracket);
                if open.weight > LIMIT {
                    let what = "brackets nest deeper than the parser can follow";
                    return Err(TextError::at(text, at, what));
                }
            }
            _ => {}
        }
        at = (at + 1).min(text.len());
    }
    Ok(())
}

/// The offset of the last byte of the string that begins at `start`, or of the end of its line: no string has
/// more than one. None where the text ends first.
fn end_of_string(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match text.get(at)? {
            b'"' | b'\n' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

fn end_of_line(text: &[u8], start: usize) -> usize {
    let newline = text[start..].iter().position(|byte| *byte == b'\n');
    newline.map_or(text.len(), |newline| start + newline)
}

/// The offset of the last of the minus signs from `start` on, among which there may be spaces.
fn end_of_signs(text: &[u8], start: usize) -> Result<usize, TextError> {
    let mut signs = 0;
    let mut last = start;
    for (at, byte) in text.iter().enumerate().skip(start) {
        match byte {
            b'-' if text.get(at + 1) != Some(&b'>') => {
                signs += 1;
                last = at;
                if signs > SIGNS {
                    let what = "more minus signs in a row than the parser can follow";
                    return Err(TextError::at(text, at, what));
                }
            }
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => break,
        }
    }
    Ok(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(before: &str, open: &str, close: &str, count: usize) -> String {
        format!("{before}{}{}", open.repeat(count), close.repeat(count))
    }

    #[test]
    fn each_kind_of_nesting_has_its_limit() {
        for (open, close, fits) in [("(", ")", 1000), ("{ [", "] }", 500), ("t<", ">", 2000)] {
            assert_eq!(check_text(nested("", open, close, fits).as_bytes()), Ok(()));
            let error = check_text(nested("\n ", open, close, fits + 1).as_bytes()).unwrap_err();
            assert_eq!(error.line, 2, "{open}");
        }
        assert!(check_text("- ".repeat(1000).as_bytes()).is_ok());
        let error = check_text("- ".repeat(1001).as_bytes()).unwrap_err();
        assert_eq!(error.column, 2001);
    }

    #[test]
    fn what_is_no_bracket_does_not_count() {
        for text in [
            "\"([{<\" ",
            "// ([{<\n",
            "(d0) -> (d0) ",
            "#s = affine_set<(d0) : (d0 >= 0)>\n",
            "(a < b)",
            "\"\\\"(\"",
            "\"(\n",
        ] {
            assert_eq!(check_text(text.repeat(3000).as_bytes()), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_last_string_ends() {
        for text in ["\n \"", "\n \"abc", "\n \"\\", "\n \"\\\""] {
            let error = check_text(text.as_bytes()).unwrap_err();
            assert_eq!((error.line, error.column), (2, 2), "{text}");
        }
    }

    #[test]
    fn damaged_text_is_left_to_the_parser() {
        for text in [
            "\"\n", "\"\\\n\n", "-", "->", "/", "//", ">>>", ")]}", "(]", "",
        ] {
            assert_eq!(check_text(text.as_bytes()), Ok(()), "{text}");
        }
    }
}
