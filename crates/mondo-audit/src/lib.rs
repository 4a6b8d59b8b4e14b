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
mod printable;
mod read;
pub mod report;
mod rules;
mod subject;

use std::collections::BTreeMap;

use rayon::iter::Either;
use rayon::prelude::*;

pub use baseline::{Baseline, BaselineError, Met};
pub use facts::{
    Arch, Binding, Export, Facts, Format, Hardening, ImageKind, Import, MinimumOs, Need, Section,
    Signature, Symbol, SymbolKind, Visibility,
};
pub use finding::{Audit, Finding, ImageSummary, Offender, Rule, RuleId, Severity};
pub use loader::{Bound, Load, bindings};
pub use policy::{Expect, ExportList, Input, Policy, Role};
pub use policy_file::{Allow, PolicyFile, PolicyFileError};
pub use read::wheel::Wheel;
pub use read::{Part, ReadError, archive, is_image, parts, read_image, wheel};
pub use rules::floor::{Family, Floor, Held, Promised, Version, floor};
pub use subject::Subject;

/// One image of the set, read: what the rules see.
#[derive(Debug)]
pub(crate) struct Image<'a> {
    /// The file that it is, or is a part of, as the caller named it.
    pub(crate) file: &'a str,
    /// The wheel that it comes in.
    pub(crate) package: Option<&'a str>,
    /// Where it starts in that file.
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
    pub(crate) facts: Facts<'a>,
    pub(crate) role: Role,
    pub(crate) expect: Option<&'a Expect>,
}

impl Image<'_> {
    /// Images of one world can meet in one process; what is not linked yet is in none.
    pub(crate) fn world(&self) -> (Format, Arch, bool) {
        let facts = &self.facts;
        (facts.format, facts.arch, facts.kind.is_linked())
    }
}

/// A file that was given, or its part of a universal file.
#[derive(Debug)]
struct Piece<'a> {
    input: Input<'a>,
    part: Part<'a>,
}

/// The parts of a file, or why they cannot be told apart.
fn pieces<'a>(input: Input<'a>) -> Result<Vec<Piece<'a>>, ReadError> {
    let parts = parts(input.name, input.bytes)?;
    Ok(parts
        .into_iter()
        .map(|part| Piece { input, part })
        .collect())
}

/// Files that could not be read, and why.
type Unreadable<'a> = Vec<(&'a str, ReadError)>;

fn take_apart<'a>(inputs: impl Iterator<Item = Input<'a>>) -> (Vec<Piece<'a>>, Unreadable<'a>) {
    let (mut all, mut unreadable) = (Vec::new(), Vec::new());
    for input in inputs {
        match pieces(input) {
            Ok(found) => all.extend(found),
            Err(error) => unreadable.push((input.name, error)),
        }
    }
    (all, unreadable)
}

/// The images, sorted by their world.
fn read_all<'a>(
    pieces: &'a [Piece<'_>],
    policy: &'a Policy,
    package: Option<&'a str>,
) -> (Vec<Image<'a>>, Unreadable<'a>) {
    let (mut images, unreadable): (Vec<_>, Vec<_>) =
        pieces
            .par_iter()
            .partition_map(|piece| match read_one(piece, policy, package) {
                Ok(image) => Either::Left(image),
                Err(error) => Either::Right((piece.input.name, error)),
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
    let (pieces, mut unreadable) = take_apart(inputs.iter().copied());
    let (images, broken) = read_all(&pieces, policy, None);
    unreadable.extend(broken);
    if let ([_], [(_, error), ..]) = (inputs, unreadable.as_slice()) {
        return Err(error.clone());
    }
    let mut findings = rules::check_images(&images, policy);
    let files: Vec<(&str, &[u8])> = inputs
        .iter()
        .map(|input| (input.name, input.bytes))
        .collect();
    findings.extend(build_paths(&files, &images, policy));
    findings.extend(rules::format::unreadable(&unreadable));
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
    Ok(audit_unpacked(&wheel, policy))
}

/// Likewise, of a wheel that was unpacked already.
#[must_use]
pub fn audit_unpacked(wheel: &Wheel<'_>, policy: &Policy) -> Audit {
    let mut policy = policy.clone();
    policy.abi3 = policy.abi3.or_else(|| rules::tag::abi3_floor(&wheel.name));
    let entries = wheel.entries.iter().map(|entry| Input {
        name: &entry.name,
        bytes: &entry.bytes,
    });
    let (pieces, mut unreadable) =
        take_apart(entries.filter(|entry| is_image(entry.name, entry.bytes)));
    let (images, broken) = read_all(&pieces, &policy, Some(&wheel.name));
    unreadable.extend(broken);

    // Hashing every file for RECORD takes as long as all else together.
    let (mut findings, of_the_wheel) = rayon::join(
        || {
            let mut findings = rules::check_images(&images, &policy);
            let files: Vec<(&str, &[u8])> = wheel
                .entries
                .iter()
                .map(|entry| (entry.name.as_str(), &*entry.bytes))
                .collect();
            findings.extend(build_paths(&files, &images, &policy));
            findings
        },
        || rules::check_wheel(wheel, &images),
    );
    findings.extend(of_the_wheel);
    findings.extend(rules::format::unreadable(&unreadable));
    let mut audit = Audit::new(&images, findings, &policy);
    audit.subject = Some(printable::printed(&*wheel.name));
    audit
}

/// The `build-path` rule over every byte of these files; those that are images tell sections.
fn build_paths(files: &[(&str, &[u8])], images: &[Image<'_>], policy: &Policy) -> Vec<Finding> {
    if policy.skip.contains(&RuleId::BuildPath) {
        return Vec::new();
    }
    let searcher = rules::build_path::Searcher::new(&policy.build_paths);
    let mut by_file: BTreeMap<&str, Vec<&Image<'_>>> = BTreeMap::new();
    for image in images {
        by_file.entry(image.file).or_default().push(image);
    }
    let search = |&(name, bytes): &(&str, &[u8])| {
        let images = by_file.get(name).map_or(&[][..], Vec::as_slice);
        searcher.check(name, bytes, images)
    };
    files.par_iter().flat_map_iter(search).collect()
}

/// An image of one of several wheels is called `<wheel>!<entry>`.
fn read_one<'a>(
    piece: &'a Piece<'a>,
    policy: &'a Policy,
    package: Option<&'a str>,
) -> Result<Image<'a>, ReadError> {
    let Piece { input, part } = piece;
    let facts = read_image(&part.name, part.bytes)?;
    let expect = policy.expectation(input.name);
    let role = expect.map_or_else(|| Role::guess(&facts), |expect| expect.role.clone());
    Ok(Image {
        file: input.name,
        package: package.or_else(|| Some(input.name.split_once('!')?.0)),
        offset: part.offset,
        bytes: part.bytes,
        facts,
        role,
        expect,
    })
}
