//! `mondo toolchain` and `mondo sources`.

use mondo_build::progress::Sink;
use mondo_build::{Result, kit, toolchain};
use serde_json::json;

use crate::args::{SourcesArgs, ToolchainCommand, ToolchainCommandArgs, llvm_of_project};
use crate::console;
use crate::program::to_json;

/// Downloads, exports, imports or lists LLVM's packages.
pub(super) fn run(args: &ToolchainCommandArgs, json: bool, sink: &dyn Sink) -> Result<()> {
    let llvm = args.llvm.unwrap_or_else(llvm_of_project);
    let request = args.network.over(request(llvm)?);
    match &args.command {
        ToolchainCommand::Fetch => show(&toolchain::fetch(&request, sink)?, json),
        ToolchainCommand::Import { file } => show(&toolchain::import(&request, file, sink)?, json),
        ToolchainCommand::Export { file } => {
            let bytes = toolchain::export(&request, file, sink)?;
            console::out(if json {
                to_json(&json!({ "file": file, "bytes": bytes }))?
            } else {
                format!("{file}: {} MB", bytes / 1_000_000)
            });
            Ok(())
        }
        ToolchainCommand::List => list(&request, json, sink),
        ToolchainCommand::Key => {
            let key = toolchain::key(&request, sink)?;
            console::out(if json {
                to_json(&json!({ "key": key }))?
            } else {
                key
            });
            Ok(())
        }
    }
}

fn show(found: &toolchain::Toolchain, json: bool) -> Result<()> {
    console::out(if json {
        to_json(found)?
    } else {
        found.prefix.to_string()
    });
    Ok(())
}

fn list(request: &toolchain::Request, json: bool, sink: &dyn Sink) -> Result<()> {
    let set = toolchain::locked(request, sink)?;
    if json {
        console::out(to_json(&set)?);
        return Ok(());
    }
    for package in set.unpacked() {
        console::out(format!(
            "{:<20} {:<28} {:>9} kB  {}",
            package.name,
            package.version,
            package.size / 1000,
            package.path
        ));
    }
    console::out(format!(
        "LLVM {} for {} from {}: {} packages, {} MB",
        set.llvm,
        set.architecture,
        set.suite,
        set.unpacked().count(),
        set.download_size() / 1_000_000
    ));
    if let Some(moved) = &set.moved {
        console::out(format!(
            "The suite moves: this is what it had on {}.",
            moved.date
        ));
    }
    Ok(())
}

/// Prints the place of LLVM's sources, which are fetched first where they are not in the cache.
pub(super) fn sources(args: &SourcesArgs, json: bool, sink: &dyn Sink) -> Result<()> {
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

/// A request for a toolchain with this LLVM major version, completed from the environment.
///
/// # Errors
///
/// If mondo's own sources or a kit, which hold the lock of the packages, are not found.
pub fn request(llvm: u32) -> Result<toolchain::Request> {
    toolchain::Request::from_environment(llvm, kit::source(None, llvm)?.toolchain_lock())
}
