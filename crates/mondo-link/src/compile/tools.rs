//! MLIR's tools of a bundle: an archive of `mondo-runtime/tools` with the table of the plan's tools.
//!
//! A tool's file calls the `main` that MLIR has for it, so that its archive is searched. A bundle without
//! tools is linked without any of it. Some of MLIR's tools are in no archive that LLVM installs; their C++ is
//! compiled from LLVM's sources and becomes part of this archive.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_plan::plan::{Plan, PlannedTool, constructors};
use mondo_toolchain::Toolchain;

use super::assemble::{self, Table};
use super::dialect_crates;
use super::request::Request;
use super::staticlibs::Staticlibs;
use crate::cpp::{Compiler, FOR_LLVM, Sources, files_in};
use crate::llvm_archives::archives_in;
use crate::step::Digests;

/// The symbol of the table, which `mondo-runtime/tools/tools.h` declares.
const SYMBOL: &str = "mondo_tools";

/// The files of every bundle with tools, below `mondo-runtime/tools`.
const OF_ALL: [&str; 2] = ["main", "registry"];

/// The tools of `plan` that are compiled from LLVM's sources: those whose archive `toolchain` does not have.
///
/// # Errors
/// [`mondo_core::ErrorKind::Archive`] where the folder of archives cannot be read.
pub fn from_sources<'a>(plan: &'a Plan, toolchain: &Toolchain) -> Result<Vec<&'a PlannedTool>> {
    if plan.tools.iter().all(|tool| tool.sources.is_empty()) {
        return Ok(Vec::new());
    }
    let present = archives_in(&toolchain.prefix.join("lib"))?;
    let absent =
        |tool: &&PlannedTool| !tool.sources.is_empty() && !present.contains_key(&tool.archive);
    Ok(plan.tools.iter().filter(absent).collect())
}

/// The C++ of one tool in LLVM's sources, whose folder `mlir` is `root`: the files of each of its folders, by name.
fn files_of(tool: &PlannedTool, root: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    for folder in tool.sources.iter().map(|source| root.join(source)) {
        let missing = |why: String| {
            let what = format!("LLVM's sources do not contain the tool `{}`", tool.name);
            Error::new(ErrorKind::Archive, what)
                .at(&folder)
                .because(why)
                .help(
                    "remove the tool from `contents.tools`, or remove the unpacked sources \
                     and run again",
                )
        };
        let found = files_in(&folder).map_err(|error| missing(error.to_string()))?;
        if found.is_empty() {
            return Err(missing("the folder has no C++ file".to_owned()));
        }
        files.extend(found);
    }
    files.sort();
    Ok(files)
}

/// Mondo's own C++ of tools, `files` in `root`.
fn own<'a>(
    request: Request<'_>,
    compiler: Compiler<'_>,
    root: &'a Utf8Path,
    files: &'a [Utf8PathBuf],
) -> Sources<'a> {
    Sources {
        owner: "MLIR's tools".to_owned(),
        files,
        root: (root, "mondo-tools"),
        include: vec![root.to_owned()],
        system_include: vec![request.source.runtime_headers()],
        flags: FOR_LLVM.iter().map(ToString::to_string).collect(),
        objects: request.work.join("tools").join(compiler.objects()),
    }
}

/// Compiles mondo's own C++ of all tools, which no manifest plays a part in. Returns the objects, which are named after
/// their sources.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where the compiler fails.
pub fn tool_objects(request: Request<'_>, digests: &Digests) -> Result<Vec<Utf8PathBuf>> {
    let compiler = Compiler {
        linker: request.linker,
        toolchain: request.toolchain,
        digests,
    };
    let root = request.source.tools();
    let files = files_in(&root)?;
    Ok(compiler
        .compile(&[own(request, compiler, &root, &files)])?
        .concat())
}

/// Makes the archive for the plan of `request`. Returns `None` for a plan without tools.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where the compiler fails, and `ErrorKind::Archive` where LLVM's sources do
/// not have a tool.
pub(super) fn archive(request: Request<'_>, compiler: Compiler<'_>) -> Result<Option<Utf8PathBuf>> {
    let Request {
        plan,
        source,
        toolchain,
        ..
    } = request;
    if plan.tools.is_empty() {
        return Ok(None);
    }
    let of_mlir = plan.tools.iter().filter(|tool| tool.main.is_none());
    let of_tools = of_mlir.map(|tool| tool.name.as_str());
    let names = OF_ALL.into_iter().chain(of_tools);
    let names = names.map(|name| format!("{name}.cpp"));
    let work = request.work.join("tools");
    let mut objects: Vec<Utf8PathBuf> = match request.staticlibs {
        Staticlibs::Kit(kit) => names.map(|name| kit.tool_object(&name)).collect(),
        Staticlibs::Cargo(_) => {
            let root = source.tools();
            let files: Vec<Utf8PathBuf> = names.map(|name| root.join(name)).collect();
            compiler
                .compile(&[own(request, compiler, &root, &files)])?
                .concat()
        }
    };
    let mut of_llvm = Vec::new();
    if let Some(mlir) = request.llvm_sources {
        for tool in from_sources(plan, toolchain)? {
            of_llvm.push((tool, mlir, files_of(tool, mlir)?));
        }
    }
    let sets: Vec<Sources<'_>> = of_llvm
        .iter()
        .map(|(tool, mlir, files)| Sources {
            owner: format!(
                "MLIR's tool `{}`, which is compiled from LLVM's sources",
                tool.name
            ),
            files,
            root: (mlir, "mlir"),
            include: Vec::new(),
            system_include: Vec::new(),
            // LLVM does not install some headers of its tools. All others are those of the prefix.
            flags: FOR_LLVM
                .iter()
                .chain(&["-idirafter./include"])
                .map(ToString::to_string)
                .collect(),
            objects: work.join(compiler.objects()).join("llvm"),
        })
        .collect();
    objects.extend(compiler.compile(&sets)?.concat());
    let text = table(&plan.tools, &plan.tool_translations);
    objects.push(assemble::object("tools", &text, compiler.linker, &work)?);
    // An archive is named after its table: bundles with other tools are linked from other archives.
    let folder = work.join(digest::short(&text));
    fs_err::create_dir_all(&folder)?;
    let archive = folder.join("libmondo_tools.a");
    dialect_crates::archive(&archive, &objects, compiler.linker)?;
    Ok(Some(archive))
}

/// The assembly of the table.
fn table(tools: &[PlannedTool], translations: &[String]) -> String {
    let mains: Vec<String> = tools
        .iter()
        .map(|tool| match &tool.main {
            Some(main) => main.clone(),
            None => format!("mondo_tool_{}", tool.name.replace('-', "_")),
        })
        .collect();
    let mut table = Table::new(SYMBOL);
    table.strings(tools.iter().map(|tool| tool.name.as_str()));
    table.list(mains.iter().map(String::as_str));
    // The linker gives these names to the ends of a section that it links. A program without constructors has none.
    let mut weak = String::new();
    for end in ["start", "stop"] {
        let ends: Vec<String> = tools
            .iter()
            .map(|tool| match &tool.main {
                Some(main) => format!("__{end}_{}", constructors(main)),
                None => "0".to_owned(),
            })
            .collect();
        for symbol in ends.iter().filter(|symbol| *symbol != "0") {
            weak.push_str(&format!("\t.weak {symbol}\n\t.hidden {symbol}\n"));
        }
        table.list(ends.iter().map(String::as_str));
    }
    table.list(translations.iter().map(String::as_str));
    weak + &table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_tool_and_translation() {
        let tool = |name: &str, main: Option<&str>| PlannedTool {
            name: name.to_owned(),
            command: format!("mlir-{name}"),
            archive: String::new(),
            sources: Vec::new(),
            main: main.map(str::to_owned),
        };
        let tools = [
            tool("lsp-server", None),
            tool("opt", None),
            tool("toy-opt", Some("toyMain")),
        ];
        let text = table(&tools, &["_Z1fv".to_owned()]);
        for line in [
            "\t.ascii \"lsp-server\"",
            "\t.ascii \"opt\"",
            "\t.quad mondo_tool_lsp_server",
            "\t.quad mondo_tool_opt",
            "\t.ascii \"toy-opt\"",
            "\t.quad toyMain",
            "\t.weak __start_toyMain_init",
            "\t.quad __start_toyMain_init",
            "\t.quad __stop_toyMain_init",
            "\t.quad _Z1fv",
        ] {
            assert!(
                text.lines().any(|text_line| text_line == line),
                "{line}: {text}"
            );
        }
    }

    #[test]
    fn a_tool_s_files_are_the_c_plus_plus_of_its_folders() {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(dir.path()).unwrap();
        let tool = PlannedTool {
            name: "pdll-lsp-server".to_owned(),
            command: String::new(),
            archive: String::new(),
            sources: vec!["lib/b".to_owned(), "lib/a".to_owned()],
            main: None,
        };
        let missing = files_of(&tool, root).unwrap_err().to_string();
        assert!(missing.contains("`pdll-lsp-server`"), "{missing}");
        assert!(missing.contains("lib/b"), "{missing}");
        for file in ["lib/b/y.cpp", "lib/b/y.h", "lib/a/CMakeLists.txt"] {
            let path = root.join(file);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "").unwrap();
        }
        let empty = files_of(&tool, root).unwrap_err().to_string();
        assert!(empty.contains("no C++ file"), "{empty}");
        fs_err::write(root.join("lib/a/x.cpp"), "").unwrap();
        let files = files_of(&tool, root).unwrap();
        assert_eq!(files, [root.join("lib/a/x.cpp"), root.join("lib/b/y.cpp")]);
    }
}
