//! Name patterns of policies, in which `*` stands for any text.

/// Matches a whole text against a pattern; each `*` of the pattern matches any text, the empty one
/// included.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else {
            return false;
        };
        text = &text[at + part.len()..];
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text) in [
            ("a/b.so", "a/b.so"),
            ("*", ""),
            ("a*", "a/b/c"),
            ("*.so", "a/b.so"),
            ("a*b*c", "axxbyyc"),
            ("_ZN*E", "_ZN1aE"),
            ("a*bc*c", "abcbcc"),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a", "ab"), ("a*a", "a"), ("*b", "ba"), ("a*b*c", "acb")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
