//! The extent of a run: the part of the project's checks that it covers.

use crate::group::Group;

/// The part of each group that a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Every part of the project once, in minutes: the gate.
    Gate,
    /// All that there is: every night, and before work is called done on what only this covers.
    All,
}

/// The manifests whose wheels are tested, those of the gate first.
const MANIFESTS: &[&str] = &["default", "core", "acme"];

/// The bundles of the older LLVMs that are tested, that of a run without `--all` first.
const OLDER: &[&str] = &["core", "standard", "default", "acme"];

/// The fuzz targets' time, in seconds: enough to come through the seeds and some hundred thousand
/// inputs made of them. Searching is what `cargo lab fuzz` is for.
const FUZZ_SECONDS: u32 = 6;

impl Extent {
    /// By the flag `--all` of the command line.
    pub(crate) fn new(all: bool) -> Self {
        if all { Self::All } else { Self::Gate }
    }

    pub(crate) fn is_all(self) -> bool {
        self == Self::All
    }

    /// The groups of a run that names none.
    pub(super) fn groups(self, known: &[Group]) -> Vec<Group> {
        let wanted = |group: &Group| self.is_all() || group.in_gate();
        known.iter().copied().filter(wanted).collect()
    }

    pub(super) fn manifests(self) -> &'static [&'static str] {
        self.first(2, MANIFESTS)
    }

    pub(super) fn older(self) -> &'static [&'static str] {
        self.first(1, OLDER)
    }

    /// The time that libFuzzer runs each target; in the gate it does not run at all.
    pub(super) fn fuzz_seconds(self) -> Option<u32> {
        self.is_all().then_some(FUZZ_SECONDS)
    }

    /// The first ones in the gate, else all of them.
    pub(super) fn first<T>(self, gate: usize, all: &[T]) -> &[T] {
        if self.is_all() { all } else { &all[..gate] }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn only_all_has_what_takes_long() {
        let known = Group::value_variants();
        let gate = Extent::Gate.groups(known);
        let left_out: Vec<Group> = known
            .iter()
            .copied()
            .filter(|group| !gate.contains(group))
            .collect();
        assert_eq!(
            left_out,
            [
                Group::Page,
                Group::Distributions,
                Group::OlderLlvm,
                Group::RustDialects,
                Group::Reproducible,
                Group::Downstream,
                Group::Backend,
                Group::Cache,
                Group::Tools,
                Group::Installed,
            ]
        );
        assert_eq!(Extent::All.groups(known), known);
    }

    #[test]
    fn the_gate_has_a_part_of_what_all_has() {
        assert_eq!(Extent::Gate.manifests(), ["default", "core"]);
        assert_eq!(Extent::All.manifests(), ["default", "core", "acme"]);
        assert_eq!(Extent::Gate.older(), ["core"]);
        assert_eq!(Extent::All.older(), ["core", "standard", "default", "acme"]);
        assert_eq!(Extent::Gate.fuzz_seconds(), None);
        assert!(
            Extent::All
                .fuzz_seconds()
                .is_some_and(|seconds| seconds >= 6)
        );
    }

    #[test]
    fn the_flag_decides() {
        assert_eq!(Extent::new(false), Extent::Gate);
        assert_eq!(Extent::new(true), Extent::All);
    }
}
