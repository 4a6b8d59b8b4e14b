//! `mondo doctor`.

use mondo_build::progress::Sink;
use mondo_build::{Result, kit, toolchain};

use super::toolchain::request;
use crate::args::{DoctorArgs, llvm_of_project};
use crate::console;
use crate::program::to_json;
use crate::progress::Verbosity;

/// Prints the report on this machine, after an update of the lock if that is asked for.
pub(super) fn report(
    args: &DoctorArgs,
    json: bool,
    verbosity: Verbosity,
    sink: &dyn Sink,
) -> Result<()> {
    let llvm = args.llvm.unwrap_or_else(llvm_of_project);
    let request = toolchain::Request {
        llvm_dir: args.toolchain.compilers.llvm_dir.clone(),
        ..args.toolchain.compilers.network.over(request(llvm)?)
    };
    if args.toolchain.update_lock {
        toolchain::update_lock(&request, sink)?;
    }
    let source = kit::source(None, llvm)?;
    let kit = source.kit().map(|kit| kit.folder.as_path());
    let report = toolchain::doctor(&request, kit)?;
    if json {
        console::out(to_json(&report)?);
    } else if verbosity == Verbosity::Verbose {
        console::out(format!("{report:#}").trim_end());
    } else {
        console::out(report.to_string().trim_end());
    }
    Ok(())
}
