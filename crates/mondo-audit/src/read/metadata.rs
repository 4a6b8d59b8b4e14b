//! The `Key: value` files of a `.dist-info` folder, METADATA and WHEEL, as far as they are headers.

/// The fields of the headers, in the file's order. A value that goes on in lines that start with
/// white space has these lines joined by line feeds.
pub(crate) fn fields(text: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            break;
        }
        if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(line.trim());
            }
        } else if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim().to_owned(), value.trim().to_owned()));
        } else {
            fields.push((String::new(), line.to_owned()));
        }
    }
    fields
}

/// The values of one field, whatever the case of its name.
pub(crate) fn values<'f>(
    fields: &'f [(String, String)],
    key: &str,
) -> impl Iterator<Item = &'f str> {
    fields
        .iter()
        .filter(move |(name, _)| name.eq_ignore_ascii_case(key))
        .map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_at_an_empty_line() {
        let found = fields("A: 1\r\nB: x\n  y\nnonsense\n\nC: 3\n");
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            found,
            [pair("A", "1"), pair("B", "x\ny"), pair("", "nonsense")]
        );
        assert_eq!(values(&found, "a").collect::<Vec<_>>(), ["1"]);
    }
}
