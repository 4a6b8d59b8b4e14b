//! The whole pipeline, phase after phase: what `mondo bundle` and a downstream's own xtask
//! call.

mod budget;
mod layouts;
mod provenance;
mod reports;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use self::layouts::Finished;
use self::provenance::{build_paths, rust_crates};
use self::reports::{crate_wheels, image, wheel_report};
use crate::audit;
use crate::cost;
use crate::report::{ExportReport, FloorReport, Layout, PhaseReport, Report};
use crate::size::detail::Detail;
use crate::stamp::{self, Stamp};
use mondo_core::cache;
use mondo_core::digest;
use mondo_core::error::{Error, Result};
use mondo_core::glibc::GlibcVersion;
use mondo_core::interrupt;
use mondo_core::progress::{self, Sink};
use mondo_core::source::Source;
use mondo_link::collect::{self, collect};
use mondo_link::compile::{self, Digests, Keys, Packages, compile};
use mondo_link::exports::exports;
use mondo_link::extension::{self, Extensions};
use mondo_link::link::map::{SizeMap, origins};
use mondo_link::link::{self, EXTENSION_FILE, Inputs, Linked};
use mondo_link::patch::patch;
use mondo_package::ods::ods;
use mondo_package::stage;
use mondo_package::tree;
use mondo_package::wheel::{self, Tag};
use mondo_plan::catalogue::Catalogue;
use mondo_plan::dialect_crate;
use mondo_plan::manifest::{self, Overrides};
use mondo_plan::plan::{self, Plan};
use mondo_toolchain::{self as toolchain, Linker, StripTool, Toolchain};

/// What to build, from what and where to.
#[derive(Debug, Clone)]
pub struct Options {
    /// The manifest's path.
    pub manifest: Utf8PathBuf,
    /// What stands in the place of the manifest's words.
    pub overrides: Overrides,
    /// What comes out.
    pub layout: Layout,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    pub offline: bool,
    /// Take what the distribution has now, and rewrite the lock.
    pub update_lock: bool,
    /// Where the wheel or tree and its report go.
    pub out_dir: Utf8PathBuf,
    /// Where intermediate files are kept between runs: `target/mondo`.
    pub work_dir: Utf8PathBuf,
    /// Build even if nothing changed.
    pub force: bool,
}

impl Options {
    /// The defaults for `manifest` in the workspace at `workspace`: its `target/mondo` and `dist`.
    #[must_use]
    pub fn new(manifest: impl Into<Utf8PathBuf>, workspace: &Utf8Path) -> Self {
        Self {
            manifest: manifest.into(),
            overrides: Overrides::default(),
            layout: Layout::default(),
            llvm_dir: None,
            offline: false,
            update_lock: false,
            out_dir: workspace.join("dist"),
            work_dir: work_dir(workspace),
            force: false,
        }
    }
}

/// Cargo's target folder for `workspace`, below which intermediate files go.
#[must_use]
pub fn work_dir(workspace: &Utf8Path) -> Utf8PathBuf {
    let target = std::env::var("CARGO_TARGET_DIR")
        .map_or_else(|_| workspace.join("target"), |dir| workspace.join(dir));
    target.join("mondo")
}

/// A finished bundle.
#[derive(Debug, Clone)]
pub struct Bundle {
    /// The wheel's path, or the tree's.
    pub wheel: Utf8PathBuf,
    /// The wheels of dialect crates that have their own.
    pub crate_wheels: Vec<Utf8PathBuf>,
    /// All that is known of it.
    pub report: Report,
    /// Whether nothing had changed, so that nothing was done.
    pub up_to_date: bool,
}

/// Reads a manifest and decides what its bundle consists of.
pub fn make_plan(manifest: &Utf8Path, overrides: &Overrides) -> Result<Plan> {
    let catalogue = Catalogue::upstream()?;
    plan_of(manifest, overrides, &catalogue, &Source::locate()?)
}

fn plan_of(
    manifest: &Utf8Path,
    overrides: &Overrides,
    catalogue: &Catalogue,
    source: &Source,
) -> Result<Plan> {
    let manifest = manifest::load_with(manifest, overrides)?;
    let crates = dialect_crate::load_all(&manifest, &source.dialect_crates())?;
    plan::resolve(&manifest, catalogue, &crates, std::env::consts::ARCH)
}

/// Makes the wheel that a manifest describes, or finds that it is there already.
pub fn bundle(options: &Options, sink: &dyn Sink) -> Result<Bundle> {
    let source = Source::locate()?;
    let catalogue = Catalogue::upstream()?;
    let plan = plan_of(&options.manifest, &options.overrides, &catalogue, &source)?;
    let toolchain = toolchain::find(&toolchain_request(&plan, options, &source)?, sink)?;
    let plan = plan.settle(&toolchain.version)?;
    let linker = toolchain::linker(Some(&toolchain))?;

    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock(&options.work_dir, sink)?;
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
        &(epoch_text() + &extension::fingerprint(&plan)?),
    )?;
    let stamp = match options.layout {
        Layout::Wheel => plan.metadata.distribution.clone(),
        Layout::Tree => {
            let name = tree::folder_name(&plan)?;
            tree::check_place(&options.out_dir.join(&name))?;
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
    let build = Build {
        plan: &plan,
        request,
        keys: &keys,
        digests: &digests,
        toolchain: &toolchain,
        linker: &linker,
        source: &source,
        sink,
    };
    let report = build.run(&catalogue, options)?;
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

fn toolchain_request(
    plan: &Plan,
    options: &Options,
    source: &Source,
) -> Result<toolchain::Request> {
    Ok(toolchain::Request {
        exact: plan.llvm.exact.clone(),
        llvm_dir: options.llvm_dir.clone(),
        offline: options.offline,
        update_lock: options.update_lock,
        ..toolchain::Request::from_environment(plan.llvm.major, source.toolchain_lock())?
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

/// One run of the phases; the fields are what every phase may look at.
struct Build<'a> {
    plan: &'a Plan,
    request: compile::Request<'a>,
    keys: &'a Keys,
    digests: &'a Digests,
    toolchain: &'a Toolchain,
    linker: &'a Linker,
    source: &'a Source,
    sink: &'a dyn Sink,
}

impl Build<'_> {
    fn run(&self, catalogue: &Catalogue, options: &Options) -> Result<Report> {
        let Self {
            plan,
            request,
            keys,
            digests,
            toolchain,
            linker,
            source,
            sink,
        } = *self;
        let work = &options.work_dir;
        let out = work.join("out").join(&plan.metadata.distribution);
        fs_err::create_dir_all(&out)?;
        let mut phases = Vec::new();
        let mut timed = |name: &str, elapsed| phases.push(PhaseReport::new(name, elapsed));

        let (compiled, elapsed) = progress::phase(sink, "compile", "Rust and C++", || {
            collect::check_names(plan, toolchain)?;
            let compiled = compile(request, keys, digests)?;
            Ok::<_, Error>((compiled, "core runtime and extension".into()))
        })?;
        timed("compile", elapsed);

        let (collected, elapsed) = progress::phase(sink, "collect", "MLIR's archives", || {
            let collected = collect(plan, toolchain, &compiled)?;
            let outcome = format!(
                "{} whole, {} by need",
                collected.whole.len(),
                collected.by_need.len()
            );
            Ok::<_, Error>((collected, outcome))
        })?;
        timed("collect", elapsed);

        let (exports, elapsed) = progress::phase(sink, "exports", "C API headers", || {
            let exports = exports(
                plan,
                toolchain,
                source,
                &collected,
                &compiled,
                &linker.cxx,
                &out,
            )?;
            let outcome = format!("{} functions", exports.functions.len());
            Ok::<_, Error>((exports, outcome))
        })?;
        timed("exports", elapsed);

        let (patched, elapsed) = progress::phase(sink, "surgery", "operation hooks", || {
            let patched = patch(&collected, &out)?;
            let redirected: usize = patched.members.iter().map(|one| one.redirected).sum();
            let outcome = format!(
                "{redirected} calls redirected in {} objects",
                patched.members.len()
            );
            Ok::<_, Error>((patched, outcome))
        })?;
        timed("surgery", elapsed);

        let contents = stamp::contents(request, keys)?;
        let known = cache::folder(cache::LINK, work)?;
        cache::prune(&known);
        let known = known.join(format!("{contents}-{}", digest::short(&linker.lld_version)));
        fs_err::create_dir_all(&known)?;
        cache::use_entry(&known);
        let inputs = Inputs {
            plan,
            collected: &collected,
            compiled: &compiled,
            patched: &patched,
            exports: &exports,
            linker,
            catalogue,
            out: &out,
            known: &known,
        };
        let sizes_path = work.join(format!("sizes/{contents}-members.json"));
        let strip = toolchain::strip_tool(Some(toolchain))?;
        let known_sizes = SizeMap::cached_at(&sizes_path);
        let ((linked, map, crates), elapsed) =
            progress::phase(sink, "link", &plan.identity.soname, || {
                // The list of crates for the SBOM needs nothing of the link.
                let (linked, crates) = rayon::join(
                    || link_all(inputs, &strip, known_sizes.is_none()),
                    || rust_crates(request.packages),
                );
                let (linked, map) = linked?;
                let outcome = format!("{} and {EXTENSION_FILE}", plan.identity.soname);
                Ok::<_, Error>(((linked, map, crates?), outcome))
            })?;
        timed("link", elapsed);
        // Without known sizes the link was asked for its map.
        let sizes = match (known_sizes, &map) {
            (Some(sizes), _) => sizes,
            (None, Some(map)) => {
                let sizes = SizeMap::read(map)?;
                sizes.cache_at(&sizes_path)?;
                sizes
            }
            (None, None) => SizeMap::default(),
        };

        let (extensions, elapsed) = self.extensions(inputs, &linked, &strip, options)?;
        timed("extensions", elapsed);

        let build_paths = build_paths(options, plan, source, toolchain);
        let subject = audit::Subject {
            plan,
            exports: &exports,
            build_paths: &build_paths,
        };
        let ((floor, together), elapsed) =
            progress::phase(sink, "audit", "what was linked", || {
                // The map takes half as long as the link, so it is made when something is wrong.
                let origins = |wanted: &BTreeSet<String>| match link::library(inputs, true)? {
                    (_, Some(map)) => origins(&map, wanted),
                    (_, None) => Ok(BTreeMap::new()),
                };
                let floor = audit::linked(subject, &linked, &origins)?;
                let together = match &extensions {
                    None => floor.clone(),
                    Some(extensions) => {
                        let all: Vec<_> = extensions.all().collect();
                        let map = || Ok(link::library(inputs, true)?.1);
                        audit::set(subject, &linked, &all, &map)?
                    }
                };
                let outcome = format!("clean, glibc {}", measured(&floor));
                Ok::<_, Error>(((floor, together), outcome))
            })?;
        timed("audit", elapsed);

        let (modules, elapsed) =
            progress::phase(sink, "ods", "the dialects' Python classes", || {
                let modules = ods(plan, toolchain, &compiled.bundle, work)?;
                let outcome = format!(
                    "{} dialects",
                    modules.bundle.plain.len() + modules.crates.len()
                );
                Ok::<_, Error>((modules, outcome))
            })?;
        timed("ods", elapsed);

        // A floor is a promise: the audit has refused what needs a newer glibc. Without one, the tag
        // is what was measured.
        let glibc = |floor| plan.link.glibc_floor.unwrap_or_else(|| measured(floor));
        let platform = wheel::platform(glibc(&floor).pair(), std::env::consts::ARCH);
        let tag = Tag::abi3(plan.python.floor, platform);
        let ((file, others, audited), elapsed) =
            progress::phase(sink, "wheel", &plan.metadata.distribution, || {
                let finished = Finished {
                    subject,
                    stage: stage::stage(plan, toolchain, source, &exports, &linked, &modules)?,
                    tag: &tag,
                    glibc: glibc(&together).pair(),
                    crates,
                    extensions: extensions.as_ref(),
                    modules: &modules,
                    sizes: &sizes,
                };
                let (file, others, audited) = self.write(finished, options)?;
                let outcome = format!("{}, audited", file.path.file_name().unwrap_or_default());
                Ok::<_, Error>(((file, others, audited), outcome))
            })?;
        timed("wheel", elapsed);
        timed("of which audit", audited);

        Detail::new(plan, &sizes, &file.sha256).write(&file.path)?;
        let report = Report {
            report: 1,
            distribution: plan.metadata.distribution.clone(),
            version: plan.metadata.version.clone(),
            import_root: plan.identity.import_root.clone(),
            layout: options.layout,
            wheel: wheel_report(&file),
            crate_wheels: crate_wheels(plan, extensions.as_ref(), &others)?,
            library: image(&linked.library, &linked.library_unstripped, &file)?,
            extension: image(&linked.extension, &linked.extension_unstripped, &file)?,
            floor: FloorReport {
                glibc: measured(&floor).to_string(),
                platform: tag.platform.clone(),
                held_by: audit::held_by(&floor),
            },
            dialects: plan
                .dialects
                .iter()
                .map(|dialect| dialect.name.clone())
                .collect(),
            llvm_targets: plan.llvm_targets.clone(),
            exports: ExportReport {
                functions: exports.functions.len(),
                version_node: plan.identity.version_node.clone(),
                declared_only: exports.declared_only.clone(),
                defined_only: exports.defined_only.clone(),
            },
            patched: patched.members,
            dialect_bytes: cost::by_dialect(plan, &sizes),
            sizes: SizeMap {
                members: Vec::new(),
                ..sizes
            },
            toolchain: reports::toolchain(toolchain, linker)?,
            phases,
        };
        report.write(&options.out_dir)?;
        Ok(report)
    }

    /// The dialect crates' own extensions; most bundles have none.
    fn extensions(
        &self,
        inputs: Inputs<'_>,
        linked: &Linked,
        strip: &StripTool,
        options: &Options,
    ) -> Result<(Option<Extensions>, Duration)> {
        let wheels = &self.plan.wheels;
        if wheels.is_empty() {
            return Ok((None, Duration::ZERO));
        }
        progress::phase(self.sink, "extensions", "of dialect crates", || {
            let request = extension::Request {
                inputs,
                library: &linked.library_unstripped,
                toolchain: self.toolchain,
                strip,
                work: &options.work_dir,
                offline: options.offline,
                digests: self.digests,
            };
            let names: Vec<&str> = wheels.iter().map(|it| it.distribution.as_str()).collect();
            Ok::<_, Error>((extension::extensions(request)?, names.join(", ")))
        })
    }
}

/// The newest glibc that images need.
fn measured(floor: &mondo_audit::Floor) -> GlibcVersion {
    floor.glibc().map_or(GlibcVersion::OLDEST, Into::into)
}

fn link_all(
    inputs: Inputs<'_>,
    strip: &StripTool,
    want_map: bool,
) -> Result<(Linked, Option<Utf8PathBuf>)> {
    let (library_unstripped, map) = link::library(inputs, want_map)?;
    let shipped = inputs.out.join("shipped");
    fs_err::create_dir_all(&shipped)?;
    let library = shipped.join(&inputs.plan.identity.soname);
    let extension = shipped.join(EXTENSION_FILE);
    let ship = |from: &Utf8Path, to: &Utf8Path| -> Result<()> {
        if inputs.plan.link.strip {
            return link::strip(from, to, strip);
        }
        fs_err::copy(from, to)?;
        Ok(())
    };
    // The extension needs the library's exports alone, so it does not wait for the smaller file.
    let (stripped, extension_unstripped) = rayon::join(
        || ship(&library_unstripped, &library),
        || link::extension(inputs, &library_unstripped),
    );
    stripped?;
    let extension_unstripped = extension_unstripped?;
    ship(&extension_unstripped, &extension)?;
    Ok((
        Linked {
            library_unstripped,
            library,
            extension_unstripped,
            extension,
        },
        map,
    ))
}
