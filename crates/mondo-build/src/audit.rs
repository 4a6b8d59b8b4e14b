//! The audit phase: mondo-audit checks the linked images, and later the wheel that would ship. This module reads the
//! files, says which exports and libraries are expected, and finds the archive member that each symbol of a finding
//! comes from.

use std::collections::{BTreeMap, BTreeSet};

use camino::{Utf8Path, Utf8PathBuf};
use memmap2::Mmap;
use mondo_audit::{
    Audit, Expect, Family, Finding, Input, MinimumVersions, Policy, RuleId, Severity, archive,
};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file;
use mondo_core::file::replace;
use mondo_core::glibc::GlibcVersion;
use mondo_link::exports::Exports;
use mondo_link::extension::{Extensions, LinkedExtension};
use mondo_link::link::map::origins;
use mondo_link::link::{EXTENSION_FILE, Linked};
use mondo_plan::plan::Plan;

use crate::cross_check::{self, unreadable};

/// Says which archive members brought each of these symbols into the library.
type Origins<'a> = dyn Fn(&BTreeSet<String>) -> Result<BTreeMap<String, BTreeSet<String>>> + 'a;

/// The borrowed inputs of a bundle's audit.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Names, and the glibc that may be needed.
    pub plan: &'a Plan,
    /// The functions that the library is expected to export.
    pub exports: &'a Exports,
    /// Folders of this machine that nothing shipped may name.
    pub build_paths: &'a [String],
}

/// The glibc versions that the images of a bundle need, from which the platform tags follow.
#[derive(Debug, Clone)]
pub struct Needs {
    /// The library and its extension.
    pub bundle: MinimumVersions,
    /// The library, its extension, and the extensions of the dialect crates.
    pub together: MinimumVersions,
}

/// Audits the linked images with their symbol tables, in which local symbols are visible, too. The dialect crates'
/// extensions are audited together with the library and its extension.
///
/// `library_map` makes the library's link map. It is called only if there are findings, because the map takes half as
/// long as the link itself.
///
/// # Errors
/// `ErrorKind::Audit` with what was found.
pub fn images(
    subject: Subject<'_>,
    linked: &Linked,
    extensions: Option<&Extensions>,
    library_map: &dyn Fn() -> Result<Option<Utf8PathBuf>>,
) -> Result<Needs> {
    let bundle = library_and_extension(subject, linked, &|wanted| match library_map()? {
        Some(map) => origins(&map, wanted),
        None => Ok(BTreeMap::new()),
    })?;
    let together = match extensions {
        None => bundle.clone(),
        Some(extensions) => {
            let all: Vec<_> = extensions.all().collect();
            set(subject, linked, &all, library_map)?
        }
    };
    Ok(Needs { bundle, together })
}

fn library_and_extension(
    subject: Subject<'_>,
    linked: &Linked,
    origins: &Origins<'_>,
) -> Result<MinimumVersions> {
    let mut policy = policy(subject);
    // This rule is off here: the symbol names and debug sections of these files do not ship. The bytes that ship are
    // searched when the wheel is audited.
    policy.skip.insert(RuleId::BuildPath);
    let (library, extension) = (
        file::map(&linked.library_unstripped)?,
        file::map(&linked.extension_unstripped)?,
    );
    let images = [
        Input {
            name: &subject.plan.identity.soname,
            bytes: &library,
        },
        Input {
            name: EXTENSION_FILE,
            bytes: &extension,
        },
    ];
    let mut audit = mondo_audit::audit(&images, &policy).map_err(unreadable)?;
    name_origins(&mut audit, origins)?;
    judge(&audit)?;
    Ok(audit.minimum_versions())
}

/// Audits the library, its extension and those of the dialect crates as one set that a process loads: definitions
/// that must be unique must not be in two of the images.
fn set(
    subject: Subject<'_>,
    linked: &Linked,
    extensions: &[&LinkedExtension],
    library_map: &dyn Fn() -> Result<Option<Utf8PathBuf>>,
) -> Result<MinimumVersions> {
    let mut policy = policy(subject);
    policy.skip.insert(RuleId::BuildPath);
    // The crates' extensions are for one CPython, so the rule for the stable ABI is off. The bundle's own extension
    // has been checked under it before.
    policy.abi3 = None;
    expect_extensions(&mut policy, subject, extensions);
    let identity = &subject.plan.identity;
    let mut files = vec![
        (identity.soname.as_str(), &linked.library_unstripped),
        (EXTENSION_FILE, &linked.extension_unstripped),
    ];
    files.extend(
        extensions
            .iter()
            .map(|one| (one.file.as_str(), &one.unstripped)),
    );
    let maps = files
        .iter()
        .map(|(_, path)| file::map(path))
        .collect::<Result<Vec<_>>>()?;
    let images: Vec<Input<'_>> = files
        .iter()
        .zip(&maps)
        .map(|((name, _), bytes)| Input { name, bytes })
        .collect();
    let mut audit = mondo_audit::audit(&images, &policy).map_err(unreadable)?;
    name_origins(&mut audit, &|wanted| {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let library = library_map()?.map(|map| (identity.soname.as_str(), map));
        let others = extensions
            .iter()
            .map(|one| (one.file.as_str(), one.map.clone()));
        for (image, map) in library.into_iter().chain(others) {
            for (symbol, places) in origins(&map, wanted)? {
                let places = places.iter().map(|place| format!("{place} in {image}"));
                found.entry(symbol).or_default().extend(places);
            }
        }
        Ok(found)
    })?;
    judge(&audit)?;
    Ok(audit.minimum_versions())
}

fn expect_extensions(policy: &mut Policy, subject: Subject<'_>, extensions: &[&LinkedExtension]) {
    let soname = subject.plan.identity.soname.as_str();
    for one in extensions {
        let expect = Expect::extension(&one.module, &[soname]);
        policy.images.insert(one.file.clone(), expect);
    }
}

/// Audits the bytes of a wheel with extensions of dialect crates in it.
///
/// # Errors
/// `ErrorKind::Audit` with what was found.
pub fn crate_wheel(
    subject: Subject<'_>,
    extensions: &[&LinkedExtension],
    name: &str,
    bytes: &[u8],
) -> Result<()> {
    let mut policy = policy(subject);
    policy.abi3 = None;
    expect_extensions(&mut policy, subject, extensions);
    shipped(name, bytes, &policy)
}

/// Audits a wheel's bytes before the wheel gets its name in the output folder.
///
/// # Errors
/// `ErrorKind::Audit` with what was found.
pub fn wheel(subject: Subject<'_>, name: &str, bytes: &[u8]) -> Result<()> {
    shipped(name, bytes, &policy(subject))
}

/// Audits the bytes of a bundle's wheel. In parallel, a second ELF reader reads each image in it and compares.
fn shipped(name: &str, bytes: &[u8], policy: &Policy) -> Result<()> {
    let (audit, agreed) = rayon::join(
        || mondo_audit::audit_wheel(name, bytes, policy).map_err(unreadable),
        || cross_check::wheel(name, bytes, policy.max_unpacked_size),
    );
    judge(&audit?)?;
    agreed.map(drop)
}

/// Audits the bytes of a wheel that contains mondo itself, under the default policy for wheels of any origin.
///
/// # Errors
/// `ErrorKind::Audit` with what was found.
pub(crate) fn bytes_of_wheel(name: &str, bytes: &[u8]) -> Result<()> {
    let audit = mondo_audit::audit_wheel(name, bytes, &Policy::default()).map_err(unreadable)?;
    judge(&audit)
}

/// `file: symbol@version` of everything that needs the minimum glibc.
#[must_use]
pub fn required_by(minimum: &MinimumVersions) -> Vec<String> {
    minimum
        .needed
        .get(&Family::Glibc)
        .map_or_else(Vec::new, |needed| {
            needed
                .symbols
                .iter()
                .map(|symbol| format!("{symbol}@GLIBC_{}", needed.version))
                .collect()
        })
}

fn policy(subject: Subject<'_>) -> Policy {
    let Subject {
        plan,
        exports,
        build_paths,
        ..
    } = subject;
    let identity = &plan.identity;
    let library = Expect::library(
        &identity.soname,
        &identity.version_node,
        exports.functions.clone(),
    );
    let module = EXTENSION_FILE.split('.').next().unwrap_or(EXTENSION_FILE);
    let extension = Expect::extension(module, &[&identity.soname]);
    Policy {
        images: BTreeMap::from([
            (identity.soname.clone(), library),
            (EXTENSION_FILE.to_owned(), extension),
        ]),
        minimum_glibc: plan.link.minimum_glibc.map(GlibcVersion::pair),
        abi3: Some((plan.python.minimum.0.into(), plan.python.minimum.1.into())),
        build_paths: build_paths.to_vec(),
        ..Policy::default()
    }
}

/// Audits files of any origin, as `mondo audit` does: each wheel as a whole, and then every
/// image of all of them as the set that one process may load.
///
/// # Errors
/// As [`files_under`].
pub fn files(paths: &[Utf8PathBuf]) -> Result<Vec<Audit>> {
    files_under(paths, &Policy::default())
}

/// As [`files`], under a policy.
///
/// # Errors
/// `ErrorKind::Io` where a file cannot be read, and `ErrorKind::Audit` where it is not what its name says.
pub fn files_under(paths: &[Utf8PathBuf], policy: &Policy) -> Result<Vec<Audit>> {
    // `file::map` reports an unreadable file as a fault of the build's own archives, so the error's kind is replaced.
    let maps = paths
        .iter()
        .map(|path| file::map(path).map_err(|error| error.with_kind(ErrorKind::Io)))
        .collect::<Result<Vec<_>>>()?;
    let members = thin_members(paths, &maps)?;
    let mut wheels = Vec::new();
    let mut loose: Vec<Input<'_>> = members
        .iter()
        .map(|(name, bytes)| Input { name, bytes })
        .collect();
    for (path, bytes) in paths.iter().zip(&maps) {
        if path.extension() == Some("whl") {
            let name = path.file_name().unwrap_or_default();
            wheels.push(Input { name, bytes });
        } else if !archive::is_thin(bytes) {
            loose.push(Input {
                name: path.as_str(),
                bytes,
            });
        }
    }
    mondo_audit::audit_all(&wheels, &loose, policy).map_err(unreadable)
}

/// Audits files of any origin, and writes the findings as SARIF 2.1.0. The log is written before an error is
/// returned, so that a step of CI can upload it in any case.
///
/// # Errors
/// `ErrorKind::Audit` with what was found, and `ErrorKind::Io` where `sarif` cannot be written.
pub fn gate(paths: &[Utf8PathBuf], sarif: &Utf8Path) -> Result<Vec<Audit>> {
    let audits = files(paths)?;
    let log = mondo_audit::report::sarif(&audits);
    replace(sarif, format!("{log:#}\n").as_bytes())?;
    audits.iter().try_for_each(judge)?;
    Ok(audits)
}

/// The objects that thin archives name, each under its archive's name: `libx.a(a.o)`.
fn thin_members(paths: &[Utf8PathBuf], maps: &[Mmap]) -> Result<Vec<(String, Mmap)>> {
    let mut found = Vec::new();
    for (path, bytes) in paths.iter().zip(maps) {
        let members = archive::thin_members(path.as_str(), bytes).map_err(unreadable)?;
        let folder = path.parent().unwrap_or(Utf8Path::new(""));
        for member in members.unwrap_or_default() {
            let name = format!("{path}({member})");
            found.push((name, file::map(&folder.join(member))?));
        }
    }
    Ok(found)
}

/// The findings of severity error, one line for each detail: its rule, the image, and the fault.
#[must_use]
pub fn errors(audit: &Audit) -> Vec<String> {
    lines(serious(audit))
}

/// The warnings about the metadata of wheels, one line for each detail. For a release they count as errors, since an
/// index refuses such wheels.
pub(crate) fn odd_metadata(audit: &Audit) -> Vec<String> {
    let findings = audit.findings.iter();
    let odd = |finding: &&Finding| {
        finding.rule == RuleId::Metadata && finding.severity == Severity::Warning
    };
    lines(findings.filter(odd))
}

fn lines<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in findings {
        let head = format!(
            "[{}] {}: {}",
            finding.rule.name(),
            finding.image,
            finding.what
        );
        let others: Vec<String> = finding
            .others
            .iter()
            .map(|other| format!(" (with {other})"))
            .collect();
        let head = head + &others.concat();
        if finding.details.is_empty() {
            lines.push(head);
            continue;
        }
        for detail in &finding.details {
            let origin = detail.origin.as_ref().map(|place| format!(" from {place}"));
            let note = match detail.note.as_str() {
                "" => String::new(),
                note => format!(" ({note})"),
            };
            lines.push(format!(
                "{head}: {}{note}{}",
                detail.name,
                origin.unwrap_or_default()
            ));
        }
        if finding.more > 0 {
            lines.push(format!("{head}: … and {} more", finding.more));
        }
    }
    lines
}

fn serious(audit: &Audit) -> impl Iterator<Item = &Finding> {
    let findings = audit.findings.iter();
    findings.filter(|finding| finding.severity == Severity::Error)
}

/// An error if any finding is one, with the details by rule and image.
///
/// # Errors
/// `ErrorKind::Audit` with what was found.
pub fn judge(audit: &Audit) -> Result<()> {
    let Some(first) = serious(audit).next() else {
        return Ok(());
    };
    let count = serious(audit).count();
    Err(Error::new(
        ErrorKind::Audit,
        format!(
            "the audit found {count} {}",
            if count == 1 { "error" } else { "errors" }
        ),
    )
    .details(errors(audit))
    .because(first.rule.rule().rationale)
    .help(first.fix))
}

/// Adds to the findings the archive members that their symbols come from.
fn name_origins(audit: &mut Audit, origins: &Origins<'_>) -> Result<()> {
    let errors = audit
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Error);
    let wanted: BTreeSet<String> = errors
        .flat_map(|finding| finding.details.iter().map(|detail| detail.name.clone()))
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let found = origins(&wanted)?;
    for finding in &mut audit.findings {
        for detail in &mut finding.details {
            let places = found.get(&detail.name);
            detail.origin =
                places.map(|places| places.iter().cloned().collect::<Vec<_>>().join(" and "));
        }
    }
    Ok(())
}
