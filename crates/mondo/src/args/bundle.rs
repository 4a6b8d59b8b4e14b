//! The arguments of `bundle`, `plan`, `size` and `test-project`, and those that other commands have in common with
//! them.

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, ValueEnum};
use mondo_build::bundle::Options;
use mondo_build::manifest::{self, Overrides};
use mondo_build::path::absolute;
use mondo_build::report::Layout;
use mondo_build::toolchain::Request;
use mondo_build::{Error, ErrorKind, Result};

use crate::console;

/// The LLVM major version of every manifest in manifests/.
pub const DEFAULT_LLVM: u32 = 22;

/// The file whose `[tool.mondo]` is a project's manifest.
const PYPROJECT: &str = "pyproject.toml";

/// The manifest of a bundle. Part of a command line: `#[command(flatten)]`.
#[derive(Debug, Clone, Args)]
pub struct ManifestArg {
    /// The manifest, which lists the contents of the bundle. Default: pyproject.toml in this folder, if it has a
    /// [tool.mondo], else manifests/default.toml, else the nearest pyproject.toml above with a [tool.mondo].
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<Utf8PathBuf>,
}

impl ManifestArg {
    /// Returns the manifest's path.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Manifest`] if no manifest exists, or if `--manifest` differs from the folder's [tool.mondo].
    pub fn path(&self) -> Result<Utf8PathBuf> {
        manifest_of(Utf8Path::new(""), self.manifest.as_deref())
    }
}

/// The manifest of the project in `folder`, or `named` if the command line names one.
///
/// # Errors
///
/// [`ErrorKind::Manifest`] if the folder's pyproject.toml has another manifest than the named one.
pub(crate) fn manifest_of(folder: &Utf8Path, named: Option<&Utf8Path>) -> Result<Utf8PathBuf> {
    let pyproject = folder.join(PYPROJECT);
    let place = manifest::manifest_place(&pyproject)?;
    match (named, place) {
        (None, Some(_)) => Ok(pyproject),
        (None, None) => {
            let default = folder.join("manifests/default.toml");
            if default.is_file() {
                return Ok(default);
            }
            above(folder)?.ok_or_else(|| {
                Error::new(ErrorKind::Manifest, "no manifest found")
                    .because(
                        "no pyproject.toml in this folder or above has a [tool.mondo], and manifests/default.toml \
                         does not exist",
                    )
                    .help("pass one with --manifest, or create a project with `mondo new`")
            })
        }
        (Some(named), Some(place)) if !is_same(named, &pyproject) => Err(Error::new(
            ErrorKind::Manifest,
            format!("two manifests: `{named}` and [tool.mondo]"),
        )
        .at(place)
        .because("a project has one manifest")
        .help("omit --manifest, or remove [tool.mondo]")),
        (Some(named), _) => Ok(named.to_owned()),
    }
}

/// Returns the LLVM version of the default manifest, else [`DEFAULT_LLVM`]. Errors in the manifest
/// are left to the commands that use all of it.
pub(crate) fn llvm_of_project() -> u32 {
    let manifest = manifest_of(Utf8Path::new(""), None).and_then(|path| manifest::load(&path));
    manifest.map_or(DEFAULT_LLVM, |manifest| manifest.llvm.major)
}

/// The manifest of the nearest project above `folder`; prints its path.
fn above(folder: &Utf8Path) -> Result<Option<Utf8PathBuf>> {
    // The search begins above the folder, whose own file has no manifest. The path is made
    // absolute, as a relative one may be empty.
    for folder in absolute(&folder.join(PYPROJECT))?.ancestors().skip(2) {
        let pyproject = folder.join(PYPROJECT);
        if manifest::manifest_place(&pyproject)?.is_some() {
            console::err(format!("using the manifest {pyproject}"));
            return Ok(Some(pyproject));
        }
    }
    Ok(None)
}

fn is_same(one: &Utf8Path, other: &Utf8Path) -> bool {
    match (one.canonicalize_utf8(), other.canonicalize_utf8()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// A manifest, and options that override it.
#[derive(Debug, Clone, Args)]
pub struct SelectArgs {
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// Use this private label, which also names the wheel, instead of the manifest's.
    #[arg(long)]
    pub label: Option<String>,
    /// Use this LLVM version instead of the manifest's: `22` or `22.1.8`.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<String>,
}

impl SelectArgs {
    /// Returns the options of a build of `manifest`: these overrides, and defaults for the rest.
    pub(crate) fn options(&self, manifest: &Utf8Path, workspace: &Utf8Path) -> Options {
        Options {
            overrides: Overrides {
                label: self.label.clone(),
                llvm: self.llvm.clone(),
                ..Overrides::default()
            },
            ..Options::new(manifest, workspace)
        }
    }
}

/// The LLVM and the compilers of a build.
#[derive(Debug, Clone, Args)]
pub struct CompilerArgs {
    /// Use the LLVM/MLIR installation in this folder, which contains bin, include and lib. Default:
    /// `MONDO_LLVM_DIR`, else an installed LLVM, else mondo downloads one.
    #[arg(long, value_name = "DIR")]
    pub llvm_dir: Option<Utf8PathBuf>,
    /// Run compilers through this program, or `none`. Default: `MONDO_COMPILER_LAUNCHER`, else sccache if it is
    /// installed.
    #[arg(long, value_name = "PROGRAM")]
    pub compiler_launcher: Option<String>,
    #[command(flatten)]
    pub network: NetworkArgs,
}

/// The use of the network.
#[derive(Debug, Clone, Args)]
pub struct NetworkArgs {
    /// Download LLVM's packages from these mirrors of Debian, separated by spaces. Default: `MONDO_DEB_MIRROR`, else
    /// the manifest's, else those of the user's configuration, else those of apt's.
    #[arg(long, value_name = "ADDRESS")]
    pub mirror: Option<String>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
}

impl NetworkArgs {
    /// Returns `request` with these options set.
    pub(crate) fn over(&self, mut request: Request) -> Request {
        request.mirrors.flag.clone_from(&self.mirror);
        request.offline = self.offline;
        request
    }
}

#[derive(Debug, Clone, Args)]
pub struct ToolchainArgs {
    #[command(flatten)]
    pub compilers: CompilerArgs,
    /// Update `manifests/toolchain.lock` to the packages that the distribution offers now.
    #[arg(long)]
    pub update_lock: bool,
}

/// The arguments of `plan`.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    /// Build the manifest's CMake projects first. Without it, the plan uses the results of their last build.
    #[arg(long)]
    pub build: bool,
    #[command(flatten)]
    pub compilers: CompilerArgs,
}

impl ToolchainArgs {
    /// Returns `others` with these options set.
    pub(crate) fn over(&self, others: Options) -> Options {
        Options {
            update_lock: self.update_lock,
            ..self.compilers.over(others)
        }
    }
}

impl CompilerArgs {
    /// Returns `others` with these options set.
    pub(crate) fn over(&self, others: Options) -> Options {
        Options {
            llvm_dir: self.llvm_dir.clone(),
            compiler_launcher: self.compiler_launcher.clone(),
            mirror: self.network.mirror.clone(),
            offline: self.network.offline,
            ..others
        }
    }
}

#[derive(Debug, Clone, Args)]
pub struct BundleArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Use the kit in this folder. Default: `MONDO_KIT`, else an installed kit, else mondo's sources.
    #[arg(long, value_name = "DIR")]
    pub kit: Option<Utf8PathBuf>,
    /// Write a wheel, or a folder with the same files for your own build backend.
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutArg,
    /// Write the wheel or tree to this folder.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Also write the report to this file. It is always written to `build/mondo/reports`, or to
    /// `target/mondo/reports` if the project has a Cargo.toml.
    #[arg(long, value_name = "FILE")]
    pub report: Option<Utf8PathBuf>,
    /// Build even if nothing has changed since the last run.
    #[arg(long)]
    pub force: bool,
}

/// The form of a bundle.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum LayoutArg {
    /// A wheel: `<distribution>-<version>-<tag>.whl`.
    #[default]
    Wheel,
    /// A folder with the wheel's contents for your own build backend: `<distribution>-tree`, described by its
    /// mondo.json.
    Tree,
    /// A tree with `lib/lib<label>_mondo.a`, for programs that link MLIR statically: `<distribution>-static`.
    Static,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Wheel => Self::Wheel,
            LayoutArg::Tree => Self::Tree,
            LayoutArg::Static => Self::Static,
        }
    }
}

#[derive(Debug, Args)]
pub struct SizeArgs {
    /// The wheel to measure, built by mondo or not. Default: the manifest's wheel, which mondo builds if necessary.
    pub wheel: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// Read the manifest's wheel from this folder, or build it there.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Print the shortest chain of references that keeps this symbol in the manifest's library. Accepts mangled and
    /// demangled symbols, archives (`libMLIRIR.a`) and object files (`libMLIRIR.a(Block.cpp.o)`).
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["wheel", "diff", "html"])]
    pub why: Option<String>,
    /// Print how sizes differ between two wheels.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["wheel", "html"])]
    pub diff: Vec<Utf8PathBuf>,
    /// Write a treemap as an HTML page.
    #[arg(long, value_name = "FILE")]
    pub html: Option<Utf8PathBuf>,
}

#[derive(Debug, Args)]
pub struct TestProjectArgs {
    /// The project's name in the manifest.
    pub name: String,
    /// Files or folders with the tests to run, relative to the project's folder. Default: all tests.
    #[arg(value_name = "TEST")]
    pub tests: Vec<Utf8PathBuf>,
    #[command(flatten)]
    pub select: SelectArgs,
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Read the bundle to test from this folder, or build it there.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// Also install this package into the test environment: a requirement such as `numpy`, or a wheel. May be
    /// repeated.
    #[arg(long, value_name = "PACKAGE")]
    pub with: Vec<String>,
}
