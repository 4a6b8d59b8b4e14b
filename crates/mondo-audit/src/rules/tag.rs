//! `tag`: compatibility tags of a wheel that its images do not keep.

use std::collections::{BTreeMap, BTreeSet};

use crate::detail_list::DetailList;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Arch, Format, ImageKind};
use crate::input_kind::InputKind;
use crate::minimum_versions::{Family, MinimumVersions, minimum_versions};
use crate::policy::Role;
use crate::read::metadata::Fields;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;
use crate::wheel_scan::WheelContents;
use crate::wheel_tags::file_tags;

pub(super) const RULE: Rule = Rule {
    id: RuleId::Tag,
    applies_to: &[InputKind::Wheel],
    severity: Severity::Error,
    summary: "a wheel's tags fit its images",
    explanation: "The tags in a wheel's file name must match those in its WHEEL file. No platform \
          tag may promise an older C library, another machine, or more platforms than the images \
          run on.",
    rationale: "Installers choose a wheel by its tags alone. If a platform tag promises an older \
          glibc or macOS than an image needs, or another machine, the installed package cannot be \
          imported.",
    remedy: "compute the platform tag from what the images need, and write the same tags into the \
          file name and into WHEEL",
    sources: &["PyPA: Platform compatibility tags; PEP 425, PEP 600, PEP 656"],
    checks: &[Check::Wheel(check)],
};

/// Promise of a platform tag.
#[derive(Debug, PartialEq, Eq)]
enum Promise<'t> {
    /// This glibc, on this machine.
    Glibc((u32, u32), &'t str),
    /// This macOS, on each of these machines.
    MacOs((u32, u32), &'static [Arch]),
    /// Windows on this machine.
    Windows(Arch),
}

impl Promise<'_> {
    /// The kind of a promise: everything but its version.
    fn kind(&self) -> (Format, &str, &[Arch]) {
        match self {
            Self::Glibc(_, machine) => (Format::Elf, machine, &[]),
            Self::MacOs(_, machines) => (Format::MachO, "", machines),
            Self::Windows(arch) => (Format::Pe, "", std::slice::from_ref(arch)),
        }
    }

    fn version(&self) -> Option<(u32, u32)> {
        match self {
            Self::Glibc(version, _) | Self::MacOs(version, _) => Some(*version),
            Self::Windows(_) => None,
        }
    }

    fn format(&self) -> Format {
        match self {
            Self::Glibc(..) => Format::Elf,
            Self::MacOs(..) => Format::MachO,
            Self::Windows(_) => Format::Pe,
        }
    }
}

fn promised(platform: &str) -> Option<Promise<'_>> {
    for (legacy, version) in [
        ("manylinux1_", (2, 5)),
        ("manylinux2010_", (2, 12)),
        ("manylinux2014_", (2, 17)),
    ] {
        if let Some(machine) = platform.strip_prefix(legacy) {
            return Some(Promise::Glibc(version, machine));
        }
    }
    match platform {
        "win32" => return Some(Promise::Windows(Arch::X86)),
        "win_amd64" => return Some(Promise::Windows(Arch::X86_64)),
        "win_arm64" => return Some(Promise::Windows(Arch::Aarch64)),
        _ => {}
    }
    let mut parts = platform.splitn(4, '_');
    let system = parts.next()?;
    let version = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let machine = parts.next()?;
    match system {
        "manylinux" => Some(Promise::Glibc(version, machine)),
        "macosx" => Some(Promise::MacOs(version, macos_machines(machine)?)),
        _ => None,
    }
}

/// The machines of a tag for macOS. Those with 32-bit PowerPC date from before wheels for arm64.
fn macos_machines(machine: &str) -> Option<&'static [Arch]> {
    Some(match machine {
        "arm64" => &[Arch::Aarch64],
        "x86_64" => &[Arch::X86_64],
        "i386" => &[Arch::X86],
        "universal2" => &[Arch::X86_64, Arch::Aarch64],
        "intel" => &[Arch::X86, Arch::X86_64],
        _ => return None,
    })
}

fn check(contents: &WheelContents<'_>, images: &[Image<'_>]) -> Vec<Finding> {
    let wheel = contents.wheel;
    let fail = |severity, what: &str| RULE.finding(severity, &wheel.name, what);
    let Some(tags) = file_tags(&wheel.name) else {
        return vec![fail(
            Severity::Error,
            "its file name is not name-version-python-abi-platform",
        )];
    };
    let mut findings = Vec::new();
    findings.extend(check_wheel_file(contents, &tags, images));

    // Objects and archives are skipped, because they are only linked and never loaded. Programs of other systems are
    // skipped, because wheels contain them as launchers.
    let images: Vec<&Image<'_>> = images
        .iter()
        .filter(|image| image.facts.kind.is_linked())
        .collect();
    let libraries = images
        .iter()
        .filter(|image| image.facts.kind == ImageKind::SharedLibrary);
    let all = images
        .iter()
        .fold(MinimumVersions::default(), |all, image| {
            all.join(&minimum_versions(&image.facts))
        });
    let glibc = all.glibc();
    let platforms: BTreeSet<&str> = tags
        .iter()
        .filter_map(|tag| tag.rsplit('-').next())
        .collect();
    let promises: Vec<(&str, Promise<'_>)> = platforms
        .iter()
        .filter_map(|&platform| Some((platform, promised(platform)?)))
        .collect();
    let mut wrong = Vec::new();
    for (platform, promise) in strictest(&promises) {
        let notes = match *promise {
            Promise::Glibc(version, machine) => broken_glibc(&images, version, machine, &all),
            Promise::MacOs(version, machines) => broken_macos(&images, version, machines),
            Promise::Windows(arch) => other_machines(&images, Format::Pe, arch).collect(),
        };
        wrong.extend(notes.into_iter().map(|note| Detail::new(platform, note)));
    }
    let systems: BTreeMap<Format, &str> = promises
        .iter()
        .map(|(platform, promise)| (promise.format(), *platform))
        .collect();
    for (format, platform) in systems {
        let foreign = libraries
            .clone()
            .filter(|image| image.facts.format != format);
        wrong.extend(foreign.map(|image| {
            let format = image.facts.format.name();
            let note = format!("{} is for another system: {format}", image.facts.name);
            Detail::new(platform, note)
        }));
    }
    for platform in platforms {
        if platform == "any" && libraries.clone().next().is_some() {
            let note = "for every platform, but it has images";
            wrong.push(Detail::new(platform, note));
        } else if platform.starts_with("musllinux_") && glibc.is_some() {
            let note = "promises musl, but an image needs glibc";
            wrong.push(Detail::new(platform, note));
        } else if platform.starts_with("linux_") {
            let mut finding = fail(
                Severity::Warning,
                "its platform tag says nothing of the glibc it needs",
            );
            finding.details = vec![Detail::named(platform)];
            findings.push(finding);
        }
    }
    if !wrong.is_empty() {
        findings
            .push(fail(Severity::Error, "its platform tag does not fit its images").about(wrong));
    }
    findings
}

/// Of the promises of one kind, the one with the oldest system: an image that keeps it keeps the others, too.
fn strictest<'p, 't>(
    promises: &'p [(&'t str, Promise<'t>)],
) -> impl Iterator<Item = (&'t str, &'p Promise<'t>)> {
    let mut strictest = BTreeMap::new();
    for (platform, promise) in promises {
        let found = strictest
            .entry(promise.kind())
            .or_insert((*platform, promise));
        if promise.version() < found.1.version() {
            *found = (*platform, promise);
        }
    }
    strictest.into_values()
}

fn broken_glibc(
    images: &[&Image<'_>],
    version: (u32, u32),
    machine: &str,
    minimum: &MinimumVersions,
) -> Vec<String> {
    let mut notes = Vec::new();
    let oldest = minimum.distribution();
    if let Some(needed) = oldest.filter(|oldest| oldest.version > version) {
        let by = needed.cause.map_or_else(String::new, |cause| {
            let prefix = cause.family.prefix();
            format!(", as systems with {prefix}_{} have it", cause.version)
        });
        let family = needed.cause.map_or(Family::Glibc, |cause| cause.family);
        notes.push(format!(
            "promises glibc {}.{}, but {}.{} is needed{by}{}",
            version.0,
            version.1,
            needed.version.0,
            needed.version.1,
            causes(images, family, minimum)
        ));
    }
    let arches = [
        Arch::X86,
        Arch::X86_64,
        Arch::Arm,
        Arch::Aarch64,
        Arch::PowerPc64,
        Arch::PowerPc64Le,
        Arch::Riscv64,
        Arch::S390x,
    ];
    if let Some(arch) = arches.into_iter().find(|arch| arch.tag() == Some(machine)) {
        notes.extend(other_machines(images, Format::Elf, arch));
    }
    notes
}

/// Most symbols that are named as the cause of a version. `--json` has all, by image.
const NAMED: usize = 3;

/// The symbols that need the set's newest version of this family, each with its image.
fn causes(images: &[&Image<'_>], family: Family, needed: &MinimumVersions) -> String {
    let newest = needed.needed.get(&family).map(|needed| needed.version);
    let mut holding: Vec<String> = Vec::new();
    for image in images {
        let versions = minimum_versions(&image.facts);
        let here = versions.needed.get(&family);
        if let Some(here) = here.filter(|needed| Some(needed.version) == newest) {
            let symbols = here.symbols.iter();
            holding.extend(symbols.map(|symbol| format!("{symbol} in {}", image.facts.name)));
        }
    }
    holding.sort_unstable();
    let more = holding.len().saturating_sub(NAMED);
    let named = holding[..holding.len() - more].join(", ");
    match (holding.is_empty(), more) {
        (true, _) => String::new(),
        (_, 0) => format!(": {named}"),
        _ => format!(": {named} and {more} more"),
    }
}

/// Checks that every file has an image for each machine of the tag, and that none needs a newer macOS.
fn broken_macos(images: &[&Image<'_>], version: (u32, u32), machines: &[Arch]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut files: BTreeMap<&str, BTreeSet<Arch>> = BTreeMap::new();
    for image in images {
        let facts = &image.facts;
        if facts.format != Format::MachO {
            continue;
        }
        files.entry(image.file).or_default().insert(facts.arch);
        let Some(needed) = minimum_versions(facts)
            .macos()
            .filter(|_| machines.contains(&facts.arch))
        else {
            continue;
        };
        // There is no older macOS on arm64, whatever a tag for two machines says.
        let promised = match facts.arch {
            Arch::Aarch64 => version.max((11, 0)),
            _ => version,
        };
        // Installers compare whole versions from 11 on.
        let lower = if promised.0 >= 11 {
            promised.0 < needed.0
        } else {
            promised < needed
        };
        if lower {
            notes.push(format!(
                "promises macOS {}.{}, but {} needs {}.{}",
                promised.0, promised.1, facts.name, needed.0, needed.1
            ));
        }
    }
    for (file, present) in files {
        let missing = machines.iter().filter(|arch| !present.contains(arch));
        notes.extend(
            missing.map(|arch| format!("{file} has no image for {}", arch.name(Format::MachO))),
        );
    }
    notes
}

fn other_machines<'i>(
    images: &'i [&Image<'_>],
    format: Format,
    arch: Arch,
) -> impl Iterator<Item = String> + 'i {
    images
        .iter()
        .filter(move |image| image.facts.format == format && image.facts.arch != arch)
        .filter(move |image| {
            // Launchers for each machine come along in wheels for Windows.
            format == Format::Elf || image.facts.kind == ImageKind::SharedLibrary
        })
        .map(|image| format!("{} is for another machine", image.facts.name))
}

/// Compares the WHEEL file with the file name and the contents.
fn check_wheel_file(
    contents: &WheelContents<'_>,
    tags: &BTreeSet<String>,
    images: &[Image<'_>],
) -> Vec<Finding> {
    let wheel = contents.wheel;
    let fail = |what: String| RULE.finding(Severity::Error, &wheel.name, what);
    let path = wheel.dist_info().map(|folder| format!("{folder}/WHEEL"));
    let Some(text) = path.and_then(|path| contents.text(&path)) else {
        return vec![fail("has no WHEEL file".to_owned())];
    };
    // The rule `wheel-file` reports a file that is not a text.
    let Ok(text) = text else {
        return Vec::new();
    };
    let fields = Fields::of(text);
    let mut findings = Vec::new();
    let mut different = DetailList::default();
    let mut in_both = BTreeSet::new();
    for tag in fields.values("Tag") {
        match tags.get(&*tag) {
            Some(tag) => {
                in_both.insert(tag.as_str());
            }
            None => different.push(tag, "in WHEEL only"),
        }
    }
    for tag in tags.iter().filter(|tag| !in_both.contains(tag.as_str())) {
        different.push(tag, "in the file name only");
    }
    if !different.is_empty() {
        let what = "the tags of its file name and of its WHEEL file differ";
        findings.push(different.describe(fail(what.to_owned())));
    }
    let pure = fields
        .values("Root-Is-Purelib")
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
    fn platform_tags_promise_a_system() {
        assert_eq!(
            promised("manylinux_2_28_x86_64"),
            Some(Promise::Glibc((2, 28), "x86_64"))
        );
        assert_eq!(
            promised("manylinux2014_aarch64"),
            Some(Promise::Glibc((2, 17), "aarch64"))
        );
        assert_eq!(
            promised("macosx_10_13_universal2"),
            Some(Promise::MacOs((10, 13), &[Arch::X86_64, Arch::Aarch64]))
        );
        assert_eq!(promised("win32"), Some(Promise::Windows(Arch::X86)));
        assert_eq!(promised("musllinux_1_2_x86_64"), None);
        assert_eq!(promised("linux_x86_64"), None);
    }
}
