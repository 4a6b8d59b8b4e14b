//! The audit against `auditwheel show`, on the same wheels in the same run.

use std::time::Duration;

use camino::Utf8PathBuf;
use mondo_build::{Error, ErrorKind, Result, audit};

use super::{median, timed};
use crate::say;
use crate::survey;
use crate::test::Context;
use crate::test::python::Venv;

/// Times these wheels; without any, those of docs/audit/wheels.toml that auditwheel looks at.
pub(super) fn times(context: &Context<'_>, paths: &[Utf8PathBuf]) -> Result<()> {
    let mut wheels = paths.to_vec();
    if wheels.is_empty() {
        let fetched = survey::fetch(context)?.into_iter().map(|(_, path)| path);
        wheels.extend(fetched.filter(|path| path.as_str().contains("linux")));
    }
    let tools = Venv::tools(context)?;

    let mut page = String::from(HEAD);
    let mut tell = |line: String| {
        page.push_str(&line);
        page.push('\n');
        say::out(line);
    };
    let (mut ours, mut theirs) = (Duration::ZERO, Duration::ZERO);
    for wheel in &wheels {
        let one = std::slice::from_ref(wheel);
        reset_peak()?;
        let audits = audit::files(one)?;
        let peak = peak()?;
        let images = || audits.iter().flat_map(|audit| &audit.images);
        let symbols: usize = images().map(|image| image.exports + image.imports).sum();
        let bytes: u64 = images().map(|image| image.file_size).sum();
        let own = median(|| timed(|| audit::files(one)))?;
        let mut peer_peak = 0;
        let peer = timed(|| {
            let show = tools.python("run auditwheel");
            let output = show.args(["-c", SHOW, wheel.as_str()]).output()?;
            let last = output.stderr.lines().last().unwrap_or_default();
            peer_peak = last.trim().parse::<u64>().unwrap_or_default();
            Ok(())
        })?;
        tell(format!(
            "| {} | {symbols} | {} | {:.2} | {} | {:.1} | {} | {:.0} |",
            wheel.file_name().unwrap_or_default(),
            bytes / 1_000_000,
            own.as_secs_f64(),
            peak / 1000,
            peer.as_secs_f64(),
            peer_peak / 1000,
            peer.as_secs_f64() / own.as_secs_f64()
        ));
        ours += own;
        theirs += peer;
    }
    tell(format!(
        "| all | | | {:.2} | | {:.1} | | {:.0} |\n",
        ours.as_secs_f64(),
        theirs.as_secs_f64(),
        theirs.as_secs_f64() / ours.as_secs_f64()
    ));

    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, cores] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| {
            Error::new(ErrorKind::Check, "the threads cannot be started").caused_by(error)
        })?;
        let all = || {
            wheels
                .iter()
                .try_for_each(|wheel| audit::files(std::slice::from_ref(wheel)).map(drop))
        };
        let time = pool.install(|| timed(all))?;
        tell(format!(
            "All of them, one after the other, on {threads} of {cores} cores: {:.2} s.\n",
            time.as_secs_f64()
        ));
    }
    if paths.is_empty() {
        let file = context.workspace.join("docs/audit/bench.md");
        fs_err::write(file, page.trim_end().to_owned() + "\n")?;
    }
    Ok(())
}

/// `auditwheel show`, and the most memory that it had, in kB.
const SHOW: &str = "import runpy, sys
sys.argv[:] = ['auditwheel', 'show', sys.argv[1]]
try:
    runpy.run_module('auditwheel', run_name='__main__')
except SystemExit:
    pass
# What getrusage says counts the process from before it ran Python, when it shared xtask's memory.
with open('/proc/self/status') as status:
    print(*(line.split()[1] for line in status if line.startswith('VmHWM:')), file=sys.stderr)
";

const HEAD: &str = "\
# How long an audit takes

Made by `cargo xtask bench audit`: each wheel for Linux of wheels.toml, audited five times by mondo-audit
(the median counts; every rule) and once by `auditwheel show`, in one run on one machine. Memory is the
most that the process had; mapped files are part of it.

| wheel | symbols | images, MB | audit, s | MB | auditwheel, s | MB | ratio |
|---|--:|--:|--:|--:|--:|--:|--:|
";

/// Makes the kernel forget the most memory that this process ever had.
fn reset_peak() -> Result<()> {
    Ok(fs_err::write("/proc/self/clear_refs", "5")?)
}

/// The most memory that this process had since, in kB; mapped files are part of it.
fn peak() -> Result<u64> {
    let status = fs_err::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse().ok());
    number.ok_or_else(|| {
        Error::new(
            ErrorKind::Check,
            "the kernel does not say the peak of memory",
        )
    })
}
