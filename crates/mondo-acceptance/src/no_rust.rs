//! Programs in place of Rust's, which leave a trace when they are started and then fail: with a kit, none of
//! them may be.

use camino::{Utf8Path, Utf8PathBuf};
use mondo::DEFAULT_LLVM;
use mondo_build::{Result, kit};
use mondo_testbed::files::write_program;
use mondo_testbed::verdict::expect;

/// Programs of Rust.
const PROGRAMS: [&str; 4] = ["cargo", "rustc", "rustup", "rust-lld"];

/// Folders of the system's programs.
pub(crate) const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

/// The programs and their trace.
pub(crate) struct NoRust {
    /// The folder of the programs, which begins a `PATH`.
    pub(crate) folder: Utf8PathBuf,
    trace: Utf8PathBuf,
}

impl NoRust {
    /// Writes the programs below `scratch`.
    pub(crate) fn new(scratch: &Utf8Path) -> Result<Self> {
        let new = Self {
            folder: scratch.join("stubs"),
            trace: scratch.join("started"),
        };
        fs_err::create_dir_all(&new.folder)?;
        for name in PROGRAMS {
            let script = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\nexit 1\n", new.trace);
            write_program(&new.folder.join(name), &script)?;
        }
        Ok(new)
    }

    /// An error if one of them was started.
    pub(crate) fn was_not_started(&self) -> Result<()> {
        let trace = fs_err::read_to_string(&self.trace).unwrap_or_default();
        let what = "with a kit, programs of Rust were started";
        expect(trace.is_empty(), what, trace).map_err(|error| error.help(kit::remedy(DEFAULT_LLVM)))
    }
}
