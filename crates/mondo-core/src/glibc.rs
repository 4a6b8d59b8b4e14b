//! Versions of glibc, as manifests and platform tags name them.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A version of glibc: 2.17.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlibcVersion {
    /// The major version, which has been 2 for as long as wheels exist.
    pub major: u32,
    /// The minor version: 17.
    pub minor: u32,
}

impl GlibcVersion {
    /// The version of an image that needs no versioned symbol of glibc: the oldest that a wheel may
    /// name (PEP 513).
    pub const OLDEST: Self = Self::new(2, 5);

    /// The minimum of a manifest that names none: the oldest that mondo-runtime's replacements cover.
    pub const DEFAULT: Self = Self::new(2, 17);

    /// A version by its numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// Both numbers.
    #[must_use]
    pub fn pair(self) -> (u32, u32) {
        (self.major, self.minor)
    }
}

impl From<(u32, u32)> for GlibcVersion {
    fn from((major, minor): (u32, u32)) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for GlibcVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Serialize for GlibcVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that is not a version of glibc.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a glibc version such as 2.17")]
pub struct ParseGlibcVersionError;

impl FromStr for GlibcVersion {
    type Err = ParseGlibcVersionError;

    /// Takes `2.` and a number without sign or leading zeros.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let minor = text.strip_prefix("2.").ok_or(ParseGlibcVersionError)?;
        let plain = minor.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || minor.len() > 1 && minor.starts_with('0') {
            return Err(ParseGlibcVersionError);
        }
        let minor = minor.parse().map_err(|_| ParseGlibcVersionError)?;
        Ok(Self::new(2, minor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_manifests_write_them() {
        assert_eq!("2.17".parse(), Ok(GlibcVersion::new(2, 17)));
        assert_eq!("2.0".parse(), Ok(GlibcVersion::new(2, 0)));
        for bad in [
            "",
            "2",
            "2.",
            "2.x",
            "2.+1",
            "2.017",
            "2.17.1",
            "3.1",
            "GLIBC_2.17",
            "2.99999999999",
        ] {
            assert_eq!(
                bad.parse::<GlibcVersion>(),
                Err(ParseGlibcVersionError),
                "{bad:?}"
            );
        }
        assert!(GlibcVersion::new(2, 9) < GlibcVersion::new(2, 17));
        assert_eq!(GlibcVersion::new(2, 17).to_string(), "2.17");
    }
}
