//! Options: what to build, from what and where to.

use std::ffi::OsString;

use camino::{Utf8Path, Utf8PathBuf};
use mondo_link::extension;
use mondo_plan::manifest::Overrides;
use mondo_toolchain::Instrumentation;

use crate::report::Layout;

/// The options of a build: its inputs and its output.
#[derive(Debug, Clone)]
pub struct Options {
    /// The manifest's path.
    pub manifest: Utf8PathBuf,
    /// Values that replace the manifest's.
    pub overrides: Overrides,
    /// The form of the output.
    pub layout: Layout,
    /// `--llvm-dir`.
    pub llvm_dir: Option<Utf8PathBuf>,
    /// `--kit`: a kit in place of sources that are compiled.
    pub kit: Option<Utf8PathBuf>,
    /// The program that compilers are started through; `none` for none. Without it, that of
    /// `MONDO_COMPILER_LAUNCHER`, or sccache, if it is installed.
    pub compiler_launcher: Option<String>,
    /// The interpreter that extensions are for, and whose packages builds use.
    pub python: OsString,
    /// `--mirror`: mirrors of LLVM's packages, separated by spaces.
    pub mirror: Option<String>,
    /// Never use the network.
    pub offline: bool,
    /// Take what the distribution has now, and rewrite the lock.
    pub update_lock: bool,
    /// The folder for the wheel or tree.
    pub out_dir: Utf8PathBuf,
    /// The folder for intermediate files, kept between runs: see [`work_dir`].
    pub work_dir: Utf8PathBuf,
    /// A further file for the report, beside that in [`Options::reports`].
    pub report: Option<Utf8PathBuf>,
    /// Build even if nothing changed.
    pub force: bool,
    /// Additions to the dialects' C++ for editable installs, which no wheel has.
    pub instrumentation: Instrumentation,
    /// Precompile headers of the dialects' C++ for editable installs.
    pub precompile: bool,
}

impl Options {
    /// The defaults for `manifest` in the workspace at `workspace`: its [`work_dir`] and `dist`, and the interpreter
    /// of `MONDO_PYTHON`.
    #[must_use]
    pub fn new(manifest: impl Into<Utf8PathBuf>, workspace: &Utf8Path) -> Self {
        Self {
            manifest: manifest.into(),
            overrides: Overrides::default(),
            layout: Layout::default(),
            llvm_dir: None,
            kit: None,
            compiler_launcher: None,
            python: extension::program(),
            mirror: None,
            offline: false,
            update_lock: false,
            out_dir: workspace.join("dist"),
            work_dir: work_dir(workspace),
            report: None,
            force: false,
            instrumentation: Instrumentation::None,
            precompile: true,
        }
    }

    /// The folder of reports and of the details that `mondo size` reads. It is not the folder of wheels, whose files are
    /// all for an index.
    #[must_use]
    pub fn reports(&self) -> Utf8PathBuf {
        self.work_dir.join("reports")
    }
}

/// The folder of intermediate files for `workspace`: in Cargo's target folder where it is a Cargo
/// workspace, else `build/mondo`.
#[must_use]
pub fn work_dir(workspace: &Utf8Path) -> Utf8PathBuf {
    match std::env::var("CARGO_TARGET_DIR") {
        Ok(dir) => workspace.join(dir).join("mondo"),
        Err(_) if workspace.join("Cargo.toml").is_file() => workspace.join("target/mondo"),
        Err(_) => workspace.join("build/mondo"),
    }
}
