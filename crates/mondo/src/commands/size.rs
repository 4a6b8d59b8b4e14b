//! `mondo size`: what a bundle's bytes are, and why they are there.

use camino::Utf8PathBuf;
use mondo_build::bundle::{self, Options};
use mondo_build::progress::Sink;
use mondo_build::report::Report;
use mondo_build::size::{diff, graph, html, inputs, tree, why};
use mondo_build::{Error, ErrorKind, Result, toolchain};

use crate::args::SizeArgs;
use crate::console;
use crate::program::to_json;
use crate::workspace::workspace_of;

pub(super) fn run(args: &SizeArgs, json: bool, sink: &dyn Sink) -> Result<()> {
    if let Some(symbol) = &args.why {
        return why_kept(args, symbol, json, sink);
    }
    if let [before, after] = args.diff.as_slice() {
        let diff = diff::diff(&tree::of_wheel(before)?, &tree::of_wheel(after)?);
        console::out(if json { to_json(&diff)? } else { diff.text() });
        return Ok(());
    }
    if let Some(file) = &args.html {
        html::check_place(file)?;
    }
    let wheel = match &args.wheel {
        Some(wheel) => wheel.clone(),
        None => made(args, sink)?.0,
    };
    let sizes = tree::of_wheel(&wheel)?;
    if let Some(file) = &args.html {
        html::write(&sizes, file)?;
        console::out(file);
    } else {
        console::out(if json { to_json(&sizes)? } else { sizes.text() });
    }
    Ok(())
}

/// The manifest's wheel, as it is now, and its report.
fn made(args: &SizeArgs, sink: &dyn Sink) -> Result<(Utf8PathBuf, Report)> {
    let manifest = args.manifest.path()?;
    let options = Options {
        out_dir: args.out_dir.clone(),
        ..Options::new(&manifest, &workspace_of(&manifest)?)
    };
    let bundle = bundle::bundle(&options, sink)?;
    Ok((bundle.wheel, bundle.report))
}

fn why_kept(args: &SizeArgs, symbol: &str, json: bool, sink: &dyn Sink) -> Result<()> {
    let (_, report) = made(args, sink)?;
    let out = bundle::work_dir(&workspace_of(&args.manifest.path()?)?)
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
