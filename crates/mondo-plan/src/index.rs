//! Values of metadata that an index takes.

/// The longest label of a `Project-URL`, in characters.
pub const LONGEST_URL_LABEL: usize = 32;

/// The first words of trove classifiers, except `License`, which a licence expression replaces (PEP 639). An index
/// takes none that begins with `Private`, which is what that is for.
pub const CLASSIFIERS: [&str; 10] = [
    "Development Status",
    "Environment",
    "Framework",
    "Intended Audience",
    "Natural Language",
    "Operating System",
    "Private",
    "Programming Language",
    "Topic",
    "Typing",
];

/// True for a URL of http or https with a host.
#[must_use]
pub fn is_web_address(text: &str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let bad = |c: char| c.is_whitespace() || c.is_control();
    host.is_some_and(|host| !host.is_empty()) && !text.contains(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_have_a_host() {
        for good in ["https://example.org", "http://example.org/a,b?c#d"] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "https://",
            "https:///a",
            "https://?a",
            "https://a b",
            "file://a",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }
}
