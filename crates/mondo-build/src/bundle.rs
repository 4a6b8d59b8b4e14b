//! The whole pipeline, phase after phase: what `cargo xtask bundle` and a downstream's own xtask
//! call.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use crate::audit;
use crate::catalogue::Catalogue;
use crate::collect::collect;
use crate::compile::{SHIPPED_CRATES, compile};
use crate::dialect_crate;
use crate::error::{Error, ErrorKind, Result};
use crate::exports::exports;
use crate::interrupt;
use crate::link::map::{SizeMap, origins};
use crate::link::{self, EXTENSION_FILE, Inputs, Linked};
use crate::manifest;
use crate::ods::ods;
use crate::plan::{self, Plan};
use crate::progress::{self, Sink};
use crate::report::{
    ExportReport, FloorReport, ImageReport, PhaseReport, Report, ToolchainReport, WheelReport,
};
use crate::source::Source;
use crate::stage;
use crate::stamp::{self, Stamp};
use crate::surgery::surgery;
use crate::toolchain::{self, Linker, Package, StripTool, Toolchain};
use crate::wheel::sbom::{self, Crate, Native, SbomInput};
use crate::wheel::{self, Epoch, Tag, WheelFile, WriteOptions};

/// What to build, from what and where to.
#[derive(Debug, Clone)]
pub struct Options {
    /// The manifest's path.
    pub manifest: Utf8PathBuf,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    pub offline: bool,
    /// Take what the distribution has now, and rewrite the lock.
    pub update_lock: bool,
    /// Where the wheel and its report go.
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
    /// The wheel's path.
    pub wheel: Utf8PathBuf,
    /// All that is known of it.
    pub report: Report,
    /// Whether nothing had changed, so that nothing was done.
    pub up_to_date: bool,
}

/// Reads a manifest and decides what its bundle consists of.
pub fn make_plan(manifest: &Utf8Path) -> Result<Plan> {
    plan_of(manifest, &Catalogue::upstream()?, &Source::locate()?)
}

fn plan_of(manifest: &Utf8Path, catalogue: &Catalogue, source: &Source) -> Result<Plan> {
    let manifest = manifest::load(manifest)?;
    let crates = dialect_crate::load_all(&manifest, &source.dialect_crates())?;
    plan::resolve(&manifest, catalogue, &crates, std::env::consts::ARCH)
}

/// Makes the wheel that a manifest describes, or finds that it is there already.
pub fn bundle(options: &Options, sink: &dyn Sink) -> Result<Bundle> {
    let source = Source::locate()?;
    let catalogue = Catalogue::upstream()?;
    let plan = plan_of(&options.manifest, &catalogue, &source)?;
    let toolchain = toolchain::find(&toolchain_request(&plan, options, &source)?, sink)?;
    let plan = plan.settle(&toolchain.version)?;
    let linker = toolchain::linker(Some(&toolchain))?;

    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock(&options.work_dir, sink)?;
    let inputs = stamp::inputs(&plan, &toolchain, &linker, &source, &epoch_text())?;
    let stamp = options
        .work_dir
        .join(format!("stamps/{}.json", plan.metadata.distribution));
    if !options.force
        && let Some(report) = Stamp::fresh(&stamp, &inputs, &options.out_dir)
    {
        report.write(&options.out_dir)?;
        let wheel = options.out_dir.join(&report.wheel.file);
        return Ok(Bundle {
            wheel,
            report,
            up_to_date: true,
        });
    }

    let build = Build {
        plan: &plan,
        toolchain: &toolchain,
        linker: &linker,
        source: &source,
        sink,
    };
    let (wheel, report) = build.run(&catalogue, options)?;
    Stamp::write(&stamp, inputs, &report)?;
    Ok(Bundle {
        wheel,
        report,
        up_to_date: false,
    })
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

/// The glibc of an image that needs no versioned symbol of it: the oldest that any wheel may name.
const OLDEST_GLIBC: (u32, u32) = (2, 5);

/// One run of the phases; the fields are what every phase may look at.
struct Build<'a> {
    plan: &'a Plan,
    toolchain: &'a Toolchain,
    linker: &'a Linker,
    source: &'a Source,
    sink: &'a dyn Sink,
}

impl Build<'_> {
    fn run(&self, catalogue: &Catalogue, options: &Options) -> Result<(Utf8PathBuf, Report)> {
        let Self {
            plan,
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
            let compiled = compile(plan, toolchain, source, linker, work)?;
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

        let (operated, elapsed) = progress::phase(sink, "surgery", "operation hooks", || {
            let operated = surgery(&collected, &out)?;
            let redirected: usize = operated.members.iter().map(|one| one.redirected).sum();
            let outcome = format!(
                "{redirected} calls redirected in {} objects",
                operated.members.len()
            );
            Ok::<_, Error>((operated, outcome))
        })?;
        timed("surgery", elapsed);

        let inputs = Inputs {
            plan,
            collected: &collected,
            compiled: &compiled,
            operated: &operated,
            exports: &exports,
            linker,
            catalogue,
            out: &out,
        };
        let sizes_path = work.join(format!(
            "sizes/{}.json",
            stamp::contents(plan, toolchain, source)?
        ));
        let strip = toolchain::strip_tool(Some(toolchain))?;
        let known_sizes = SizeMap::cached_at(&sizes_path);
        let ((linked, map, crates), elapsed) =
            progress::phase(sink, "link", &plan.identity.soname, || {
                // The list of crates for the SBOM needs nothing of the link.
                let (linked, crates) = rayon::join(
                    || link_all(inputs, &strip, known_sizes.is_none()),
                    || sbom::rust_crates(&source.cargo_manifest(), SHIPPED_CRATES),
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

        let build_paths = build_paths(options, source, toolchain);
        let subject = audit::Subject {
            plan,
            exports: &exports,
            build_paths: &build_paths,
        };
        let (floor, elapsed) = progress::phase(sink, "audit", "what was linked", || {
            // The map takes half as long as the link, so it is made when something is wrong.
            let origins = |wanted: &BTreeSet<String>| match link::library(inputs, true)? {
                (_, Some(map)) => origins(&map, wanted),
                (_, None) => Ok(BTreeMap::new()),
            };
            let floor = audit::linked(subject, &linked, &origins)?;
            let glibc = floor.glibc().unwrap_or(OLDEST_GLIBC);
            Ok::<_, Error>((floor, format!("clean, glibc {}.{}", glibc.0, glibc.1)))
        })?;
        timed("audit", elapsed);

        let (modules, elapsed) =
            progress::phase(sink, "ods", "the dialects' Python classes", || {
                let modules = ods(plan, toolchain, work)?;
                let outcome = format!("{} dialects", modules.plain.len());
                Ok::<_, Error>((modules, outcome))
            })?;
        timed("ods", elapsed);

        let glibc = floor.glibc().unwrap_or(OLDEST_GLIBC);
        let tag = Tag::abi3(
            plan.python.floor,
            wheel::platform(glibc, std::env::consts::ARCH),
        );
        let audited = OnceLock::new();
        let audit = |name: &str, bytes: &[u8]| {
            let start = Instant::now();
            audit::wheel(subject, name, bytes)?;
            // The wheel is written once.
            let _ = audited.set(start.elapsed());
            Ok(())
        };
        let (file, elapsed) = progress::phase(sink, "wheel", &plan.metadata.distribution, || {
            let stage = stage::stage(plan, toolchain, source, &exports, &linked, &modules)?;
            let file = self.write_wheel(&stage, &tag, crates, &options.out_dir, audit)?;
            let outcome = format!("{}, audited", file.path.file_name().unwrap_or_default());
            Ok::<_, Error>((file, outcome))
        })?;
        timed("wheel", elapsed);
        timed("of which audit", audited.get().copied().unwrap_or_default());

        let report = Report {
            report: 1,
            distribution: plan.metadata.distribution.clone(),
            version: plan.metadata.version.clone(),
            import_root: plan.identity.import_root.clone(),
            wheel: WheelReport {
                file: file.path.file_name().unwrap_or_default().to_owned(),
                bytes: file.size,
                sha256: file.sha256.clone(),
                files: file.entries.len(),
            },
            library: image(&linked.library, &linked.library_unstripped, &file)?,
            extension: image(&linked.extension, &linked.extension_unstripped, &file)?,
            floor: FloorReport {
                glibc: format!("{}.{}", glibc.0, glibc.1),
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
            patched: operated.members,
            sizes,
            toolchain: self.toolchain_report()?,
            phases,
        };
        report.write(&options.out_dir)?;
        Ok((file.path, report))
    }

    fn write_wheel(
        &self,
        stage: &wheel::Stage,
        tag: &Tag,
        crates: Vec<Crate>,
        dir: &Utf8Path,
        audit: impl Fn(&str, &[u8]) -> Result<()> + Sync,
    ) -> Result<WheelFile> {
        let Self {
            plan,
            toolchain,
            linker,
            ..
        } = *self;
        let packages = linked_packages(toolchain);
        let sbom = SbomInput {
            packages: &packages,
            crates,
            native: native_libraries(toolchain, linker),
        };
        let write = WriteOptions {
            epoch: Epoch::from_environment()?,
            ..WriteOptions::default()
        };
        let name = wheel::file_name(&plan.metadata, tag)?;
        let check = |bytes: &[u8]| audit(&name, bytes);
        wheel::write(stage, &plan.metadata, tag, &sbom, &write, dir, check)
    }

    fn toolchain_report(&self) -> Result<ToolchainReport> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let rustc = crate::exec::Tool::new(rustc, "ask rustc for its version")
            .arg("--version")
            .output()?
            .stdout;
        let origin = serde_json::to_value(self.toolchain.origin)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default();
        Ok(ToolchainReport {
            llvm: self.toolchain.version.clone(),
            origin,
            packages: self
                .toolchain
                .packages
                .iter()
                .map(|package| format!("{} {}", package.name, package.version))
                .collect(),
            linker: self.linker.lld_version.clone(),
            cxx: self.linker.cxx_version.clone(),
            rustc: rustc.trim().to_owned(),
        })
    }
}

/// The packages whose code is in the wheel: the `-dev` ones hold the archives and headers, the others
/// are programs that run while building, and what those load.
fn linked_packages(toolchain: &Toolchain) -> Vec<Package> {
    let linked = |package: &&Package| package.name.ends_with("-dev");
    toolchain.packages.iter().filter(linked).cloned().collect()
}

/// What is linked and is nobody's package: the compiler's own static libraries, and LLVM itself
/// where it is not the distribution's.
fn native_libraries(toolchain: &Toolchain, linker: &Linker) -> Vec<Native> {
    let compiler = linker.cxx_version.split_whitespace().last();
    let mut native: Vec<Native> = ["libstdc++", "libgcc"]
        .map(|name| Native {
            name: name.into(),
            version: compiler.map(str::to_owned),
            license: Some("GPL-3.0-or-later WITH GCC-exception-3.1".into()),
            ..Native::default()
        })
        .into();
    if toolchain.packages.is_empty() {
        native.push(Native {
            name: "llvm".into(),
            version: Some(toolchain.version.clone()),
            license: Some("Apache-2.0 WITH LLVM-exception".into()),
            ..Native::default()
        });
    }
    native
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

/// Folders of this machine whose names must not be in anything that ships.
fn build_paths(options: &Options, source: &Source, toolchain: &Toolchain) -> Vec<String> {
    let mut paths: Vec<String> = [
        options.work_dir.as_path(),
        options.out_dir.as_path(),
        source.root(),
        toolchain.prefix.as_path(),
    ]
    .iter()
    .filter_map(|path| path.canonicalize_utf8().ok())
    .map(Into::into)
    .collect();
    paths.extend(
        ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
            .iter()
            .filter_map(|key| std::env::var(key).ok()),
    );
    // A system install's prefix, or `/root` as a home, is caught by the audit's own patterns; names
    // as short as `/` would match anything.
    paths.retain(|path| path.len() > 4 && !path.starts_with("/usr/"));
    paths.sort();
    paths.dedup();
    paths
}

fn image(shipped: &Utf8Path, unstripped: &Utf8Path, wheel: &WheelFile) -> Result<ImageReport> {
    let name = shipped.file_name().unwrap_or_default();
    let entry = wheel
        .entries
        .iter()
        .find(|entry| entry.path.rsplit('/').next() == Some(name))
        .ok_or_else(|| Error::new(ErrorKind::Wheel, format!("{name} is not in the wheel")))?;
    Ok(ImageReport {
        file: name.to_owned(),
        bytes: entry.size,
        compressed: entry.compressed,
        unstripped: fs_err::metadata(unstripped)?.len(),
    })
}
