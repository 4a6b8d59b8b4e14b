//! Wheel tags: which interpreters and machines a wheel is for (PEP 425, PEP 600).

use std::fmt;

use mondo_core::error::{Error, ErrorKind, Result};

/// A tag. Each part may be a compressed set: several values joined by `.`, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// `cp310`: the lowest interpreter.
    pub python: String,
    /// `abi3`.
    pub abi: String,
    /// `manylinux_2_36_x86_64`; see [`platform`].
    pub platform: String,
}

impl Tag {
    /// The tag of a stable-ABI extension for CPython `minimum` and later.
    #[must_use]
    pub fn abi3(minimum: (u8, u8), platform: String) -> Self {
        Self {
            python: format!("cp{}{}", minimum.0, minimum.1),
            abi: "abi3".to_owned(),
            platform,
        }
    }

    /// Each single tag that the compressed sets stand for, sorted.
    #[must_use]
    pub fn expanded(&self) -> Vec<String> {
        let mut all = Vec::new();
        for python in self.python.split('.') {
            for abi in self.abi.split('.') {
                for platform in self.platform.split('.') {
                    all.push(format!("{python}-{abi}-{platform}"));
                }
            }
        }
        all.sort();
        all
    }

    /// Each part is made of ASCII letters, digits and `_`, so that it can stand in a file name.
    ///
    /// # Errors
    /// `ErrorKind::Wheel` for a part with other characters.
    pub fn check(&self) -> Result<()> {
        let word =
            |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        for part in [&self.python, &self.abi, &self.platform] {
            if !part.split('.').all(word) {
                return Err(
                    Error::new(ErrorKind::Wheel, format!("invalid wheel tag: `{part}`"))
                        .at(self.to_string())
                        .because("a tag has letters, digits and `_`; use `.` to join several tags"),
                );
            }
        }
        Ok(())
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.python, self.abi, self.platform)
    }
}

/// The platform part for a wheel whose files need glibc `minimum` on `arch` (`x86_64`, `aarch64`).
///
/// A manylinux policy bounds libgcc's, libstdc++'s and zlib's symbol versions as well, but ours has
/// none of those to bound: they are linked statically and the audit allows libc's family alone. So
/// the policy is the glibc version, which the audit measured on what ships. A minimum below the oldest
/// policy of an architecture is that policy; the three policies with an old name get that name too,
/// for installers from before PEP 600.
#[must_use]
pub fn platform(minimum: (u32, u32), arch: &str) -> String {
    let intel = matches!(arch, "x86_64" | "i686");
    let (major, minor) = minimum.max(if intel { (2, 5) } else { (2, 17) });
    let modern = format!("manylinux_{major}_{minor}_{arch}");
    let old = match (major, minor) {
        (2, 5) if intel => "manylinux1",
        (2, 12) if intel => "manylinux2010",
        (2, 17)
            if matches!(
                arch,
                "x86_64" | "i686" | "aarch64" | "armv7l" | "ppc64" | "ppc64le" | "s390x"
            ) =>
        {
            "manylinux2014"
        }
        _ => return modern,
    };
    format!("{old}_{arch}.{modern}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_follow_the_minimum() {
        assert_eq!(platform((2, 36), "x86_64"), "manylinux_2_36_x86_64");
        assert_eq!(
            platform((2, 17), "aarch64"),
            "manylinux2014_aarch64.manylinux_2_17_aarch64"
        );
        assert_eq!(
            platform((2, 12), "x86_64"),
            "manylinux2010_x86_64.manylinux_2_12_x86_64"
        );
        assert_eq!(
            platform((2, 2), "x86_64"),
            "manylinux1_x86_64.manylinux_2_5_x86_64"
        );
        assert_eq!(
            platform((2, 12), "aarch64"),
            "manylinux2014_aarch64.manylinux_2_17_aarch64"
        );
        assert_eq!(platform((2, 17), "riscv64"), "manylinux_2_17_riscv64");
    }

    #[test]
    fn compressed_sets_expand_to_every_combination() {
        let tag = Tag {
            python: "py2.py3".to_owned(),
            abi: "none".to_owned(),
            platform: platform((2, 17), "x86_64"),
        };
        insta::assert_snapshot!(tag.expanded().join("\n"), @r"
        py2-none-manylinux2014_x86_64
        py2-none-manylinux_2_17_x86_64
        py3-none-manylinux2014_x86_64
        py3-none-manylinux_2_17_x86_64
        ");
    }

    #[test]
    fn a_part_that_cannot_stand_in_a_file_name_is_refused() {
        for bad in ["", "a-b", "a..b", "a/b", "a\nb"] {
            assert!(
                Tag::abi3((3, 10), bad.to_owned()).check().is_err(),
                "{bad:?}"
            );
        }
        assert!(
            Tag::abi3((3, 10), platform((2, 17), "x86_64"))
                .check()
                .is_ok()
        );
    }
}
