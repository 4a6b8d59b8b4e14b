//! Names and versions as the Python packaging specifications normalise them.

/// The distribution's name as it stands in file names: lower case, each run of `-`, `_` and `.` one
/// `_` (the binary distribution format). None if it is not a valid name.
pub(crate) fn distribution(name: &str) -> Option<String> {
    let ends_well = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    if !ends_well(name.chars().next()) || !ends_well(name.chars().next_back()) {
        return None;
    }
    let mut normal = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => normal.push(c.to_ascii_lowercase()),
            '-' | '_' | '.' if normal.ends_with('_') => {}
            '-' | '_' | '.' => normal.push('_'),
            _ => return None,
        }
    }
    Some(normal)
}

/// A version in the normal form of PEP 440 (`v1.0-RC.1` is `1.0rc1`). None if it is not a version.
pub(crate) fn version(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase();
    let mut rest = text.strip_prefix('v').unwrap_or(&text);
    let mut normal = String::new();
    if let Some((epoch, after)) = rest.split_once('!') {
        let epoch = number(epoch)?;
        if epoch != "0" {
            normal = format!("{epoch}!");
        }
        rest = after;
    }
    let (public, local) = match rest.split_once('+') {
        Some((public, local)) => (public, Some(local)),
        None => (rest, None),
    };
    let mut scan = Scan(public);
    normal += scan.number()?;
    while let Some(part) = scan.dotted_number() {
        normal.push('.');
        normal += part;
    }
    let pre = [
        ("alpha", "a"),
        ("beta", "b"),
        ("preview", "rc"),
        ("pre", "rc"),
        ("rc", "rc"),
        ("a", "a"),
        ("b", "b"),
        ("c", "rc"),
    ];
    if let Some((tag, value)) = scan.suffix(&pre) {
        normal += &format!("{tag}{value}");
    }
    if let Some(value) = scan.implicit_post() {
        normal += &format!(".post{value}");
    } else if let Some((tag, value)) =
        scan.suffix(&[("post", ".post"), ("rev", ".post"), ("r", ".post")])
    {
        normal += &format!("{tag}{value}");
    }
    if let Some((tag, value)) = scan.suffix(&[("dev", ".dev")]) {
        normal += &format!("{tag}{value}");
    }
    if !scan.0.is_empty() {
        return None;
    }
    if let Some(local) = local {
        let parts: Option<Vec<&str>> = local.split(['.', '-', '_']).map(local_part).collect();
        normal = format!("{normal}+{}", parts?.join("."));
    }
    Some(normal)
}

/// A whole text of digits, without leading zeros.
fn number(text: &str) -> Option<&str> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| match text.trim_start_matches('0') {
        "" => "0",
        short => short,
    })
}

fn local_part(part: &str) -> Option<&str> {
    let known = !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
    known.then(|| number(part).unwrap_or(part))
}

/// What is left of a version to read.
struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    fn number(&mut self) -> Option<&'a str> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(end);
        let value = number(digits)?;
        self.0 = rest;
        Some(value)
    }

    fn dotted_number(&mut self) -> Option<&'a str> {
        let mut ahead = Scan(self.0.strip_prefix('.')?);
        let value = ahead.number()?;
        self.0 = ahead.0;
        Some(value)
    }

    /// `-1`, the short form of `.post1`.
    fn implicit_post(&mut self) -> Option<&'a str> {
        let mut ahead = Scan(self.0.strip_prefix('-')?);
        let value = ahead.number()?;
        self.0 = ahead.0;
        Some(value)
    }

    /// An optional separator, one of `spellings`, an optional separator, an optional number.
    fn suffix(&mut self, spellings: &[(&str, &'static str)]) -> Option<(&'static str, &'a str)> {
        let separator = ['.', '-', '_'];
        let start = self.0.strip_prefix(separator).unwrap_or(self.0);
        let (rest, normal) = spellings
            .iter()
            .find_map(|(spelling, normal)| Some((start.strip_prefix(spelling)?, *normal)))?;
        let mut ahead = Scan(rest.strip_prefix(separator).unwrap_or(rest));
        if let Some(value) = ahead.number() {
            self.0 = ahead.0;
            return Some((normal, value));
        }
        self.0 = rest;
        Some((normal, "0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_take_their_normal_form() {
        for (text, normal) in [
            ("22.1.8", "22.1.8"),
            ("v1.0-RC.1", "1.0rc1"),
            ("01.002", "1.2"),
            ("1!2.0.ALPHA", "1!2.0a0"),
            ("0!3", "3"),
            ("1.0_preview4", "1.0rc4"),
            ("1.0-1", "1.0.post1"),
            ("1.0rev", "1.0.post0"),
            (
                "1.0a1.post2.dev3+Ubuntu-01_x",
                "1.0a1.post2.dev3+ubuntu.1.x",
            ),
            ("1.dev", "1.dev0"),
        ] {
            assert_eq!(version(text).as_deref(), Some(normal), "{text}");
        }
    }

    #[test]
    fn what_is_no_version_has_none() {
        for text in [
            "",
            "v",
            "1.",
            "1..2",
            "a1",
            "1.0+",
            "1.0+a..b",
            "1.0 0",
            "1.0/2",
            "1!",
            "1.0post1rc1",
            "22.1.x",
            "1.0-\n",
            "١",
        ] {
            assert_eq!(version(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_are_escaped_for_file_names() {
        assert_eq!(distribution("mondo-mlir").as_deref(), Some("mondo_mlir"));
        assert_eq!(distribution("Acme.-_MLIR").as_deref(), Some("acme_mlir"));
        for bad in ["", "-a", "a-", "a b", "a/b", "é", "a\n"] {
            assert_eq!(distribution(bad), None, "{bad:?}");
        }
    }
}
