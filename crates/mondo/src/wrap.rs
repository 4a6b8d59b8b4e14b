//! Long lines on a terminal: they break between words, as a terminal itself breaks them anywhere.

use terminal_size::{Width, terminal_size_of};

/// The beginnings of lines that explain an error. What follows one is indented like it.
const MARKS: [&str; 6] = ["at: ", "why: ", "cause: ", "help: ", "note  ", "- "];

/// The text for standard error: with lines that fit if that is a terminal, else unchanged.
pub(crate) fn for_terminal(text: &str) -> String {
    match terminal_size_of(std::io::stderr()) {
        Some((Width(width), _)) => wrapped(text, usize::from(width)),
        None => text.to_owned(),
    }
}

fn wrapped(text: &str, width: usize) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| broken(line, width)).collect();
    lines.join("\n")
}

/// Breaks a line that is longer than `width` at spaces, and indents what follows like its text.
fn broken(line: &str, width: usize) -> String {
    let spaces = line.len() - line.trim_start_matches(' ').len();
    let mark = MARKS.iter().find(|mark| line[spaces..].starts_with(*mark));
    let (head, text) = line.split_at(spaces + mark.map_or(0, |mark| mark.len()));
    let indent = head.len();
    if indent * 2 > width {
        return line.to_owned();
    }
    let mut broken = head.to_owned();
    let mut column = indent;
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > width {
            broken.push('\n');
            broken.push_str(&" ".repeat(indent));
            column = indent;
        } else if index > 0 {
            broken.push(' ');
            column += 1;
        }
        broken.push_str(word);
        column += length;
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_keep_their_indent() {
        let text = "error[plan]: a wheel is too large\n  why: one two three four five\n    - /a/long/path/stays/whole";
        let expected = "error[plan]: a wheel\nis too large\n  why: one two three\n       four five\n    - /a/long/path/stays/whole";
        assert_eq!(wrapped(text, 21), expected);
        assert_eq!(wrapped(text, 200), text);
        assert_eq!(
            wrapped(text, 3).replace('\n', " ").matches("three").count(),
            1
        );
        assert_eq!(wrapped("", 10), "");
    }
}
