//! Programs in the place of Rust's, which leave a trace when they are started and then fail: with a kit, none of
//! them may be.

use camino::{Utf8Path, Utf8PathBuf};
use mondo_build::Result;

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
        use std::os::unix::fs::PermissionsExt as _;
        let new = Self {
            folder: scratch.join("stubs"),
            trace: scratch.join("started"),
        };
        fs_err::create_dir_all(&new.folder)?;
        for name in PROGRAMS {
            let stub = new.folder.join(name);
            let script = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\nexit 1\n", new.trace);
            fs_err::write(&stub, script)?;
            fs_err::set_permissions(&stub, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(new)
    }

    /// The command lines of those that were started.
    pub(crate) fn started(&self) -> Vec<String> {
        let trace = fs_err::read_to_string(&self.trace).unwrap_or_default();
        trace.lines().map(str::to_owned).collect()
    }
}
