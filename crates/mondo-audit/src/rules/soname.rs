//! `soname`: a library has the expected SONAME, and no two images of a set have the same.

use std::collections::BTreeMap;

use crate::{Finding, Image, ImageKind, Offender, Role, Rule, RuleId, Severity};

pub(crate) const RULE: Rule = Rule {
    title: "a library has a SONAME of its own",
    why: "The loader knows loaded libraries by SONAME: a second library with the same one is never \
          loaded, its users get the first. A library without one is recorded in its users by the \
          path it was linked from.",
    fix: "link with `-soname <name>`, a name that carries the private label",
};

pub(crate) fn check(images: &[Image<'_>]) -> Vec<Finding> {
    let mut findings: Vec<Finding> = images.iter().filter_map(check_one).collect();
    let mut by_soname: BTreeMap<&str, Vec<&Image<'_>>> = BTreeMap::new();
    for image in images {
        if let Some(soname) = image.facts.soname {
            by_soname.entry(soname).or_default().push(image);
        }
    }
    for (soname, mut images) in by_soname {
        images.sort_by_key(|image| image.facts.name);
        if let [first, rest @ ..] = images.as_slice()
            && !rest.is_empty()
        {
            let what = format!(
                "shares its SONAME with {}",
                super::count(rest.len(), "other image", "other images")
            );
            findings.push(
                Finding::new(RuleId::Soname, Severity::Error, first.facts.name, what)
                    .about([Offender::named(soname)])
                    .with(rest.iter().map(|image| image.facts.name.to_owned())),
            );
        }
    }
    findings
}

fn check_one(image: &Image<'_>) -> Option<Finding> {
    if image.role != Role::Library || image.facts.kind != ImageKind::SharedLibrary {
        return None;
    }
    let expected = image.expect.and_then(|expect| expect.soname.as_deref());
    let what = match (image.facts.soname, expected) {
        (None, _) => "a library without a SONAME".to_owned(),
        (Some(soname), Some(expected)) if soname != expected => {
            format!("its SONAME is {soname} instead of {expected}")
        }
        (Some(soname), _) if soname.contains('/') => format!("its SONAME {soname} is a path"),
        _ => return None,
    };
    Some(Finding::new(
        RuleId::Soname,
        Severity::Error,
        image.facts.name,
        what,
    ))
}
