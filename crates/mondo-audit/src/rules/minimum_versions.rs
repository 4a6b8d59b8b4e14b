//! `minimum-versions`: versions of the C library, of libstdc++ and of the system that are newer than promised.

use std::collections::BTreeSet;

use crate::finding::count;
use crate::finding::{Detail, Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Facts, Format, MinimumOs};
use crate::input_kind::InputKind;
use crate::minimum_versions::{
    Family, Version, is_shared, is_ucrt, minimum_versions, of_systems_with, parse,
};
use crate::policy::Policy;
use crate::rule::{Check, Rule};
use crate::rule_id::RuleId;

pub(super) const RULE: Rule = Rule {
    id: RuleId::MinimumVersions,
    applies_to: InputKind::IMAGES,
    severity: Severity::Error,
    summary: "an image runs on the oldest system that it promises",
    explanation: "Lists the versions of the C library and of the system's libstdc++ and libgcc \
          that an image needs; on macOS and Windows, the version of the system that it states. \
          With a minimum (`[minimum]` in a policy file: glibc, macos, windows), it reports each \
          symbol above the minimum, and from libstdc++ and libgcc what is newer than on systems \
          with that glibc. glibc's private symbols are always wrong, and so is an image for a \
          system that has no wheels.",
    rationale: "The loader refuses an image that needs a newer glibc than the user's system has: \
          GLIBC_2.36 excludes Ubuntu 22.04 and RHEL 9. GLIBC_PRIVATE symbols change between any \
          two builds of glibc.",
    remedy: "link against an older glibc (or stubs of one), and define the few missing symbols as \
          hidden shims; on macOS compile and link with an older -mmacosx-version-min, on Windows \
          link with an older /SUBSYSTEM version; or raise the minimum",
    sources: &[
        "LSB Core, Symbol Versioning: version needs",
        "PEP 600; elf.h: Verneed, Vernaux",
        "Apple: mach-o/loader.h, build_version_command; Microsoft: PE Format, MajorSubsystemVersion",
    ],
    checks: &[Check::LinkedImage(check)],
};

/// Returns whether wheels are installed on the platform that an image is built for. (iOS has tags
/// of its own.)
fn is_expected(format: Format, platform: &str) -> bool {
    match format {
        Format::MachO => matches!(platform, "macos" | "ios" | "iossimulator"),
        _ => platform == "windows",
    }
}

fn check(image: &Image<'_>, policy: &Policy) -> Vec<Finding> {
    let facts = &image.facts;
    let finding = |severity, what: String| RULE.finding(severity, facts.name, what);
    let mut findings = Vec::new();
    if facts.format == Format::MachO && facts.minimum_os.is_none() {
        let what = "does not say which macOS it needs: no LC_BUILD_VERSION, no LC_VERSION_MIN";
        findings.push(finding(Severity::Info, what.to_owned()));
    }
    if let Some(other) = facts
        .minimum_os
        .filter(|os| !is_expected(facts.format, os.platform))
    {
        let what = format!(
            "is built for {}, where no wheel is installed",
            other.platform
        );
        findings.push(finding(Severity::Error, what));
    }
    let private: Vec<Detail> = facts
        .imports
        .iter()
        .filter(|import| import.version == Some("GLIBC_PRIVATE"))
        .map(|import| Detail::named(import.name))
        .collect();
    if !private.is_empty() {
        let what = format!(
            "uses {} of glibc",
            count(private.len(), "private symbol", "private symbols")
        );
        findings.push(finding(Severity::Error, what).about(private));
    }
    findings.extend(limits(policy).into_iter().filter_map(|limit| {
        let (needed, holding) = limit.broken(facts)?;
        let what = format!(
            "needs {} {needed}, newer than {}",
            limit.name, limit.promise
        );
        Some(finding(Severity::Error, what).about(holding))
    }));
    findings
}

/// Newest version of one library or system that an image may need.
struct Limit {
    family: Family,
    /// As reports call it.
    name: &'static str,
    newest: Version,
    /// Source of the limit, for the sentence of a finding.
    promise: String,
}

/// Limits by the minimum versions of the policy. Versions of systems count without their patch.
fn limits(policy: &Policy) -> Vec<Limit> {
    let system = |family, name, minimum: Option<(u32, u32)>| {
        minimum.map(|(major, minor)| Limit {
            family,
            name,
            newest: Version::new(major, minor, u32::MAX),
            promise: format!("the {major}.{minor} promised"),
        })
    };
    let windows = policy.minimum_windows;
    let mut limits: Vec<Limit> = [
        system(Family::Glibc, "glibc", policy.minimum_glibc),
        system(Family::MacOs, "macOS", policy.minimum_macos),
        system(Family::Windows, "Windows", windows),
        system(Family::Ucrt, "the C library of Windows", windows),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let Some(glibc) = policy.minimum_glibc {
        let libraries = [Family::Glibcxx, Family::Cxxabi, Family::Gcc];
        limits.extend(libraries.into_iter().filter_map(|family| {
            let newest = of_systems_with(glibc, family)?;
            Some(Limit {
                family,
                name: family.prefix(),
                newest,
                promise: format!("the {newest} of systems with glibc {}.{}", glibc.0, glibc.1),
            })
        }));
    }
    limits
}

impl Limit {
    /// The version that the image needs and the needed names with too new versions, if the version exceeds the limit.
    fn broken(&self, facts: &Facts<'_>) -> Option<(Version, Vec<Detail>)> {
        let needed = minimum_versions(facts).needed.get(&self.family)?.version;
        if needed <= self.newest {
            return None;
        }
        let holding = match self.family {
            Family::MacOs | Family::Windows => facts.minimum_os.iter().map(stated).collect(),
            Family::Ucrt => {
                let libraries = facts.needed.iter().filter(|library| is_ucrt(library));
                libraries.map(|&library| Detail::named(library)).collect()
            }
            _ => self.versions_above(facts),
        };
        Some((needed, holding))
    }

    /// The symbols with versions above the limit, and the versions above it that no symbol refers to.
    fn versions_above(&self, facts: &Facts<'_>) -> Vec<Detail> {
        let above = |version: &str| {
            parse(version)
                .is_some_and(|(family, version)| family == self.family && version > self.newest)
        };
        let symbols = facts.imports.iter().filter_map(|import| {
            let shared = import.library.is_none_or(is_shared);
            let version = import.version.filter(|version| shared && above(version))?;
            Some(Detail::new(import.name, version))
        });
        let used: BTreeSet<&str> = facts
            .imports
            .iter()
            .filter_map(|import| import.version)
            .collect();
        let bare = facts
            .version_needs
            .iter()
            .filter(|need| is_shared(need.library))
            .filter(|need| above(need.version) && !used.contains(need.version))
            .map(|need| Detail::new(need.version, "needed without a symbol"));
        symbols.chain(bare).collect()
    }
}

/// The minimum system that the linker's arguments wrote into an image.
fn stated(minimum: &MinimumOs) -> Detail {
    let what = match minimum.platform {
        "windows" => "MajorSubsystemVersion",
        _ => "minos",
    };
    Detail::new(what, "what it was linked for")
}
