//! `format`: images, and parts of images, that no reader can look into.

use crate::detail_list::DetailList;
use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_set::MOST_IMAGES;
use crate::input_kind::InputKind;
use crate::read::error::ReadError;
use crate::read::is_called_an_image;
use crate::read::wheel::Entry;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::{EntryScan, WheelContents};

pub(super) const RULE: Rule = Rule {
    id: RuleId::Format,
    applies_to: InputKind::ALL,
    severity: Severity::Error,
    summary: "every image can be seen whole",
    explanation: "Every file of a wheel that is an image by its first bytes or by its name must \
          be readable as a whole. This rule reports images that are packed, encrypted or bitcode, \
          that export by number only, or that are for another machine than the rest of their \
          archive. No other rule can call them clean.",
    rationale: "For a file that is packed, encrypted or in an unknown format, only the search for \
          build paths works. That other rules find nothing in it means nothing.",
    remedy: "audit it in a form that can be read: unpacked, decrypted, compiled to machine code; \
          or take it out of the wheel",
    sources: &[
        "System V gABI, ELF Header; elf.h",
        "Apple: mach-o/loader.h, mach-o/fat.h; Microsoft: PE Format",
    ],
    checks: &[
        Check::AnyImage(|image| unseen(image).into_iter().collect()),
        Check::OversizedSet(|images| too_many(images).into_iter().collect()),
        Check::Wheel(|contents, _| check(contents)),
        Check::Unreadable(unreadable),
    ],
};

/// Reports the parts of an image that no reader could look into.
fn unseen(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let mut unseen: Vec<Detail> = facts.unseen.iter().map(Detail::named).collect();
    if facts.nameless_exports > 0 {
        let exports = count(facts.nameless_exports, "export", "exports");
        unseen.push(Detail::named(format!(
            "{exports} with a number and no name"
        )));
    }
    // An archive is not loaded, and the linker will read its members completely, so this is less severe there.
    let severity = if facts.kind.is_linked() {
        Severity::Warning
    } else {
        Severity::Info
    };
    (!unseen.is_empty()).then(|| {
        let what = "some parts of it could not be read";
        RULE.finding(severity, facts.name, what).about(unseen)
    })
}

/// Reports a set with more images than are compared.
fn too_many(images: &[Image<'_>]) -> Option<Finding> {
    let first = images.iter().map(|image| image.facts.name).min()?;
    let what = format!(
        "not compared with each other: {} images, more than any process loads",
        images.len()
    );
    Some(RULE.finding(Severity::Warning, first, what))
}

fn check(contents: &WheelContents<'_>) -> Vec<Finding> {
    let mut findings = not_images(contents);
    findings.extend(over_limit(contents));
    findings
}

/// Reports the images of a wheel that has more than are read.
fn over_limit(contents: &WheelContents<'_>) -> Option<Finding> {
    let mut left = DetailList::default();
    for (entry, _) in contents.entries().filter(|(_, seen)| seen.over_limit) {
        left.push(&entry.name, "");
    }
    let images = count(left.len(), "image", "images");
    let what = format!("{images} not audited: a wheel has at most {MOST_IMAGES}");
    let finding = RULE.finding(Severity::Error, &contents.wheel.name, what);
    (!left.is_empty()).then(|| left.describe(finding))
}

/// Reports files that only have the name of an image.
fn not_images(contents: &WheelContents<'_>) -> Vec<Finding> {
    contents
        .entries()
        .filter(|(entry, seen)| is_called_an_image(&entry.name) && !seen.is_image)
        .filter(|(entry, seen)| !stands_for_an_image(entry, seen, contents))
        .map(|(entry, _)| {
            let what =
                "not audited: its name is that of a library or program, but its contents are not";
            RULE.finding(Severity::Error, &entry.name, what)
        })
        .collect()
}

/// Returns whether the file is a linker script that does nothing but name an image beside it. That image is audited
/// itself.
fn stands_for_an_image(entry: &Entry<'_>, seen: &EntryScan, contents: &WheelContents<'_>) -> bool {
    let Some(target) = &seen.linker_script else {
        return false;
    };
    let folder = entry.name.rfind('/').map_or("", |end| &entry.name[..=end]);
    let path = format!("{folder}{target}");
    contents.seen(&path).is_some_and(|other| other.is_image)
}

/// Images that are broken, or of a kind without a reader.
fn unreadable(files: &[(&str, ReadError)]) -> Vec<Finding> {
    let finding = |(name, error): &(&str, ReadError)| {
        let why = match error {
            ReadError::Unsupported { found, .. } => (*found).to_owned(),
            ReadError::Malformed { what, place, .. } => {
                format!("malformed or truncated: {what} ({place})")
            }
            other => other.to_string(),
        };
        let what = format!("not audited: {why}");
        RULE.finding(Severity::Error, *name, what)
    };
    files.iter().map(finding).collect()
}
