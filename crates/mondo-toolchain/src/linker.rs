//! The linker, and the C++ compiler that drives it. The locked packages of an LLVM include its lld, and Rust's own
//! toolchain brings one, so that users need not install a linker.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Serialize;

use crate::host::path_dirs;
use crate::installation::{Origin, Toolchain, own_programs_path};
use crate::launcher::Launcher;
use crate::wrapped_programs::COMPILERS;

/// The linker and the C++ compiler that drives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Linker {
    /// The folder with an `ld.lld`, for `g++ -B`.
    pub lld_dir: Utf8PathBuf,
    /// `LLD 22.1.8 …` as it says itself.
    pub lld_version: String,
    /// Environment variables that lld needs to start; the C++ compiler, which starts it, passes its own on. They
    /// include those of the caller's environment, and no result depends on them.
    #[serde(skip)]
    pub lld_env: Vec<(String, String)>,
    /// The C++ compiler: `$CXX`, else that of the locked packages, else `g++`.
    pub cxx: String,
    /// Its first line of `--version`.
    pub cxx_version: String,
    /// The compiler's own C headers (`stddef.h`), which libclang does not bring: bindgen needs them
    /// as `-isystem`.
    pub builtin_headers: Option<Utf8PathBuf>,
    /// The other programs of the locked compiler, where `cxx` is that.
    #[serde(skip)]
    pub locked: Option<LockedCompiler>,
    /// The program that C++ compilers and rustc are started through, such as sccache. What they make is
    /// the same without it.
    #[serde(skip)]
    pub launcher: Option<Launcher>,
    /// The way in which the dialects' C++ is compiled.
    #[serde(skip_serializing_if = "Instrumentation::is_none")]
    pub instrumentation: Instrumentation,
}

/// The programs of the locked packages that belong to their C++ compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedCompiler {
    /// The C compiler.
    pub cc: Utf8PathBuf,
    /// The C compiler that links programs which the host runs, such as cargo's build scripts.
    pub host_cc: Utf8PathBuf,
    /// The program that writes archives.
    pub ar: Utf8PathBuf,
    /// The folder of the C and C++ runtime.
    pub sysroot: Utf8PathBuf,
    /// A text that differs whenever the packages do.
    pub identity: String,
}

impl LockedCompiler {
    /// That of `toolchain`, and its C++ compiler.
    fn of(toolchain: &Toolchain) -> Option<(Self, Utf8PathBuf)> {
        let toolchain = toolchain.supplement.as_deref().unwrap_or(toolchain);
        let bin = toolchain.locked_programs()?;
        // A moving set has the scripts, and its base the compiler that they start.
        let scripts = match &toolchain.base {
            Some(_) => toolchain.prefix.join("bin"),
            None => bin.clone(),
        };
        let [(cc, _), (cxx, _)] = COMPILERS;
        let cxx = scripts.join(cxx);
        let sysroot = toolchain.sysroot.clone()?;
        let compiler = Self {
            cc: scripts.join(cc),
            host_cc: bin.join(cc),
            ar: bin.join("llvm-ar"),
            identity: sysroot.parent()?.file_name()?.to_owned(),
            sysroot,
        };
        cxx.is_file().then_some((compiler, cxx))
    }
}

/// Additions to the compilation of the dialects' C++ for debugging, which no wheel has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Instrumentation {
    /// Nothing.
    #[default]
    None,
    /// Information for a debugger.
    Debug,
    /// Information for a debugger, and checks of each access to memory (AddressSanitizer).
    Address,
}

impl Instrumentation {
    /// True for code as it ships.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// The name of the folder for everything that is compiled with this instrumentation.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::None => "plain",
            Self::Debug => "debug",
            Self::Address => "address",
        }
    }
}

impl Linker {
    /// The shared library of the C++ compiler's AddressSanitizer.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTool`] where the compiler comes without it.
    pub fn sanitizer_library(&self) -> Result<Utf8PathBuf> {
        let name = match self.is_clang() {
            true => format!("libclang_rt.asan-{}.so", std::env::consts::ARCH),
            false => "libasan.so".to_owned(),
        };
        let library = compiler_path(&self.cxx, &name)?;
        library
            .and_then(|path| path.canonicalize_utf8().ok())
            .ok_or_else(|| {
                Error::new(
                    ErrorKind::MissingTool,
                    "the C++ compiler has no AddressSanitizer",
                )
                .at(&self.cxx)
                .because(format!("its library `{name}` is missing"))
                .help("install it (apt-get install g++), or set CXX to another compiler")
            })
    }

    /// The program that finds the source lines of addresses, where the toolchain has one. Clang's AddressSanitizer starts
    /// it; GCC's needs none.
    #[must_use]
    pub fn symbolizer(&self) -> Option<Utf8PathBuf> {
        let program = self.locked.as_ref()?.ar.with_file_name("llvm-symbolizer");
        program.is_file().then_some(program)
    }

    /// Whether the C++ compiler is Clang, which refuses options that only GCC has.
    #[must_use]
    pub fn is_clang(&self) -> bool {
        self.cxx_version.contains("clang")
    }

    /// The options that keep GCC from moving rare code into sections of its own, which identical code folding merges
    /// by their bytes alone: an exception thrown there would be unwound by another function's frame.
    #[must_use]
    pub fn whole_functions(&self) -> &'static [&'static str] {
        match self.is_clang() {
            true => &[],
            false => &["-fno-reorder-blocks-and-partition"],
        }
    }

    /// A run of the program that writes archives.
    #[must_use]
    pub fn archiver(&self, purpose: impl Into<String>) -> Tool {
        let program = self
            .locked
            .as_ref()
            .map_or("ar", |packages| packages.ar.as_str());
        Tool::new(program, purpose).installed_by("apt-get install binutils")
    }

    /// A run of the C++ compiler with this lld as its linker. `purpose` ends the sentence "could not …".
    #[must_use]
    pub fn driver(&self, purpose: impl Into<String>) -> Tool {
        let tool = Tool::new(&self.cxx, purpose)
            .fails_as(ErrorKind::Link)
            .installed_by("apt-get install g++")
            .arg(format!("-B{}", self.lld_dir))
            .arg("-fuse-ld=lld");
        self.lld_env
            .iter()
            .fold(tool, |tool, (key, value)| tool.env(key, value))
    }
}

/// The folder with rustc's own lld. `None` without rustc, since another lld may serve.
fn rusts_lld() -> Result<Option<Utf8PathBuf>> {
    let output = Tool::new(rustc(), "ask rustc for its folders")
        .fails_as(ErrorKind::MissingTool)
        .args(["--print", "target-libdir"])
        .output();
    match output {
        Ok(output) => {
            let libdir = Utf8Path::new(output.stdout.trim());
            let tools = libdir.parent().unwrap_or(libdir).join("bin");
            Ok(Some(tools.join("gcc-ld")))
        }
        Err(error) if error.kind() == ErrorKind::MissingTool => Ok(None),
        Err(error) => Err(error),
    }
}

/// The Rust compiler: `$RUSTC`, or `rustc`.
#[must_use]
pub fn rustc() -> String {
    std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())
}

/// The C++ compiler that the user named.
pub(super) fn named_cxx() -> Option<String> {
    std::env::var("CXX").ok().filter(|cxx| !cxx.is_empty())
}

/// Finds lld and a C++ compiler that knows C++17. Both are those of the locked packages of `toolchain`, so that two
/// machines with the same lock build alike. `CXX` names another compiler; without locked packages it is `g++`, and lld is
/// rustc's own, else one on `PATH`, else one beside LLVM.
///
/// # Errors
/// [`ErrorKind::MissingTool`], with the command that installs what is missing.
pub fn linker(toolchain: Option<&Toolchain>) -> Result<Linker> {
    let lld = lld(toolchain)?;
    let locked = toolchain
        .filter(|_| named_cxx().is_none())
        .and_then(LockedCompiler::of);
    let (locked, cxx) = match locked {
        Some((locked, cxx)) => (Some(locked), cxx.into_string()),
        None => (None, named_cxx().unwrap_or_else(|| "g++".to_owned())),
    };
    let cxx_version = cxx_version(&cxx)?;
    let builtin_headers =
        compiler_path(&cxx, "include")?.filter(|dir| dir.join("stddef.h").is_file());
    Ok(Linker {
        lld_dir: lld.dir,
        lld_version: lld.version,
        lld_env: lld.env,
        cxx,
        cxx_version,
        builtin_headers,
        locked,
        launcher: None,
        instrumentation: Instrumentation::None,
    })
}

/// An lld that starts.
struct Lld {
    dir: Utf8PathBuf,
    version: String,
    env: Vec<(String, String)>,
}

/// The folder of a program, and the environment variables that it needs to start.
type Program = (Utf8PathBuf, Vec<(String, String)>);

fn lld(toolchain: Option<&Toolchain>) -> Result<Lld> {
    let mut tried = Vec::new();
    let toolchain = toolchain.map(|named| named.supplement.as_deref().unwrap_or(named));
    let locked = toolchain.is_some_and(|one| one.origin == Origin::Provisioned);
    let program: Option<Program> = toolchain.map(|toolchain| {
        let env =
            own_programs_path(toolchain.base()).map(|path| ("LD_LIBRARY_PATH".to_owned(), path));
        let bin = toolchain
            .locked_programs()
            .unwrap_or_else(|| toolchain.prefix.join("bin"));
        (bin, env.into_iter().collect())
    });
    if locked
        && let Some((dir, env)) = &program
        && let Some(lld) = start_lld(dir, env, &mut tried)?
    {
        return Ok(lld);
    }
    let elsewhere = rusts_lld()?.into_iter().chain(path_dirs());
    let elsewhere = elsewhere.map(|dir| (dir, Vec::new()));
    for (dir, env) in elsewhere.chain(program.filter(|_| !locked)) {
        if let Some(lld) = start_lld(&dir, &env, &mut tried)? {
            return Ok(lld);
        }
    }
    let why = if tried.is_empty() {
        "`ld.lld` is not in LLVM's folder, in Rust's toolchain or on PATH"
    } else {
        "the ones that exist do not start"
    };
    Err(Error::new(ErrorKind::MissingTool, "lld not found")
        .because(why)
        .details(tried)
        .help(
            "apt-get install lld (version 20 or later);\nor install a Rust toolchain, which \
             includes it (rustup toolchain install stable)",
        ))
}

/// Starts the lld in `dir`, if there is one. If it does not start, its error is added to `tried`.
fn start_lld(
    dir: &Utf8Path,
    env: &[(String, String)],
    tried: &mut Vec<String>,
) -> Result<Option<Lld>> {
    let program = dir.join("ld.lld");
    if !program.is_file() {
        return Ok(None);
    }
    let tool = Tool::new(program.as_str(), "start lld").fails_as(ErrorKind::MissingTool);
    let tool = env
        .iter()
        .fold(tool, |tool, (key, value)| tool.env(key, value));
    match tool.arg("--version").output() {
        Ok(output) => Ok(Some(Lld {
            dir: dir.to_owned(),
            version: first_line(&output.stdout),
            env: env.to_vec(),
        })),
        Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
        Err(error) => {
            tried.push(format!("{program}: {error}"));
            Ok(None)
        }
    }
}

/// The first line of the compiler's `--version`, once it has shown that it knows C++17.
pub(super) fn cxx_version(cxx: &str) -> Result<String> {
    let install = "apt-get install g++";
    let output = Tool::new(cxx, "compile C++")
        .fails_as(ErrorKind::MissingTool)
        .installed_by(install)
        .env("LC_ALL", "C")
        .arg("--version")
        .output()?;
    // A driver without the actual compiler (`cc1plus`) still answers `--version`, so an empty file is compiled as a
    // test.
    Tool::new(cxx, "compile C++17, which MLIR's headers are written in")
        .fails_as(ErrorKind::MissingTool)
        .installed_by(install)
        .args(["-std=c++17", "-fsyntax-only", "-x", "c++", "/dev/null"])
        .output()
        .map_err(|error| match error.kind() {
            ErrorKind::MissingTool => {
                error.help(format!("{install}, or set CXX to another compiler"))
            }
            _ => error,
        })?;
    Ok(first_line(&output.stdout))
}

/// The path at which the compiler finds one of its own files, or `None` if it has no such file.
///
/// # Errors
/// `ErrorKind::MissingTool` and others where the compiler does not answer.
pub fn compiler_path(cxx: &str, name: &str) -> Result<Option<Utf8PathBuf>> {
    let output = Tool::new(cxx, "ask the C++ compiler for its folders")
        .arg(format!("-print-file-name={name}"))
        .output()?;
    // A compiler that has no such file answers with the bare name.
    let path = Utf8PathBuf::from(output.stdout.trim());
    Ok(path.is_absolute().then_some(path))
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rusts_own_lld_drives() {
        let linker = linker(None).unwrap();
        assert!(linker.lld_dir.join("ld.lld").is_file());
        assert!(linker.lld_version.contains("LLD"), "{linker:?}");
        assert!(!linker.cxx_version.is_empty());
    }

    #[test]
    fn a_compiler_that_is_not_there_or_no_compiler_is_told() {
        let error = cxx_version("mondo-no-such-compiler").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingTool);
        assert!(error.to_string().contains("apt-get install g++"), "{error}");
        let error = cxx_version("false").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingTool);
    }
}
