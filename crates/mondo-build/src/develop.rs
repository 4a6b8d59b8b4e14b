//! Editable installs of a bundle: the library stays in the work folder, Python is used where it is, and
//! nothing is audited or compressed.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest::{self, Sha256, hash_tree};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::file::replace;
use mondo_core::progress::Sink;
use mondo_link::compile::{self, Digests, Keys};
use mondo_link::extension::{self, Interpreter};
use mondo_package::crate_wheel;
use mondo_package::editable::{self, Environment, Origins, Place};
use mondo_package::wheel::{Packed, Stage, Tag};
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest::UnwindTables;
use mondo_plan::metadata::Metadata;
use mondo_plan::plan::Plan;
use mondo_project::Prepared;
pub use mondo_toolchain::Instrumentation;
use serde::{Deserialize, Serialize};

use crate::bundle::{self, Options};
use crate::stamp;

/// A built editable install, which is in no environment yet.
#[derive(Debug)]
pub struct Editable {
    /// The folder that looks like the unpacked wheel.
    pub overlay: Utf8PathBuf,
    /// True if nothing had changed, so that nothing was compiled or linked.
    pub up_to_date: bool,
    metadata: Metadata,
    project: Utf8PathBuf,
    packed: Packed,
    /// The end of the extensions' file names, where dialect crates have any.
    suffix: Option<String>,
    sanitizer: Option<Sanitizer>,
}

/// What a process needs to run code with AddressSanitizer.
#[derive(Debug)]
struct Sanitizer {
    /// The library, which has to be loaded before any other.
    library: Utf8PathBuf,
    /// The program that finds source lines for the sanitizer's reports.
    symbolizer: Option<Utf8PathBuf>,
}

/// The record of the last build, by which the next one finds out what has changed.
#[derive(Debug, Serialize, Deserialize)]
struct Last {
    /// The digest of those inputs that are known before the compilation.
    inputs: String,
    /// The files that compilers and generators read, with their digests.
    read: BTreeMap<Utf8PathBuf, String>,
    /// The licence texts of what is in the library, by their paths in the wheel.
    licenses: BTreeMap<String, Utf8PathBuf>,
}

/// Compiles and links what has changed. The dialects' C++ is compiled with `instrumentation`.
///
/// # Errors
/// The kind of the phase that fails.
pub fn build(
    options: &Options,
    instrumentation: Instrumentation,
    sink: &dyn Sink,
) -> Result<Editable> {
    let options = &Options {
        instrumentation,
        ..options.clone()
    };
    let adapt = |plan: &mut Plan| {
        let link = &mut plan.link;
        // Without these steps a link takes half of the time, and its result does not ship.
        link.icf = false;
        link.optimize = 0;
        link.sort_for_compression = false;
        link.unwind_tables = UnwindTables::All;
        link.strip = false;
        if instrumentation == Instrumentation::Address {
            // The sanitizer's library needs this machine's glibc.
            link.minimum_glibc = None;
        }
    };
    bundle::prepared(options, sink, &adapt, &|request, catalogue, projects| {
        made(options, request, catalogue, projects)
    })
}

fn made(
    options: &Options,
    request: compile::Request<'_>,
    catalogue: &Catalogue,
    projects: &[Prepared],
) -> Result<Editable> {
    let plan = request.plan;
    let linker = request.linker;
    let sanitizer = match linker.instrumentation {
        Instrumentation::Address => Some(Sanitizer {
            library: linker.sanitizer_library()?,
            symbolizer: linker.symbolizer(),
        }),
        Instrumentation::None | Instrumentation::Debug => None,
    };
    let keys = request.keys()?;
    let project = project_of(&options.manifest)?;
    let name = plan.metadata.file_name()?;
    let work = camino::absolute_utf8(&options.work_dir)?
        .join("develop")
        .join(&name);
    let out = work.join(request.linker.instrumentation.folder());
    fs_err::create_dir_all(&out)?;
    let overlay = work.join("site");
    let stamp = work.join("last.json");
    let inputs = inputs(request, &keys, &options.python)?;
    let digests = Digests::new(&request.toolchain.prefix);
    let fresh = fresh(&stamp, &inputs, &digests).filter(|_| !options.force && overlay.is_dir());
    let up_to_date = fresh.is_some();
    let licenses = match fresh {
        Some(last) => last.licenses,
        None => {
            extension::check_needs(plan, &options.python, options.offline, request.sink)?;
            // The stamp is removed first, so that an interrupted build does not count as finished.
            if stamp.is_file() {
                fs_err::remove_file(&stamp)?;
            }
            let digests = Digests::new(&request.toolchain.prefix);
            let precompiled = work.join("headers");
            let request = compile::Request {
                precompiled: options.precompile.then_some(&precompiled),
                ..request
            };
            let stage =
                bundle::linked(request, &keys, &digests, catalogue, options, projects, &out)?;
            let (linked, installed) = editable::split(stage, &plan.metadata.dist_info()?);
            let mut edited = editable::edited(plan);
            // A checkout that builds its own manifests edits its own Python.
            let source = request.source;
            if source.kit().is_none() && project.starts_with(source.root()) {
                edited.push(source.python());
            }
            let origins = Origins {
                made: &out,
                edited: &edited,
            };
            editable::lay_out(&linked, origins, &overlay)?;
            let licenses = licenses(installed);
            let last = Last {
                inputs,
                read: digests.files(),
                licenses: licenses.clone(),
            };
            replace(&stamp, &to_json(&last)?)?;
            licenses
        }
    };
    let mut installed = Stage::default();
    for (path, from) in licenses {
        installed.file(path, from, false);
    }
    let platform = format!("linux_{}", std::env::consts::ARCH);
    let (tag, suffix) = if !plan.has_extensions() {
        (Tag::abi3(plan.python.minimum, platform), None)
    } else {
        let interpreter = Interpreter::find(&options.python)?;
        (
            crate_wheel::tag(&interpreter, platform),
            Some(interpreter.suffix),
        )
    };
    let place = Place {
        overlay: overlay.clone(),
        project: project.clone(),
    };
    Ok(Editable {
        overlay,
        up_to_date,
        metadata: plan.metadata.clone(),
        project,
        packed: editable::pack(plan, &place, &tag, installed)?,
        suffix,
        sanitizer,
    })
}

impl Editable {
    /// The environment variables for a process that loads code with AddressSanitizer. Two checks are off, because
    /// MLIR's archives are compiled without the sanitizer: memory that they never free is not a leak, and they may
    /// access memory that the dialects' code has poisoned for containers.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let Some(sanitizer) = &self.sanitizer else {
            return Vec::new();
        };
        let mut options = "detect_leaks=0:allow_user_poisoning=0".to_owned();
        if let Some(program) = &sanitizer.symbolizer {
            options.push_str(&format!(":external_symbolizer_path={program}"));
        }
        vec![
            ("LD_PRELOAD", sanitizer.library.to_string()),
            ("ASAN_OPTIONS", options),
        ]
    }

    /// Writes the small wheel of the editable install. Returns its path.
    ///
    /// # Errors
    /// `ErrorKind::Io` where it cannot be written.
    pub fn wheel(self, out_dir: &Utf8Path) -> Result<Utf8PathBuf> {
        Ok(self.packed.write(out_dir, |_| Ok(()))?.path)
    }

    /// Installs the small wheel into an environment. Returns false if it is installed there already.
    ///
    /// # Errors
    /// `ErrorKind::MissingTool` for an environment of another Python than the extensions are for, and
    /// `ErrorKind::Io` where it cannot be written.
    pub fn install(&self, environment: &Environment) -> Result<bool> {
        if let Some(suffix) = self
            .suffix
            .as_ref()
            .filter(|suffix| **suffix != environment.suffix)
        {
            return Err(Error::new(
                ErrorKind::MissingTool,
                "the dialect crates' extensions are for another Python",
            )
            .at(&environment.python)
            .because(format!(
                "they end in {suffix}, but this Python loads {}",
                environment.suffix
            ))
            .help(format!("build with the interpreter {}", environment.python)));
        }
        environment.install(&self.packed, &self.metadata, &self.project)
    }
}

fn project_of(manifest: &Utf8Path) -> Result<Utf8PathBuf> {
    let manifest = camino::absolute_utf8(manifest)?;
    Ok(manifest.parent().unwrap_or(&manifest).to_owned())
}

/// The licence texts that the phases have staged; each of them is a file.
fn licenses(stage: Stage) -> BTreeMap<String, Utf8PathBuf> {
    use mondo_package::wheel::Source;
    let files = stage
        .entries
        .into_iter()
        .filter_map(|entry| match entry.source {
            Source::File(from) => Some((entry.path, from)),
            Source::Bytes(_) => None,
        });
    files.collect()
}

fn fresh(stamp: &Utf8Path, inputs: &str, digests: &Digests) -> Option<Last> {
    let last: Last = serde_json::from_slice(&fs_err::read(stamp).ok()?).ok()?;
    // A licence text may have gone with the isolated environment that it was in.
    let complete = last.licenses.values().all(|text| text.is_file());
    (complete && last.inputs == inputs && digests.same(&last.read)).then_some(last)
}

/// A digest of the inputs of the images, without the files that compilers read, and without Python files.
fn inputs(request: compile::Request<'_>, keys: &Keys, python: &OsStr) -> Result<String> {
    let plan = request.plan;
    let mut state = Sha256::new();
    state.update(stamp::PIPELINE);
    state.update(to_json(plan)?);
    state.update(to_json(request.linker)?);
    state.update(to_json(request.toolchain)?);
    state.update(keys.library());
    state.update(keys.extension());
    state.update(extension::fingerprint(plan, python)?);
    stamp::archives_into(&mut state, &request.toolchain.prefix.join("lib"))?;
    // The archives of projects are digested here: another build system compiled them, so no compiler of this run has
    // read their sources.
    for one in &plan.crates {
        one.archives_into(&mut state)?;
    }
    let python = request.source.python();
    hash_tree(&python, &python, &mut state)?;
    Ok(digest::hex(state.finalize()))
}

fn to_json(value: &impl Serialize) -> Result<Vec<u8>> {
    serde_json::to_vec(value)
        .map_err(|error| Error::new(ErrorKind::Io, "cannot write a record").caused_by(error))
}
