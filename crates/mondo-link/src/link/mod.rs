//! The link phase: the mondo library out of the bundle's staticlib and MLIR's archives, and the
//! extension against it. The C++ compiler drives lld, because it knows where its start files,
//! libstdc++ and libgcc are.

mod direct;
pub mod duplicate;
pub mod map;
mod order;
pub(crate) mod undefined;
mod unwind_tables;

use camino::{Utf8Path, Utf8PathBuf};

use crate::archive::Archive;
use crate::collect::Collected;
use crate::compile::Compiled;
use crate::exports::Exports;
use crate::glibc_stubs::GlibcStubs;
use crate::patch::PatchedArchives;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::exec::Tool;
use mondo_plan::catalogue::Catalogue;
use mondo_plan::manifest::UnwindTables;
use mondo_plan::plan::Plan;
use mondo_toolchain::{Linker, StripTool};

/// The result of the link phase: what ships and the unstripped files it came from.
#[derive(Debug, Clone)]
pub struct Linked {
    /// The mondo library with its symbol table, for the audit and for debugging.
    pub library_unstripped: Utf8PathBuf,
    /// The mondo library as it ships.
    pub library: Utf8PathBuf,
    /// The extension with its symbol table.
    pub extension_unstripped: Utf8PathBuf,
    /// The extension as it ships: `_mlir.abi3.so`.
    pub extension: Utf8PathBuf,
}

/// The extension's file name, for every platform tag of the stable ABI on Linux.
pub const EXTENSION_FILE: &str = "_mlir.abi3.so";

/// The function that CPython looks up in the extension.
pub const EXTENSION_INIT: &str = "PyInit__mlir";

/// Everything a link borrows.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// Names and options.
    pub plan: &'a Plan,
    /// MLIR's archives.
    pub collected: &'a Collected,
    /// The Rust staticlibs.
    pub compiled: &'a Compiled,
    /// MLIR's members with the hooks in.
    pub patched: &'a PatchedArchives,
    /// What is exported.
    pub exports: &'a Exports,
    /// The linker and its driver.
    pub linker: &'a Linker,
    /// Which dialect or feature brings which archive, for messages.
    pub catalogue: &'a Catalogue,
    /// Where the files of this bundle go.
    pub out: &'a Utf8Path,
    /// The folder of what links of these contents have found out, whatever the label.
    pub known: &'a Utf8Path,
}

/// Links the mondo library; with `want_map`, lld also writes its map.
pub fn library(inputs: Inputs<'_>, want_map: bool) -> Result<(Utf8PathBuf, Option<Utf8PathBuf>)> {
    let out = inputs
        .out
        .join("unstripped")
        .join(&inputs.plan.identity.soname);
    let map = want_map.then(|| inputs.out.join("library.map"));
    let mut archives = Archives::of(inputs);
    keep(&inputs.compiled.bundle, &archives.bundle)?;
    if inputs.plan.link.unwind_tables != UnwindTables::All {
        archives = unwind_tables::archives(inputs, archives)?;
    }
    let order = match inputs.plan.link.sort_for_compression {
        true => Some(order::of(inputs, &archives)?),
        false => None,
    };
    let sort = order.as_deref().map_or(Sort::No, Sort::Known);
    let command = library_command(inputs, &archives, &out, map.as_deref(), sort)?;
    run(&command, inputs)?;
    Ok((out, map))
}

/// The archives of C++ code that the library is linked from.
#[derive(Debug, Clone)]
struct Archives {
    /// Ours: the runtime and the dialects in Rust.
    bundle: Utf8PathBuf,
    /// Those of which every member is linked. MLIR's members with the hooks in are before the
    /// archives they were taken from, whose own nothing asks for then.
    whole: Vec<Utf8PathBuf>,
    /// Those of which the linker takes what is needed.
    by_need: Vec<Utf8PathBuf>,
}

impl Archives {
    fn of(inputs: Inputs<'_>) -> Self {
        let patched = inputs.patched.archives.iter().cloned();
        Self {
            bundle: inputs
                .out
                .join(inputs.compiled.bundle.file_name().unwrap_or_default()),
            whole: patched.chain(paths(&inputs.collected.whole)).collect(),
            by_need: paths(&inputs.collected.by_need).collect(),
        }
    }
}

/// What C++ calls to initialise a function's static variable. The runtime comes between, so that a fork
/// cuts no initialisation in two (mondo-runtime's `guards.cpp`).
const GUARDS: [&str; 3] = [
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
];

/// Whether sections are sorted so that the file compresses well.
#[derive(Debug, Clone, Copy)]
enum Sort<'a> {
    /// They are not.
    No,
    /// They are: lld finds how, which takes long for functions.
    Find,
    /// They are: lld finds how for data, and functions are in the order of this file.
    Known(&'a Utf8Path),
}

impl Sort<'_> {
    fn arguments(self) -> Vec<String> {
        match self {
            Self::No => Vec::new(),
            Self::Find => vec!["-Wl,--bp-compression-sort=both".into()],
            Self::Known(order) => vec![
                "-Wl,--bp-compression-sort=data".into(),
                format!("-Wl,--symbol-ordering-file={order}"),
                // The order may name functions that this link folds or does not have.
                "-Wl,--no-warn-symbol-ordering".into(),
            ],
        }
    }
}

/// The command that links the mondo library. Its arguments are in a response file, so that the
/// command stays one short line that can be run again by hand.
fn library_command(
    inputs: Inputs<'_>,
    archives: &Archives,
    out: &Utf8Path,
    map: Option<&Utf8Path>,
    sort: Sort<'_>,
) -> Result<Tool> {
    let Inputs {
        plan,
        collected,
        exports,
        ..
    } = inputs;
    fs_err::create_dir_all(out.parent().unwrap_or(inputs.out))?;
    let script = inputs.out.join("library.ver");
    fs_err::write(&script, exports.version_script(&plan.identity.version_node))?;

    let mut args = common(plan);
    args.extend(sort.arguments());
    args.push(format!("-Wl,-soname,{}", plan.identity.soname));
    args.push(format!("-Wl,--version-script={script}"));
    args.extend(GUARDS.map(|guard| format!("-Wl,--wrap={guard}")));
    // Calls among our own exports go straight to ours, whatever else the process has loaded.
    args.push("-Wl,-Bsymbolic".into());
    args.push("-Wl,--no-undefined-version".into());
    args.push("-Wl,-z,defs".into());
    if let Some(map) = map {
        args.push(format!("-Wl,-Map={map}"));
    }
    args.push("-Wl,--whole-archive".into());
    // Ours first: the empty entry points of excluded targets, in the registration, must be seen
    // before LLVM's archives are searched for them.
    args.push(inputs.compiled.registration.to_string());
    args.push(archives.bundle.to_string());
    args.extend(archives.whole.iter().map(ToString::to_string));
    args.push("-Wl,--no-whole-archive".into());
    args.push("-Wl,--start-group".into());
    args.extend(archives.by_need.iter().map(ToString::to_string));
    args.push("-Wl,--end-group".into());
    args.extend(paths(&collected.native).map(Utf8PathBuf::into_string));
    finish(inputs, "library.rsp", args, out)
}

/// Links the extension against the mondo library at `library`.
pub fn extension(inputs: Inputs<'_>, library: &Utf8Path) -> Result<Utf8PathBuf> {
    let out = inputs.out.join("unstripped").join(EXTENSION_FILE);
    let script = inputs.out.join("extension.ver");
    fs_err::write(
        &script,
        format!("{{\n  global: {EXTENSION_INIT};\n  local: *;\n}};\n"),
    )?;
    let mut args = common(inputs.plan);
    // It is small: the order is found in no time.
    if inputs.plan.link.sort_for_compression {
        args.extend(Sort::Find.arguments());
    }
    args.push(format!("-Wl,--version-script={script}"));
    args.push("-Wl,-rpath,$ORIGIN".into());
    args.push("-Wl,--enable-new-dtags".into());
    // Python's own symbols come from the interpreter; whatever else is undefined is found below.
    args.push("-Wl,--unresolved-symbols=ignore-all".into());
    args.push(format!("-Wl,--undefined={EXTENSION_INIT}"));
    args.push(inputs.compiled.features.to_string());
    args.push(inputs.compiled.extension.to_string());
    args.extend(direct::arguments(inputs, library, "_mlir", true)?);
    run(&finish(inputs, "extension.rsp", args, &out)?, inputs)?;
    undefined::check_extension(&out, inputs)?;
    Ok(out)
}

/// A Python extension of a dialect crate, to be linked.
#[derive(Debug, Clone, Copy)]
pub struct CrateExtension<'a> {
    /// The module: `_fxp`.
    pub module: &'a str,
    /// Its file name.
    pub file: &'a str,
    /// Its object files.
    pub objects: &'a [Utf8PathBuf],
    /// Archives of which it takes what it needs.
    pub archives: &'a [Utf8PathBuf],
}

/// Links a dialect crate's extension against the mondo library at `library`. Returns it and the map.
pub fn crate_extension(
    inputs: Inputs<'_>,
    library: &Utf8Path,
    one: CrateExtension<'_>,
) -> Result<(Utf8PathBuf, Utf8PathBuf)> {
    let out = inputs.out.join("unstripped").join(one.file);
    let map = inputs.out.join(format!("{}.map", one.module));
    let script = inputs.out.join(format!("{}.ver", one.module));
    fs_err::write(
        &script,
        format!("{{\n  global: PyInit_{};\n  local: *;\n}};\n", one.module),
    )?;
    let mut args = common(inputs.plan);
    // It is small: the order is found in no time.
    if inputs.plan.link.sort_for_compression {
        args.extend(Sort::Find.arguments());
    }
    args.push(format!("-Wl,--version-script={script}"));
    args.push("-Wl,-rpath,$ORIGIN".into());
    args.push("-Wl,--enable-new-dtags".into());
    args.push(format!("-Wl,-Map={map}"));
    // Python's own symbols come from the interpreter; whatever else is undefined is found below.
    args.push("-Wl,--unresolved-symbols=ignore-all".into());
    args.extend(one.objects.iter().map(ToString::to_string));
    args.push("-Wl,--start-group".into());
    args.extend(one.archives.iter().map(ToString::to_string));
    args.push("-Wl,--end-group".into());
    args.extend(direct::arguments(inputs, library, one.module, false)?);
    let response = format!("{}.rsp", one.module);
    run(&finish(inputs, &response, args, &out)?, inputs)?;
    undefined::check_crate_extension(&out, one, inputs)?;
    Ok((out, map))
}

/// Copies `from` without its symbol table and debug sections; the build-id stays.
pub fn strip(from: &Utf8Path, to: &Utf8Path, strip: &StripTool) -> Result<()> {
    let mut tool = Tool::new(strip.program.as_str(), "strip a shared library")
        .fails_as(ErrorKind::Link)
        .args(["--strip-all", from.as_str(), to.as_str()]);
    for (key, value) in &strip.env {
        tool = tool.env(key, value);
    }
    tool.output().map(drop)
}

/// A second name for a file that the next bundle writes anew, so that the link's command stays true
/// for as long as its folder is there.
fn keep(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    match fs_err::remove_file(to) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    if fs_err::hard_link(from, to).is_err() {
        fs_err::copy(from, to)?;
    }
    Ok(())
}

fn common(plan: &Plan) -> Vec<String> {
    let link = &plan.link;
    let mut args: Vec<String> = [
        "-shared",
        "-static-libstdc++",
        "-static-libgcc",
        "-Wl,--build-id=sha1",
        "-Wl,--hash-style=gnu",
        "-Wl,-z,relro,-z,now,-z,noexecstack",
        "-Wl,--as-needed",
        "-Wl,--color-diagnostics=never",
        "-Wl,--no-demangle",
        "-Wl,--error-limit=0",
    ]
    .map(String::from)
    .into();
    args.push(format!("-Wl,-O{}", link.optimize));
    if link.gc_sections {
        args.push("-Wl,--gc-sections".into());
    }
    if link.icf {
        args.push("-Wl,--icf=all".into());
    }
    args
}

fn paths(archives: &[Archive]) -> impl Iterator<Item = Utf8PathBuf> {
    archives.iter().map(|archive| archive.path.clone())
}

fn finish(inputs: Inputs<'_>, name: &str, args: Vec<String>, out: &Utf8Path) -> Result<Tool> {
    let mut args = args;
    args.extend(
        inputs
            .compiled
            .glibc_stubs
            .iter()
            .flat_map(GlibcStubs::arguments),
    );
    args.extend(["-lm", "-lpthread", "-ldl", "-o"].map(String::from));
    args.push(out.to_string());
    let file = inputs.out.join(name);
    let quoted: String = args
        .iter()
        .map(|arg| format!("{}\n", response_quoted(arg)))
        .collect();
    fs_err::write(&file, quoted)?;
    Ok(Tool::new(
        &inputs.linker.cxx,
        format!("link {}", out.file_name().unwrap_or_default()),
    )
    .fails_as(ErrorKind::Link)
    .installed_by("apt-get install g++")
    .arg(format!("-B{}", inputs.linker.lld_dir))
    .arg("-fuse-ld=lld")
    .arg(format!("@{file}")))
}

/// A response file's argument as GCC reads it: whitespace, quotes and backslashes are escaped.
fn response_quoted(arg: &str) -> String {
    let mut quoted = String::with_capacity(arg.len());
    for c in arg.chars() {
        if c.is_whitespace() || matches!(c, '\\' | '"' | '\'') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted
}

/// Runs a link; returns what the linker printed.
fn run(command: &Tool, inputs: Inputs<'_>) -> Result<String> {
    let output = command.output_unchecked()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    if let Some(error) = duplicate::explain(&output.stderr, &inputs.plan.identity.soname) {
        return Err(error);
    }
    match undefined::explain(&output.stderr, inputs)? {
        Some(error) => Err(error),
        None => Err(command.failure(&output)),
    }
}

/// The error for symbols that nothing defines.
fn undefined_error(count: usize) -> Error {
    let symbols = if count == 1 {
        "symbol is"
    } else {
        "symbols are"
    };
    Error::new(ErrorKind::Link, format!("{count} {symbols} undefined"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mondo_core::source::Source;

    #[test]
    fn response_files_keep_odd_paths_in_one_argument() {
        assert_eq!(response_quoted("/a b/c'd\\e"), "/a\\ b/c\\'d\\\\e");
    }

    #[test]
    fn a_fork_waits_until_no_static_is_being_initialised() {
        let shim = Source::locate()
            .unwrap()
            .root()
            .join("crates/mondo-runtime/shim");
        let dir = tempfile::tempdir().unwrap();
        let program = Utf8Path::from_path(dir.path()).unwrap().join("fork");
        Tool::new("g++", "compile the test of the guards")
            .args([
                "-std=c++17",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pthread",
            ])
            .args(["guards.cpp", "tests/fork.cpp"].map(|file| shim.join(file).into_string()))
            .args(GUARDS.map(|guard| format!("-Wl,--wrap={guard}")))
            .args(["-o", program.as_str()])
            .output()
            .unwrap();
        Tool::new(program.as_str(), "fork amid initialisations")
            .output()
            .unwrap();
    }
}
