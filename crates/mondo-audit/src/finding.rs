//! What the rules say: findings, the table of rules, and the audit that holds both.

use serde::Serialize;

use crate::minimum_versions::{Floor, floor};
use crate::printable::{print, printed};
use crate::{Arch, Format, Image, ImageKind, Policy, Role, Subject};

/// How bad a finding is; the worst comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The image must not ship.
    Error,
    /// Probably wrong, or wrong for an image that nobody stated expectations for.
    Warning,
    /// Worth knowing; above all: what could not be seen.
    Info,
}

impl Severity {
    /// The severity that is called so in reports.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Error, Self::Warning, Self::Info]
            .into_iter()
            .find(|severity| severity.name() == name)
    }

    /// The word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

macro_rules! rule_ids {
    ($($variant:ident $id:literal $rule:path;)*) => {
        /// The stable names of the rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum RuleId {
            $(
                #[doc = concat!("The rule `", $id, "`.")]
                #[serde(rename = $id)]
                $variant,
            )*
        }

        impl RuleId {
            /// Every rule.
            pub const ALL: &[RuleId] = &[$(Self::$variant),*];

            /// The name in reports, in JSON and on command lines.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $id),* }
            }

            /// The rule of this name.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|id| id.name() == name)
            }

            /// What the rule says of itself.
            #[must_use]
            pub fn rule(self) -> &'static Rule {
                match self { $(Self::$variant => &$rule),* }
            }
        }
    };
}

rule_ids! {
    Abi3 "abi3" crate::rules::abi3::RULE;
    Aslr "aslr" crate::rules::hardening::ASLR;
    BindNow "bind-now" crate::rules::hardening::BIND_NOW;
    Binding "binding" crate::rules::binding::RULE;
    BuildId "build-id" crate::rules::hardening::BUILD_ID;
    BuildPath "build-path" crate::rules::build_path::RULE;
    Cfi "cfi" crate::rules::hardening::CFI;
    ClOption "cl-option" crate::rules::singleton::CL_OPTION;
    Duplicates "duplicates" crate::rules::duplicates::RULE;
    DebugInfo "debug-info" crate::rules::debug::RULE;
    Exports "exports" crate::rules::exports::RULE;
    Floor "floor" crate::rules::minimum_versions::RULE;
    Format "format" crate::rules::format::RULE;
    Metadata "metadata" crate::rules::metadata::RULE;
    Modes "modes" crate::rules::modes::RULE;
    Names "names" crate::rules::names::RULE;
    Needed "needed" crate::rules::needed::RULE;
    Order "order" crate::rules::order::RULE;
    Record "record" crate::rules::record::RULE;
    Relro "relro" crate::rules::hardening::RELRO;
    Runpath "runpath" crate::rules::runpath::RULE;
    Sbom "sbom" crate::rules::sbom::RULE;
    SharedData "shared-data" crate::rules::shared_data::RULE;
    Signature "signature" crate::rules::hardening::SIGNATURE;
    Singleton "singleton" crate::rules::singleton::SINGLETON;
    Soname "soname" crate::rules::soname::RULE;
    Stack "stack" crate::rules::hardening::STACK;
    Symbols "symbols" crate::rules::debug::SYMBOLS;
    Tag "tag" crate::rules::tag::RULE;
    Textrel "textrel" crate::rules::hardening::TEXTREL;
    TypeId "typeid" crate::rules::typeid::RULE;
    Unique "unique" crate::rules::unique::RULE;
    Unneeded "unneeded" crate::rules::unneeded::RULE;
    Unresolved "unresolved" crate::rules::unresolved::RULE;
    WheelFile "wheel-file" crate::rules::wheel_file::RULE;
    Zip "zip" crate::rules::zip::RULE;
}

/// A rule's own words.
#[derive(Debug)]
pub struct Rule {
    /// One line.
    pub title: &'static str,
    /// What it looks at; that it says something of each, a fixture shows.
    pub applies: &'static [Subject],
    /// Why it matters.
    pub why: &'static str,
    /// What to do about a finding.
    pub fix: &'static str,
}

/// One thing that a finding is about: a symbol, a path, a library, a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Offender {
    /// The symbol as it is mangled, the path, the library, the file.
    pub name: String,
    /// What is to be said of this one, in a few words; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Where it came from (an archive and its member). Left empty here: a caller with a link map
    /// fills it in, and reports print it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Where it is in the file, in bytes from its start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The section that `offset` is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
}

impl Offender {
    /// An offender with a note.
    pub(crate) fn new(name: impl Into<String>, note: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            note: note.into(),
            origin: None,
            offset: None,
            section: None,
        }
    }

    /// An offender whose name says it all.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self::new(name, "")
    }
}

/// What one rule has to say of one image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The image or file, as the caller named it.
    pub image: String,
    /// How bad it is.
    pub severity: Severity,
    /// The rule that found it.
    pub rule: RuleId,
    /// One sentence without a full stop.
    pub what: String,
    /// The other images that it takes for this to be wrong, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// What it is about, sorted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offenders: Vec<Offender>,
    /// What to do.
    pub fix: &'static str,
}

impl Finding {
    /// A finding of `rule` about `image`.
    pub(crate) fn new(
        rule: RuleId,
        severity: Severity,
        image: impl Into<String>,
        what: impl Into<String>,
    ) -> Self {
        Self {
            image: image.into(),
            severity,
            rule,
            what: what.into(),
            others: Vec::new(),
            offenders: Vec::new(),
            fix: rule.rule().fix,
        }
    }

    /// Adds what it is about, sorted here.
    pub(crate) fn about(mut self, offenders: impl IntoIterator<Item = Offender>) -> Self {
        self.offenders.extend(offenders);
        self.offenders.sort();
        self.offenders.dedup();
        self
    }

    /// Makes what came out of files fit to be shown, in whatever form.
    fn print(&mut self) {
        print(&mut self.image);
        print(&mut self.what);
        self.others.iter_mut().for_each(print);
        for offender in &mut self.offenders {
            print(&mut offender.name);
            print(&mut offender.note);
            offender.section.iter_mut().for_each(print);
        }
    }

    /// Adds the other images, sorted here.
    pub(crate) fn with(mut self, others: impl IntoIterator<Item = String>) -> Self {
        self.others.extend(others);
        self.others.sort();
        self.others.dedup();
        self
    }
}

/// An image in a few words, for reports.
#[derive(Debug, Clone, Serialize)]
pub struct ImageSummary {
    /// As the caller named it.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// What it is for, as expected or as guessed.
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
    /// How many names it exports.
    pub exports: usize,
    /// How many names it imports.
    pub imports: usize,
    /// Whether there is no full symbol table.
    pub stripped: bool,
    /// Bytes of `DT_INIT_ARRAY`: static constructors.
    pub init_array_size: u64,
    /// The versions of the C and C++ run-time libraries that it needs.
    pub floor: Floor,
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
    pub(crate) fn new(images: &[Image<'_>], mut findings: Vec<Finding>, policy: &Policy) -> Self {
        findings.retain(|finding| !policy.skip.contains(&finding.rule));
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
                .then_with(|| a.offenders.cmp(&b.offenders))
                .then_with(|| a.others.cmp(&b.others))
        });
    }

    /// The severity of the worst finding.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).min()
    }

    /// How many findings are of this severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Whether any finding is an error.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// The versions that all images together need.
    #[must_use]
    pub fn floor(&self) -> Floor {
        self.images
            .iter()
            .fold(Floor::default(), |all, image| all.join(&image.floor))
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
        floor: floor(facts),
    }
}
