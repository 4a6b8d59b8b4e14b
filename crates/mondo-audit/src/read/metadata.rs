//! The `Key: value` files of a `.dist-info` folder, METADATA and WHEEL, as far as they are headers.

use std::borrow::Cow;

/// The headers of a file. They are read again for each use and not kept: a line has two bytes or more, and a few kilobytes
/// can unpack to millions of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'t> {
    rest: &'t str,
}

/// A field's value as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Value<'t>(&'t str);

impl<'t> Fields<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { rest: text }
    }

    /// The values of one field, whatever the case of its name.
    pub(crate) fn values(self, key: &str) -> impl Iterator<Item = Cow<'t, str>> {
        self.filter(move |(name, _)| name.eq_ignore_ascii_case(key))
            .map(|(_, value)| value.text())
    }
}

/// The fields in the file's order, each with its name; a line that is not a field has an empty name.
impl<'t> Iterator for Fields<'t> {
    type Item = (&'t str, Value<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (line, rest) = split_line(self.rest);
            if line.trim().is_empty() {
                self.rest = "";
                return None;
            }
            let start = self.rest;
            self.rest = rest;
            if is_continuation(line) {
                continue;
            }
            let (key, skipped) = match line.split_once(':') {
                Some((key, _)) => (key.trim(), key.len() + 1),
                None => ("", 0),
            };
            while is_continuation(self.rest) {
                let (line, rest) = split_line(self.rest);
                if line.trim().is_empty() {
                    break;
                }
                self.rest = rest;
            }
            let end = start.len() - self.rest.len();
            return Some((key, Value(&start[skipped..end])));
        }
    }
}

impl<'t> Value<'t> {
    /// The value. If it goes on in lines that start with white space, these lines are joined by line feeds.
    pub(crate) fn text(self) -> Cow<'t, str> {
        let whole = self.0.trim_end();
        if !whole.contains('\n') {
            return Cow::Borrowed(whole.trim());
        }
        let mut text = String::with_capacity(whole.len());
        // An empty first line counts: the value begins on the next one.
        for (number, line) in whole.lines().enumerate() {
            if number > 0 {
                text.push('\n');
            }
            text.push_str(line.trim());
        }
        Cow::Owned(text)
    }
}

/// White space at the start of a line says that it belongs to the field before.
fn is_continuation(line: &str) -> bool {
    line.starts_with([' ', '\t'])
}

/// The first line without its end, and the text after it.
fn split_line(text: &str) -> (&str, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    (line.strip_suffix('\r').unwrap_or(line), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_at_an_empty_line() {
        let fields = Fields::of("A: 1\r\nB: x\n  y\nnonsense\nC:\n z\n\nA: 3\n");
        let found: Vec<_> = fields.map(|(key, value)| (key, value.text())).collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(key, text)| (*key, &**text)).collect();
        assert_eq!(
            found,
            [("A", "1"), ("B", "x\ny"), ("", "nonsense"), ("C", "\nz")]
        );
        assert_eq!(fields.values("a").collect::<Vec<_>>(), ["1"]);
        assert_eq!(Fields::of(" x\n\ty\nA: 1").values("A").count(), 1);
        assert_eq!(Fields::of("").count(), 0);
    }
}
