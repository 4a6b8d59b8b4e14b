//! Versions in the normal form of PEP 440.

use std::str::FromStr;

/// A version in its normal form (`v1.0-RC.1` is `1.0rc1`). None if it is not a version.
pub(crate) fn version(text: &str) -> Option<String> {
    let version = pep440_rs::Version::from_str(text).ok()?;
    Some(version.to_string())
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
}
