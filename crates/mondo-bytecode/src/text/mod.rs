//! The check of text: its nesting, in which MLIR's parser, printer and destructors recurse without a limit, its
//! last string, behind whose missing end MLIR's lexer reads on, and numbers that MLIR takes for sizes.

mod aliases;
mod brackets;
mod error;
mod lexer;
mod literals;
mod marks;
#[cfg(test)]
mod reference;
mod short;

pub use error::TextError;

use std::collections::HashMap;

use aliases::{Aliases, Known, TooDeep};
use brackets::Open;
use lexer::{end_of_line, end_of_string};
use literals::Resources;
use marks::{BLOCK, Block};

/// The minus signs in a row, each of which is a recursion of affine expressions.
const SIGNS: usize = 1000;

/// The reason for which a text is not read on.
#[derive(Debug)]
enum Stop {
    Error(TextError),
    Aliases(TooDeep),
}

impl From<TextError> for Stop {
    fn from(error: TextError) -> Self {
        Self::Error(error)
    }
}

impl From<TooDeep> for Stop {
    fn from(definition: TooDeep) -> Self {
        Self::Aliases(definition)
    }
}

/// Checks that brackets in `text`, as MLIR's lexer sees them, do not nest deeper than its parser can follow
/// on a stack of 8 MB, nor aliases in one another deeper than its printer, that its last string ends, and that
/// MLIR can make numbers of its literals. Everything else is left to MLIR.
///
/// ```
/// let text = format!("module {{\n  {}1{}\n}}", "[".repeat(5000), "]".repeat(5000));
/// let error = mondo_bytecode::check_text(text.as_bytes()).unwrap_err();
/// assert_eq!((error.line, error.column), (2, 1002));
/// ```
///
/// # Errors
/// [`TextError`] with the first bracket, alias or digit that is too many, or the string that does not end.
pub fn check_text(text: &[u8]) -> Result<(), TextError> {
    if short::is_harmless(text) {
        return Ok(());
    }
    check(text).map_err(|stop| match stop {
        Stop::Error(error) => error,
        Stop::Aliases(TooDeep(at)) => {
            let what = "aliases in one another, deeper than the printer can follow";
            TextError::at(text, at, what)
        }
    })
}

/// Reads a text quickly, and one that seems to be damaged again and exactly.
fn check(text: &[u8]) -> Result<(), Stop> {
    match read(text, Known::ByHash(None)) {
        // The hashes of two names may be the same.
        Err(Stop::Aliases(_)) => read(text, Known::ByName(HashMap::new())),
        other => other,
    }
}

/// A text that is read by blocks, from each to that which the end of its last mark is in.
struct Reader<'a> {
    text: &'a [u8],
    open: Open,
    aliases: Aliases<'a>,
    resources: Option<Resources>,
    /// The end of what was looked at.
    from: usize,
}

/// Reads the text.
fn read<'a>(text: &'a [u8], known: Known<'a>) -> Result<(), Stop> {
    let mut reader = Reader {
        text,
        open: Open::none(),
        aliases: Aliases::new(known),
        resources: None,
        from: 0,
    };
    let mut start = 0;
    while start < text.len() {
        reader.block(&Block::at(text, start), start)?;
        start = (start + BLOCK).max(reader.from);
    }
    literals::check_digits(text, reader.from.min(text.len())..text.len())?;
    Ok(reader.aliases.end(reader.open.most)?)
}

impl Reader<'_> {
    /// Reads the marks of the block that begins at `start`.
    #[inline]
    fn block(&mut self, block: &Block<'_>, start: usize) -> Result<(), Stop> {
        let Self {
            text,
            open,
            aliases,
            resources,
            from: from_of_reader,
        } = self;
        let text = *text;
        let mut from = *from_of_reader;
        let mut marks = block.marks_from(from.saturating_sub(start));
        if marks != 0 {
            // Between two marks of one block there is no room for a long number.
            let first = start + marks.trailing_zeros() as usize;
            literals::check_digits(text, from..first)?;
        }
        while marks != 0 {
            let place = marks.trailing_zeros() as usize;
            let at = start + place;
            aliases.pass(text, from..at, open.depth(), open.most)?;
            from = at + 1;
            marks &= marks - 1;
            match block.byte(place) {
                bracket @ (b'(' | b'[' | b'{' | b'<') => {
                    if open.push(bracket).is_err() {
                        let what = "brackets nest deeper than the parser can follow";
                        return Err(TextError::at(text, at, what).into());
                    }
                    aliases.value();
                    if bracket == b'{' && text[from..].starts_with(b"-#") {
                        resources.get_or_insert_with(|| Resources::at(at));
                    }
                    continue;
                }
                b')' => {
                    open.close(b'(');
                    continue;
                }
                b']' => {
                    open.close(b'[');
                    continue;
                }
                b'}' => {
                    open.close(b'{');
                    continue;
                }
                b'>' => {
                    // `>=` is a comparison of an integer set.
                    if text.get(from) != Some(&b'=') {
                        open.close(b'<');
                    }
                    continue;
                }
                b'"' => {
                    let end = end_of_string(text, at).ok_or_else(|| {
                        TextError::at(text, at, "expected '\"' in string literal")
                    })?;
                    if let Some(resources) = resources {
                        resources.check(text, at..end)?;
                    }
                    aliases.value();
                    from = end + 1;
                }
                b'#' | b'!' => {
                    if text.get(from).is_some_and(u8::is_ascii_digit) {
                        literals::check_result_number(text, at)?;
                    }
                    if !aliases.may_see(text, at, open.depth()) {
                        continue;
                    }
                    let (end, defines) = aliases.see(text, at, open.depth(), open.most)?;
                    from = end;
                    if defines {
                        open.most = open.depth();
                    }
                }
                // The end of the line may be that of a definition.
                b'/' if text.get(from) == Some(&b'/') => from = end_of_line(text, at),
                b'-' if text.get(from) == Some(&b'>') => from += 1,
                b'-' => from = end_of_signs(text, at)? + 1,
                _ => continue,
            }
            if from - start >= BLOCK {
                break;
            }
            marks = marks >> (from - start) << (from - start);
        }
        *from_of_reader = from;
        Ok(())
    }
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
    fn numbers_that_mlir_cannot_make() {
        let digits = "1".repeat(10_001);
        for text in [
            format!("1.{digits} : f64"),
            format!("x = 0x{digits}"),
            digits.clone(),
        ] {
            assert!(check_text(text.as_bytes()).is_err(), "{}", &text[..8]);
        }
        for text in [
            format!("\"{digits}\""),
            format!("// {digits}"),
            format!("%{digits} ^{digits}"),
            format!("@a{digits}"),
        ] {
            assert_eq!(check_text(text.as_bytes()), Ok(()));
        }
        assert_eq!(check_text("123, ".repeat(10_000).as_bytes()), Ok(()));
    }

    #[test]
    fn a_result_has_a_place_in_the_text() {
        for text in [
            "f(%0#4294967295)",
            "f(%a.b-c #99)",
            "%0#99999999999999999999999",
        ] {
            let error = check_text(text.as_bytes()).unwrap_err();
            assert_eq!(error.column, text.find('#').unwrap() + 1, "{text}");
        }
        for text in ["f(%0#15)         ", "f(#4294967295)", "#9 = unit", "%#9999"] {
            assert_eq!(check_text(text.as_bytes()), Ok(()), "{text}");
        }
    }

    #[test]
    fn resources_have_an_alignment() {
        let of = |kind: &str, data: &str| format!("{{-# {kind}: {{b: {{k: \"{data}\"}}}} #-}}");
        let bad = of("dialect_resources", "0x0000000000");
        assert_eq!(check_text(bad.as_bytes()).unwrap_err().column, 32);
        for text in [
            of("dialect_resources", "0x0100000000"),
            of("external_resources", "0x0000000000"),
            of("external_resources", "0x0000000000").repeat(20_000),
            "#a = \"0x0000000000\" dialect_resources".to_owned(),
        ] {
            assert_eq!(check_text(text.as_bytes()), Ok(()), "{text}");
        }
    }

    /// Definitions of which each is of the one before it.
    fn chain(sigil: char, count: usize, before: &str, after: &str) -> String {
        let mut text = format!("{sigil}a0 = unit\n");
        for number in 1..count {
            let last = number - 1;
            text += &format!("{sigil}a{number} = {before}{sigil}a{last}{after}\n");
        }
        text
    }

    #[test]
    fn aliases_in_one_another_have_a_limit() {
        for (sigil, before, after) in [('#', "[", "]"), ('!', "tuple<", ">"), ('#', "loc(", ")")] {
            let fits = chain(sigil, 1500, before, after);
            assert_eq!(check_text(fits.as_bytes()), Ok(()));
            assert_eq!(
                check_text(format!("{fits}{}", "({})\n".repeat(9000)).as_bytes()),
                Ok(())
            );
            let error = check_text(chain(sigil, 1600, before, after).as_bytes()).unwrap_err();
            assert_eq!((error.line, error.column), (1502, 1));
        }
        // Each refers to the first, and a string to none.
        let flat = "#b = [#a]\n#c = \"#c\"\n".repeat(5000);
        assert_eq!(check_text(format!("#a = unit\n{flat}").as_bytes()), Ok(()));
        let deep = format!("{}1{}", "[".repeat(900), "]".repeat(900));
        let deep = [0, 1, 2, 3].map(|number| deep.replace('1', &format!("#a{number}")));
        let [first, second, third, fourth] = &deep;
        let text = format!("#a1 = {first}\n#a2 = {second}\n#a3 = {third}\n");
        assert_eq!(check_text(text.as_bytes()), Ok(()));
        assert!(check_text(format!("{text}#a4 = {fourth}\n").as_bytes()).is_err());
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
