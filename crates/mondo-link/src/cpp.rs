//! C++ to object files: dialect crates, and Python extensions over nanobind.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_core::path;
use mondo_toolchain::{Instrumentation, Linker, Toolchain};
use rayon::prelude::*;

use crate::step::{Digests, Header, Step};

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
    "-fdiagnostics-color=never",
    // Warnings are for anyone who works on the sources, with flags of their own.
    "-w",
];

/// Flags of C++ for a debugger. With clang, `-Og` inlines. `NDEBUG` stays: MLIR's archives were compiled with it.
const DEBUG_FLAGS: &[&str] = &["-g", "-O0", "-fno-omit-frame-pointer"];

/// The flag of compiling and linking with AddressSanitizer.
pub(crate) const ADDRESS: &str = "-fsanitize=address";

/// Further flags for C++ that derives from LLVM's classes: LLVM asks its users to compile without
/// exceptions and RTTI.
pub(crate) const FOR_LLVM: &[&str] = &["-fno-exceptions", "-fno-rtti"];

/// The C++ files in a folder, sorted by name.
pub(crate) fn files_in(folder: &Utf8Path) -> std::io::Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let path = entry?.into_path();
        if path.extension() == Some("cpp") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// A set of C++ files with one way to compile them.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'a> {
    /// The owner of the files, for messages: "the dialect crate `fxp`".
    pub(crate) owner: String,
    /// The files.
    pub(crate) files: &'a [Utf8PathBuf],
    /// The folder that the files' names in the objects are relative to, and the name that replaces it there.
    pub(crate) root: (&'a Utf8Path, &'a str),
    /// Include folders of the same sources, in order.
    pub(crate) include: Vec<Utf8PathBuf>,
    /// Include folders of other sources, such as LLVM's headers.
    pub(crate) system_include: Vec<Utf8PathBuf>,
    /// Further compiler flags.
    pub(crate) flags: Vec<String>,
    /// The folder for the objects.
    pub(crate) objects: Utf8PathBuf,
}

/// The C++ compiler, the headers that it reads, and the digests of input files.
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
        self.compile_from(sets, &|_| None)
    }

    /// Does the same as [`Self::compile`], with the precompiled header that `header` returns for a file.
    pub(crate) fn compile_from<'h>(
        &self,
        sets: &[Sources<'_>],
        header: &(dyn Fn(&Utf8Path) -> Option<&'h Header> + Sync),
    ) -> Result<Vec<Vec<Utf8PathBuf>>> {
        let steps: Vec<Vec<Step>> = sets
            .iter()
            .map(|set| set.files.iter().map(|file| self.step(set, file)).collect())
            .collect();
        steps.par_iter().flatten().try_for_each(|step| {
            let header = header(&step.place);
            step.run_with(self.digests, header).map(drop)
        })?;
        let outputs = |steps: Vec<Step>| steps.into_iter().map(|step| step.output).collect();
        Ok(steps.into_iter().map(outputs).collect())
    }

    /// The name of a folder of objects. Each kind of instrumentation has a folder of its own, so that switching
    /// between them compiles nothing twice.
    pub(crate) fn objects(&self) -> &'static str {
        match self.linker.instrumentation {
            Instrumentation::None => "objects",
            Instrumentation::Debug => "objects-debug",
            Instrumentation::Address => "objects-address",
        }
    }

    /// True for a file whose path differs between checkouts: any file that is neither LLVM's nor the system's.
    pub(crate) fn moves(&self, path: &Utf8Path) -> bool {
        let stays = [self.toolchain.prefix.as_path(), "/usr".into()];
        !stays.iter().any(|folder| path.starts_with(folder))
    }

    /// The compiler with its flags, for any file of a set.
    pub(crate) fn preface(&self, set: &Sources<'_>) -> Tool {
        let (root, called) = set.root;
        let prefix = self.toolchain.prefix.join("include");
        let sysroot = self.toolchain.sysroot.as_ref();
        // A debugger finds the sources by their paths. Otherwise the names of files are relative to the root: the
        // command is the same in each checkout, so that a compiler launcher finds what it has of another one.
        let ships = self.ships();
        let map = if ships {
            "-ffile-prefix-map"
        } else {
            "-fmacro-prefix-map"
        };
        let root_map = match ships {
            true => format!("./={called}/"),
            false => format!("{root}={called}"),
        };
        let name_of = |path: &Utf8Path| self.name_of(path, root);
        Tool::new(&self.linker.cxx, format!("compile {called}"))
            .fails_as(ErrorKind::Compile)
            .installed_by("apt-get install g++")
            .env("LC_ALL", "C")
            .cwd(root)
            .args(FLAGS)
            .args(self.linker.whole_functions())
            .args(&set.flags)
            .args(if ships { &[] } else { DEBUG_FLAGS })
            // No path of the build machine may end up in the object; the last that fits wins.
            .arg(format!("{map}={prefix}=llvm"))
            .args(sysroot.map(|from| format!("{map}={from}=sysroot")))
            .args(
                set.system_include
                    .iter()
                    .chain(&set.include)
                    .map(|dir| format!("{map}={}={called}", name_of(dir))),
            )
            .arg(format!("{map}={root_map}"))
            // Else GCC takes the absolute name of a system header where it is shorter.
            .args((ships && !self.linker.is_clang()).then_some("-fno-canonical-system-headers"))
            .args(set.include.iter().map(|dir| format!("-I{}", name_of(dir))))
            .args(
                set.system_include
                    .iter()
                    .map(|dir| format!("-isystem{}", name_of(dir))),
            )
            .arg(format!("-isystem{prefix}"))
    }

    fn ships(&self) -> bool {
        self.linker.instrumentation.is_none()
    }

    fn name_of(&self, path: &Utf8Path, root: &Utf8Path) -> Utf8PathBuf {
        match self.ships() && self.moves(path) {
            true => relative(path, root),
            false => path.to_owned(),
        }
    }

    fn step(&self, set: &Sources<'_>, file: &Utf8Path) -> Step {
        let (root, _) = set.root;
        // The folder keeps files of one name apart; the name is what link maps and messages show.
        let name = file.file_name().unwrap_or("source");
        let inside = file.strip_prefix(root).unwrap_or(file);
        let folder = digest::short(inside.parent().map_or("", Utf8Path::as_str));
        let object = set.objects.join(folder).join(format!("{name}.o"));
        let depfile = object.with_extension("d");
        let tool = self
            .preface(set)
            .purpose(format!("compile {file}"))
            .args(["-MD", "-MF", depfile.as_str(), "-c", "-o"])
            .args([object.as_str(), self.name_of(file, root).as_str()]);
        Step {
            tool,
            version: self.linker.cxx_version.clone(),
            output: object,
            folder: root.to_owned(),
            depfile,
            launcher: self.linker.launcher.clone(),
            what: format!("{}: {inside} does not compile", set.owner),
            place: file.to_owned(),
        }
    }
}

/// The name of `path` from `root`, both absolute. It begins with `./` or `../`, or is one of the two.
pub(crate) fn relative(path: &Utf8Path, root: &Utf8Path) -> Utf8PathBuf {
    let name = path::relative(path, root);
    match name.starts_with("..") {
        true => name,
        // An empty rest would end with a slash.
        false if name.as_str().is_empty() => ".".into(),
        false => format!("./{name}").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_root() {
        let of = |path: &str| relative(path.into(), "/a/b/crate".into());
        assert_eq!(of("/a/b/crate"), ".");
        assert_eq!(of("/a/b/crate/lib/x.cpp"), "./lib/x.cpp");
        assert_eq!(of("/a/b/build/include"), "../build/include");
        assert_eq!(of("/a/b"), "..");
        assert_eq!(of("/c/d"), "../../../c/d");
    }
}
