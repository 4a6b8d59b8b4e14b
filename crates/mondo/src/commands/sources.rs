//! `mondo sources`.

use mondo_build::progress::Sink;
use mondo_build::{Result, toolchain};

use crate::args::{SourcesArgs, llvm_of_project};
use crate::console;
use crate::llvm::request;
use crate::program::to_json;

/// Prints the place of LLVM's sources, which are fetched first where they are not in the cache.
pub(super) fn run(args: &SourcesArgs, json: bool, sink: &dyn Sink) -> Result<()> {
    let llvm = args.llvm.unwrap_or_else(llvm_of_project);
    let request = args.network.over(request(llvm)?);
    let sources = toolchain::sources(&request, sink)?;
    if json {
        console::out(to_json(&sources)?);
    } else {
        console::out(&sources.mlir);
    }
    Ok(())
}
