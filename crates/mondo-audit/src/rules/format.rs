//! `format`: images, and parts of images, that nothing here can read are named, not passed over.

use crate::read::wheel::Entry;
use crate::wheel_scan::{Contents, Seen};
use crate::{Finding, Image, Offender, ReadError, Rule, RuleId, Severity, Subject};

pub(crate) const RULE: Rule = Rule {
    title: "every image can be seen whole",
    applies: Subject::ALL,
    why: "What is packed, encrypted or of a format without a reader was not looked at by any rule \
          but the search for build paths. That nothing was found in it means nothing.",
    fix: "audit it in a form that can be read: unpacked, decrypted, compiled to machine code; or \
          take it out of the wheel",
};

/// What the reader found and could not look into.
pub(crate) fn unseen(image: &Image<'_>) -> Option<Finding> {
    let facts = &image.facts;
    let mut unseen: Vec<Offender> = facts.unseen.iter().map(Offender::named).collect();
    if facts.nameless_exports > 0 {
        let exports = super::count(facts.nameless_exports, "export", "exports");
        unseen.push(Offender::named(format!(
            "{exports} with a number and no name"
        )));
    }
    // An archive is not loaded; a linker that takes its members will see the rest.
    let severity = if facts.kind.is_linked() {
        Severity::Warning
    } else {
        Severity::Info
    };
    (!unseen.is_empty()).then(|| {
        let what = "parts of it could not be looked into";
        Finding::new(RuleId::Format, severity, facts.name, what).about(unseen)
    })
}

/// Images that are too many for one process.
pub(crate) fn too_many(images: &[Image<'_>]) -> Option<Finding> {
    let first = images.iter().map(|image| image.facts.name).min()?;
    let what = format!(
        "not set against each other: {} images, more than any process loads",
        images.len()
    );
    Some(Finding::new(RuleId::Format, Severity::Warning, first, what))
}

/// Names that only images have.
const IMAGE_SUFFIXES: &[&str] = &[".so", ".dylib", ".pyd", ".dll"];

/// Whether a file is called like an image.
pub(crate) fn is_called_an_image(name: &str) -> bool {
    IMAGE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

pub(crate) fn check(contents: &Contents<'_>) -> Vec<Finding> {
    contents
        .entries()
        .filter(|(entry, seen)| is_called_an_image(&entry.name) && !seen.is_image)
        .filter(|(entry, seen)| !stands_for_an_image(entry, seen, contents))
        .map(|(entry, _)| {
            let what = "not audited: its name is an image's, its contents are not";
            Finding::new(RuleId::Format, Severity::Error, &entry.name, what)
        })
        .collect()
}

/// Whether the file is a linker script that only names an image beside it, which is audited itself.
fn stands_for_an_image(entry: &Entry<'_>, seen: &Seen, contents: &Contents<'_>) -> bool {
    let Some(target) = &seen.linker_script else {
        return false;
    };
    let folder = entry.name.rfind('/').map_or("", |end| &entry.name[..=end]);
    let path = format!("{folder}{target}");
    contents.seen(&path).is_some_and(|other| other.is_image)
}

/// The file name in a GNU linker script that is `INPUT(<file name>)`, after comments, and nothing
/// else.
pub(crate) fn linker_script_input(bytes: &[u8]) -> Option<&str> {
    let mut text = std::str::from_utf8(bytes).ok()?.trim();
    while let Some(comment) = text.strip_prefix("/*") {
        text = comment.split_once("*/")?.1.trim_start();
    }
    let input = text.strip_prefix("INPUT")?.trim_start();
    let name = input.strip_prefix('(')?.strip_suffix(')')?.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    (!name.is_empty() && !name.starts_with('-') && name.chars().all(plain)).then_some(name)
}

/// Images that are broken, or of a kind without a reader.
pub(crate) fn unreadable(files: &[(&str, ReadError)]) -> Vec<Finding> {
    let finding = |(name, error): &(&str, ReadError)| {
        let why = match error {
            ReadError::Unsupported { found, .. } => (*found).to_owned(),
            ReadError::Malformed { what, place, .. } => {
                format!("malformed or truncated: {what} ({place})")
            }
            other => other.to_string(),
        };
        let what = format!("not audited: {why}");
        Finding::new(RuleId::Format, Severity::Error, *name, what)
    };
    files.iter().map(finding).collect()
}
