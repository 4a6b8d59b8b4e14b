//! The arguments of `bundle` and `plan`, and those that other commands have in common with them.

use camino::{Utf8Path, Utf8PathBuf};
use clap::{Args, ValueEnum};
use mondo_build::bundle::Options;
use mondo_build::manifest::{self, Overrides};
use mondo_build::path::absolute;
use mondo_build::report::Layout;
use mondo_build::{Error, ErrorKind, Result};

use crate::console;
use crate::llvm::DEFAULT_LLVM;

/// The file whose `[tool.mondo]` is a project's manifest.
const PYPROJECT: &str = "pyproject.toml";

/// The manifest of a bundle. Part of a command line: `#[command(flatten)]`.
#[derive(Debug, Clone, Args)]
pub struct ManifestArg {
    /// The manifest: what the bundle consists of. Default: the pyproject.toml of this folder, if it
    /// has a [tool.mondo], else manifests/default.toml, else the pyproject.toml of a folder above with a [tool.mondo].
    #[arg(long)]
    pub manifest: Option<Utf8PathBuf>,
}

impl ManifestArg {
    /// The manifest's path.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Manifest`] if there is none, or if one is named in a folder whose pyproject.toml has another.
    pub fn path(&self) -> Result<Utf8PathBuf> {
        manifest_of(Utf8Path::new(""), self.manifest.as_deref())
    }
}

/// The manifest of the project in `folder`, of which `named` was asked for.
///
/// # Errors
///
/// [`ErrorKind::Manifest`] if the folder's pyproject.toml has another manifest than the named one.
pub(crate) fn manifest_of(folder: &Utf8Path, named: Option<&Utf8Path>) -> Result<Utf8PathBuf> {
    let pyproject = folder.join(PYPROJECT);
    let own = manifest::manifest_place(&pyproject)?;
    match (named, own) {
        (None, Some(_)) => Ok(pyproject),
        (None, None) => {
            let default = folder.join("manifests/default.toml");
            if default.is_file() {
                return Ok(default);
            }
            above(folder)?.ok_or_else(|| {
                Error::new(ErrorKind::Manifest, "there is no manifest")
                    .because(
                        "no pyproject.toml here or in a folder above has a [tool.mondo], and there is no \
                         manifests/default.toml",
                    )
                    .help("name one with --manifest, or begin a project: `mondo new`")
            })
        }
        (Some(named), Some(place)) if !is_same(named, &pyproject) => Err(Error::new(
            ErrorKind::Manifest,
            format!("there are two manifests: `{named}` and [tool.mondo]"),
        )
        .at(place)
        .because("a project has one manifest")
        .help("name no manifest in the command, or remove [tool.mondo]")),
        (Some(named), _) => Ok(named.to_owned()),
    }
}

/// The LLVM of the default manifest, else [`DEFAULT_LLVM`]. A faulty manifest is for the commands that use all of it.
pub(crate) fn llvm_of_project() -> u32 {
    let manifest = manifest_of(Utf8Path::new(""), None).and_then(|path| manifest::load(&path));
    manifest.map_or(DEFAULT_LLVM, |manifest| manifest.llvm.major)
}

/// The manifest of the project that `folder` is below, which is told.
fn above(folder: &Utf8Path) -> Result<Option<Utf8PathBuf>> {
    // The search begins above the folder, whose own file has no manifest. The path is made
    // absolute, as a relative one may be empty.
    for folder in absolute(&folder.join(PYPROJECT))?.ancestors().skip(2) {
        let pyproject = folder.join(PYPROJECT);
        if manifest::manifest_place(&pyproject)?.is_some() {
            console::err(format!("the manifest is {pyproject}"));
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

/// A manifest, and what stands in the place of its words.
#[derive(Debug, Clone, Args)]
pub struct SelectArgs {
    #[command(flatten)]
    pub manifest: ManifestArg,
    /// This private label instead of the manifest's. Wheels are named after it, too.
    #[arg(long)]
    pub label: Option<String>,
    /// This LLVM version instead of the manifest's: `22`, or `22.1.8`.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<String>,
}

impl SelectArgs {
    /// The options of a build of `manifest` with these overrides, and else the defaults.
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

/// The LLVM and the compilers of what is built.
#[derive(Debug, Clone, Args)]
pub struct CompilerArgs {
    /// An LLVM/MLIR prefix (the folder with bin, include and lib) to use instead of looking for one.
    #[arg(long)]
    pub llvm_dir: Option<Utf8PathBuf>,
    /// The program that compilers are started through, such as sccache; `none` for none. Default:
    /// that of `MONDO_COMPILER_LAUNCHER`, or sccache, if it is installed.
    #[arg(long, value_name = "PROGRAM")]
    pub compiler_launcher: Option<String>,
    /// Never use the network.
    #[arg(long)]
    pub offline: bool,
}

#[derive(Debug, Clone, Args)]
pub struct ToolchainArgs {
    #[command(flatten)]
    pub compilers: CompilerArgs,
    /// Take the packages that the distribution has now, and write them to manifests/toolchain.lock.
    #[arg(long)]
    pub update_lock: bool,
}

/// The arguments of `plan`.
#[derive(Debug, Clone, Args)]
pub struct PlanArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    /// Build the manifest's CMake projects first. Without it, the plan shows them as their last build left them.
    #[arg(long)]
    pub build: bool,
    #[command(flatten)]
    pub compilers: CompilerArgs,
}

impl ToolchainArgs {
    /// These options of a build, with those of `others` for all else.
    pub(crate) fn over(&self, others: Options) -> Options {
        Options {
            update_lock: self.update_lock,
            ..self.compilers.over(others)
        }
    }
}

impl CompilerArgs {
    /// These options of a build, with those of `others` for all else.
    pub(crate) fn over(&self, others: Options) -> Options {
        Options {
            llvm_dir: self.llvm_dir.clone(),
            compiler_launcher: self.compiler_launcher.clone(),
            offline: self.offline,
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
    /// A kit's folder, to take instead of compiling; by default that of `MONDO_KIT`, or one that is installed.
    #[arg(long)]
    pub kit: Option<Utf8PathBuf>,
    /// A wheel, or a folder with the same in it for a build backend of your own.
    #[arg(long, value_enum, default_value_t)]
    pub layout: LayoutArg,
    /// The folder for the wheel or tree.
    #[arg(long, default_value = "dist")]
    pub out_dir: Utf8PathBuf,
    /// A further file for the report. It is always in `build/mondo/reports` of the project, or in
    /// `target/mondo/reports`, if the project has a Cargo.toml.
    #[arg(long, value_name = "FILE")]
    pub report: Option<Utf8PathBuf>,
    /// Build even if nothing changed since the last run.
    #[arg(long)]
    pub force: bool,
}

/// The form of a bundle.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum LayoutArg {
    /// `dist/<distribution>-<version>-<tag>.whl`.
    #[default]
    Wheel,
    /// `dist/<distribution>-tree`, described by its mondo.json.
    Tree,
    /// `dist/<distribution>-static`: a tree with `lib/lib<label>_mondo.a`, for programs that have MLIR in themselves.
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
