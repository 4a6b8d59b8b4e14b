//! RECORD: every file of a wheel with its hash and size, as CSV (PEP 376, PEP 427).

use std::fmt::Write;

/// One line of RECORD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row<'a> {
    /// The path in the wheel.
    pub(crate) path: &'a str,
    /// SHA-256 and size in bytes, or none for RECORD itself, which cannot hold its own hash.
    pub(crate) content: Option<([u8; 32], u64)>,
}

/// The text of RECORD, one row a line, in the order given.
pub(crate) fn render<'a>(rows: impl IntoIterator<Item = Row<'a>>) -> String {
    let mut text = String::new();
    for row in rows {
        text.push_str(&field(row.path));
        match row.content {
            // Writing to a String cannot fail.
            Some((sha256, size)) => {
                let _ = writeln!(text, ",sha256={},{size}", base64_url(&sha256));
            }
            None => text.push_str(",,\n"),
        }
    }
    text
}

/// A CSV field in the dialect of Python's `csv` module: quoted only where it must be.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// RFC 4648's URL-safe alphabet, without padding.
fn base64_url(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..group.len()].copy_from_slice(group);
        let word = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for digit in 0..=group.len() {
            text.push(char::from(
                ALPHABET[(word >> (18 - 6 * digit) & 63) as usize],
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_rfc() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg"),
            ("fo", "Zm8"),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64_url(bytes.as_bytes()), text);
        }
        assert_eq!(base64_url(&[0xfb, 0xff, 0xfe]), "-__-");
    }

    #[test]
    fn odd_names_are_quoted() {
        let row = |path| Row {
            path,
            content: Some(([0; 32], 7)),
        };
        let rows = [
            row("a/b.py"),
            row("a/b,c.txt"),
            row("a/\"q\".txt"),
            Row {
                path: "x.dist-info/RECORD",
                content: None,
            },
        ];
        insta::assert_snapshot!(render(rows), @r#"
        a/b.py,sha256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA,7
        "a/b,c.txt",sha256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA,7
        "a/""q"".txt",sha256=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA,7
        x.dist-info/RECORD,,
        "#);
    }
}
