//! `mondo size`: what a bundle's bytes are, and why they are there.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::bundle::{self, Options};
use mondo_build::progress::Sink;
use mondo_build::report::Report;
use mondo_build::size::{contents, diff, graph, html, inputs, why};
use mondo_build::{Error, ErrorKind, Result, toolchain};

use crate::args::SizeArgs;
use crate::console;
use crate::program::to_json;

pub(super) fn run(
    args: &SizeArgs,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    if let Some(symbol) = &args.why {
        return why_kept(args, symbol, workspace, json, sink);
    }
    if let [before, after] = args.diff.as_slice() {
        let diff = diff::diff(&contents::of_wheel(before)?, &contents::of_wheel(after)?);
        console::out(if json { to_json(&diff)? } else { diff.text() });
        return Ok(());
    }
    if let Some(file) = &args.html {
        html::check_place(file)?;
    }
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => made(args, workspace, sink)?.0,
    };
    let sizes = contents::of_wheel(&wheel)?;
    if let Some(file) = &args.html {
        html::write(&sizes, file)?;
        console::out(file);
    } else {
        console::out(if json { to_json(&sizes)? } else { sizes.text() });
    }
    Ok(())
}

/// The manifest's wheel, as it is now, and its report.
fn made(args: &SizeArgs, workspace: &Utf8Path, sink: &dyn Sink) -> Result<(Utf8PathBuf, Report)> {
    let options = Options {
        out_dir: args.out_dir.clone(),
        ..Options::new(&args.manifest.manifest, workspace)
    };
    let bundle = bundle::bundle(&options, sink)?;
    Ok((bundle.wheel, bundle.report))
}

fn why_kept(
    args: &SizeArgs,
    symbol: &str,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    let (_, report) = made(args, workspace, sink)?;
    let out = bundle::work_dir(workspace)
        .join("out")
        .join(&report.distribution);
    let inputs = inputs::read(&out, &toolchain::linker(None)?)?;
    let mapped = graph::Mapped::open(&inputs)?;
    let graph = graph::Graph::load(&mapped, inputs.exports.iter())?;
    let why = why::why(&graph, &inputs, symbol)?;
    if why.chain.is_empty() {
        return Err(Error::new(
            ErrorKind::Check,
            format!("nothing keeps `{symbol}`"),
        ));
    }
    console::out(if json { to_json(&why)? } else { why.text() });
    Ok(())
}
