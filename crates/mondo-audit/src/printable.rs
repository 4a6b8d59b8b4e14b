//! Escaping of text that comes from files: a name in a crafted file can contain characters that move a terminal's
//! cursor, begin a line that looks like the report's own, or change the writing direction.

use std::fmt::Write as _;

/// Returns whether a terminal acts on a character instead of showing it: control characters, and those that end a line or
/// change the direction of writing.
fn acts(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Writes `\u{1b}` in place of such characters.
pub(crate) fn print(text: &mut String) {
    if !text.contains(acts) {
        return;
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for char in text.chars() {
        if acts(char) {
            // Writing to a String cannot fail.
            let _ = write!(shown, "{}", char.escape_unicode());
        } else {
            shown.push(char);
        }
    }
    *text = shown;
}

/// The text with such characters replaced.
pub(crate) fn printed(text: impl Into<String>) -> String {
    let mut text = text.into();
    print(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_a_command_to_a_terminal() {
        assert_eq!(printed("a\u{1b}[2J\nb"), "a\\u{1b}[2J\\u{a}b");
        assert_eq!(printed("a\u{202e}b\u{7f}"), "a\\u{202e}b\\u{7f}");
        assert_eq!(printed("_ZN4mlirE é"), "_ZN4mlirE é");
    }
}
