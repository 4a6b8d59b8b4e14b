//! The linker, the C++ compiler that drives it, and the tool that strips. Rust's own toolchain ships
//! an lld, so that there is no linker to install.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use serde::Serialize;

use crate::installation::{Toolchain, tool_path};

/// The linker and the C++ compiler that drives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Linker {
    /// The folder with an `ld.lld`, for `g++ -B`.
    pub lld_dir: Utf8PathBuf,
    /// `LLD 22.1.2 …` as it says itself.
    pub lld_version: String,
    /// The C++ compiler: `g++` or `$CXX`.
    pub cxx: String,
    /// Its first line of `--version`.
    pub cxx_version: String,
    /// The compiler's own C headers (`stddef.h`), which libclang does not bring: bindgen needs them
    /// as `-isystem`.
    pub builtin_headers: Option<Utf8PathBuf>,
}

/// A program that strips and copies object files, and what it needs to start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StripTool {
    /// `rust-objcopy`, `llvm-objcopy` or binutils' `objcopy`: all take `--strip-all` and the like.
    pub program: Utf8PathBuf,
    /// Environment variables to set for it.
    pub env: Vec<(String, String)>,
    /// The version that it prints.
    pub version: String,
}

/// The Rust toolchain that is in use here.
#[derive(Debug, Clone)]
struct Rust {
    sysroot: Utf8PathBuf,
    /// `lib/rustlib/<host>/bin`, where rustup puts lld and objcopy.
    tools: Utf8PathBuf,
}

/// The Rust toolchain; none where there is no rustc, since another lld may serve.
fn rust() -> Result<Option<Rust>> {
    match ask_rustc() {
        Ok(rust) => Ok(Some(rust)),
        Err(error) if error.kind() == ErrorKind::MissingTool => Ok(None),
        Err(error) => Err(error),
    }
}

/// Asks `$RUSTC`, or `rustc`, where it lives.
fn ask_rustc() -> Result<Rust> {
    let output = Tool::new(rustc(), "ask rustc for its folders")
        .fails_as(ErrorKind::MissingTool)
        .args(["--print", "sysroot", "--print", "target-libdir"])
        .output()?;
    let mut lines = output.stdout.lines();
    let (Some(sysroot), Some(libdir)) = (lines.next(), lines.next()) else {
        return Err(
            Error::new(ErrorKind::MissingTool, "rustc does not say where it lives")
                .because(output.stdout),
        );
    };
    let tools = Utf8Path::new(libdir)
        .parent()
        .unwrap_or(Utf8Path::new(libdir))
        .join("bin");
    Ok(Rust {
        sysroot: Utf8PathBuf::from(sysroot),
        tools,
    })
}

/// The Rust compiler: `$RUSTC`, or `rustc`.
#[must_use]
pub fn rustc() -> String {
    std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned())
}

/// The C++ compiler: `$CXX`, or `g++`.
pub(super) fn cxx() -> String {
    std::env::var("CXX")
        .ok()
        .filter(|cxx| !cxx.is_empty())
        .unwrap_or_else(|| "g++".to_owned())
}

/// Finds lld and a C++ compiler that knows C++17. lld is rustc's own, else one on `PATH`, else one
/// beside LLVM.
///
/// # Errors
/// [`ErrorKind::MissingTool`], with the command that installs what is missing.
pub fn linker(toolchain: Option<&Toolchain>) -> Result<Linker> {
    let (lld_dir, lld_version) = lld(toolchain)?;
    let cxx = cxx();
    let cxx_version = cxx_version(&cxx)?;
    let builtin_headers =
        compiler_path(&cxx, "include")?.filter(|dir| dir.join("stddef.h").is_file());
    Ok(Linker {
        lld_dir,
        lld_version,
        cxx,
        cxx_version,
        builtin_headers,
    })
}

fn lld(toolchain: Option<&Toolchain>) -> Result<(Utf8PathBuf, String)> {
    let mut tried = Vec::new();
    let mut dirs: Vec<Utf8PathBuf> = rust()?
        .map(|rust| rust.tools.join("gcc-ld"))
        .into_iter()
        .collect();
    dirs.extend(path_dirs());
    dirs.extend(toolchain.map(|toolchain| toolchain.prefix.join("bin")));
    for dir in dirs {
        let program = dir.join("ld.lld");
        if !program.is_file() {
            continue;
        }
        let output = Tool::new(program.as_str(), "start lld")
            .fails_as(ErrorKind::MissingTool)
            .arg("--version")
            .output();
        match output {
            Ok(output) => return Ok((dir, first_line(&output.stdout))),
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => tried.push(format!("{program}: {error}")),
        }
    }
    let why = if tried.is_empty() {
        "neither Rust's toolchain, nor PATH, nor LLVM's folder has an `ld.lld`"
    } else {
        "those that are there do not start"
    };
    Err(Error::new(ErrorKind::MissingTool, "no lld was found")
        .because(why)
        .details(tried)
        .help(
            "a Rust toolchain from rustup ships one (rustup toolchain install stable);\n\
             or: apt-get install lld",
        ))
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
    // A driver without its compiler proper still answers `--version`, so let it compile nothing.
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

/// The path at which the compiler finds one of its own files; none where it has no such file.
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

/// Finds the tool that strips: rustc's own `rust-objcopy`, else `llvm-objcopy` beside LLVM, else
/// `llvm-objcopy` or binutils' `objcopy` on `PATH`.
///
/// # Errors
/// [`ErrorKind::MissingTool`], with the command that installs one.
pub fn strip_tool(toolchain: Option<&Toolchain>) -> Result<StripTool> {
    let mut candidates = Vec::new();
    if let Some(rust) = rust()? {
        // rustup's objcopy loads rustc's LLVM, which its run path does not lead to.
        let libraries = rust.sysroot.join("lib");
        let env = vec![("LD_LIBRARY_PATH".to_owned(), libraries.into_string())];
        candidates.push((rust.tools.join("rust-objcopy"), env));
    }
    if let Some(toolchain) = toolchain {
        let env = tool_path(toolchain).map(|path| ("LD_LIBRARY_PATH".to_owned(), path));
        let program = toolchain.prefix.join("bin/llvm-objcopy");
        candidates.push((program, env.into_iter().collect()));
    }
    for name in ["llvm-objcopy", "objcopy"] {
        candidates.extend(path_dirs().map(|dir| (dir.join(name), Vec::new())));
    }
    for (program, env) in candidates {
        if !program.is_file() {
            continue;
        }
        let tool = env.iter().fold(
            Tool::new(program.as_str(), "start objcopy"),
            |tool, (key, value)| tool.env(key, value),
        );
        match tool.arg("--version").output() {
            Ok(output) => {
                // The name's own line says nothing of the version.
                let version = output
                    .stdout
                    .lines()
                    .find(|line| line.chars().any(|c| c.is_ascii_digit()))
                    .unwrap_or_default();
                return Ok(StripTool {
                    program,
                    env,
                    version: version.trim().to_owned(),
                });
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            Err(error) => tracing::debug!(%error, "an objcopy that does not start"),
        }
    }
    Err(Error::new(ErrorKind::MissingTool, "no objcopy was found")
        .because("neither Rust's toolchain, nor LLVM's folder, nor PATH has one that starts")
        .help("apt-get install binutils"))
}

fn path_dirs() -> impl Iterator<Item = Utf8PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .filter_map(|dir| Utf8PathBuf::from_path_buf(dir).ok())
        .filter(|dir| dir.is_absolute())
        .collect::<Vec<_>>()
        .into_iter()
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
    fn the_strip_tool_starts_with_its_environment_alone() {
        let tool = strip_tool(None).unwrap();
        assert!(tool.version.chars().any(|c| c.is_ascii_digit()), "{tool:?}");
        let mut again = Tool::new(tool.program.as_str(), "start it").arg("--version");
        for (key, value) in &tool.env {
            again = again.env(key, value);
        }
        again.output().unwrap();
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
