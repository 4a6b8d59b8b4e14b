//! Audit of shared libraries, Python extensions, archives and wheels: bytes in, sorted findings out.
//!
//! ```text
//! bytes ──read──→ Facts ──rules──→ Findings ──report──→ text, JSON, SARIF
//! ```
//!
//! The surface:
//!
//! - [`audit`], [`audit_wheel`] and [`audit_all`] make an [`Audit`] of images (ELF, Mach-O, PE) that one
//!   process loads, of a wheel, or of several. A [`Policy`] states expectations of single images; an
//!   image without one is audited against generic requirements.
//! - [`report`] prints audits as text and as SARIF; [`Audit`] itself is serializable.
//!   [`reference`](mod@reference) has the texts of the rules.
//! - [`PolicyFile`] and [`Baseline`] are the two files by which a project accepts findings.
//! - [`read_image`], [`Wheel`] and [`archive`](mod@archive) are the readers, [`bindings`] is the model of
//!   glibc's dynamic linker, and [`minimum_versions`] the minimum versions of the system's libraries.
//!
//! Architecture Invariant: this crate opens no file, starts no program and reads no environment.
//! Callers pass names and bytes (memory-mapped where they are large).
//!
//! # Example
//!
//! ```
//! use mondo_audit::{Input, Policy, RuleId, Severity, audit, report};
//!
//! // A truncated library beside a text file: each is a finding, since there are two inputs.
//! let inputs = [
//!     Input { name: "libacme.so", bytes: b"\x7fELF\x02\x01\x01" },
//!     Input { name: "notes.txt", bytes: b"built in /home/runner/work" },
//! ];
//! let audit = audit(&inputs, &Policy::default())?;
//! assert!(audit.failed());
//! let rules: Vec<RuleId> = audit.findings.iter().map(|finding| finding.rule).collect();
//! assert_eq!(rules, [RuleId::Format, RuleId::Format, RuleId::BuildPath]);
//! assert_eq!(audit.worst(), Some(Severity::Error));
//! assert!(report::text(&audit).contains("error[format]"));
//! # Ok::<(), mondo_audit::ReadError>(())
//! ```

mod audit;
mod auditor;
mod baseline;
mod cpython;
pub mod cross_check;
mod definitions;
mod detail_list;
mod dynamic_linker;
mod finding;
mod fingerprint;
mod image;
mod image_facts;
mod image_set;
mod input_kind;
mod library_lookup;
mod llvm_statics;
mod minimum_versions;
mod name_pattern;
mod policy;
mod policy_file;
mod printable;
mod read;
mod record_file;
pub mod reference;
pub mod report;
mod requirement;
mod rule;
mod rule_id;
mod rules;
mod string_arena;
mod wheel_scan;
mod wheel_tags;

pub use audit::{Audit, ImageSummary};
pub use auditor::{audit, audit_all, audit_wheel};
pub use baseline::{Baseline, BaselineError, Met};
pub use dynamic_linker::{Bound, bindings};
pub use finding::{Detail, Finding, Severity};
pub use image_facts::{
    Arch, Binding, Export, Facts, Format, Hardening, ImageKind, Import, MinimumOs, Need, Section,
    Signature, Symbol, SymbolKind, Visibility,
};
pub use input_kind::InputKind;
pub use minimum_versions::{
    Family, MinimumVersions, Needed, NeededLibrary, OldestGlibc, Version, minimum_versions,
};
pub use policy::{Expect, ExportList, Input, Load, Policy, Role};
pub use policy_file::{Allow, PolicyFile, PolicyFileError};
pub use read::wheel::Wheel;
pub use read::{Part, ReadError, archive, is_image, parts, read_image, wheel};
pub use requirement::{
    MarkerError, Markers, Requirement, RequirementError, is_direct as is_direct_requirement,
    is_name as is_distribution_name, of as requirement,
};
pub use rule::Rule;
pub use rule_id::RuleId;
