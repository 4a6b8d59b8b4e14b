//! The rules: pure functions from facts to findings, one file per rule or tight family.

pub(crate) mod abi3;
pub(crate) mod binding;

pub(crate) mod build_path;
pub(crate) mod debug;
pub(crate) mod duplicates;
pub(crate) mod exports;
pub(crate) mod format;
pub(crate) mod hardening;
pub(crate) mod metadata;
pub(crate) mod minimum_versions;
pub(crate) mod modes;
pub(crate) mod names;
pub(crate) mod needed;
pub(crate) mod order;
pub(crate) mod record;
pub(crate) mod runpath;
pub(crate) mod sbom;
pub(crate) mod shared_data;
pub(crate) mod singleton;
pub(crate) mod soname;
pub(crate) mod tag;
pub(crate) mod typeid;
pub(crate) mod unique;
pub(crate) mod unneeded;
pub(crate) mod unresolved;
pub(crate) mod wheel_file;
pub(crate) mod zip;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::wheel_scan::Contents;
use crate::{Finding, Format, Image, ImageKind, Policy, Severity};

/// Every rule about images: those about one alone, then those about the set.
///
/// Images come sorted by their world. Only images of one world meet in a process; objects and
/// archives meet nobody, and what they export or lack is their linker's business.
pub(crate) fn check_images(images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    let mut findings: Vec<Finding> = images
        .par_iter()
        .flat_map_iter(|image| {
            let mut found = Vec::from_iter(format::unseen(image));
            found.extend(debug::check(image));
            found.extend(debug::symbols(image));
            found
        })
        .collect();
    let worlds = images.chunk_by(|a, b| a.world() == b.world());
    for world in worlds.filter(|world| world[0].facts.kind.is_linked()) {
        if world.len() > MOST_IMAGES {
            findings.extend(format::too_many(world));
            for image in world.chunks(1) {
                findings.extend(check_world(image, policy));
            }
        } else {
            findings.extend(check_world(world, policy));
        }
    }
    findings
}

/// How many images are set against each other. No process loads so many, and what is found about
/// pairs of them grows with their square.
const MOST_IMAGES: usize = 4096;

fn check_world(images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    let world = unresolved::World::new(images);
    let mut findings: Vec<Finding> = images
        .par_iter()
        .enumerate()
        .flat_map_iter(|(at, image)| {
            let mut found = exports::check(image, policy);
            found.extend(unique::check(image));
            found.extend(needed::check(image, &world.providers));
            found.extend(runpath::check(image));
            found.extend(hardening::check(image));
            found.extend(minimum_versions::check(image, policy));
            found.extend(unresolved::check(at, &world));
            found.extend(abi3::check(image, policy));
            found
        })
        .collect();
    let (libraries, programs) = meeting(images);
    findings.extend(soname::check(&libraries));
    findings.extend(shared_data::check(&libraries));
    for process in programs.chunks(1).chain([libraries.as_slice()]) {
        findings.extend(typeid::check(process));
        findings.extend(singleton::check(process));
    }
    // Only ELF's loader asks every image for every name.
    if images[0].facts.format == Format::Elf {
        findings.extend(binding::check(&libraries, policy));
    } else {
        findings.extend(binding::two_level::check(&libraries));
    }
    findings
}

/// The images that meet in Python's process, and the programs that wheels bring, each of which has
/// a process of its own. A library that was copied to give it a second name is there once: the loader
/// goes by what it is called inside.
fn meeting<'s, 'a>(images: &'s [Image<'a>]) -> (Vec<&'s Image<'a>>, Vec<&'s Image<'a>>) {
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

/// Every rule about a wheel as a file.
pub(crate) fn check_wheel(contents: &Contents<'_>, images: &[Image<'_>]) -> Vec<Finding> {
    let wheel = contents.wheel;
    let mut findings = Vec::new();
    findings.extend(names::check(wheel));
    findings.extend(record::check(contents));
    findings.extend(tag::check(contents, images));
    findings.extend(format::check(contents));
    findings.extend(metadata::check(contents));
    findings.extend(wheel_file::check(contents));
    findings.extend(sbom::check(contents));
    findings.extend(order::check(wheel));
    findings.extend(zip::check(wheel));
    findings.extend(modes::check(wheel));
    findings.extend(duplicates::check(contents));
    findings.extend(unneeded::check(wheel, images));
    findings
}

impl Image<'_> {
    /// How bad it is to be unlike a mondo image: an error where the caller stated what it expects,
    /// a warning in somebody else's image.
    fn severity(&self) -> Severity {
        match self.expect {
            Some(_) => Severity::Error,
            None => Severity::Warning,
        }
    }
}

/// `1 library`, `2 libraries`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
