//! `cargo xtask fuzz`: runs libFuzzer on each reader of mondo-audit.
//!
//! The targets are in `crates/mondo-audit/fuzz`, in the layout of cargo-fuzz. They are built here by a stable
//! toolchain, with coverage counters and overflow checks. There is no address sanitizer, which needs a
//! nightly toolchain; mondo-audit itself has no unsafe code.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::exec::{Output, Tool};
use mondo_build::{ErrorKind, Result, bundle, compile};
use mondo_testbed::files::{make_empty, tracked};
use mondo_testbed::verdict::failed;

/// The package of the targets.
const PACKAGE: &str = "crates/mondo-audit/fuzz";

/// The flags for LLVM's coverage pass: counters for each edge, and the operands of comparisons.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
                        -Cllvm-args=-sanitizer-coverage-level=4 \
                        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                        -Cllvm-args=-sanitizer-coverage-pc-table \
                        -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The time limit of one input in seconds, and the memory limit of the process in megabytes. A reader takes
/// microseconds for an input.
const INPUT_SECONDS: u32 = 10;
const MEMORY: u32 = 1024;

/// The additional time in which a run loads its corpus and prints its statistics.
const GRACE: Duration = Duration::from_secs(120);

/// Calls each target's own function with each of its seeds, in a test of mondo-audit: this takes
/// seconds, and compiles nothing for libFuzzer.
pub(crate) fn over_seeds(workspace: &Utf8Path) -> Result<()> {
    let folder = bundle::work_dir(workspace).join("fuzz/seeds");
    seeds(&folder, workspace)?;
    audit_test("pass the fuzz targets' functions", &folder, workspace)
        .fails_as(ErrorKind::Check)
        .args(["--test", "fuzz_targets", "--", "--ignored"])
        .stream()
}

/// Writes the seeds to `folder`. A test of mondo-audit makes them: it links small images for every system.
fn seeds(folder: &Utf8Path, workspace: &Utf8Path) -> Result<()> {
    audit_test("make what fuzzing begins with", folder, workspace)
        .args(["--test", "audit", "--", "seeds"])
        .output()
        .map(drop)
}

/// All build crates are compiled, as for the unit tests: with mondo-audit alone, its dependencies have
/// other features, and are compiled again.
fn audit_test(purpose: &str, seeds: &Utf8Path, workspace: &Utf8Path) -> Tool {
    compile::cargo(purpose)
        .cwd(workspace)
        .env("MONDO_FUZZ_SEEDS", seeds)
        .args(["test", "--quiet", "--locked", "--profile", "xtask"])
}

/// Builds `targets`, or all if there are none, with their seeds, and runs each of them.
///
/// With `keep`, the inputs that a run finds are the seeds of the next one. Without it, a run does not depend
/// on earlier ones.
pub(crate) fn run(
    targets: &[String],
    seconds: u32,
    keep: bool,
    workspace: &Utf8Path,
) -> Result<()> {
    let targets = match targets {
        [] => all(workspace)?,
        named => named.to_vec(),
    };
    let work = bundle::work_dir(workspace).join("fuzz");
    let programs = build(&targets, &work, workspace)?;
    seeds(&work.join("seeds"), workspace)?;
    console::out("target   inputs   a second   edges covered   peak memory");
    targets
        .iter()
        .try_for_each(|target| one(&programs.join(target), seconds, keep, &work))
}

/// The names of all targets, which are the programs of the package.
fn all(workspace: &Utf8Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for path in tracked(workspace, &[&format!("{PACKAGE}/fuzz_targets/*.rs")])? {
        names.extend(Utf8Path::new(&path).file_stem().map(str::to_owned));
    }
    Ok(names)
}

/// Builds the targets. Returns the folder of their programs.
fn build(targets: &[String], work: &Utf8Path, workspace: &Utf8Path) -> Result<Utf8PathBuf> {
    let host = Tool::new("rustc", "ask rustc for its machine").args(["--print", "host-tuple"]);
    let host = host.output()?.stdout;
    let host = host.trim();
    // With `--target`, cargo does not apply `RUSTFLAGS` to build scripts and procedural macros.
    compile::cargo("build the fuzz targets")
        .cwd(workspace.join(PACKAGE))
        .env("RUSTFLAGS", COVERAGE)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("CARGO_TARGET_DIR", work.join("target"))
        .args(["build", "--quiet", "--locked", "--release"])
        .args(["--target", host])
        .args(targets.iter().flat_map(|target| ["--bin", target.as_str()]))
        .stream()?;
    Ok(work.join("target").join(host).join("release"))
}

fn one(program: &Utf8Path, seconds: u32, keep: bool, work: &Utf8Path) -> Result<()> {
    let name = program.file_name().unwrap_or_default();
    let [kept, fresh, seeds, crashes] =
        ["corpus", "fresh", "seeds", "crashes"].map(|folder| work.join(folder).join(name));
    let corpus = if keep { kept } else { fresh };
    if !keep {
        make_empty(&corpus)?;
    }
    fs_err::create_dir_all(&corpus)?;
    fs_err::create_dir_all(&crashes)?;
    let tool = Tool::new(program, format!("fuzz {name}"))
        .cwd(work)
        .fails_as(ErrorKind::Check)
        .time_limit(Duration::from_secs(seconds.into()) + GRACE)
        .args([corpus, seeds])
        .args([
            format!("-max_total_time={seconds}"),
            format!("-timeout={INPUT_SECONDS}"),
            format!("-rss_limit_mb={MEMORY}"),
            format!("-artifact_prefix={crashes}/"),
        ])
        .arg("-print_final_stats=1");
    let output = tool.output_unchecked()?;
    if output.status.success() {
        let stat = |key: &str| statistic(&output, key).unwrap_or("?");
        console::out(format!(
            "{name}   {}   {}   {}   {} MB",
            stat("stat::number_of_executed_units:"),
            stat("stat::average_exec_per_sec:"),
            stat("cov:"),
            stat("stat::peak_rss_mb:"),
        ));
        return Ok(());
    }
    let mut lines = output.stderr.lines();
    let input = lines.find_map(|line| Some(line.split_once("Test unit written to ")?.1));
    let failure = tool.failure(&output);
    Err(input.map_or(failure, |input| {
        failed(format!("{name}: an input that breaks it"))
            .at(input)
            .because(tool.said(&output))
            .help(format!(
                "see it again: {program} {input}\nmake it smaller: {program} -minimize_crash=1 \
                 -max_total_time=60 {input}"
            ))
    }))
}

/// The last number that libFuzzer printed under this name.
fn statistic<'o>(output: &'o Output, key: &str) -> Option<&'o str> {
    let mut lines = output.stderr.lines().rev();
    lines.find_map(|line| line.split_once(key)?.1.split_whitespace().next())
}
