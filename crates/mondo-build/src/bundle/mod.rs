//! The whole pipeline, phase after phase: what `mondo bundle` and a downstream's own xtask
//! call.

mod budget;
mod build;
mod layouts;
mod options;
mod phases;
mod projects;
mod provenance;
mod reports;

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::interrupt;
use mondo_core::progress::Sink;
use mondo_core::source::Source;
use mondo_link::compile::{self, Digests, Packages};
use mondo_link::extension;
use mondo_package::folder_layout;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::{self, Manifest, Overrides};
use mondo_plan::plan::{self, Plan};
use mondo_toolchain as toolchain;

use self::build::Build;
pub use self::options::{Options, work_dir};
use crate::report::{Layout, Report};
use crate::stamp::{self, Stamp};

/// A finished bundle.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The wheel's path, or the tree's.
    pub wheel: Utf8PathBuf,
    /// The wheels of dialect crates that have their own.
    pub crate_wheels: Vec<Utf8PathBuf>,
    /// All that is known of it.
    pub report: Report,
    /// True if nothing had changed, so that nothing was done.
    pub up_to_date: bool,
}

/// Reads a manifest and decides what its bundle consists of, but for its projects: those are not known
/// before they are configured.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong.
pub fn make_plan(manifest: &Utf8Path, overrides: &Overrides) -> Result<Plan> {
    let (catalogue, source) = (Catalogue::upstream()?, Source::locate()?);
    let manifest = manifest::load_with(manifest, overrides)?;
    resolve(&manifest, &[], &catalogue, &source)
}

/// Decides what a bundle consists of, with its projects, which are built for that.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong, and those of a project's build.
pub fn plan_with_projects(options: &Options, sink: &dyn Sink) -> Result<Plan> {
    let (catalogue, source) = (Catalogue::upstream()?, Source::locate()?);
    let mut manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    if manifest.projects.is_empty() {
        return resolve(&manifest, &[], &catalogue, &source);
    }
    let toolchain = toolchain::find(&toolchain_request(&manifest, options)?, sink)?;
    let linker = toolchain::linker(Some(&toolchain))?;
    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock(&options.work_dir, sink)?;
    let projects = projects::build(&mut manifest, options, &toolchain, &linker, sink)?;
    resolve(&manifest, &projects.crates, &catalogue, &source)
}

/// The plan of a manifest whose projects are dialect crates by now.
fn resolve(
    manifest: &Manifest,
    projects: &[DialectCrate],
    catalogue: &Catalogue,
    source: &Source,
) -> Result<Plan> {
    let mut crates = dialect_crate::load_all(manifest, &source.dialect_crates())?;
    crates.extend_from_slice(projects);
    plan::resolve(manifest, catalogue, &crates, std::env::consts::ARCH)
}

/// Makes the wheel that a manifest describes, or finds that it is there already.
///
/// # Errors
/// The kind of the phase that fails.
pub fn bundle(options: &Options, sink: &dyn Sink) -> Result<Bundle> {
    let source = Source::locate()?;
    let catalogue = Catalogue::upstream()?;
    let mut manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    // A mistake of the manifest is told before anything is downloaded or built.
    let early = match manifest.projects.as_slice() {
        [] => Some(resolve(&manifest, &[], &catalogue, &source)?),
        _ => None,
    };
    let toolchain = toolchain::find(&toolchain_request(&manifest, options)?, sink)?;
    let linker = toolchain::linker(Some(&toolchain))?;

    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock(&options.work_dir, sink)?;
    let projects = projects::build(&mut manifest, options, &toolchain, &linker, sink)?;
    let prepared = projects.prepared.as_slice();
    let plan = match early {
        Some(plan) => plan,
        None => resolve(&manifest, &projects.crates, &catalogue, &source)?,
    };
    projects::note_missing(prepared, &plan, sink);
    let plan = plan.settle(&toolchain.version)?;
    let packages = Packages::of(&plan, &source, &options.work_dir)?;
    let request = compile::Request {
        plan: &plan,
        packages: &packages,
        toolchain: &toolchain,
        source: &source,
        linker: &linker,
        work: &options.work_dir,
        sink,
    };
    let keys = request.keys()?;
    let inputs = stamp::inputs(
        request,
        &keys,
        &(epoch_text() + &extension::fingerprint(&plan)? + &projects::fingerprint(prepared)),
    )?;
    let stamp = match options.layout {
        Layout::Wheel => plan.metadata.distribution.clone(),
        Layout::Tree => {
            let name = folder_layout::folder_name(&plan)?;
            folder_layout::check_place(&options.out_dir.join(&name))?;
            name
        }
    };
    let stamp = options.work_dir.join(format!("stamps/{stamp}.json"));
    if !options.force
        && let Some(report) = Stamp::fresh(
            &stamp,
            &inputs,
            &Digests::new(&toolchain.prefix),
            &options.out_dir,
        )
    {
        report.write(&options.out_dir)?;
        return Ok(Bundle::new(report, &options.out_dir, true));
    }

    let digests = Digests::new(&toolchain.prefix);
    let out = options
        .work_dir
        .join("out")
        .join(&plan.metadata.distribution);
    fs_err::create_dir_all(&out)?;
    let build = Build {
        request,
        keys: &keys,
        digests: &digests,
        catalogue: &catalogue,
        options,
        projects: prepared,
        out: &out,
    };
    let report = build.run()?;
    Stamp::write(&stamp, inputs, digests.files(), &report)?;
    Ok(Bundle::new(report, &options.out_dir, false))
}

impl Bundle {
    fn new(report: Report, out_dir: &Utf8Path, up_to_date: bool) -> Self {
        let others = report.crate_wheels.iter();
        Self {
            wheel: out_dir.join(&report.wheel.file),
            crate_wheels: others.map(|one| out_dir.join(&one.wheel.file)).collect(),
            report,
            up_to_date,
        }
    }
}

/// The LLVM that a manifest and the options ask for.
pub(crate) fn toolchain_request(
    manifest: &Manifest,
    options: &Options,
) -> Result<toolchain::Request> {
    let source = Source::locate()?;
    Ok(toolchain::Request {
        exact: manifest.llvm.exact.clone(),
        llvm_dir: options.llvm_dir.clone(),
        offline: options.offline,
        update_lock: options.update_lock,
        ..toolchain::Request::from_environment(manifest.llvm.major, source.toolchain_lock())?
    })
}

/// Held while a build uses the work folder. The system lets go of it when the process ends, however
/// it ends, so a lock is never stale.
fn lock(work: &Utf8Path, sink: &dyn Sink) -> Result<fs_err::File> {
    let file = fs_err::File::create(work.join("lock"))?;
    if file.file().try_lock().is_err() {
        sink.note("waiting for another build in the same target folder");
        while file.file().try_lock().is_err() {
            interrupt::check()?;
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Ok(file)
}

fn epoch_text() -> String {
    std::env::var("SOURCE_DATE_EPOCH").unwrap_or_default()
}
