//! `format`: images in a wheel that nothing here can read are named, not passed over.

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
        .filter(|entry| !read::is_elf(&entry.bytes))
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
