//! `mondo size`: what a bundle's bytes are, and why they are there.

use camino::Utf8Path;
use mondo_build::bundle::{self, Options};
use mondo_build::progress::Sink;
use mondo_build::size::{contents, diff, graph, html, inputs, why};
use mondo_build::{Error, ErrorKind, Result, toolchain};

use crate::args::SizeArgs;
use crate::console;
use crate::program::to_json;

pub(super) fn run(
    args: &SizeArgs,
    manifest: &Utf8Path,
    workspace: &Utf8Path,
    json: bool,
    sink: &dyn Sink,
) -> Result<()> {
    let options = Options {
        out_dir: args.out_dir.clone(),
        ..Options::new(manifest, workspace)
    };
    if let Some(symbol) = &args.why {
        return why_kept(&options, symbol, json, sink);
    }
    if let [before, after] = args.diff.as_slice() {
        let sizes = |wheel| contents::of_wheel(wheel, &options.reports());
        let diff = diff::diff(&sizes(before)?, &sizes(after)?);
        console::out(if json { to_json(&diff)? } else { diff.text() });
        return Ok(());
    }
    if let Some(file) = &args.html {
        html::check_place(file)?;
    }
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => bundle::bundle(&options, sink)?.wheel,
    };
    let sizes = contents::of_wheel(&wheel, &options.reports())?;
    if let Some(file) = &args.html {
        html::write(&sizes, file)?;
        console::out(file);
    } else {
        console::out(if json { to_json(&sizes)? } else { sizes.text() });
    }
    Ok(())
}

fn why_kept(options: &Options, symbol: &str, json: bool, sink: &dyn Sink) -> Result<()> {
    let report = bundle::bundle(options, sink)?.report;
    let out = options.work_dir.join("out").join(&report.distribution);
    let inputs = inputs::read(&out, &toolchain::linker(None)?)?;
    let mapped = graph::Mapped::open(&inputs)?;
    let graph = graph::Graph::load(&mapped, inputs.exports.iter())?;
    let why = why::why(&graph, &inputs, symbol)?;
    if why.chain.is_empty() {
        return Err(Error::new(
            ErrorKind::Check,
            format!("nothing in the library refers to `{symbol}`"),
        ));
    }
    console::out(if json { to_json(&why)? } else { why.text() });
    Ok(())
}
