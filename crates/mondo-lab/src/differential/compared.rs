//! The result of a comparison: the differences between mondo-audit and other tools over one wheel.

use mondo_build::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

use super::seen::Aspect;

/// The maximum size of a listed wheel's unpacked contents, in bytes.
pub(super) const LARGEST: u64 = 8 << 30;

/// A difference between one reader and mondo-audit in one aspect of one image.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Difference {
    pub(super) image: String,
    pub(super) reader: &'static str,
    pub(super) aspect: Aspect,
    pub(super) only_ours: Vec<String>,
    pub(super) only_theirs: Vec<String>,
}

/// The result for a wheel.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) title: String,
    pub(super) images: usize,
    /// The number of compared names, by reader.
    pub(super) names: BTreeMap<&'static str, usize>,
    pub(super) differences: Vec<Difference>,
}

/// Adds the names of one aspect that mondo-audit and another tool report, and their difference, if there is
/// one.
pub(super) fn add(
    compared: &mut Compared,
    reader: &'static str,
    aspect: Aspect,
    image: String,
    ours: BTreeSet<String>,
    theirs: BTreeSet<String>,
) {
    *compared.names.entry(reader).or_default() += ours.union(&theirs).count();
    if ours != theirs {
        compared.differences.push(Difference {
            image,
            reader,
            aspect,
            only_ours: ours.difference(&theirs).cloned().collect(),
            only_theirs: theirs.difference(&ours).cloned().collect(),
        });
    }
}

/// The error for a file that mondo-audit cannot read.
pub(super) fn unreadable(error: mondo_audit::ReadError) -> Error {
    Error::new(ErrorKind::Audit, "a file cannot be read").because(error.to_string())
}
