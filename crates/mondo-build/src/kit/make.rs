//! Making a kit: it runs the compile phase for an empty bundle, and writes the results as a folder and as a wheel.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::interrupt::{self, Stop};
use mondo_core::kit::Record;
use mondo_core::lock;
use mondo_core::progress::{Sink, phase};
use mondo_core::source::Source;
use mondo_link::compile::{self, Digests, Packages, Staticlibs};
use mondo_package::wheel::WheelFile;
use mondo_package::wheel::sbom::SbomInput;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest;
use mondo_plan::plan;
use mondo_toolchain as toolchain;

use super::contents::{self, Compiled};
use super::{rustc, wheel};
use crate::linked_code::{compiled_crates, native_libraries};

/// The options of making a kit.
#[derive(Debug, Clone)]
pub struct Options {
    /// LLVM's major version.
    pub llvm: u32,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    pub offline: bool,
    /// The folder for the kit's folder and its wheel.
    pub out_dir: Utf8PathBuf,
    /// The folder of intermediate files, kept between runs.
    pub work_dir: Utf8PathBuf,
}

/// A finished kit.
#[derive(Debug, Clone)]
pub struct Built {
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// Its wheel.
    pub wheel: WheelFile,
    /// Its description.
    pub record: Record,
}

/// Makes the kit of an LLVM from a checkout of mondo: a folder and a wheel, which replace older ones.
///
/// # Errors
/// `ErrorKind::Toolchain` without a checkout or that LLVM, and the kinds of the compile phase.
pub fn build(options: &Options, sink: &dyn Sink) -> Result<Built> {
    let source = Source::locate()?;
    let request = toolchain::Request {
        llvm_dir: options.llvm_dir.clone(),
        offline: options.offline,
        ..toolchain::Request::from_environment(options.llvm, source.toolchain_lock())?
    };
    let toolchain = toolchain::find(&request, sink)?;
    let linker = toolchain::linker(Some(&toolchain))?;
    fs_err::create_dir_all(&options.work_dir)?;
    let _lock = lock::hold(&options.work_dir, sink, &interrupt::check)?;

    let plan = plan_of_nothing(options.llvm)?.settle(&toolchain.version)?;
    let packages = Packages::of(&plan, &source, &options.work_dir)?;
    let crates = compiled_crates(&packages)?;
    let staticlibs = Staticlibs::Cargo(packages);
    let request = compile::Request {
        plan: &plan,
        staticlibs: &staticlibs,
        toolchain: &toolchain,
        source: &source,
        llvm_sources: None,
        linker: &linker,
        precompiled: None,
        work: &options.work_dir,
        sink,
    };
    let keys = request.keys()?;
    let digests = Digests::new(&toolchain.prefix);
    let detail = format!("of LLVM {}", toolchain.version);
    let (built, _) = phase(sink, "kit", &detail, || {
        let library = compile::library(request, &keys, &digests)?;
        let extension = compile::extension(request, &keys, &digests, &Arc::new(Stop::default()))?;
        let tools = compile::tool_objects(request, &digests)?;
        let name = format!("mondo-kit-{}", options.llvm);
        let folder = options.out_dir.join(&name);
        let record = replace_folder(&folder, |fresh| {
            let compiled = Compiled {
                llvm: &toolchain.version,
                keys: &keys,
                library: &library,
                extension: &extension,
                tools: &tools,
                crates: &crates,
                rustc: rustc()?,
            };
            contents::write(fresh, &source, compiled)
        })?;
        let sbom = SbomInput {
            packages: &[],
            crates: crates.clone(),
            native: native_libraries(&toolchain, &linker),
            dialects: Vec::new(),
            archives: Vec::new(),
        };
        let wheel = wheel::write(&name, &source, &folder, &record, sbom, &options.out_dir)?;
        let outcome = wheel.path.to_string();
        Ok::<_, Error>((
            Built {
                folder,
                wheel,
                record,
            },
            outcome,
        ))
    })?;
    Ok(built)
}

/// The plan of an empty bundle. It serves for every kit, because no compiled byte depends on the contents of a
/// manifest.
fn plan_of_nothing(llvm: u32) -> Result<plan::Plan> {
    let text = format!(
        "manifest = 1\n\
         [package]\n\
         distribution = \"mondo-kit\"\n\
         license = \"Apache-2.0 WITH LLVM-exception\"\n\
         [llvm]\n\
         version = \"{llvm}\"\n\
         targets = []\n\
         [contents]\n\
         dialects = [\"builtin\"]\n"
    );
    let manifest = manifest::parse(&text, Utf8Path::new("the kit's manifest"))?;
    plan::resolve(
        &manifest,
        &Catalogue::upstream()?,
        &[],
        std::env::consts::ARCH,
    )
}

/// Calls `write` with a new folder, which then replaces `folder`. After an error, `folder` is unchanged.
fn replace_folder<T>(folder: &Utf8Path, write: impl FnOnce(&Utf8Path) -> Result<T>) -> Result<T> {
    let parent = folder.parent().unwrap_or(Utf8Path::new("."));
    fs_err::create_dir_all(parent)?;
    let guard = tempfile::Builder::new()
        .prefix(".kit-")
        .tempdir_in(parent)?;
    let beside = Utf8Path::from_path(guard.path())
        .ok_or_else(|| Error::new(ErrorKind::Io, "the name of the output folder is not UTF-8"))?;
    let fresh = beside.join("new");
    fs_err::create_dir(&fresh)?;
    let result = write(&fresh)?;
    if folder.exists() {
        if !folder.join(mondo_core::kit::RECORD).is_file() {
            return Err(Error::new(
                ErrorKind::Io,
                "cannot write the kit: the folder exists and is not a kit",
            )
            .at(folder)
            .help("remove the folder, or pass another `--out-dir`"));
        }
        fs_err::rename(folder, beside.join("old"))?;
    }
    fs_err::rename(&fresh, folder)?;
    Ok(result)
}
