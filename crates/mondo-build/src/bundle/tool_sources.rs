//! LLVM's sources for tools that are in no installed archive. They come from the same locked archive that `mondo
//! sources` fetches.

use camino::Utf8PathBuf;
use mondo_core::error::{Error, ErrorKind, Result};
use mondo_core::progress::Sink;
use mondo_link::compile::from_sources;
use mondo_plan::plan::Plan;
use mondo_toolchain::{self as toolchain, Toolchain};

/// The folder `mlir` of LLVM's sources, which are downloaded if the cache lacks them. `None` for a plan whose tools are
/// all in archives of `toolchain`.
pub(super) fn of(
    plan: &Plan,
    toolchain: &Toolchain,
    request: &toolchain::Request,
    sink: &dyn Sink,
) -> Result<Option<Utf8PathBuf>> {
    let tools = from_sources(plan, toolchain)?;
    if tools.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = tools
        .iter()
        .map(|tool| format!("`{}`", tool.name))
        .collect();
    let names = names.join(" and ");
    let needed = format!(
        "`contents.tools` names {names}, which LLVM's packages do not contain, so mondo \
         compiles them from LLVM's sources"
    );
    let remedy = format!(
        "remove {names} from `contents.tools`, or pass an LLVM that has the archives with \
         `--llvm-dir`"
    );
    let sources = toolchain::sources(request, sink).map_err(|error| {
        let steps = error.next_step().into_iter().chain([remedy.as_str()]);
        let steps = steps.collect::<Vec<_>>().join(";\nor ");
        error.details([needed.clone()]).help(steps)
    })?;
    if sources.version == toolchain.version {
        return Ok(Some(sources.mlir));
    }
    Err(Error::new(
        ErrorKind::Toolchain,
        format!(
            "the sources are LLVM {}, but the installation is LLVM {}",
            sources.version, toolchain.version
        ),
    )
    .at(&toolchain.prefix)
    .because(needed)
    .help(remedy))
}
