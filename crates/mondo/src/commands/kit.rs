//! `mondo kit`.

use camino::Utf8Path;
use mondo_build::kit::{self, CommandOptions, Options};
use mondo_build::progress::Sink;
use mondo_build::{Error, ErrorKind, Result, bundle};
use serde_json::json;

use crate::args::{KitArgs, KitBuildArgs, KitCheckArgs, KitCommand, KitWheelArgs};
use crate::console;
use crate::program::to_json;

/// Makes or checks kits.
pub(super) fn run(args: &KitArgs, workspace: &Utf8Path, json: bool, sink: &dyn Sink) -> Result<()> {
    match &args.command {
        KitCommand::Build(args) => build(args, workspace, json, sink),
        KitCommand::Command(args) => command(args, workspace, json, sink),
        KitCommand::Check(args) => check(args, json),
    }
}

fn build(args: &KitBuildArgs, workspace: &Utf8Path, json: bool, sink: &dyn Sink) -> Result<()> {
    let options = Options {
        llvm: args.llvm,
        llvm_dir: args.llvm_dir.clone(),
        offline: args.offline,
        out_dir: args.wheel.out_dir.clone(),
        work_dir: bundle::work_dir(workspace),
    };
    kit::known(args.llvm)?;
    let built = kit::build(&options, sink)?;
    console::out(if json {
        to_json(&json!({
            "folder": built.folder,
            "wheel": built.wheel.path,
            "bytes": built.wheel.size,
            "sha256": built.wheel.sha256,
            "llvm": built.record.llvm,
        }))?
    } else {
        format!("wrote {}\nwrote {}", built.folder, built.wheel.path)
    });
    Ok(())
}

fn command(args: &KitWheelArgs, workspace: &Utf8Path, json: bool, sink: &dyn Sink) -> Result<()> {
    let options = CommandOptions {
        out_dir: args.out_dir.clone(),
        work_dir: bundle::work_dir(workspace),
    };
    let wheel = kit::command(&options, sink)?;
    console::out(if json {
        to_json(&json!({
            "wheel": wheel.path,
            "bytes": wheel.size,
            "sha256": wheel.sha256,
        }))?
    } else {
        format!("made: {}", wheel.path)
    });
    Ok(())
}

fn check(args: &KitCheckArgs, json: bool) -> Result<()> {
    kit::known(args.llvm)?;
    let source = kit::source(args.kit.as_deref(), args.llvm)?;
    let Some(kit) = source.kit() else {
        let what = format!("no kit for LLVM {} is installed", args.llvm);
        return Err(Error::new(ErrorKind::Toolchain, what)
            .because(format!(
                "mondo would build the bundle from the checkout {} with cargo",
                source.root()
            ))
            .help(kit::remedy(args.llvm)));
    };
    console::out(if json {
        to_json(&json!({ "folder": kit.folder, "kit": kit.record }))?
    } else {
        format!(
            "{}: complete, built by mondo {} for LLVM {}",
            kit.folder, kit.record.mondo, kit.record.llvm
        )
    });
    Ok(())
}
