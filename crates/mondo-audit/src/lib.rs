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

mod dynamic_linker;

mod finding;
mod fingerprint;
mod image;
mod image_facts;
mod input_kind;
mod minimum_versions;
pub mod reference;

mod policy;
mod policy_file;
mod printable;
mod read;
pub mod report;
mod rules;
mod string_arena;
mod wheel_scan;

use std::collections::{BTreeMap, HashMap};

use rayon::iter::Either;
use rayon::prelude::*;
use ring::digest::{SHA256, digest};

use image::{Image, Piece, Reading, Sum, pieces};
use wheel_scan::{Looked, sum_of};

pub use baseline::{Baseline, BaselineError, Met};
pub use dynamic_linker::{Bound, Load, bindings};
pub use finding::{Audit, Finding, ImageSummary, Offender, Rule, RuleId, Severity};
pub use image_facts::{
    Arch, Binding, Export, Facts, Format, Hardening, ImageKind, Import, MinimumOs, Need, Section,
    Signature, Symbol, SymbolKind, Visibility,
};
pub use input_kind::Subject;
pub use minimum_versions::{Family, Floor, Held, Promised, Version, floor};
pub use policy::{Expect, ExportList, Input, Policy, Role};
pub use policy_file::{Allow, PolicyFile, PolicyFileError};
pub use read::wheel::Wheel;
pub use read::{Part, ReadError, archive, is_image, parts, read_image, wheel};

/// Files that could not be read, and why.
pub(crate) type Unreadable<'a> = Vec<(&'a str, ReadError)>;

fn take_apart<'a>(inputs: &[Input<'a>]) -> (Vec<Piece<'a>>, Unreadable<'a>) {
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    for &input in inputs {
        match pieces(input) {
            Ok(found) => all.extend(found),
            Err(error) => unreadable.push((input.name, error)),
        }
    }
    (all, unreadable)
}

/// The SHA-256 of those files that may be the same as another one, by name.
fn sums<'a>(inputs: &[Input<'a>]) -> HashMap<&'a str, Sum> {
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for input in inputs {
        *lengths.entry(input.bytes.len()).or_default() += 1;
    }
    let alike = inputs.par_iter();
    alike
        .filter(|input| lengths[&input.bytes.len()] > 1)
        .map(|input| (input.name, sum_of(digest(&SHA256, input.bytes))))
        .collect()
}

/// The images, sorted by their world.
fn read_all<'a>(
    pieces: &'a [Piece<'_>],
    sums: &HashMap<&str, Sum>,
    policy: &'a Policy,
) -> (Vec<Image<'a>>, Unreadable<'a>) {
    let (mut images, unreadable): (Vec<_>, Vec<_>) = pieces.par_iter().partition_map(|piece| {
        let file = piece.input.name;
        match Reading::new(&piece.part) {
            Ok(reading) => {
                let sum = sums.get(file).copied();
                Either::Left(Image::new(file, None, reading, sum, policy))
            }
            Err(error) => Either::Right((file, error)),
        }
    });
    images.sort_by_key(Image::world);
    (images, unreadable)
}

/// Audits a set of images that are meant to be loaded into one process.
///
/// # Errors
///
/// [`ReadError`] where the only file that is given cannot be read: it is truncated, malformed, or of
/// a format that has no reader. Among several, such a file is an error of the rule `format`, so that
/// it does not hide what is to be said of the others.
pub fn audit(inputs: &[Input<'_>], policy: &Policy) -> Result<Audit, ReadError> {
    let (pieces, mut unreadable) = take_apart(inputs);
    let sums = sums(inputs);
    let (images, broken) = read_all(&pieces, &sums, policy);
    unreadable.extend(broken);
    if let ([_], [(_, error), ..]) = (inputs, unreadable.as_slice()) {
        return Err(error.clone());
    }
    let mut findings = rules::check_images(&images, policy);
    findings.extend(build_paths(inputs, &images, policy));
    findings.extend(rules::format::unreadable(&unreadable));
    Ok(Audit::new(&images, findings, policy))
}

/// Audits a wheel: its images as a set, every file's bytes, its `RECORD`, its names and its tags.
///
/// `name` is the wheel's file name, which carries the tags. Beside the wheel itself, it takes memory for
/// what the largest entry unpacks to and a quarter more, and for what is known of the images.
///
/// # Errors
///
/// [`ReadError`] where the zip file cannot be read, or where it unpacks to more than
/// [`Policy::max_unpacked_size`]. An image in it that cannot be read is an error of the rule `format`,
/// so that it does not hide what is to be said of the others.
pub fn audit_wheel(name: &str, bytes: &[u8], policy: &Policy) -> Result<Audit, ReadError> {
    let wheel = Wheel::read(name, bytes, policy.max_unpacked_size)?;
    let shelves = wheel_scan::shelves(&wheel);
    let mut looked = wheel_scan::look(&wheel, policy, &shelves)?;
    Ok(judge(&mut looked, policy))
}

/// Audits each of several wheels by itself, the other files as a set, and then all images of all of
/// them as the set that one process may load, of which only that is told which takes two of them.
///
/// # Errors
///
/// Those of [`audit_wheel`] and [`audit`].
pub fn audit_all(
    wheels: &[Input<'_>],
    loose: &[Input<'_>],
    policy: &Policy,
) -> Result<Vec<Audit>, ReadError> {
    let mut audits = Vec::new();
    let mut read = Vec::new();
    for wheel in wheels {
        let wheel = Wheel::read(wheel.name, wheel.bytes, policy.max_unpacked_size)?;
        let shelves = wheel_scan::shelves(&wheel);
        read.push((wheel, shelves));
    }
    let mut images = Vec::new();
    for (wheel, shelves) in &read {
        let mut looked = wheel_scan::look(wheel, policy, shelves)?;
        audits.push(judge(&mut looked, policy));
        // Only what is set against other files is kept.
        if wheels.len() + loose.len() > 1 {
            images.append(&mut looked.images);
        }
    }
    if !loose.is_empty() {
        audits.push(audit(loose, policy)?);
    }
    if audits.len() > 1 {
        audits.push(meeting(images, loose, policy));
    }
    Ok(audits)
}

/// What every rule says of a wheel that was looked at.
fn judge(looked: &mut Looked<'_>, policy: &Policy) -> Audit {
    let wheel = looked.contents.wheel;
    let mut policy = policy.clone();
    policy.abi3 = policy.abi3.or_else(|| rules::tag::abi3_floor(&wheel.name));
    looked.images.sort_by_key(Image::world);
    let images = &looked.images;
    let (of_images, of_the_wheel) = rayon::join(
        || rules::check_images(images, &policy),
        || rules::check_wheel(&looked.contents, images),
    );
    let mut findings = std::mem::take(&mut looked.findings);
    findings.extend(of_images);
    findings.extend(of_the_wheel);
    findings.extend(rules::format::unreadable(&looked.unreadable));
    let mut audit = Audit::new(images, findings, &policy);
    audit.subject = Some(printable::printed(&*wheel.name));
    audit
}

/// What is wrong only because the images meet: findings that name another image.
fn meeting(of_wheels: Vec<Image<'_>>, loose: &[Input<'_>], policy: &Policy) -> Audit {
    let (pieces, _) = take_apart(loose);
    let sums = sums(loose);
    let (mut images, _) = read_all(&pieces, &sums, policy);
    let names: Vec<(String, String)> = of_wheels
        .iter()
        .map(|image| {
            let wheel = image.package.unwrap_or_default();
            let among = |name: &str| format!("{wheel}!{name}");
            (among(image.file), among(image.facts.name))
        })
        .collect();
    let of_wheels = of_wheels.into_iter().zip(&names);
    images.extend(of_wheels.map(|(image, names)| image.among_others(names, policy)));
    images.sort_by_key(Image::world);
    let mut findings = rules::check_images(&images, policy);
    // What one wheel does to itself was said of it already.
    let package = |name: &str| name.split_once('!').map(|(wheel, _)| wheel.to_owned());
    findings.retain(|finding| {
        let own = package(&finding.image);
        let mut others = finding.others.iter();
        others.any(|other| own.is_none() || package(other) != own)
    });
    Audit::new(&images, findings, policy)
}

/// The `build-path` rule over every byte of these files; those that are images tell sections.
fn build_paths(files: &[Input<'_>], images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    if policy.skip.contains(&RuleId::BuildPath) {
        return Vec::new();
    }
    let searcher = rules::build_path::Searcher::new(&policy.build_paths);
    let mut by_file: BTreeMap<&str, Vec<(u64, &Facts<'_>)>> = BTreeMap::new();
    for image in images {
        let facts = by_file.entry(image.file).or_default();
        facts.push((image.offset, &image.facts));
    }
    let search = |file: &Input<'_>| {
        let images = by_file.get(file.name).map_or(&[][..], Vec::as_slice);
        searcher.check(file.name, file.bytes, images)
    };
    files.par_iter().flat_map_iter(search).collect()
}
