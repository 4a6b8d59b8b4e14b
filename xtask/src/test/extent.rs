//! The part of each group that the gate has, where it is a list.

use mondo_testbed::Extent;

use crate::group::Group;

/// The manifests whose wheels are tested, those of the gate first.
const MANIFESTS: &[&str] = &["default", "core", "acme"];

/// The bundles of the older LLVMs that are tested, that of a run without `--all` first.
const OLDER: &[&str] = &["core", "standard", "default", "acme"];

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

pub(super) fn older(extent: Extent) -> &'static [&'static str] {
    extent.first(1, OLDER)
}

/// The time that libFuzzer runs each target; in the gate it does not run at all.
pub(super) fn fuzz_seconds(extent: Extent) -> Option<u32> {
    extent.is_all().then_some(FUZZ_SECONDS)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn only_all_has_what_takes_long() {
        let known = Group::value_variants();
        let gate = groups(Extent::Gate, known);
        let only_all: Vec<Group> = known
            .iter()
            .copied()
            .filter(|group| !gate.contains(group))
            .collect();
        assert_eq!(
            only_all,
            [
                Group::Page,
                Group::Distributions,
                Group::OlderLlvm,
                Group::RustDialects,
                Group::Reproducible,
                Group::Downstream,
                Group::Backend,
                Group::Cache,
                Group::Conformance,
                Group::Clients,
                Group::Tools,
                Group::Installed,
                Group::Hosts,
            ]
        );
        assert_eq!(groups(Extent::All, known), known);
    }

    #[test]
    fn the_gate_has_a_part_of_what_all_has() {
        assert_eq!(manifests(Extent::Gate), ["default", "core"]);
        assert_eq!(manifests(Extent::All), ["default", "core", "acme"]);
        assert_eq!(older(Extent::Gate), ["core"]);
        assert_eq!(older(Extent::All), ["core", "standard", "default", "acme"]);
        assert_eq!(fuzz_seconds(Extent::Gate), None);
        assert!(fuzz_seconds(Extent::All).is_some_and(|seconds| seconds >= 60));
    }
}
