//! C++ to object files: dialect crates, and Python extensions over nanobind.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_toolchain::{Linker, Toolchain};
use rayon::prelude::*;

use crate::step::{Digests, Step};

/// The compiler flags of all C++ that ships.
const FLAGS: &[&str] = &[
    "-std=c++17",
    "-O2",
    "-DNDEBUG",
    "-fPIC",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-ffunction-sections",
    "-fdata-sections",
    // GCC moves rare code into sections of its own, which identical code folding merges by their
    // bytes alone: an exception thrown there would be unwound by another function's frame.
    "-fno-reorder-blocks-and-partition",
    "-fdiagnostics-color=never",
    // Warnings are for whoever works on the sources, with flags of their own.
    "-w",
];

/// A set of C++ files with one way to compile them.
#[derive(Debug)]
pub(crate) struct Sources<'a> {
    /// Whose they are, for messages: "the dialect crate `fxp`".
    pub(crate) owner: String,
    /// The files.
    pub(crate) files: &'a [Utf8PathBuf],
    /// The folder that their names in the objects are relative to, and what it is called there.
    pub(crate) root: (&'a Utf8Path, &'a str),
    /// Include folders of the same sources, in order.
    pub(crate) include: Vec<Utf8PathBuf>,
    /// Include folders of others.
    pub(crate) system_include: Vec<Utf8PathBuf>,
    /// Further compiler flags.
    pub(crate) flags: Vec<String>,
    /// The folder for the objects.
    pub(crate) objects: Utf8PathBuf,
}

/// The C++ compiler and what it knows of files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Compiler<'a> {
    /// The compiler.
    pub(crate) linker: &'a Linker,
    /// MLIR's headers.
    pub(crate) toolchain: &'a Toolchain,
    /// Digests of files.
    pub(crate) digests: &'a Digests,
}

impl Compiler<'_> {
    /// Compiles what is not compiled yet, side by side. Returns the objects, those of each set in the
    /// order of its files.
    pub(crate) fn compile(&self, sets: &[Sources<'_>]) -> Result<Vec<Vec<Utf8PathBuf>>> {
        let steps: Vec<Vec<Step>> = sets
            .iter()
            .map(|set| set.files.iter().map(|file| self.step(set, file)).collect())
            .collect();
        steps
            .par_iter()
            .flatten()
            .try_for_each(|step| step.run(self.digests).map(drop))?;
        let outputs = |steps: Vec<Step>| steps.into_iter().map(|step| step.output).collect();
        Ok(steps.into_iter().map(outputs).collect())
    }

    fn step(&self, set: &Sources<'_>, file: &Utf8Path) -> Step {
        let (root, called) = set.root;
        // The folder keeps files of one name apart; the name is what link maps and messages show.
        let name = file.file_name().unwrap_or("source");
        let inside = file.strip_prefix(root).unwrap_or(file);
        let folder = digest::short(inside.parent().map_or("", Utf8Path::as_str));
        let object = set.objects.join(folder).join(format!("{name}.o"));
        let depfile = object.with_extension("d");
        let prefix = self.toolchain.prefix.join("include");
        let tool = Tool::new(&self.linker.cxx, format!("compile {file}"))
            .fails_as(ErrorKind::Compile)
            .installed_by("apt-get install g++")
            .env("LC_ALL", "C")
            .args(FLAGS)
            .args(&set.flags)
            // No path of the build machine may end up in the object; the last that fits wins.
            .arg(format!("-ffile-prefix-map={prefix}=llvm"))
            .args(
                set.system_include
                    .iter()
                    .chain(&set.include)
                    .map(|dir| format!("-ffile-prefix-map={dir}={called}")),
            )
            .arg(format!("-ffile-prefix-map={root}={called}"))
            .args(set.include.iter().map(|dir| format!("-I{dir}")))
            .args(
                set.system_include
                    .iter()
                    .map(|dir| format!("-isystem{dir}")),
            )
            .arg(format!("-isystem{prefix}"))
            .args(["-MD", "-MF", depfile.as_str(), "-c", "-o"])
            .args([object.as_str(), file.as_str()]);
        Step {
            tool,
            version: self.linker.cxx_version.clone(),
            output: object,
            depfile,
            what: format!("{}: {inside} does not compile", set.owner),
            place: file.to_owned(),
        }
    }
}
