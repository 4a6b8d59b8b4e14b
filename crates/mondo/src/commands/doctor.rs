//! `mondo doctor`.

use mondo_build::progress::Sink;
use mondo_build::{Result, kit, toolchain};

use crate::args::DoctorArgs;
use crate::console;
use crate::llvm::request;
use crate::program::to_json;

/// Prints the report on this machine, after an update of the lock if that is asked for.
pub(super) fn report(args: &DoctorArgs, json: bool, sink: &dyn Sink) -> Result<()> {
    let request = toolchain::Request {
        llvm_dir: args.toolchain.compilers.llvm_dir.clone(),
        offline: args.toolchain.compilers.offline,
        ..request(args.llvm)?
    };
    if args.toolchain.update_lock {
        toolchain::update_lock(&request, sink)?;
    }
    let source = kit::source(None, args.llvm)?;
    let kit = source.kit().map(|kit| kit.folder.as_path());
    let report = toolchain::doctor(&request, kit)?;
    if json {
        console::out(to_json(&report)?);
    } else {
        console::out(report);
    }
    Ok(())
}
