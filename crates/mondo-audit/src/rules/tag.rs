//! `tag`: a wheel's tags promise no more than its images keep.

use std::collections::BTreeSet;

use super::floor::{Floor, floor};
use crate::{Arch, Finding, Image, Offender, Role, Rule, RuleId, Severity, Wheel};

pub(crate) const RULE: Rule = Rule {
    title: "a wheel's tags fit its images",
    why: "Installers choose a wheel by its tags alone. A platform tag lower than the glibc that an \
          image needs installs a package that cannot be imported.",
    fix: "compute the platform tag from the images' version needs, and write the same tags into the \
          file name and into WHEEL",
};

/// The tags of a wheel's file name, `name-version(-build)?-python-abi-platform.whl`, expanded.
fn file_tags(name: &str) -> Option<BTreeSet<String>> {
    let parts: Vec<&str> = name.strip_suffix(".whl")?.split('-').collect();
    let ([_, _, pythons, abis, platforms] | [_, _, _, pythons, abis, platforms]) = parts[..] else {
        return None;
    };
    let mut tags = BTreeSet::new();
    for python in pythons.split('.') {
        for abi in abis.split('.') {
            for platform in platforms.split('.') {
                tags.insert(format!("{python}-{abi}-{platform}"));
            }
        }
    }
    Some(tags)
}

/// The lowest CPython of an abi3 wheel, by its file name: `(3, 10)` of `cp310-abi3`.
pub(crate) fn abi3_floor(name: &str) -> Option<(u32, u32)> {
    file_tags(name.rsplit('/').next()?)?
        .iter()
        .filter_map(|tag| {
            let (python, rest) = tag.split_once('-')?;
            rest.starts_with("abi3-").then_some(())?;
            Some((3, python.strip_prefix("cp3")?.parse().ok()?))
        })
        .min()
}

/// The glibc and machine that a platform tag promises.
fn promised(platform: &str) -> Option<((u32, u32), &str)> {
    for (legacy, version) in [
        ("manylinux1_", (2, 5)),
        ("manylinux2010_", (2, 12)),
        ("manylinux2014_", (2, 17)),
    ] {
        if let Some(machine) = platform.strip_prefix(legacy) {
            return Some((version, machine));
        }
    }
    let mut parts = platform.strip_prefix("manylinux_")?.splitn(3, '_');
    let version = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some((version, parts.next()?))
}

pub(crate) fn check(wheel: &Wheel, images: &[Image<'_>]) -> Vec<Finding> {
    let fail = |severity, what: &str| Finding::new(RuleId::Tag, severity, &wheel.name, what);
    let Some(tags) = file_tags(&wheel.name) else {
        return vec![fail(
            Severity::Error,
            "its file name is not name-version-python-abi-platform",
        )];
    };
    let mut findings = Vec::new();
    findings.extend(check_wheel_file(wheel, &tags, images));

    let floor = images.iter().fold(Floor::default(), |all, image| {
        all.join(&floor(&image.facts))
    });
    let needed = floor.glibc();
    let platforms: BTreeSet<&str> = tags
        .iter()
        .filter_map(|tag| tag.rsplit('-').next())
        .collect();
    let mut wrong = Vec::new();
    for platform in platforms {
        match promised(platform) {
            Some((version, machine)) => {
                if let Some(needed) = needed.filter(|&needed| needed > version) {
                    let note = format!(
                        "promises glibc {}.{}, but {}.{} is needed",
                        version.0, version.1, needed.0, needed.1
                    );
                    wrong.push(Offender::new(platform, note));
                }
                wrong.extend(other_machines(images, machine).map(|image| {
                    let note = format!("{} is for another machine", image.facts.name);
                    Offender::new(platform, note)
                }));
            }
            None if platform == "any" && !images.is_empty() => {
                wrong.push(Offender::new(
                    platform,
                    "for every platform, but it has images",
                ));
            }
            None if platform.starts_with("musllinux_") && needed.is_some() => {
                wrong.push(Offender::new(
                    platform,
                    "promises musl, but an image needs glibc",
                ));
            }
            None if platform.starts_with("linux_") => {
                let mut finding = fail(
                    Severity::Warning,
                    "its platform tag says nothing of the glibc it needs",
                );
                finding.offenders = vec![Offender::named(platform)];
                findings.push(finding);
            }
            None => {}
        }
    }
    if !wrong.is_empty() {
        findings
            .push(fail(Severity::Error, "its platform tag does not fit its images").about(wrong));
    }
    findings
}

fn other_machines<'i, 'a>(
    images: &'i [Image<'a>],
    machine: &str,
) -> impl Iterator<Item = &'i Image<'a>> {
    let arch = [Arch::X86_64, Arch::Aarch64]
        .into_iter()
        .find(|arch| arch.tag() == Some(machine));
    images
        .iter()
        .filter(move |image| arch.is_some_and(|arch| arch != image.facts.arch))
}

/// Compares the WHEEL file with the file name and the contents.
fn check_wheel_file(wheel: &Wheel, tags: &BTreeSet<String>, images: &[Image<'_>]) -> Vec<Finding> {
    let fail = |what: String| Finding::new(RuleId::Tag, Severity::Error, &wheel.name, what);
    let path = wheel.dist_info().map(|folder| format!("{folder}/WHEEL"));
    let Some(entry) = path.and_then(|path| wheel.entry(&path)) else {
        return vec![fail("has no WHEEL file".to_owned())];
    };
    let text = String::from_utf8_lossy(&entry.bytes);
    let values = |key: &str| -> BTreeSet<String> {
        text.lines()
            .filter_map(|line| line.split_once(':'))
            .filter(|(found, _)| found.eq_ignore_ascii_case(key))
            .map(|(_, value)| value.trim().to_owned())
            .collect()
    };
    let mut findings = Vec::new();
    let stated = values("Tag");
    if &stated != tags {
        let file_only = tags
            .difference(&stated)
            .map(|tag| Offender::new(tag, "in the file name only"));
        let wheel_only = stated
            .difference(tags)
            .map(|tag| Offender::new(tag, "in WHEEL only"));
        findings.push(
            fail("the tags of its file name and of its WHEEL file differ".to_owned())
                .about(file_only.chain(wheel_only)),
        );
    }
    let pure = values("Root-Is-Purelib")
        .iter()
        .any(|value| value == "true");
    let extension = images
        .iter()
        .find(|image| matches!(image.role, Role::Extension { .. }));
    if let (true, Some(image)) = (pure, extension) {
        findings.push(fail(format!(
            "WHEEL says Root-Is-Purelib: true, but {} is an extension",
            image.facts.name
        )));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_expanded() {
        let tags = file_tags("a-1-cp310-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl");
        let tags: Vec<String> = tags.expect("valid").into_iter().collect();
        assert_eq!(
            tags,
            [
                "cp310-abi3-manylinux2014_x86_64",
                "cp310-abi3-manylinux_2_17_x86_64"
            ]
        );
        assert_eq!(
            file_tags("a-1-2-py3-none-any.whl").map(|tags| tags.len()),
            Some(1)
        );
        assert_eq!(file_tags("a-1-any.whl"), None);
        assert_eq!(
            abi3_floor("d/a-1-cp310-abi3-linux_x86_64.whl"),
            Some((3, 10))
        );
        assert_eq!(abi3_floor("a-1-cp310-cp310-linux_x86_64.whl"), None);
    }

    #[test]
    fn platform_tags_promise_a_glibc() {
        assert_eq!(promised("manylinux_2_28_x86_64"), Some(((2, 28), "x86_64")));
        assert_eq!(
            promised("manylinux2014_aarch64"),
            Some(((2, 17), "aarch64"))
        );
        assert_eq!(promised("linux_x86_64"), None);
    }
}
