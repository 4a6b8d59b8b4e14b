//! Result of an audit: a summary of each image, and the sorted findings.

use serde::Serialize;

use crate::finding::{Finding, Severity};
use crate::image::Image;
use crate::image_facts::{Arch, Format, ImageKind};
use crate::minimum_versions::{MinimumVersions, minimum_versions};
use crate::policy::Role;
use crate::printable::printed;

/// An image in a few words, for reports.
#[derive(Debug, Clone, Serialize)]
pub struct ImageSummary {
    /// As the caller named it.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// Role, as expected or as guessed.
    pub role: Role,
    /// Library or program.
    pub kind: ImageKind,
    /// Its machine.
    pub arch: Arch,
    /// Bytes of the file.
    pub file_size: u64,
    /// `DT_SONAME`.
    pub soname: Option<String>,
    /// `DT_NEEDED`, in the file's order.
    pub needed: Vec<String>,
    /// Number of exports.
    pub exports: usize,
    /// Number of imports.
    pub imports: usize,
    /// True if there is no full symbol table.
    pub stripped: bool,
    /// Bytes of `DT_INIT_ARRAY`: static constructors.
    pub init_array_size: u64,
    /// The versions of the C and C++ run-time libraries that it needs.
    pub minimum_versions: MinimumVersions,
}

/// The result: what was looked at and what was found.
#[derive(Debug, Clone, Serialize)]
pub struct Audit {
    /// The wheel that was taken apart; `None` for a set of images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The images, sorted by name.
    pub images: Vec<ImageSummary>,
    /// The findings, sorted by image, then severity, then rule.
    pub findings: Vec<Finding>,
}

impl Audit {
    pub(crate) fn new(images: &[Image<'_>], mut findings: Vec<Finding>) -> Self {
        findings.iter_mut().for_each(Finding::print);
        let mut images: Vec<ImageSummary> = images.iter().map(summary).collect();
        images.sort_by(|a, b| a.name.cmp(&b.name));
        let mut audit = Self {
            subject: None,
            images,
            findings,
        };
        audit.sort();
        audit
    }

    /// Puts the findings into their order: by image, then severity, then rule.
    pub(crate) fn sort(&mut self) {
        self.findings.sort_by(|a, b| {
            let head = |f: &Finding| (f.severity, f.rule);
            let by_head = a.image.cmp(&b.image).then_with(|| head(a).cmp(&head(b)));
            by_head
                .then_with(|| a.what.cmp(&b.what))
                .then_with(|| a.details.cmp(&b.details))
                .then_with(|| a.others.cmp(&b.others))
        });
    }

    /// The severity of the worst finding.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).min()
    }

    /// Number of findings of this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Returns whether any finding is an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The versions that all images together need.
    #[must_use]
    pub fn minimum_versions(&self) -> MinimumVersions {
        self.images
            .iter()
            .fold(MinimumVersions::default(), |all, image| {
                all.join(&image.minimum_versions)
            })
    }
}

fn summary(image: &Image<'_>) -> ImageSummary {
    let facts = &image.facts;
    ImageSummary {
        name: printed(facts.name),
        format: facts.format,
        role: image.role.clone(),
        kind: facts.kind,
        arch: facts.arch,
        file_size: facts.file_size,
        soname: facts.soname.map(printed),
        needed: facts.needed.iter().map(|&name| printed(name)).collect(),
        exports: facts.exports.len(),
        imports: facts.imports.len(),
        stripped: facts.stripped,
        init_array_size: facts.init_array_size,
        minimum_versions: minimum_versions(facts),
    }
}
