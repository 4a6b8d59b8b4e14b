//! `cargo xtask bench`: measurements of mondo beside those of another program or package, in one run on one
//! machine.

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::bundle::{self, Bundle, Options};
use mondo_build::progress::Silent;
use mondo_build::toolchain::Linker;
use mondo_build::{Error, ErrorKind, Result, toolchain};
use mondo_testbed::{Context, Venv};

use crate::args::Bench;

/// The number of repetitions of a measurement.
const RUNS: usize = 5;

/// Runs the benchmark `what`.
pub(crate) fn run(
    what: Bench,
    context: &Context<'_>,
    instructions: bool,
    json: bool,
) -> Result<()> {
    match what {
        Bench::Bindings => binding_times(context, json, instructions),
        Bench::Bundle => bundle_times(context),
    }
}

fn bundle_times(context: &Context<'_>) -> Result<()> {
    let (workspace, sink) = (context.workspace, context.sink);
    let linker = toolchain::linker(Some(&context.toolchain))?;
    let default = workspace.join("manifests/default.toml");
    let scratch = bundle::work_dir(workspace).join("bench");
    fs_err::create_dir_all(&scratch)?;
    let options = Options {
        out_dir: scratch.join("dist"),
        ..Options::new(default, workspace)
    };

    sink.note("making the default bundle, so that only what is measured is left to do");
    bundle::bundle(&options, sink)?;

    // Both are measured in turn, so that a change of the machine's speed affects both alike.
    let (mut bare, mut phase, mut label) = (Vec::new(), Vec::new(), Vec::new());
    for turn in 0..RUNS {
        bare.push(bare_link(&linker, &options, "mondo-mlir", &scratch)?);
        let forced = Options {
            force: true,
            ..options.clone()
        };
        phase.push(phase_seconds(&bundle::bundle(&forced, &Silent)?, "link")?);
        let other = Options {
            manifest: other_label(workspace, &scratch, turn)?,
            ..options.clone()
        };
        label.push(timed(|| bundle::bundle(&other, &Silent))?);
    }
    let ratio = |times: &[Duration]| {
        let pairs = times.iter().zip(&bare);
        let mut ratios: Vec<f64> = pairs
            .map(|(time, bare)| time.as_secs_f64() / bare.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios[RUNS / 2]
    };
    let (of_phase, of_label) = (ratio(&phase), ratio(&label));
    let (bare, phase, label) = (middle(bare), middle(phase), middle(label));
    let again = median(|| timed(|| bundle::bundle(&options, &Silent)))?;
    let library = options
        .work_dir
        .join("out/mondo-mlir/unstripped/libmlir_mondo.so");
    let size = fs_err::metadata(&library)?.len();
    let paths = [library];
    let audited = median(|| timed(|| mondo_build::audit::files(&paths)))?;

    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    console::out(format!("median of {RUNS} runs each, ratios pair by pair"));
    console::out(format!(
        "bare link of the library (peer)   {}",
        seconds(bare)
    ));
    console::out(format!(
        "link phase                        {}   ratio {:.2}   (aim 1.3)",
        seconds(phase),
        of_phase
    ));
    console::out(format!(
        "another label, nothing else new   {}   ratio {:.2}   (aim 2)",
        seconds(label),
        of_label
    ));
    console::out(format!(
        "second run, nothing changed       {}                (aim 1 s)",
        seconds(again)
    ));
    console::out(format!(
        "audit of {} MB with symbols     {}                (aim 1 s)",
        size / 1_000_000,
        seconds(audited)
    ));
    Ok(())
}

/// Times the items of `tests/python/bench/items.py` in both packages; with `instructions`, counts
/// instructions as well.
fn binding_times(context: &Context<'_>, json: bool, instructions: bool) -> Result<()> {
    let tests = context.workspace.join("tests/python");

    let wheel = context.bundle("default")?.wheel;
    let peers = tests.join("peer.txt");
    let ours = Venv::fresh(context, "bench")?;
    // numpy is installed because programs have it; the measurement shows whether mondo's package imports it.
    ours.pip_install(&["numpy", "--constraint", peers.as_str()])?;
    ours.pip_install(&["--no-index", wheel.as_str()])?;
    let peer = Venv::kept(context, "peer", &peers)?;

    let python = |venv: &Venv| venv.dir.join("bin/python");
    let mut tool = ours
        .python("measure the bindings")
        .arg(tests.join("bench/compare.py"))
        .arg(python(&peer))
        .arg("mlir")
        .arg(python(&ours))
        .arg("mlir");
    if json {
        tool = tool.arg("--json");
    }
    if instructions {
        tool = tool.arg("--instructions");
    }
    tool.stream()
}

/// The time of the last link's command, run again by itself.
fn bare_link(
    linker: &Linker,
    options: &Options,
    distribution: &str,
    scratch: &Utf8Path,
) -> Result<Duration> {
    let response = options
        .work_dir
        .join("out")
        .join(distribution)
        .join("library.rsp");
    let link = linker
        .driver("link")
        .arg(format!("@{response}"))
        .args(["-o", scratch.join("bare.so").as_str()]);
    timed(|| link.output())
}

/// Writes a copy of `manifests/acme.toml` with a label that no earlier run had, so that nothing of the link
/// is cached.
fn other_label(workspace: &Utf8Path, scratch: &Utf8Path, turn: usize) -> Result<Utf8PathBuf> {
    let text = fs_err::read_to_string(workspace.join("manifests/acme.toml"))?;
    let run = std::process::id();
    // Paths in a manifest are relative to it.
    let text = text
        .replace("acme", &format!("bench{run}x{turn}"))
        .replace("\"../", &format!("\"{workspace}/"));
    let path = scratch.join("label.toml");
    fs_err::write(&path, text)?;
    Ok(path)
}

fn phase_seconds(bundle: &Bundle, name: &str) -> Result<Duration> {
    let phase = bundle.report.phases.iter().find(|phase| phase.name == name);
    let phase = phase.ok_or_else(|| Error::new(ErrorKind::Check, format!("no phase {name}")))?;
    Ok(Duration::from_secs_f64(phase.seconds))
}

fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let times = (0..RUNS).map(|_| run()).collect::<Result<_>>()?;
    Ok(middle(times))
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
