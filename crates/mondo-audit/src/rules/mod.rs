//! The rules, one file each, and the stages of the audit that run their checks.

mod abi3;
mod aslr;
mod bind_now;
mod binding;
mod build_id;
mod build_path;
mod cfi;
mod cl_option;
mod debug_info;
mod duplicates;
mod exports;
mod format;
mod metadata;
mod minimum_versions;
mod modes;
mod names;
mod needed;
mod order;
mod record;
mod relro;
mod runpath;
mod sbom;
mod shared_data;
mod signature;
mod singleton;
mod soname;
mod stack;
mod symbols;
mod tag;
mod textrel;
mod typeid;
mod unique;
mod unneeded;
mod unresolved;
mod wheel_file;
mod zip;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::finding::Finding;
use crate::image::Image;
use crate::image_facts::{Facts, ImageKind};
use crate::image_set::{ImageSet, MOST_IMAGES};
use crate::policy::Policy;
use crate::read::error::ReadError;
use crate::rule::{ByteCheck, Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;

/// All rules, in the order of [`RuleId`].
pub(crate) const ALL: &[&Rule] = &[
    &abi3::RULE,
    &aslr::RULE,
    &bind_now::RULE,
    &binding::RULE,
    &build_id::RULE,
    &build_path::RULE,
    &cfi::RULE,
    &cl_option::RULE,
    &duplicates::RULE,
    &debug_info::RULE,
    &exports::RULE,
    &format::RULE,
    &metadata::RULE,
    &minimum_versions::RULE,
    &modes::RULE,
    &names::RULE,
    &needed::RULE,
    &order::RULE,
    &record::RULE,
    &relro::RULE,
    &runpath::RULE,
    &sbom::RULE,
    &shared_data::RULE,
    &signature::RULE,
    &singleton::RULE,
    &soname::RULE,
    &stack::RULE,
    &symbols::RULE,
    &tag::RULE,
    &textrel::RULE,
    &typeid::RULE,
    &unique::RULE,
    &unneeded::RULE,
    &unresolved::RULE,
    &wheel_file::RULE,
    &zip::RULE,
];

impl RuleId {
    /// The rule of this name.
    #[must_use]
    pub fn rule(self) -> &'static Rule {
        ALL[self as usize]
    }
}

/// The checks of one stage, of the rules that the policy does not skip.
fn of_stage<T>(policy: &Policy, stage: impl Fn(&Check) -> Option<T>) -> Vec<T> {
    let rules = ALL.iter().filter(|rule| !policy.skip.contains(&rule.id));
    rules
        .flat_map(|rule| rule.checks.iter().filter_map(&stage))
        .collect()
}

/// The checks over the bytes of files, made once for a policy.
pub(crate) struct ByteChecks(Vec<ByteCheck>);

impl ByteChecks {
    pub(crate) fn new(policy: &Policy) -> Self {
        let check_of = |check: &Check| match check {
            Check::Bytes(make) => Some(make(policy)),
            _ => None,
        };
        Self(of_stage(policy, check_of))
    }

    /// Checks one file. The images that it is or contains come with their offsets.
    pub(crate) fn check(
        &self,
        name: &str,
        bytes: &[u8],
        images: &[(u64, &Facts<'_>)],
    ) -> Vec<Finding> {
        let checks = self.0.iter();
        checks
            .flat_map(|check| check(name, bytes, images))
            .collect()
    }
}

/// Checks images: each by itself, and each set of images that can meet in one process.
///
/// Images come sorted by their worlds. Objects and archives are in no set: undefined symbols are
/// resolved, and exports selected, by the linker that takes them.
pub(crate) fn check_images(images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    let alone = of_stage(policy, |check| match check {
        Check::AnyImage(check) => Some(*check),
        _ => None,
    });
    let mut findings: Vec<Finding> = images
        .par_iter()
        .flat_map_iter(|image| alone.iter().flat_map(|check| check(image)))
        .collect();
    let oversized = of_stage(policy, |check| match check {
        Check::OversizedSet(check) => Some(*check),
        _ => None,
    });
    let worlds = images.chunk_by(|a, b| a.world() == b.world());
    for world in worlds.filter(|world| world[0].facts.kind.is_linked()) {
        if world.len() > MOST_IMAGES {
            findings.extend(oversized.iter().flat_map(|check| check(world)));
            for image in world.chunks(1) {
                findings.extend(check_set(image, policy));
            }
        } else {
            findings.extend(check_set(world, policy));
        }
    }
    findings
}

/// Checks linked images of one format and machine as a set.
fn check_set(images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    let set = ImageSet::new(images);
    let alone = of_stage(policy, |check| match check {
        Check::LinkedImage(check) => Some(*check),
        _ => None,
    });
    let members = of_stage(policy, |check| match check {
        Check::MemberOfSet(check) => Some(*check),
        _ => None,
    });
    let mut findings: Vec<Finding> = images
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, image)| {
            let alone = alone.iter().flat_map(|check| check(image, policy));
            let members = members.iter().flat_map(|check| check(at, &set));
            alone.chain(members).collect::<Vec<_>>()
        })
        .collect();
    let (libraries, programs) = processes(images);
    let together = of_stage(policy, |check| match check {
        Check::Libraries(check) => Some(*check),
        _ => None,
    });
    findings.extend(together.iter().flat_map(|check| check(&libraries, policy)));
    let process = of_stage(policy, |check| match check {
        Check::Process(check) => Some(*check),
        _ => None,
    });
    for images in programs.chunks(1).chain([libraries.as_slice()]) {
        findings.extend(process.iter().flat_map(|check| check(images)));
    }
    findings
}

/// Splits the images into those of the interpreter's process and the programs in wheels, each of which runs in a
/// process of its own. Of identical files with one SONAME only the first counts, since the loader identifies
/// libraries by their SONAMEs.
fn processes<'s, 'a>(images: &'s [Image<'a>]) -> (Vec<&'s Image<'a>>, Vec<&'s Image<'a>>) {
    let alone =
        |image: &&Image<'_>| image.package.is_some() && image.facts.kind == ImageKind::Program;
    let (programs, mut libraries): (Vec<_>, Vec<_>) = images.iter().partition(alone);
    libraries.sort_by_key(|image| image.facts.name);
    let alike = |image: &Image<'a>| (image.package, image.facts.soname, image.facts.file_size);
    let mut seen: HashMap<_, usize> = HashMap::new();
    for image in &libraries {
        *seen.entry(alike(image)).or_default() += 1;
    }
    let mut kept = HashSet::new();
    libraries.retain(|image| {
        let alike = alike(image);
        let twin = alike.1.is_some() && seen[&alike] > 1;
        let sum = image.sum.filter(|_| twin);
        sum.is_none_or(|sum| kept.insert((alike, sum, image.offset)))
    });
    (libraries, programs)
}

/// Checks a wheel as a file.
pub(crate) fn check_wheel(
    contents: &WheelContents<'_>,
    images: &[Image<'_>],
    policy: &Policy,
) -> Vec<Finding> {
    let checks = of_stage(policy, |check| match check {
        Check::Wheel(check) => Some(*check),
        _ => None,
    });
    let checks = checks.iter();
    checks.flat_map(|check| check(contents, images)).collect()
}

/// Checks the list of files that could not be read.
pub(crate) fn check_unreadable(files: &[(&str, ReadError)], policy: &Policy) -> Vec<Finding> {
    let checks = of_stage(policy, |check| match check {
        Check::Unreadable(check) => Some(*check),
        _ => None,
    });
    checks.iter().flat_map(|check| check(files)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_rule_once_in_the_order_of_the_ids() {
        let ids: Vec<RuleId> = ALL.iter().map(|rule| rule.id).collect();
        assert_eq!(ids, RuleId::ALL);
        assert!(ALL.iter().all(|rule| !rule.checks.is_empty()));
    }
}
