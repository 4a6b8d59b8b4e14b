//! The extension phase: the dialect crates' own Python extensions in C++, each linked against the
//! finished library as a downstream's would be.

mod interpreter;
pub mod nanobind;

use std::collections::BTreeMap;
use std::ffi::OsStr;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{ErrorKind, Result};
use mondo_core::progress::Sink;
use mondo_core::source::Source;
use mondo_plan::dialect_crate::DialectCrate;
use mondo_plan::document::suggest;
use mondo_plan::plan::{Plan, PlannedExtension, PlannedWheel};
use mondo_toolchain::Toolchain;
use rayon::prelude::*;

use crate::compile::CompiledCrate;
use crate::cpp::{Compiler, Sources};
use crate::link::{self, Inputs};
use crate::step::Digests;
pub use interpreter::{Interpreter, program};
use nanobind::Nanobind;

/// LLVM's archives for every extension over MLIR's adaptors, which compose messages with `Twine`.
const SUPPORT: &[&str] = &["LLVMSupport", "LLVMDemangle"];

/// The result of the extension phase.
#[derive(Debug)]
pub struct Extensions {
    /// By wheel, in the plan's order.
    pub wheels: Vec<Vec<LinkedExtension>>,
    /// The CPython that they are for.
    pub interpreter: Interpreter,
    /// The nanobind that they were compiled with.
    pub nanobind: Nanobind,
}

/// A linked extension of a dialect crate.
#[derive(Debug, Clone)]
pub struct LinkedExtension {
    /// The module: `_fxp`.
    pub module: String,
    /// Its file name: `_fxp.cpython-311-x86_64-linux-gnu.so`.
    pub file: String,
    /// With its symbol table, for the audit.
    pub unstripped: Utf8PathBuf,
    /// As it ships.
    pub shipped: Utf8PathBuf,
    /// The link map.
    pub map: Utf8PathBuf,
}

impl Extensions {
    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &LinkedExtension> {
        self.wheels.iter().flatten()
    }
}

/// The borrowed inputs of the extension phase.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The inputs of the library's link.
    pub inputs: Inputs<'a>,
    /// The library, with its symbol table.
    pub library: &'a Utf8Path,
    /// MLIR's headers.
    pub toolchain: &'a Toolchain,
    /// mondo's own sources.
    pub source: &'a Source,
    /// The work folder.
    pub work: &'a Utf8Path,
    /// The interpreter that they are for.
    pub python: &'a OsStr,
    /// Never use the network.
    pub offline: bool,
    /// Digests of files.
    pub digests: &'a Digests,
}

/// The inputs of the plan's extensions besides their sources: the interpreter and nanobind. The text is empty where
/// the plan has no extensions.
///
/// # Errors
/// `ErrorKind::MissingTool` without an interpreter and its headers.
pub fn fingerprint(plan: &Plan, python: &OsStr) -> Result<String> {
    if !plan.has_extensions() {
        return Ok(String::new());
    }
    let interpreter = Interpreter::find(python)?;
    Ok(format!("{interpreter:?} {}", nanobind::fingerprint()))
}

/// Checks before anything is compiled that the interpreter, its headers and nanobind are there if the plan has
/// extensions. Nanobind is fetched if it is not in the cache.
///
/// # Errors
/// `ErrorKind::MissingTool` without an interpreter and its headers, and `ErrorKind::Network` where nanobind is not in
/// the cache and cannot be fetched.
pub fn check_needs(plan: &Plan, python: &OsStr, offline: bool, sink: &dyn Sink) -> Result<()> {
    if plan.has_extensions() {
        Interpreter::find(python)?;
        Nanobind::find(python, offline, sink)?;
    }
    Ok(())
}

/// Compiles and links the extensions of the plan. Returns `None` if no crate has one.
///
/// # Errors
/// `ErrorKind::MissingTool`, `ErrorKind::Compile` or `ErrorKind::Link`, by the step that fails.
pub fn extensions(request: Request<'_>) -> Result<Option<Extensions>> {
    let plan = request.inputs.plan;
    if !plan.has_extensions() {
        return Ok(None);
    }
    let interpreter = Interpreter::find(request.python)?;
    let nanobind = Nanobind::find(request.python, request.offline, request.inputs.sink)?;
    let planned: Vec<(&DialectCrate, &CompiledCrate, &PlannedExtension)> = plan
        .wheels
        .iter()
        .flat_map(|wheel| wheel.extensions.iter().map(move |one| (wheel, one)))
        .filter_map(|(wheel, one)| {
            let owner = plan.dialect_crate(&wheel.of_crate)?;
            let compiled = &request.inputs.compiled.crates;
            let compiled = compiled.iter().find(|owner| owner.name == wheel.of_crate)?;
            Some((owner, compiled, one))
        })
        .collect();
    let archives: Vec<Vec<Utf8PathBuf>> = planned
        .iter()
        .map(|(owner, compiled, one)| archives(owner, compiled, one, request))
        .collect::<Result<_>>()?;
    let objects = compile(plan, &planned, request, &interpreter, &nanobind)?;
    let shared = objects.last().cloned().unwrap_or_default();
    let linked: Vec<LinkedExtension> = planned
        .par_iter()
        .zip(&archives)
        .zip(&objects)
        .map(|(((_, _, one), archives), own)| {
            let objects: Vec<Utf8PathBuf> = own.iter().chain(&shared).cloned().collect();
            link_one(one, &objects, archives, request, &interpreter)
        })
        .collect::<Result<_>>()?;
    let mut linked = linked.into_iter();
    let of = |wheel: &PlannedWheel| linked.by_ref().take(wheel.extensions.len()).collect();
    Ok(Some(Extensions {
        wheels: plan.wheels.iter().map(of).collect(),
        interpreter,
        nanobind,
    }))
}

/// The objects of each extension, and at the end those of nanobind, which all of them have.
fn compile(
    plan: &Plan,
    planned: &[(&DialectCrate, &CompiledCrate, &PlannedExtension)],
    request: Request<'_>,
    interpreter: &Interpreter,
    nanobind: &Nanobind,
) -> Result<Vec<Vec<Utf8PathBuf>>> {
    let identity = &plan.identity;
    let label = identity.label.as_deref().unwrap_or("mlir");
    let flags = vec![
        // nanobind asks for it.
        "-fno-strict-aliasing".to_owned(),
        format!("-DMLIR_PYTHON_PACKAGE_PREFIX={}.", identity.import_root),
        format!("-DNB_DOMAIN={label}_mondo"),
    ];
    // mondo's headers come before MLIR's, some of which have the same paths.
    let own = request.source.extension_headers();
    let headers: Vec<Utf8PathBuf> = [own]
        .into_iter()
        .chain(nanobind.include())
        .chain([interpreter.include.clone()])
        .collect();
    let compiler = Compiler {
        linker: request.inputs.linker,
        toolchain: request.toolchain,
        digests: request.digests,
    };
    let place = request
        .work
        .join(compiler.objects().replace("objects", "extensions"))
        .join(format!("{}{}", identity.import_root, interpreter.suffix));
    let mut sets: Vec<Sources<'_>> = planned
        .iter()
        .map(|(owner, compiled, one)| {
            let name = owner.name.get_ref();
            Sources {
                owner: format!(
                    "the extension `{}` of the dialect crate `{name}`",
                    one.module
                ),
                files: &one.sources,
                root: (&owner.folder, name),
                include: compiled.include.clone(),
                system_include: headers.clone(),
                flags: flags.iter().chain(&one.arguments).cloned().collect(),
                objects: place.join(format!("{name}-{}", one.module)),
            }
        })
        .collect();
    let source = [nanobind.source()];
    sets.push(Sources {
        owner: "nanobind".into(),
        files: &source,
        root: (&nanobind.folder, "nanobind"),
        include: Vec::new(),
        system_include: headers.clone(),
        flags,
        objects: place.join("nanobind"),
    });
    compiler.compile(&sets)
}

/// The folder of the archives that an extension links itself.
fn archives(
    owner: &DialectCrate,
    compiled: &CompiledCrate,
    one: &PlannedExtension,
    request: Request<'_>,
) -> Result<Vec<Utf8PathBuf>> {
    let collected = request.inputs.collected;
    let known: BTreeMap<&str, &Utf8PathBuf> = collected
        .by_need
        .iter()
        .chain(&collected.whole)
        .map(|archive| (archive.name.as_str(), &archive.path))
        .collect();
    let mut found = Vec::new();
    let written = owner.extensions.iter();
    let written = written.filter(|extension| extension.module.get_ref() == &one.module);
    for name in written.flat_map(|extension| &extension.archives) {
        let word = name.get_ref().as_str();
        let path = owner.folder.join(word);
        if word == owner.name.get_ref() {
            found.extend(compiled.whole.iter().chain(&compiled.by_need).cloned());
        } else if let Some(path) = known.get(word) {
            found.push((*path).clone());
        } else if (word.contains('/') || word.ends_with(".a")) && path.is_file() {
            found.push(path);
        } else {
            return Err(owner
                .error(
                    ErrorKind::Archive,
                    name.span(),
                    format!(
                        "the dialect crate `{}`: `extension.archives` names `{word}`, which \
                         does not exist",
                        owner.name.get_ref()
                    ),
                )
                .because(format!(
                    "it is not this crate's name, an archive of this LLVM or the file {path}"
                ))
                .help(suggest(word, known.keys().copied())));
        }
    }
    found.extend(
        SUPPORT
            .iter()
            .filter_map(|name| known.get(name).map(|archive| (*archive).clone())),
    );
    found.extend(collected.native.iter().map(|archive| archive.path.clone()));
    Ok(found)
}

fn link_one(
    one: &PlannedExtension,
    objects: &[Utf8PathBuf],
    archives: &[Utf8PathBuf],
    request: Request<'_>,
    interpreter: &Interpreter,
) -> Result<LinkedExtension> {
    let file = format!("{}{}", one.module, interpreter.suffix);
    let out = request.inputs.out;
    let shipped = out.join("shipped").join(&file);
    let link = link::CrateExtension {
        module: &one.module,
        file: &file,
        objects,
        archives,
    };
    let (unstripped, map) = link::crate_extension(request.inputs, request.library, link)?;
    if request.inputs.plan.link.strip {
        link::strip(&unstripped, &shipped)?;
    } else {
        link::ship_whole(&unstripped, &shipped)?;
    }
    Ok(LinkedExtension {
        module: one.module.clone(),
        file,
        unstripped,
        shipped,
        map,
    })
}
