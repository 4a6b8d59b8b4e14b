//! The command of a link: its arguments, and what becomes of what the linker says.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::error::Result;
use mondo_core::exec::Tool;
use mondo_plan::plan::Plan;
use mondo_toolchain::Instrumentation;

use super::inputs::Inputs;
use super::{duplicate, position, undefined};
use crate::archive::Archive;
use crate::cpp::ADDRESS;
use crate::glibc_stubs::GlibcStubs;

/// The archives of C++ code that the library is linked from.
#[derive(Debug, Clone)]
pub(super) struct Archives {
    /// mondo's own archive: the runtime and the dialects in Rust.
    pub(super) bundle: Utf8PathBuf,
    /// Archives of which every member is linked. Patched members of MLIR, which call the hooks, come before the
    /// archives that they were taken from, so that the linker never extracts the originals.
    pub(super) whole: Vec<Utf8PathBuf>,
    /// Archives of which the linker extracts the members that are needed.
    pub(super) by_need: Vec<Utf8PathBuf>,
}

impl Archives {
    pub(super) fn of(inputs: Inputs<'_>) -> Self {
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

/// The functions that C++ calls to initialise a function's static variable. The runtime wraps them,
/// so that a fork never happens in the middle of an initialisation (mondo-runtime's `guards.cpp`).
const GUARDS: [&str; 3] = [
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
];

/// `mlir::verify`, and the registration of an operation's name with MLIR. The runtime wraps them, so that what verifiers
/// take for granted is asked before they are called (mondo-runtime's `models.cpp`). The others are called with attributes and types
/// that are missing, or of another kind, by parsers and verifiers that go on with them, and with sizes of 0 (`refusals.cpp`).
const VERIFIERS: [&str; 9] = [
    "_ZN4mlir13NamedAttrList3setEN4llvm9StringRefENS_9AttributeE",
    "_ZNK4mlir10StringAttr8getValueEv",
    "_ZNK4mlir11IntegerAttr6getIntEv",
    "_ZNK4mlir13AffineMapAttr8getValueEv",
    "_ZNK4mlir4Type21getIntOrFloatBitWidthEv",
    "_ZN4mlir17computeShapeRatioEN4llvm8ArrayRefIlEES2_",
    "_ZN4mlir6verifyEPNS_9OperationEb",
    "_ZN4mlir8TypeAttr3getENS_4TypeE",
    "_ZN4mlir23RegisteredOperationName6insertESt10unique_ptrINS_13OperationName4ImplESt14\
     default_deleteIS3_EEN4llvm8ArrayRefINS7_9StringRefEEE",
];

/// `mlir::registerPass`. In a bundle with dialect crates or projects, the runtime wraps it, so that two passes of one name do
/// not end the process (mondo-runtime's `pass_names.cpp`).
const PASS_NAMES: &str =
    "_ZN4mlir12registerPassERKSt8functionIFSt10unique_ptrINS_4PassESt14default_deleteIS2_EEvEE";

/// The constructor by which a translation of the tool `translate` from MLIR is registered, under its two names. The tool's
/// file wraps it, so that each translation knows all dialects of the bundle (`mondo-runtime/tools/translate.cpp`).
const TRANSLATIONS: [&str; 2] = [
    "_ZN4mlir29TranslateFromMLIRRegistrationC1EN4llvm9StringRefES2_RKSt8functionIFNS1_13LogicalResultEPNS_9OperationE\
     RNS1_11raw_ostreamEEERKS3_IFvRNS_15DialectRegistryEEE",
    "_ZN4mlir29TranslateFromMLIRRegistrationC2EN4llvm9StringRefES2_RKSt8functionIFNS1_13LogicalResultEPNS_9OperationE\
     RNS1_11raw_ostreamEEERKS3_IFvRNS_15DialectRegistryEEE",
];

/// The linker's `--wrap` arguments, by which calls of the wrapped functions go to the runtime's functions.
fn wrapped(plan: &Plan) -> impl Iterator<Item = String> {
    let translate = plan.tools.iter().any(|tool| tool.name == "translate");
    let translations = TRANSLATIONS.into_iter().filter(move |_| translate);
    let pass_names = (!plan.crates.is_empty()).then_some(PASS_NAMES);
    let all = GUARDS.into_iter().chain(VERIFIERS);
    let all = all.chain(translations).chain(pass_names);
    all.map(|function| format!("-Wl,--wrap={function}"))
}

/// Sections of functions that are identical to others and must have addresses of their own: MLIR tells
/// the extensions of dialects apart by the addresses of these functions, and takes the second of two
/// folded ones for one that it already has. The names are patterns of a linker script. In LLVM 22,
/// these are the only ones: the functions that bring the inliner's interface to `llvm` and to `nvvm`.
const NOT_FOLDED: [&str; 1] = [".text._ZZN4mlir4NVVM24registerInlinerInterfaceE*"];

/// A linker script by which lld does not fold [`NOT_FOLDED`]: it folds within an output section only. A
/// library without these functions is without the section.
fn not_folded() -> String {
    let patterns = NOT_FOLDED.join(" ");
    format!("SECTIONS {{ .text.not_folded : {{ *({patterns}) }} }} INSERT AFTER .text;\n")
}

/// The order of sections, which decides how well the file compresses.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sort<'a> {
    /// The linker's own order.
    No,
    /// lld finds an order for data and functions, which takes long for functions.
    Find,
    /// lld finds an order for data; functions are in the order that this file lists.
    Known(&'a Utf8Path),
}

impl Sort<'_> {
    pub(super) fn arguments(self) -> Vec<String> {
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
pub(super) fn library_command(
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
    args.extend(wrapped(plan));
    // Calls among our own exports go straight to ours, whatever else the process has loaded.
    args.push("-Wl,-Bsymbolic".into());
    args.push("-Wl,--no-undefined-version".into());
    args.push("-Wl,-z,defs".into());
    if plan.link.icf {
        let script = inputs.out.join("library.ld");
        fs_err::write(&script, not_folded())?;
        args.push(format!("-Wl,-T,{script}"));
    }
    if let Some(map) = map {
        args.push(format!("-Wl,-Map={map}"));
    }
    if inputs.linker.instrumentation == Instrumentation::Address {
        // The sanitizer's shared library, which the process has to load first.
        args.push(ADDRESS.into());
    }
    args.extend(linked_whole(inputs, archives));
    args.extend(by_need(archives));
    args.push("-Wl,--end-group".into());
    args.extend(paths(&collected.native).map(Utf8PathBuf::into_string));
    finish(inputs, "library.rsp", args, out)
}

/// The command that links the same inputs into one relocatable object, together with libstdc++, the unwinder and the
/// object `by_name`.
pub(super) fn relocatable_command(
    inputs: Inputs<'_>,
    archives: &Archives,
    by_name: &Utf8Path,
    out: &Utf8Path,
) -> Result<Tool> {
    fs_err::create_dir_all(out.parent().unwrap_or(inputs.out))?;
    let mut args: Vec<String> = [
        "-r",
        "-Wl,--color-diagnostics=never",
        "-Wl,--no-demangle",
        "-Wl,--error-limit=0",
        // Resolves section groups here: the final link might discard a COMDAT group in favour of one of the program's
        // own.
        "-Wl,--force-group-allocation",
    ]
    .map(String::from)
    .into();
    args.extend(wrapped(inputs.plan));
    args.push(by_name.to_string());
    args.extend(linked_whole(inputs, archives));
    args.extend(by_need(archives));
    args.extend(paths(&inputs.collected.native).map(Utf8PathBuf::into_string));
    args.extend(["-l:libgcc_eh.a", "-l:libgcc.a"].map(String::from));
    args.push("-Wl,--end-group".into());
    let shims = inputs.compiled.glibc_stubs.iter();
    args.extend(shims.flat_map(GlibcStubs::arguments));
    args.extend(["-o".into(), out.to_string()]);
    response(inputs, "static.rsp", &args, out)
}

/// The linker's arguments for the archives of which it takes what is needed; they begin a group.
fn by_need(archives: &Archives) -> Vec<String> {
    // An LLVM from another compiler has copies of the C++ library's functions in its objects. The linker takes the first
    // archive that defines a symbol, so the C++ library comes before LLVM's code generators.
    let mut args = ["-Wl,--start-group", "-l:libstdc++.a"]
        .map(String::from)
        .to_vec();
    args.extend(archives.by_need.iter().map(ToString::to_string));
    args
}

/// The linker's arguments for the objects and archives of which every member is linked.
fn linked_whole(inputs: Inputs<'_>, archives: &Archives) -> Vec<String> {
    let mut args = vec!["-Wl,--whole-archive".to_owned()];
    // mondo's own files come first: the linker must see the stubs of excluded targets, which the registration object
    // defines, before it searches LLVM's archives for these symbols.
    args.push(inputs.compiled.registration.to_string());
    args.push(archives.bundle.to_string());
    args.extend(archives.whole.iter().map(ToString::to_string));
    args.extend(inputs.compiled.tools.iter().map(ToString::to_string));
    args.push("-Wl,--no-whole-archive".into());
    args
}

pub(super) fn common(plan: &Plan) -> Vec<String> {
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

pub(super) fn finish(
    inputs: Inputs<'_>,
    name: &str,
    args: Vec<String>,
    out: &Utf8Path,
) -> Result<Tool> {
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
    response(inputs, name, &args, out)
}

/// The command with its arguments in a file.
fn response(inputs: Inputs<'_>, name: &str, args: &[String], out: &Utf8Path) -> Result<Tool> {
    let file = inputs.out.join(name);
    let quoted: String = args
        .iter()
        .map(|arg| format!("{}\n", response_quoted(arg)))
        .collect();
    fs_err::write(&file, quoted)?;
    let purpose = format!("link {}", out.file_name().unwrap_or_default());
    Ok(inputs.linker.driver(purpose).arg(format!("@{file}")))
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
pub(super) fn run(command: &Tool, inputs: Inputs<'_>) -> Result<String> {
    let output = command.output_unchecked()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    if let Some(error) = duplicate::explain(&output.stderr, &inputs.plan.identity.soname) {
        return Err(error);
    }
    if let Some(error) = position::explain(&output.stderr, inputs) {
        return Err(error);
    }
    match undefined::explain(&output.stderr, inputs)? {
        Some(error) => Err(error),
        None => Err(command.failure(&output)),
    }
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
    fn the_rows_of_premises_are_in_the_order_of_the_operations() {
        let file = Source::locate()
            .unwrap()
            .root()
            .join("crates/mondo-runtime/shim/premises_rows.cpp");
        let text = fs_err::read_to_string(file).unwrap();
        let (_, table) = text.split_once("Row Rows[] = {").unwrap();
        let (table, _) = table.split_once("\n};").unwrap();
        let operations: Vec<&str> = table
            .lines()
            .filter_map(|row| row.trim().strip_prefix("{\"")?.split_once('"'))
            .map(|(operation, _)| operation)
            .collect();
        assert!(operations.len() > 200 && operations.is_sorted());
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
