//! Clocks that are wrong by decades: no time of the machine is in a wheel, and none decides whether it can be made.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::toolchain::triplet;
use mondo_build::{Result, exec::Tool};
use mondo_testbed::files::{expect_same, wheel_in, write_program};
use mondo_testbed::verdict::expect_end;
use mondo_testbed::{Context, SystemProgram};

use super::strangers::library;

/// The first day that a clock without a battery shows, and one beyond what a 32-bit time can hold.
const CLOCKS: [&str; 2] = ["1970-01-01 00:00:10", "2100-06-01 00:00:00"];

/// Makes the smallest bundle of the manifests under each clock: its bytes are those of the bundle that was made before.
pub(super) fn check(program: &Utf8Path, context: &Context<'_>) -> Result<()> {
    let scratch = context.empty_folder("clocks")?;
    let preloaded = preloaded(context)?;
    let compiler = compiler(&scratch)?;
    library(&scratch)?;
    let today = context.bundle("core")?.wheel;
    let manifest = context.manifest("core");
    for (number, clock) in CLOCKS.into_iter().enumerate() {
        let at = |args: &[&str]| {
            Tool::new(program.as_str(), "run the command under a wrong clock")
                .env("LD_PRELOAD", &preloaded)
                .env("RUSTC", &compiler)
                .env("FAKETIME", format!("@{clock}"))
                // The times of files and the clock that measures durations stay correct.
                .env("NO_FAKE_STAT", "1")
                .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .cwd(&scratch)
                .args(args)
                .output_unchecked()
        };
        let audited = at(&["audit", "--fail-on", "error", "liba.so"])?;
        expect_end(&format!("an audit in {clock}"), &audited, 0, &["passed"])?;
        let dist = scratch.join(number.to_string());
        let (manifest, out) = (
            ["--manifest", manifest.as_str()],
            ["--out-dir", dist.as_str()],
        );
        let bundled = at(&[&["bundle", "--force"], &manifest[..], &out].concat())?;
        expect_end(&format!("a bundle in {clock}"), &bundled, 0, &[])?;
        let what = format!("the wheel of {clock} differs from that of today");
        expect_same(&wheel_in(&dist)?, &today, &what)?;
    }
    Ok(())
}

/// rustc at the machine's own time. It has an allocator of its own, jemalloc, which asks for the time when it begins, before
/// the preloaded library can answer: they wait for each other without end.
fn compiler(scratch: &Utf8Path) -> Result<Utf8PathBuf> {
    let path = scratch.join("rustc");
    write_program(&path, "#!/bin/sh\nexec env -u LD_PRELOAD rustc \"$@\"\n")?;
    Ok(path)
}

/// The library that shows programs another time.
fn preloaded(context: &Context<'_>) -> Result<Utf8PathBuf> {
    let faketime = SystemProgram::find(&["faketime"], "usr/bin/faketime", context)?;
    let root = faketime.root().unwrap_or(Utf8Path::new("/"));
    Ok(root.join(format!("usr/lib/{}/faketime/libfaketime.so.1", triplet())))
}
