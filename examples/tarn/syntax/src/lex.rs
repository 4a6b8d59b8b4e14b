//! The lexer: a text becomes tokens with their places.

use crate::tree::{Error, Place};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Number(i64),
    /// A name or a keyword.
    Word(String),
    Symbol(&'static str),
    End,
}

const SYMBOLS: [&str; 24] = [
    "==", "!=", "<=", ">=", "..", "(", ")", "{", "}", "[", "]", ",", ";", "=", "<", ">", "+", "-",
    "*", "/", "%", "&", "|", "^",
];

/// Reads all tokens; the last one is [`Token::End`].
pub(crate) fn lex(text: &str) -> Result<Vec<(Token, Place)>, Error> {
    let mut tokens = Vec::new();
    let mut place = Place { line: 1, column: 1 };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first == '\n' {
            place.line += 1;
            place.column = 0;
            (None, 1)
        } else if first.is_whitespace() {
            (None, first.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if first.is_ascii_digit() {
            let length = span(rest, |c| c.is_ascii_digit());
            let number = rest[..length].parse().map_err(|_| {
                Error::new(
                    place,
                    format!("`{}` is too large a number", &rest[..length]),
                )
            })?;
            (Some(Token::Number(number)), length)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            (Some(Token::Word(rest[..length].to_owned())), length)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Some(Token::Symbol(symbol)), symbol.len())
        } else if first == '!' {
            (Some(Token::Symbol("!")), 1)
        } else {
            return Err(Error::new(place, format!("`{first}` begins no token")));
        };
        tokens.extend(token.map(|token| (token, place)));
        place.column += rest[..length].chars().count() as u32;
        rest = &rest[length..];
    }
    tokens.push((Token::End, place));
    Ok(tokens)
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_places() {
        let tokens = lex("a <= 12 // no\n  b").unwrap();
        let found = tokens
            .iter()
            .map(|(token, place)| (token.clone(), place.line, place.column));
        let found: Vec<_> = found.collect();
        assert_eq!(
            found,
            [
                (Token::Word("a".into()), 1, 1),
                (Token::Symbol("<="), 1, 3),
                (Token::Number(12), 1, 6),
                (Token::Word("b".into()), 2, 3),
                (Token::End, 2, 4),
            ]
        );
    }

    #[test]
    fn what_is_no_token_is_an_error() {
        assert_eq!(
            lex("a $").unwrap_err().to_string(),
            "1:3: `$` begins no token"
        );
        assert!(lex("99999999999999999999").is_err());
    }
}
