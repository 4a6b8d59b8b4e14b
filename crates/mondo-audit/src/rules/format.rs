//! `format`: images in a wheel that nothing here can read are named, not passed over.

use crate::read::wheel::Entry;
use crate::{Finding, ReadError, Rule, RuleId, Severity, Wheel, read};

pub(crate) const RULE: Rule = Rule {
    title: "every image in a wheel can be audited",
    why: "An image of a format without a reader was not looked at by any rule but the search for \
          build paths.",
    fix: "audit it with a version of mondo-audit that reads the format, or take it out of the wheel",
};

/// Names that only images have.
const IMAGE_SUFFIXES: &[&str] = &[".so", ".dylib", ".pyd", ".dll"];

pub(crate) fn check(wheel: &Wheel) -> Vec<Finding> {
    wheel
        .entries
        .iter()
        .filter(|entry| !read::is_elf(&entry.bytes) && !stands_for_an_image(entry, wheel))
        .filter_map(|entry| {
            let looks = IMAGE_SUFFIXES
                .iter()
                .any(|suffix| entry.name.ends_with(suffix));
            let found = read::foreign_image(&entry.bytes)
                .or(looks.then_some("its name is an image's, its contents are not"))?;
            let what = format!("not audited: {found}");
            Some(Finding::new(
                RuleId::Format,
                Severity::Error,
                &entry.name,
                what,
            ))
        })
        .collect()
}

/// Whether the file is a linker script that only names an image beside it, which is audited itself.
fn stands_for_an_image(entry: &Entry, wheel: &Wheel) -> bool {
    let Some(target) = linker_script_input(&entry.bytes) else {
        return false;
    };
    let folder = entry.name.rfind('/').map_or("", |end| &entry.name[..=end]);
    let path = format!("{folder}{target}");
    let mut entries = wheel.entries.iter();
    entries.any(|other| other.name == path && read::is_elf(&other.bytes))
}

/// The file name in a GNU linker script that is `INPUT(<file name>)`, after comments, and nothing
/// else.
fn linker_script_input(bytes: &[u8]) -> Option<&str> {
    let mut text = std::str::from_utf8(bytes).ok()?.trim();
    while let Some(comment) = text.strip_prefix("/*") {
        text = comment.split_once("*/")?.1.trim_start();
    }
    let input = text.strip_prefix("INPUT")?.trim_start();
    let name = input.strip_prefix('(')?.strip_suffix(')')?.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    (!name.is_empty() && !name.starts_with('-') && name.chars().all(plain)).then_some(name)
}

/// An ELF file of a wheel that is no linked image, or a broken one.
pub(crate) fn unreadable(name: &str, error: &ReadError) -> Finding {
    let why = match error {
        ReadError::Unsupported { found, .. } => (*found).to_owned(),
        ReadError::Malformed { what, place, .. } => {
            format!("malformed or truncated: {what} ({place})")
        }
        other => other.to_string(),
    };
    Finding::new(
        RuleId::Format,
        Severity::Error,
        name,
        format!("not audited: {why}"),
    )
}
