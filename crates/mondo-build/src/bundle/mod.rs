//! The whole pipeline, phase after phase: what `mondo bundle` and a downstream's own xtask
//! call.

mod budget;
mod build;
mod constructors;
mod editable;
mod embedded;
mod hooks_proof;
mod layouts;
mod linked_archives;
mod options;
mod own_files;
mod phases;
mod prefix_catalogue;
mod project_code;
mod projects;
mod provenance;
mod reports;
mod tool_sources;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt;
use mondo_core::progress::{self, Sink};
use mondo_core::source::Source;
use mondo_link::collect;
use mondo_link::compile::{self, Digests, Staticlibs};
use mondo_link::extension;
use mondo_package::folder_layout;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::dialect_crate::{self, DialectCrate};
use mondo_plan::manifest::{self, Manifest, Overrides};
use mondo_plan::plan::{self, Plan};
use mondo_project::Prepared;
use mondo_toolchain::{self as toolchain, Launcher, Linker, Toolchain};

use self::build::Build;
pub(crate) use self::editable::linked;
pub use self::options::{Options, work_dir};
use self::project_code::ProjectCode;
use crate::kit;
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

/// Reads a manifest and makes the plan of its bundle without the manifest's projects, which are unknown before they
/// are configured.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong.
pub fn make_plan(manifest: &Utf8Path, overrides: &Overrides) -> Result<Plan> {
    let catalogue = Catalogue::upstream()?;
    let manifest = manifest::load_with(manifest, overrides)?;
    // Without a checkout, the only dialect crates are those beside the manifest.
    let in_tree = Source::locate().map_or_else(
        |_| manifest.folder().to_owned(),
        |source| source.dialect_crates(),
    );
    resolve(&manifest, &[], &catalogue, &in_tree)
}

/// Makes the plan of a bundle with its projects as their last build left them. It builds and writes nothing.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong; the latter also for a project that was never built.
pub fn plan_of_last_build(options: &Options) -> Result<Plan> {
    let mut manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    if manifest.projects.is_empty() && options.llvm_dir.is_none() {
        return make_plan(&options.manifest, &options.overrides);
    }
    let source = kit::source(options.kit.as_deref(), manifest.llvm.major)?;
    let crates = match manifest.projects.as_slice() {
        [] => Vec::new(),
        _ => projects::as_last_built(&mut manifest, &options.work_dir)?,
    };
    let wanted = toolchain_request(&manifest, options, &source)?;
    let (catalogue, _) = prefix_catalogue::of(&wanted, &progress::Silent)?;
    resolve(&manifest, &crates, &catalogue, &source.dialect_crates())
}

/// Builds the projects of a manifest and makes the plan of its bundle.
///
/// # Errors
/// `ErrorKind::Manifest` or `ErrorKind::Plan`, by what is wrong, and those of a project's build.
pub fn build_projects_and_plan(options: &Options, sink: &dyn Sink) -> Result<Plan> {
    let mut manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    if manifest.projects.is_empty() {
        return plan_of_last_build(options);
    }
    let source = kit::source(options.kit.as_deref(), manifest.llvm.major)?;
    let wanted = toolchain_request(&manifest, options, &source)?;
    let (catalogue, named) = prefix_catalogue::of(&wanted, sink)?;
    let (toolchain, linker) = tools(named, &wanted, options, sink)?;
    let _lock = lock(&options.work_dir, sink)?;
    let in_tree = source.dialect_crates();
    let (_, plan) = projects::build_and_plan(
        &mut manifest,
        options,
        &toolchain,
        &linker,
        &source,
        sink,
        |manifest, crates| resolve(manifest, &crates, &catalogue, &in_tree),
    )?;
    Ok(plan)
}

/// The LLVM of a bundle, `named` or else the one that is wanted, and the linker with the options' compilers.
fn tools(
    named: Option<Toolchain>,
    wanted: &toolchain::Request,
    options: &Options,
    sink: &dyn Sink,
) -> Result<(Toolchain, Linker)> {
    let toolchain = named.map_or_else(|| toolchain::find(wanted, sink), Ok)?;
    let mut linker = toolchain::linker(Some(&toolchain))?;
    linker.launcher = Launcher::find(options.compiler_launcher.as_deref())?;
    linker.instrumentation = options.instrumentation;
    Ok((toolchain, linker))
}

/// The plan of a manifest whose projects have already been turned into dialect crates. `in_tree` is the folder of
/// mondo's own dialect crates.
fn resolve(
    manifest: &Manifest,
    projects: &[DialectCrate],
    catalogue: &Catalogue,
    in_tree: &Utf8Path,
) -> Result<Plan> {
    let mut crates = dialect_crate::load_all(manifest, in_tree)?;
    crates.extend_from_slice(projects);
    plan::resolve(manifest, catalogue, &crates, std::env::consts::ARCH)
}

/// Checks that the installed LLVM has the archives that the plan's dialect crates name. Returns false if no LLVM is
/// installed. This check downloads nothing.
///
/// # Errors
/// `ErrorKind::Archive` where one is missing.
pub fn check_archives(plan: &Plan) -> Result<bool> {
    if plan.crates.iter().all(|one| one.archives().is_empty()) {
        return Ok(true);
    }
    // A kit names the packages of its LLVM by itself.
    let Ok(source) = Source::locate() else {
        return Ok(false);
    };
    let request = toolchain::Request {
        exact: plan.llvm.exact.clone(),
        packages: plan.llvm.packages.clone(),
        offline: true,
        ..toolchain::Request::from_environment(plan.llvm.major, source.toolchain_lock())?
    };
    match toolchain::find(&request, &progress::Silent) {
        Ok(toolchain) => collect::check_names(plan, &toolchain).map(|()| true),
        Err(_) => Ok(false),
    }
}

/// Makes the wheel that a manifest describes, or finds that it is there already.
///
/// # Errors
/// The kind of the phase that fails.
pub fn bundle(options: &Options, sink: &dyn Sink) -> Result<Bundle> {
    prepared(options, sink, &|_| {}, &|request, catalogue, projects| {
        made(options, request, catalogue, projects)
    })
}

/// The function that uses a compile request to run all phases or some of them. The projects have been built before.
pub(crate) type Work<'a, T> =
    &'a dyn Fn(compile::Request<'_>, &Catalogue, &[Prepared]) -> Result<T>;

/// Prepares all that the phases of a bundle borrow, and calls `work` while the work folder is locked against other
/// builds. `adapt` may change the plan first.
pub(crate) fn prepared<T>(
    options: &Options,
    sink: &dyn Sink,
    adapt: &dyn Fn(&mut Plan),
    work: Work<'_, T>,
) -> Result<T> {
    let mut manifest = manifest::load_with(&options.manifest, &options.overrides)?;
    let (source, mut crates) = kit::source_and_crates(options.kit.as_deref(), &manifest)?;
    let wanted = toolchain_request(&manifest, options, &source)?;
    let (catalogue, named) = prefix_catalogue::of(&wanted, sink)?;
    let planned = |manifest: &Manifest, crates: &[DialectCrate]| {
        plan::resolve(manifest, &catalogue, crates, std::env::consts::ARCH)
    };
    // Without projects, the plan is made before anything is downloaded or built, so that errors of the manifest are
    // reported early.
    let early = match manifest.projects.as_slice() {
        [] => Some(planned(&manifest, &crates)?),
        _ => None,
    };
    let (toolchain, linker) = tools(named, &wanted, options, sink)?;
    if let Some(plan) = &early {
        check_work_dir(plan, &options.work_dir)?;
    }

    let _lock = lock(&options.work_dir, sink)?;
    let (projects, plan) = projects::build_and_plan(
        &mut manifest,
        options,
        &toolchain,
        &linker,
        &source,
        sink,
        |manifest, projects| match early {
            Some(plan) => Ok(plan),
            None => {
                crates.extend(projects);
                planned(manifest, &crates)
            }
        },
    )?;
    let mut plan = plan.settle(&toolchain.version)?;
    adapt(&mut plan);
    let llvm_sources = tool_sources::of(&plan, &toolchain, &wanted, sink)?;
    let staticlibs = Staticlibs::of(&plan, &source, &options.work_dir)?;
    let request = compile::Request {
        plan: &plan,
        staticlibs: &staticlibs,
        toolchain: &toolchain,
        source: &source,
        llvm_sources: llvm_sources.as_deref(),
        linker: &linker,
        precompiled: None,
        work: &options.work_dir,
        sink,
    };
    work(request, &catalogue, &projects)
}

/// Runs the phases, or finds that nothing has changed since they ran.
fn made(
    options: &Options,
    request: compile::Request<'_>,
    catalogue: &Catalogue,
    projects: &[Prepared],
) -> Result<Bundle> {
    let compile::Request {
        plan,
        toolchain,
        sink,
        ..
    } = request;
    let keys = request.keys()?;
    let inputs = stamp::inputs(request, &keys, &options.python, projects)?;
    let name = match options.layout {
        Layout::Wheel => plan.metadata.distribution.clone(),
        Layout::Tree | Layout::Static => {
            let has_archive = options.layout == Layout::Static;
            folder_layout::place(plan, has_archive, &options.out_dir)?
        }
    };
    let stamp = options.work_dir.join(format!("stamps/{name}.json"));
    let fresh = Stamp::fresh(&stamp, &inputs.all, &toolchain.prefix, &options.out_dir)
        .filter(|_| !options.force);
    let up_to_date = fresh.is_some();
    let (report, read) = match fresh {
        Some(report) => (report, None),
        None => {
            let digests = Digests::new(&toolchain.prefix);
            extension::check_needs(plan, &options.python, options.offline, sink)?;
            for warning in plan.warnings() {
                sink.note(&format!("warning: {warning}"));
            }
            let distribution = &plan.metadata.distribution;
            let out = options.work_dir.join("out").join(distribution);
            fs_err::create_dir_all(&out)?;
            let build = Build {
                request,
                keys: &keys,
                digests: &digests,
                catalogue,
                options,
                projects,
                code: ProjectCode::new(projects),
                out: &out,
            };
            let report = build.run(&inputs.contents)?;
            (report, Some(digests.files()))
        }
    };
    report.write(&options.reports(), options.report.as_deref())?;
    if let Some(read) = read {
        Stamp::write(&stamp, inputs.all, read, &report)?;
    }
    Ok(Bundle::new(report, &options.out_dir, up_to_date))
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
    source: &Source,
) -> Result<toolchain::Request> {
    let request =
        toolchain::Request::from_environment(manifest.llvm.major, source.toolchain_lock())?;
    Ok(toolchain::Request {
        exact: manifest.llvm.exact.clone(),
        packages: manifest.llvm.packages.clone(),
        llvm_dir: options.llvm_dir.clone(),
        mirrors: toolchain::NamedMirrors {
            flag: options.mirror.clone(),
            manifest: manifest.llvm.mirror.clone(),
            ..request.mirrors
        },
        offline: options.offline,
        update_lock: options.update_lock,
        ..request
    })
}

/// Creates the work folder, and locks it for this build.
fn lock(work: &Utf8Path, sink: &dyn Sink) -> Result<fs_err::File> {
    fs_err::create_dir_all(work)?;
    mondo_core::lock::hold(work, sink, &interrupt::check)
}

/// Refuses a work folder inside of a dialect crate: a crate's digest covers all files in its folder, which must not
/// change during the build.
fn check_work_dir(plan: &Plan, work: &Utf8Path) -> Result<()> {
    match plan.crates.iter().find(|one| work.starts_with(&one.folder)) {
        None => Ok(()),
        Some(one) => Err(Error::new(
            ErrorKind::Plan,
            format!(
                "the work folder is inside the dialect crate `{}`",
                one.name.get_ref()
            ),
        )
        .at(work)
        .because("mondo would take the files of the build for the crate's own")
        .help("move the crate into a subfolder of the project, such as `dialect`")),
    }
}
