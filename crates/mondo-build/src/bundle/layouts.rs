//! The last phase: it writes the staged files as a wheel, with the wheels of dialect crates beside it, or as a tree.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use mondo_core::error::Result;
use mondo_link::extension::{Extensions, LinkedExtension};
use mondo_link::link::map::SizeMap;
use mondo_package::crate_wheel::{self, Made};
use mondo_package::folder_layout;
use mondo_package::ods::Modules;
use mondo_package::wheel::sbom::{ArchiveFile, Crate, DialectComponent, SbomInput};
use mondo_package::wheel::{self, Epoch, Packed, Stage, Tag, WheelFile, WriteOptions};
use mondo_plan::plan::Plan;
use mondo_toolchain::{Linker, Toolchain};

use super::budget;
use super::options::Options;
use super::provenance::linked_packages;
use crate::audit::{self, Subject};
use crate::linked_code::native_libraries;
use crate::report::Layout;

/// The results of the earlier phases.
pub(super) struct Finished<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) toolchain: &'a Toolchain,
    pub(super) linker: &'a Linker,
    pub(super) stage: Stage,
    /// The tag of the bundle's own wheel.
    pub(super) tag: &'a Tag,
    /// The glibc that the bundle and the crates' extensions need together.
    pub(super) glibc: (u32, u32),
    /// The Rust crates in the images, for the SBOM.
    pub(super) crates: Vec<Crate>,
    pub(super) extensions: Option<&'a Extensions>,
    pub(super) modules: &'a Modules,
    /// The static library, if the layout has it.
    pub(super) archive: Option<&'a Utf8Path>,
    /// The sizes of the library's parts, for the error about a wheel that is too large.
    pub(super) sizes: &'a SizeMap,
    /// The archives that the SBOM lists.
    pub(super) archives: Vec<ArchiveFile>,
}

/// The files of a finished bundle.
pub(super) struct Written {
    /// The wheel, or the tree.
    pub(super) file: WheelFile,
    /// The wheels beside it.
    pub(super) others: Vec<WheelFile>,
    /// The time that the audit of the first file took.
    pub(super) audited: Duration,
}

/// Writes the bundle in the layout of `options`.
pub(super) fn write(finished: Finished<'_>, options: &Options) -> Result<Written> {
    let plan = finished.subject.plan;
    let packages = linked_packages(finished.toolchain, finished.linker);
    let native = native_libraries(finished.toolchain, finished.linker);
    let crates = plan.crates.iter();
    let dialects: Vec<DialectComponent> = crates.filter_map(DialectComponent::of).collect();
    let platform = wheel::platform(finished.glibc, std::env::consts::ARCH);
    let of_bundle = crate_wheel::stubs_of(&finished.stage, plan)?;
    let input = Made {
        plan,
        toolchain: finished.toolchain,
        extensions: finished.extensions,
        modules: finished.modules,
        of_bundle: &of_bundle,
        platform: &platform,
        packages: &packages,
        native: &native,
    };
    let audited = OnceLock::new();
    let timed = |name: &str, bytes: &[u8], audit: &dyn Fn() -> Result<()>| {
        let size = bytes.len() as u64;
        budget::check(&plan.wheel, name, size, finished.sizes)?;
        let start = Instant::now();
        audit()?;
        // The cell is set once, because one wheel or tree is written; so the result is ignored.
        let _ = audited.set(start.elapsed());
        Ok(())
    };
    let subject = finished.subject;
    let out_dir = &options.out_dir;
    // A tree, and the wheel of a project with a build backend, contain the files that otherwise go into several
    // wheels.
    let together = plan.wheel.single || options.layout != Layout::Wheel;
    let (mut stage, mut tag) = (finished.stage, finished.tag.clone());
    let mut sbom_native = native.clone();
    let mut linked: Vec<&LinkedExtension> = Vec::new();
    if together {
        crate_wheel::lay_out_all(input, &mut stage)?;
    }
    if let Some(extensions) = finished.extensions.filter(|_| together) {
        sbom_native.push(crate_wheel::nanobind());
        tag = crate_wheel::tag(&extensions.interpreter, platform.clone());
        linked.extend(extensions.all());
    }
    let sbom = SbomInput {
        packages: &packages,
        crates: finished.crates,
        native: sbom_native,
        dialects,
        archives: finished.archives,
    };
    let packed = pack(plan, &stage, &tag, &sbom)?;
    let check = |name: &str, bytes: &[u8]| {
        timed(name, bytes, &|| match linked.as_slice() {
            [] => audit::wheel(subject, name, bytes),
            linked => audit::crate_wheel(subject, linked, name, bytes),
        })
    };
    let (file, others) = match options.layout {
        Layout::Wheel => {
            let name = packed.name.clone();
            let file = packed.write(out_dir, |bytes| check(&name, bytes))?;
            let audit = |linked: &[&LinkedExtension], name: &str, bytes: &[u8]| {
                audit::crate_wheel(subject, linked, name, bytes)
            };
            let others = if together {
                Vec::new()
            } else {
                crate_wheel::write(input, out_dir, &audit)?
            };
            (file, others)
        }
        Layout::Tree | Layout::Static => {
            let about = folder_layout::About {
                plan,
                tag: &tag,
                glibc: finished.glibc,
                llvm: &finished.toolchain.version,
                archive: finished.archive,
            };
            (
                folder_layout::write(packed, about, out_dir, check)?,
                Vec::new(),
            )
        }
    };
    Ok(Written {
        file,
        others,
        audited: audited.into_inner().unwrap_or_default(),
    })
}

fn pack(plan: &Plan, stage: &Stage, tag: &Tag, sbom: &SbomInput<'_>) -> Result<Packed> {
    let options = WriteOptions {
        epoch: Epoch::from_environment()?,
        level: if plan.wheel.best {
            wheel::BEST_LEVEL
        } else {
            wheel::DEFAULT_LEVEL
        },
        ..WriteOptions::default()
    };
    wheel::pack(stage, &plan.metadata, tag, sbom, &options)
}
