//! The three audits: of a set of images, of a wheel, and of several wheels.

use std::collections::{BTreeMap, HashMap};

use rayon::iter::Either;
use rayon::prelude::*;
use ring::digest::{SHA256, digest};

use crate::audit::Audit;
use crate::finding::Finding;
use crate::image::{Image, Piece, Reading, Sum, pieces};
use crate::image_facts::Facts;
use crate::policy::{Input, Policy};
use crate::printable::printed;
use crate::read::error::{ReadError, Unreadable};
use crate::read::wheel::Wheel;
use crate::rule_id::RuleId;
use crate::rules::{self, ByteChecks};
use crate::wheel_scan::{self, WheelScan, scan_wheel, sum_of};
use crate::wheel_tags::abi3_minimum;

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

/// The SHA-256 of each file that has the same size as another one, by name. Files of a unique size cannot be equal to
/// others and are not hashed.
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

/// Reads the images and sorts them by world, so that images that can meet in one process are adjacent.
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
/// [`ReadError`] where the only input cannot be read: it is truncated, malformed, or of a format that
/// has no reader. Among several inputs such a file is a finding of the rule `format`, so that the
/// others are still audited.
pub fn audit(inputs: &[Input<'_>], policy: &Policy) -> Result<Audit, ReadError> {
    let (pieces, mut unreadable) = take_apart(inputs);
    let sums = sums(inputs);
    let (images, broken) = read_all(&pieces, &sums, policy);
    unreadable.extend(broken);
    if let ([_], [(_, error), ..]) = (inputs, unreadable.as_slice()) {
        return Err(error.clone());
    }
    let mut findings = rules::check_images(&images, policy);
    findings.extend(check_bytes(inputs, &images, policy));
    findings.extend(rules::check_unreadable(&unreadable, policy));
    Ok(Audit::new(&images, findings))
}

/// Audits a wheel: its images as a set, the bytes of every file, its `RECORD`, its names and its tags.
///
/// `name` is the wheel's file name, which carries the tags. The memory in use is 1.25 times the largest
/// unpacked entry, and the facts about the images.
///
/// # Errors
///
/// [`ReadError`] where the zip file cannot be read, or where it unpacks to more than
/// [`Policy::max_unpacked_size`]. An image in it that cannot be read is a finding of the rule `format`.
pub fn audit_wheel(name: &str, bytes: &[u8], policy: &Policy) -> Result<Audit, ReadError> {
    let wheel = Wheel::read(name, bytes, policy.max_unpacked_size)?;
    let arenas = wheel_scan::arenas(&wheel);
    let mut scan = scan(&wheel, policy, &arenas)?;
    Ok(check(&mut scan, policy))
}

/// Audits each of several wheels by itself, the other files as a set, and then all images together as
/// the set that one process may load. The last audit has only findings that involve two of the inputs.
/// The rule `needed` looks for libraries in all inputs: one of the wheels may bring what another one needs.
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
        let arenas = wheel_scan::arenas(&wheel);
        read.push((wheel, arenas));
    }
    let several = wheels.len() + usize::from(!loose.is_empty()) > 1;
    let mut alone = policy.clone();
    if several {
        alone.skip.insert(RuleId::Needed);
    }
    let mut images = Vec::new();
    for (wheel, arenas) in &read {
        let mut scan = scan(wheel, policy, arenas)?;
        audits.push(check(&mut scan, &alone));
        // Images are kept only where there are other files to compare them with.
        if several {
            images.append(&mut scan.images);
        }
    }
    if !loose.is_empty() {
        audits.push(audit(loose, &alone)?);
    }
    if several {
        let mut together = check_together(images, loose, policy);
        give_needed(&mut together, &mut audits);
        audits.push(together);
    }
    Ok(audits)
}

/// Moves the findings of the rule `needed` to the audits of the wheels and files that they are about.
fn give_needed(together: &mut Audit, audits: &mut [Audit]) {
    let needed = |finding: &mut Finding| finding.rule == RuleId::Needed;
    for mut finding in together.findings.extract_if(.., needed) {
        let of_wheel = audits.iter_mut().find_map(|audit| {
            let wheel = audit.subject.as_deref()?;
            let image = finding.image.strip_prefix(wheel)?.strip_prefix('!')?;
            Some((image.to_owned(), audit))
        });
        match of_wheel {
            Some((image, audit)) => {
                finding.image = image;
                audit.findings.push(finding);
            }
            // The audit of the loose files has no subject, and comes last.
            None => audits
                .last_mut()
                .into_iter()
                .for_each(|audit| audit.findings.push(finding.clone())),
        }
    }
    audits.iter_mut().for_each(Audit::sort);
}

/// Reads the entries of a wheel, and runs the checks over their bytes.
fn scan<'w>(
    wheel: &'w Wheel<'_>,
    policy: &'w Policy,
    arenas: &'w [wheel_scan::Arena],
) -> Result<WheelScan<'w>, ReadError> {
    let checks = ByteChecks::new(policy);
    let check =
        |name: &str, bytes: &[u8], images: &[(u64, &Facts<'_>)]| checks.check(name, bytes, images);
    scan_wheel(wheel, policy, arenas, &check)
}

/// Runs the checks over the images and the contents of a wheel.
fn check(scan: &mut WheelScan<'_>, policy: &Policy) -> Audit {
    let wheel = scan.contents.wheel;
    let mut policy = policy.clone();
    policy.abi3 = policy.abi3.or_else(|| abi3_minimum(&wheel.name));
    scan.images.sort_by_key(Image::world);
    let images = &scan.images;
    let (of_images, of_the_wheel) = rayon::join(
        || rules::check_images(images, &policy),
        || rules::check_wheel(&scan.contents, images, &policy),
    );
    let mut findings = std::mem::take(&mut scan.findings);
    findings.extend(of_images);
    findings.extend(of_the_wheel);
    findings.extend(rules::check_unreadable(&scan.unreadable, &policy));
    let mut audit = Audit::new(images, findings);
    audit.subject = Some(printed(&*wheel.name));
    audit
}

/// Checks the images of several wheels and files as one set, and keeps the findings that name an image
/// of another wheel or file, and those of the rule `needed`.
fn check_together(of_wheels: Vec<Image<'_>>, loose: &[Input<'_>], policy: &Policy) -> Audit {
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
    // Findings that involve no other wheel are in the wheel's own audit already.
    let package = |name: &str| name.split_once('!').map(|(wheel, _)| wheel.to_owned());
    findings.retain(|finding| {
        let home = package(&finding.image);
        let mut others = finding.others.iter();
        finding.rule == RuleId::Needed
            || others.any(|other| home.is_none() || package(other) != home)
    });
    Audit::new(&images, findings)
}

/// Runs the checks over the bytes of these files. For a hit inside of an image, its facts give the name of the
/// section.
fn check_bytes(files: &[Input<'_>], images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    let checks = ByteChecks::new(policy);
    let mut by_file: BTreeMap<&str, Vec<(u64, &Facts<'_>)>> = BTreeMap::new();
    for image in images {
        let facts = by_file.entry(image.file).or_default();
        facts.push((image.offset, &image.facts));
    }
    let check = |file: &Input<'_>| {
        let images = by_file.get(file.name).map_or(&[][..], Vec::as_slice);
        checks.check(file.name, file.bytes, images)
    };
    files.par_iter().flat_map_iter(check).collect()
}
