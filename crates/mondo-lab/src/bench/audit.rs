//! `cargo lab bench audit`: time and memory of the audit and of `auditwheel show`, on the same wheels in the
//! same run.

use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo::console;
use mondo_build::{Error, ErrorKind, Result, audit, compile};
use mondo_testbed::{Context, Venv};

use super::times::{RUNS, middle, timed};
use crate::folders::{self, write_measurement};
use crate::survey;

/// Measures the given wheels or, if there are none, the wheels of data/wheels.toml for Linux, which
/// auditwheel can read.
pub(super) fn times(context: &Context<'_>, paths: &[Utf8PathBuf]) -> Result<()> {
    let mut wheels = paths.to_vec();
    if wheels.is_empty() {
        let fetched = survey::fetch(context)?.into_iter().map(|(_, path)| path);
        wheels.extend(fetched.filter(|path| path.as_str().contains("linux")));
    }
    let tools = Venv::tools(context)?;
    let program = program(context)?;

    let mut page = head(&folders::today()?);
    let mut tell = |line: String| {
        page.push_str(&line);
        page.push('\n');
        console::out(line);
    };
    let (mut ours, mut theirs) = (Spent::default(), Spent::default());
    let mut worst = (0.0_f64, "");
    for wheel in &wheels {
        let one = std::slice::from_ref(wheel);
        let file = wheel.file_name().unwrap_or_default();
        let memory = memory(&tools, &program, wheel)?;
        let audits = audit::files(one)?;
        let images = || audits.iter().flat_map(|audit| &audit.images);
        let symbols: usize = images().map(|image| image.exports + image.imports).sum();
        let bytes: u64 = images().map(|image| image.file_size).sum();
        let sizes = images().map(|image| image.file_size);
        let largest = sizes.max().unwrap_or_default();
        let own = spent(RUNS, || audit::files(one).map(drop))?;
        let mut peer_peak = 0;
        let peer = spent(1, || {
            let show = tools.python("run auditwheel");
            let output = show.args(["-c", SHOW, wheel.as_str()]).output()?;
            let last = output.stderr.lines().last().unwrap_or_default();
            peer_peak = last.trim().parse::<u64>().unwrap_or_default();
            Ok(())
        })?;
        let ratio = memory.own as f64 / largest.max(1) as f64;
        if ratio > worst.0 && largest >= SMALLEST {
            worst = (ratio, file);
        }
        tell(format!(
            "| {file} | {symbols} | {} | {:.1} | {:.1} | {ratio:.2} | {} | {} | {} |",
            bytes / 1_000_000,
            largest as f64 / 1e6,
            memory.own as f64 / 1e6,
            memory.all / 1_000_000,
            peer_peak / 1000,
            own.against(peer)
        ));
        ours += own;
        theirs += peer;
    }
    tell(format!(
        "| all | | | | | | | | {} |\n",
        ours.against(theirs)
    ));
    tell(format!(
        "Memory is at most {:.2} times the largest image ({}), where that has a megabyte; the bound is 2.\n",
        worst.0, worst.1
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
            "All wheels in sequence, on {threads} of {cores} cores: {:.2} s.\n",
            time.as_secs_f64()
        ));
    }
    if paths.is_empty() {
        write_measurement(context, "audit-speed.md", &page)?;
    }
    Ok(())
}

/// The maximum memory of a process, in bytes.
#[derive(Debug, Clone, Copy)]
struct Memory {
    /// Anonymous memory: without pages of mapped files, which the kernel can take back at any time.
    own: u64,
    /// All memory, pages of mapped files included.
    all: u64,
}

/// The minimum size in bytes of the largest image in wheels whose memory is compared. With smaller images,
/// most of the memory is that of the process itself.
const SMALLEST: u64 = 1_000_000;

/// Compiles the program `mondo` with this program's profile. Returns its path.
fn program(context: &Context<'_>) -> Result<PathBuf> {
    compile::cargo("compile mondo")
        .cwd(context.workspace)
        .args(["build", "--quiet", "--locked", "--profile", "xtask"])
        .args(["--package", "mondo"])
        .stream()?;
    Ok(std::env::current_exe()?.with_file_name("mondo"))
}

/// Measures the memory of `mondo audit` over a wheel, in a process of its own.
fn memory(tools: &Venv, program: &Path, wheel: &Utf8Path) -> Result<Memory> {
    let watch = tools.python("watch an audit's memory").args(["-c", WATCH]);
    let output = watch
        .arg(program)
        .args(["audit", wheel.as_str()])
        .output()?;
    let mut numbers = output.stdout.split_whitespace().map(str::parse::<u64>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(own)), Some(Ok(all))) if own > 0 => Ok(Memory {
            own: own * 1024,
            all: all * 1024,
        }),
        _ => Err(
            Error::new(ErrorKind::Check, "the memory of an audit was not seen")
                .because(output.stdout),
        ),
    }
}

/// Runs a program, and prints the maxima of two kinds of memory in kB. The kernel records that of `VmHWM`;
/// `RssAnon` is read every millisecond.
const WATCH: &str = "import subprocess, sys, time
most = {'RssAnon': 0, 'VmHWM': 0}
# A small wheel's may be over before it was looked at.
while not most['RssAnon']:
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while child.poll() is None:
        with open(f'/proc/{child.pid}/status') as status:
            for line in status:
                key, _, rest = line.partition(':')
                if key in most:
                    most[key] = max(most[key], int(rest.split()[0]))
        time.sleep(0.001)
    if child.returncode not in (0, 24, 26):
        break
print(*most.values())
";

/// Runs `auditwheel show`, and prints its maximum memory in kB.
const SHOW: &str = "import runpy, sys
sys.argv[:] = ['auditwheel', 'show', sys.argv[1]]
try:
    runpy.run_module('auditwheel', run_name='__main__')
except SystemExit:
    pass
# getrusage also counts the process before it ran Python, when it shared our memory.
with open('/proc/self/status') as status:
    print(*(line.split()[1] for line in status if line.startswith('VmHWM:')), file=sys.stderr)
";

/// The text before the rows of the table.
fn head(date: &str) -> String {
    format!(
        "\
# Speed and memory of the audit

Measured with `cargo lab bench audit` on {date}. Each wheel for Linux of `crates/mondo-lab/data/wheels.toml`
is audited five times by mondo-audit with every rule (median of the time, mean of the processor time)
and once by `auditwheel show`, in one run on one machine. Times are in seconds. Decompression and the
SHA-256 of RECORD take most of the time of large images; auditwheel does not check the hashes.

Memory is in MB: the largest anonymous resident size of one audit process (`RssAnon`, sampled each
millisecond), and the same divided by the size of the largest image. Wheels are mapped into memory.
*With mapped files* is the peak resident size (`VmHWM`), as is the number for auditwheel.

| wheel | symbols | images, MB | largest, MB | memory, MB | of the largest | with mapped files, MB | auditwheel, MB | s | auditwheel, s | ratio | CPU | auditwheel, CPU | ratio |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
"
    )
}

/// The time that a command took.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    wall: Duration,
    /// The processor time of this process and of its children that have ended, on all processors.
    cpu: Duration,
}

impl Spent {
    /// The columns of a table: mondo's time, the other tool's, and their ratio; first wall-clock time, then
    /// processor time.
    fn against(self, theirs: Self) -> String {
        let pair = |ours: Duration, theirs: Duration| {
            let (ours, theirs) = (ours.as_secs_f64(), theirs.as_secs_f64());
            format!("{ours:.2} | {theirs:.1} | {:.0}", theirs / ours)
        };
        let (wall, cpu) = (pair(self.wall, theirs.wall), pair(self.cpu, theirs.cpu));
        format!("{wall} | {cpu}")
    }
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

/// Runs `work` `runs` times.
fn spent(runs: usize, mut work: impl FnMut() -> Result<()>) -> Result<Spent> {
    let before = cpu()?;
    let times: Vec<Duration> = (0..runs).map(|_| timed(&mut work)).collect::<Result<_>>()?;
    Ok(Spent {
        cpu: (cpu()? - before).div_f64(times.len() as f64),
        wall: middle(times),
    })
}

/// The processor time of this process and its children so far: fields 14 to 17 of `/proc/self/stat`
/// (proc(5)), in hundredths of a second. The name, field 2, may have spaces, so that the fields are counted
/// from its closing parenthesis.
fn cpu() -> Result<Duration> {
    let stat = fs_err::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = after_name.split(' ').skip(11).take(4);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_begins_as_written() {
        let (page, date) = folders::committed("audit-speed.md");
        assert!(page.starts_with(&head(&date)), "{}", head(&date));
    }
}
