//! The differences that a comparison of a wheel with other readers finds.

use mondo_build::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};

use super::seen::Aspect;

/// The most that a wheel of the list may unpack to.
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

/// A wheel, compared.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) title: String,
    pub(super) images: usize,
    /// By reader: how many names were compared.
    pub(super) names: BTreeMap<&'static str, usize>,
    pub(super) differences: Vec<Difference>,
}

/// Adds the names that a peer reports of one aspect.
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
