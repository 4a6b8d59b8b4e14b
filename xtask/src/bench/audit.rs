//! The audit against `auditwheel show`, on the same wheels in the same run.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::progress::Sink;
use mondo_build::source::Source;
use mondo_build::{Error, ErrorKind, Result, audit, toolchain};

use super::{median, timed};
use crate::commands::DEFAULT_LLVM;
use crate::say;
use crate::survey;
use crate::test::Context;
use crate::test::python::Venv;

/// Times these wheels; without any, those of docs/audit/wheels.toml that auditwheel looks at.
pub(super) fn times(workspace: &Utf8Path, paths: &[Utf8PathBuf], sink: &dyn Sink) -> Result<()> {
    let lock = Source::locate()?.toolchain_lock();
    let request = toolchain::Request::from_environment(DEFAULT_LLVM, lock)?;
    let context = Context {
        workspace,
        sink,
        toolchain: toolchain::find(&request, sink)?,
    };
    let mut wheels = paths.to_vec();
    if wheels.is_empty() {
        let fetched = survey::fetch(&context)?.into_iter().map(|(_, path)| path);
        wheels.extend(fetched.filter(|path| path.as_str().contains("linux")));
    }
    let tools = Venv::tools(&context)?;

    say::out(
        "wheel   symbols, bytes of images   audit (median)   peak memory   auditwheel   ratio",
    );
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
        let peer = timed(|| {
            let show = tools.python("run auditwheel");
            show.args(["-m", "auditwheel", "show", wheel.as_str()])
                .output()
        })?;
        say::out(format!(
            "{}   {symbols}, {} MB   {:.2} s   {} MB   {:.1} s   {:.0}",
            wheel.file_name().unwrap_or_default(),
            bytes / 1_000_000,
            own.as_secs_f64(),
            peak / 1000,
            peer.as_secs_f64(),
            peer.as_secs_f64() / own.as_secs_f64()
        ));
        ours += own;
        theirs += peer;
    }
    say::out(format!(
        "all   {:.2} s against {:.1} s   ratio {:.0}   (aim 20)",
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
        say::out(format!(
            "all on {threads} of {cores} cores   {:.2} s",
            time.as_secs_f64()
        ));
    }
    Ok(())
}

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
