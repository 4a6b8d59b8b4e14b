//! Bytes to sorted findings; no I/O, and no knowledge of building.
//!
//! ```text
//! bytes ──read──→ Facts ──rules──→ Findings ──report──→ text, JSON
//! ```
//!
//! [`audit`] looks at a set of images (shared libraries, Python extensions) that end up in one
//! process; [`audit_wheel`] takes a wheel apart and looks at all of it. What is asked of an image
//! by name stands in [`Policy::images`]; an image without such an entry gets a generic policy, so
//! that anyone's wheel can be audited.
//!
//! Architecture Invariant: this crate opens no file, starts no program and reads no environment.
//! Callers hand in names and bytes (memory-mapped where they are large).

mod baseline;
pub mod explain;
mod facts;
mod finding;
mod key;
mod loader;
mod policy;
mod policy_file;
mod read;
pub mod report;
mod rules;

use std::collections::BTreeMap;

use rayon::iter::Either;
use rayon::prelude::*;

pub use baseline::{Baseline, BaselineError, Met};
pub use facts::{
    Arch, Binding, Export, Facts, ImageKind, Import, Need, Section, Symbol, SymbolKind, Visibility,
};
pub use finding::{Audit, Finding, ImageSummary, Offender, Rule, RuleId, Severity};
pub use loader::{Bound, Load, bindings};
pub use policy::{Expect, Input, Policy, Role};
pub use policy_file::{Allow, PolicyFile, PolicyFileError};
pub use read::wheel::Wheel;
pub use read::{ReadError, archive, read_image, wheel};
pub use rules::floor::{Family, Floor, Held, Version, floor};

/// One image of the set, read: what the rules see.
#[derive(Debug)]
pub(crate) struct Image<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) facts: Facts<'a>,
    pub(crate) role: Role,
    pub(crate) expect: Option<&'a Expect>,
}

/// Audits a set of images that are meant to be loaded into one process.
///
/// # Errors
///
/// [`ReadError`] where an image cannot be read: it is truncated, malformed, or of a format that has
/// no reader yet.
pub fn audit(images: &[Input<'_>], policy: &Policy) -> Result<Audit, ReadError> {
    let images: Result<Vec<Image<'_>>, ReadError> = images
        .par_iter()
        .map(|input| read_one(input, policy))
        .collect();
    let images = images?;
    let mut findings = rules::check_images(&images, policy);
    if !policy.skip.contains(&RuleId::BuildPath) {
        let searcher = rules::build_path::Searcher::new(&policy.build_paths);
        findings.extend(
            images.iter().flat_map(|image| {
                searcher.check(image.facts.name, image.bytes, Some(&image.facts))
            }),
        );
    }
    Ok(Audit::new(&images, findings, policy))
}

/// Audits a wheel: its images as a set, every file's bytes, its `RECORD`, its names and its tags.
///
/// `name` is the wheel's file name, which carries the tags.
///
/// # Errors
///
/// [`ReadError`] where the zip file cannot be read, or where it unpacks to more than
/// [`Policy::max_unpacked_size`]. An image in it that cannot be read is an error of the rule `format`,
/// so that it does not hide what is to be said of the others.
pub fn audit_wheel(name: &str, bytes: &[u8], policy: &Policy) -> Result<Audit, ReadError> {
    let wheel = Wheel::read(name, bytes, policy.max_unpacked_size)?;
    let mut policy = policy.clone();
    policy.abi3 = policy.abi3.or_else(|| rules::tag::abi3_floor(name));
    let (images, unreadable): (Vec<_>, Vec<_>) = wheel
        .entries
        .par_iter()
        .filter(|entry| read::is_elf(&entry.bytes))
        .map(|entry| Input {
            name: &entry.name,
            bytes: &entry.bytes,
        })
        .partition_map(|input| match read_one(&input, &policy) {
            Ok(image) => Either::Left(image),
            Err(error) => Either::Right((input.name, error)),
        });

    // Hashing every file for RECORD takes as long as all else together.
    let (mut findings, of_the_wheel) = rayon::join(
        || {
            let mut findings = rules::check_images(&images, &policy);
            findings.extend(build_paths_in(&wheel, &images, &policy));
            findings
        },
        || rules::check_wheel(&wheel, &images),
    );
    findings.extend(of_the_wheel);
    findings.extend(
        unreadable
            .iter()
            .map(|(name, error)| rules::format::unreadable(name, error)),
    );
    let mut audit = Audit::new(&images, findings, &policy);
    audit.subject = Some(wheel.name);
    Ok(audit)
}

/// The `build-path` rule over every file of a wheel.
fn build_paths_in(wheel: &Wheel, images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    if policy.skip.contains(&RuleId::BuildPath) {
        return Vec::new();
    }
    let searcher = rules::build_path::Searcher::new(&policy.build_paths);
    let by_name: BTreeMap<&str, &Image<'_>> = images
        .iter()
        .map(|image| (image.facts.name, image))
        .collect();
    let search = |entry: &wheel::Entry| {
        let facts = by_name.get(entry.name.as_str()).map(|image| &image.facts);
        searcher.check(&entry.name, &entry.bytes, facts)
    };
    wheel.entries.par_iter().flat_map_iter(search).collect()
}

fn read_one<'a>(input: &Input<'a>, policy: &'a Policy) -> Result<Image<'a>, ReadError> {
    let facts = read_image(input.name, input.bytes)?;
    let expect = policy.expectation(input.name);
    let role = expect.map_or_else(|| Role::guess(&facts), |expect| expect.role.clone());
    Ok(Image {
        bytes: input.bytes,
        facts,
        role,
        expect,
    })
}
