//! The code of dialect crates: generated files, then objects, then one archive for each crate.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::file::replace;
use mondo_plan::dialect_crate::{Code, CppOptions, DialectCrate, Tblgen};
use mondo_plan::plan::Plan;
use mondo_toolchain::{self as toolchain, Instrumentation, Linker};
use rayon::prelude::*;

use super::cpp_registrations;
use super::data_classes::{self, DialectData};
use super::generator::Generators;
use super::request::Request;
use crate::cpp::{ADDRESS, Compiler, FOR_LLVM, Sources, relative};
use crate::precompiled;
use crate::step::Step;

/// The compiled form of a dialect crate. One in Rust is part of the bundle's staticlib and has no
/// archives of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledCrate {
    /// The crate.
    pub name: String,
    /// Archives of which every member is linked.
    pub whole: Vec<Utf8PathBuf>,
    /// Archives of which the linker takes what is needed.
    pub by_need: Vec<Utf8PathBuf>,
    /// Include folders, with that of the generated files.
    pub include: Vec<Utf8PathBuf>,
    /// The types and attributes of its dialects that have functions in the C API.
    pub data: Vec<DialectData>,
}

impl CompiledCrate {
    /// All archives that it adds to the library.
    pub fn archives(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.whole.iter().chain(&self.by_need)
    }
}

/// The folder for the files of one crate; another crate of the same name gets another folder.
fn folder(one: &DialectCrate, work: &Utf8Path) -> Utf8PathBuf {
    // Their places, which are the same in each checkout, distinguish crates of one name.
    let place = digest::short(relative(&one.folder, work).as_str());
    work.join(format!("crates/{}-{place}", one.name.get_ref()))
}

/// Compiles the crates of the plan, in its order.
pub(super) fn compile(request: Request<'_>, compiler: Compiler<'_>) -> Result<Vec<CompiledCrate>> {
    let Request { plan, work, .. } = request;
    let mut compiled: Vec<CompiledCrate> = Vec::new();
    let mut runs = Vec::new();
    let mut sets = Vec::new();
    let mut of_data = Vec::new();
    let registered = registered_sources(plan, work)?;
    for (one, registered) in plan.crates.iter().zip(&registered) {
        let (name, folder) = (one.name.get_ref(), folder(one, work));
        let generated = folder.join("include");
        let others: Vec<Utf8PathBuf> = compiled
            .iter()
            .flat_map(|other| other.include.iter().cloned())
            .collect();
        let mut include = one.include().to_vec();
        if matches!(one.code, Code::Cpp(_)) || !one.generators.is_empty() {
            include.push(generated.clone());
        }
        Generators {
            of: one,
            include: &include,
            others: &others,
            generated: &generated,
            folder: &folder,
            compiler,
        }
        .run()?;
        let roots: Vec<Utf8PathBuf> = [one.ods_roots(), include.clone(), others.clone()].concat();
        let data = data_classes::generate(one, &roots, &folder, compiler)?;
        include.extend(data.include);
        let mut result = CompiledCrate {
            name: name.clone(),
            whole: Vec::new(),
            by_need: Vec::new(),
            include: include.clone(),
            data: data.data,
        };
        let set = |files, root, options: &CppOptions, objects: &str| Sources {
            owner: format!("the dialect crate `{name}`"),
            files,
            root: (root, name.as_str()),
            include: include.clone(),
            system_include: others.clone(),
            flags: flags(options, compiler.linker.instrumentation),
            objects: folder.join(objects),
        };
        let mut options = CppOptions::default();
        match &one.code {
            Code::Cpp(cpp) => {
                rtti(one, &cpp.options, compiler)?;
                options = cpp.options.clone();
                runs.extend(
                    cpp.tblgen
                        .iter()
                        .map(|run| generator(one, run, &include, &others, &generated, compiler)),
                );
                let place = match compiler.linker.instrumentation {
                    Instrumentation::None => folder.clone(),
                    other => folder.join(other.folder()),
                };
                let archive = place.join(format!("lib{name}.a"));
                sets.push((
                    archive.clone(),
                    set(&cpp.sources, &one.folder, &cpp.options, compiler.objects()),
                ));
                result.whole.push(archive);
            }
            Code::Prebuilt(prebuilt) => {
                options = prebuilt.options.clone();
                result.whole.clone_from(&prebuilt.whole);
                result.by_need.clone_from(&prebuilt.by_need);
            }
            Code::Rust(_) => {}
        }
        if let [source] = &registered[..] {
            let archive = folder.join(format!("lib{name}-registered.a"));
            let root = source.parent().unwrap_or(&one.folder);
            sets.push((
                archive.clone(),
                set(registered, root, &options, "registered"),
            ));
            result.whole.push(archive);
        }
        if !data.sources.is_empty() {
            let archive = folder.join(format!("lib{name}-data.a"));
            result.whole.push(archive.clone());
            let set = Sources {
                owner: format!(
                    "the dialect crate `{name}`, whose `dialect.classes` name the header that declares its types \
                     and attributes"
                ),
                ..set(&[], &one.folder, &options, "data")
            };
            of_data.push((archive, data.sources, folder.clone(), set));
        }
        compiled.push(result);
    }
    for (archive, files, folder, set) in &of_data {
        let root = (folder.as_path(), set.root.1);
        sets.push((
            archive.clone(),
            Sources {
                files,
                root,
                ..set.clone()
            },
        ));
    }
    runs.par_iter()
        .try_for_each(|run: &Step| run.run(compiler.digests).map(drop))?;
    let (archives, sets): (Vec<Utf8PathBuf>, Vec<Sources<'_>>) = sets.into_iter().unzip();
    let objects = match request.precompiled {
        Some(folder) => precompiled::compile(compiler, &sets, folder)?,
        None => compiler.compile(&sets)?,
    };
    for (path, objects) in archives.iter().zip(&objects) {
        archive(path, objects, compiler.linker)?;
    }
    Ok(compiled)
}

/// The compiler's flags for the C++ of a crate: those that it asks for come last. The sanitizer is for the
/// code in the library alone, not for the crate's Python extension.
fn flags(options: &CppOptions, instrumentation: Instrumentation) -> Vec<String> {
    let address = (instrumentation == Instrumentation::Address).then_some(ADDRESS);
    let flags = FOR_LLVM.iter().copied().chain(address);
    let flags = flags.map(ToString::to_string);
    flags.chain(options.arguments()).collect()
}

/// For each crate, a list with the C++ file that registers its classes, if it has one.
fn registered_sources(plan: &Plan, work: &Utf8Path) -> Result<Vec<Vec<Utf8PathBuf>>> {
    let crates = plan.crates.iter();
    crates
        .map(|one| {
            let Some(text) = cpp_registrations::source(one) else {
                return Ok(Vec::new());
            };
            let path = folder(one, work).join("registered.cpp");
            if fs_err::read(&path).ok().as_deref() != Some(text.as_bytes()) {
                fs_err::create_dir_all(folder(one, work))?;
                replace(&path, text.as_bytes())?;
            }
            Ok(vec![path])
        })
        .collect()
}

/// Refuses `-frtti` where LLVM was compiled without RTTI: a class that derives from one of MLIR's classes refers to
/// the type information of its base class.
fn rtti(one: &DialectCrate, options: &CppOptions, compiler: Compiler<'_>) -> Result<()> {
    let Some(flag) = options.rtti() else {
        return Ok(());
    };
    let file = compiler
        .toolchain
        .prefix
        .join("lib/cmake/llvm/LLVMConfig.cmake");
    let text = fs_err::read_to_string(&file).unwrap_or_default();
    let has = text.lines().any(|line| {
        let value = line.trim().strip_prefix("set(LLVM_ENABLE_RTTI ");
        value.is_some_and(|value| ["ON)", "1)", "YES)", "TRUE)"].contains(&value))
    });
    if has {
        return Ok(());
    }
    let what = format!(
        "the dialect crate `{}`: `-frtti` is not allowed in `cpp.flags` with this LLVM",
        one.name.get_ref()
    );
    Err(one
        .error(ErrorKind::Compile, flag.span(), what)
        .because(format!(
            "{file} says that LLVM's classes have no type information, which classes derived \
             from them would need"
        ))
        .help("remove the flag, and use `isa`, `cast` and TypeIDs instead"))
}

fn generator(
    one: &DialectCrate,
    run: &Tblgen,
    include: &[Utf8PathBuf],
    others: &[Utf8PathBuf],
    generated: &Utf8Path,
    compiler: Compiler<'_>,
) -> Step {
    let toolchain = compiler.toolchain;
    let program = toolchain.prefix.join("bin").join(run.tool.program());
    let to = run.to.get_ref();
    let output = generated.join(to);
    let depfile = Utf8PathBuf::from(format!("{generated}.d/{to}.d"));
    // Some ODS files include a file of their own folder by its name alone.
    let beside = run.from.parent().unwrap_or(&one.folder);
    let upstream = toolchain.prefix.join("include");
    let folders = [beside, one.folder.as_path()]
        .into_iter()
        .chain(include.iter().chain(others).map(Utf8PathBuf::as_path))
        .chain([upstream.as_path()]);
    let tool = Tool::new(program.as_str(), format!("make {to}"))
        .fails_as(ErrorKind::Compile)
        .args(&run.args)
        .args(folders.flat_map(|dir| ["-I", dir.as_str()]))
        .args(["-d", depfile.as_str(), "-o", output.as_str()])
        .arg(&run.from);
    Step {
        tool: toolchain::with_libraries(tool, toolchain),
        version: toolchain.version.clone(),
        output,
        folder: Utf8PathBuf::new(),
        depfile,
        launcher: None,
        what: format!(
            "the dialect crate `{}`: {} cannot create {to}",
            one.name.get_ref(),
            run.tool.program()
        ),
        place: run.from.clone(),
    }
}

/// Writes a static archive; `D` leaves out times and owners.
pub(super) fn archive(path: &Utf8Path, objects: &[Utf8PathBuf], linker: &Linker) -> Result<()> {
    fs_err::create_dir_all(path.parent().unwrap_or(path))?;
    if path.is_file() {
        fs_err::remove_file(path)?;
    }
    linker
        .archiver(format!("make {path}"))
        .fails_as(ErrorKind::Compile)
        .args(["qcsD", path.as_str()])
        .args(objects)
        .output()
        .map(drop)
}
