//! The part of each group that the gate has, where it is a list.

use mondo_testbed::Extent;

use crate::group::Group;

/// The manifests whose wheels are tested, those of the gate first.
const MANIFESTS: &[&str] = &["default", "core", "acme"];

/// The bundles of the LLVMs besides the default that are tested, that of a run without `--all` first.
const OTHER: &[&str] = &["core", "standard", "default", "acme", "units"];

/// The time of each fuzz target, in seconds: enough to come through the seeds and some million inputs made of them.
const FUZZ_SECONDS: u32 = 60;

/// The groups of a run that names none.
pub(super) fn groups(extent: Extent, known: &[Group]) -> Vec<Group> {
    let wanted = |group: &Group| extent.is_all() || group.in_gate();
    known.iter().copied().filter(wanted).collect()
}

pub(super) fn manifests(extent: Extent) -> &'static [&'static str] {
    extent.first(2, MANIFESTS)
}

pub(super) fn other(extent: Extent) -> &'static [&'static str] {
    extent.first(1, OTHER)
}

/// The time that libFuzzer runs each target; in the gate it does not run at all.
pub(super) fn fuzz_seconds(extent: Extent) -> Option<u32> {
    extent.is_all().then_some(FUZZ_SECONDS)
}
