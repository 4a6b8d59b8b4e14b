//! MLIR's tools of a bundle: an archive of `mondo-runtime/tools` with the table of the plan's tools.
//!
//! A tool's file calls the `main` that MLIR has for it, so that its archive is searched. A bundle without
//! tools is linked without any of it.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_core::digest;
use mondo_core::error::Result;
use mondo_core::source::Source;
use mondo_plan::plan::{Plan, PlannedTool};

use super::assemble::{self, Table};
use super::dialect_crates;
use crate::cpp::{Compiler, Sources};

/// The symbol of the table, which `mondo-runtime/tools/tools.h` declares.
const SYMBOL: &str = "mondo_tools";

/// The files of every bundle with tools, below `mondo-runtime/tools`.
const OF_ALL: [&str; 2] = ["main.cpp", "registry.cpp"];

/// Makes the archive for `plan`, in `work`; none where it has no tools.
///
/// # Errors
/// [`mondo_core::ErrorKind::Compile`] where the compiler fails.
pub(super) fn archive(
    plan: &Plan,
    source: &Source,
    compiler: Compiler<'_>,
    work: &Utf8Path,
) -> Result<Option<Utf8PathBuf>> {
    if plan.tools.is_empty() {
        return Ok(None);
    }
    let root = source.tools();
    let of_tools = plan.tools.iter().map(|tool| format!("{}.cpp", tool.name));
    let names = OF_ALL.iter().map(ToString::to_string).chain(of_tools);
    let files: Vec<Utf8PathBuf> = names.map(|name| root.join(name)).collect();
    let work = work.join("tools");
    let set = Sources {
        owner: "MLIR's tools".to_owned(),
        files: &files,
        root: (&root, "mondo-tools"),
        include: vec![root.clone()],
        system_include: vec![source.runtime_headers()],
        flags: ["-fno-exceptions", "-fno-rtti"].map(String::from).into(),
        objects: work.join("objects"),
    };
    let mut objects = compiler.compile(&[set])?.concat();
    let text = table(&plan.tools, &plan.tool_translations);
    objects.push(assemble::object("tools", &text, compiler.linker, &work)?);
    // An archive is named after its table: bundles with other tools are linked from other archives.
    let folder = work.join(digest::short(&text));
    fs_err::create_dir_all(&folder)?;
    let archive = folder.join("libmondo_tools.a");
    dialect_crates::archive(&archive, &objects)?;
    Ok(Some(archive))
}

/// The assembly of the table.
fn table(tools: &[PlannedTool], translations: &[String]) -> String {
    let mains: Vec<String> = tools
        .iter()
        .map(|tool| format!("mondo_tool_{}", tool.name.replace('-', "_")))
        .collect();
    let mut table = Table::new(SYMBOL);
    table.strings(tools.iter().map(|it| it.name.as_str()));
    table.list(mains.iter().map(String::as_str));
    table.list(translations.iter().map(String::as_str));
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_each_tool_and_translation() {
        let tool = |name: &str| PlannedTool {
            name: name.to_owned(),
            command: format!("mlir-{name}"),
            archive: String::new(),
        };
        let text = table(&[tool("lsp-server"), tool("opt")], &["_Z1fv".to_owned()]);
        for line in [
            "\t.ascii \"lsp-server\"",
            "\t.ascii \"opt\"",
            "\t.quad mondo_tool_lsp_server",
            "\t.quad mondo_tool_opt",
            "\t.quad _Z1fv",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}: {text}");
        }
    }
}
