//! The code of dialect crates: generated files, then objects, then one archive for each crate.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_plan::dialect_crate::{Code, DialectCrate, Tblgen};
use mondo_plan::plan::Plan;
use mondo_toolchain as toolchain;
use rayon::prelude::*;

use crate::cpp::{Compiler, Sources};
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
}

/// Flags for the C++ of dialect crates: LLVM asks its users to compile without exceptions and RTTI.
const FLAGS: &[&str] = &["-fno-exceptions", "-fno-rtti"];

/// The folder for the files of one crate; another crate of the same name gets another folder.
fn folder(one: &DialectCrate, work: &Utf8Path) -> Utf8PathBuf {
    let place = digest::short(one.folder.as_str());
    work.join(format!("crates/{}-{place}", one.name.get_ref()))
}

/// Compiles the crates of `plan`, in its order.
pub(crate) fn compile(
    plan: &Plan,
    compiler: Compiler<'_>,
    work: &Utf8Path,
) -> Result<Vec<CompiledCrate>> {
    let mut compiled: Vec<CompiledCrate> = Vec::new();
    let mut runs = Vec::new();
    let mut sets = Vec::new();
    for one in &plan.crates {
        let name = one.name.get_ref();
        let generated = folder(one, work).join("include");
        let mut include = one.include().to_vec();
        let mut result = CompiledCrate {
            name: name.clone(),
            whole: Vec::new(),
            by_need: Vec::new(),
            include: Vec::new(),
        };
        match &one.code {
            Code::Cpp(cpp) => {
                include.push(generated.clone());
                let others: Vec<Utf8PathBuf> = compiled
                    .iter()
                    .flat_map(|other| other.include.iter().cloned())
                    .collect();
                runs.extend(
                    cpp.tblgen
                        .iter()
                        .map(|run| generator(one, run, &include, &others, &generated, compiler)),
                );
                result.whole = vec![folder(one, work).join(format!("lib{name}.a"))];
                let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
                flags.extend(cpp.defines.iter().map(|define| format!("-D{define}")));
                sets.push(Sources {
                    owner: format!("the dialect crate `{name}`"),
                    files: &cpp.sources,
                    root: (&one.folder, name),
                    include: include.clone(),
                    system_include: others,
                    flags,
                    objects: folder(one, work).join("objects"),
                });
            }
            Code::Prebuilt(prebuilt) => {
                result.whole = prebuilt.whole.clone();
                result.by_need = prebuilt.by_need.clone();
            }
            Code::Rust(_) => {}
        }
        result.include = include;
        compiled.push(result);
    }
    runs.par_iter()
        .try_for_each(|run: &Step| run.run(compiler.digests).map(drop))?;
    let objects = compiler.compile(&sets)?;
    let crates = plan.crates.iter().zip(&compiled);
    let of_cpp = crates.filter(|(one, _)| matches!(one.code, Code::Cpp(_)));
    for ((_, one), objects) in of_cpp.zip(&objects) {
        for path in &one.whole {
            archive(path, objects)?;
        }
    }
    Ok(compiled)
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
    let output = generated.join(&run.to);
    let depfile = Utf8PathBuf::from(format!("{generated}.d/{}.d", run.to));
    // Some files name others of their own folder without it.
    let beside = run.from.parent().unwrap_or(&one.folder);
    let upstream = toolchain.prefix.join("include");
    let folders = [beside, one.folder.as_path()]
        .into_iter()
        .chain(include.iter().chain(others).map(Utf8PathBuf::as_path))
        .chain([upstream.as_path()]);
    let tool = Tool::new(program.as_str(), format!("make {}", run.to))
        .fails_as(ErrorKind::Compile)
        .args(&run.args)
        .args(folders.flat_map(|dir| ["-I", dir.as_str()]))
        .args(["-d", depfile.as_str(), "-o", output.as_str()])
        .arg(&run.from);
    Step {
        tool: toolchain::with_libraries(tool, toolchain),
        version: toolchain.version.clone(),
        output,
        depfile,
        what: format!(
            "the dialect crate `{}`: {} cannot make {}",
            one.name.get_ref(),
            run.tool.program(),
            run.to
        ),
        place: run.from.clone(),
    }
}

/// Writes a static archive; `D` leaves out times and owners.
fn archive(path: &Utf8Path, objects: &[Utf8PathBuf]) -> Result<()> {
    if path.is_file() {
        fs_err::remove_file(path)?;
    }
    Tool::new("ar", format!("make {path}"))
        .fails_as(ErrorKind::Compile)
        .installed_by("apt-get install binutils")
        .args(["qcsD", path.as_str()])
        .args(objects)
        .output()
        .map(drop)
}
