//! The command line.

use camino::Utf8PathBuf;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use mondo_audit::Severity;
use mondo_build::manifest::Overrides;
use mondo_build::report::Layout;

use crate::progress::Verbosity;

/// Builds, audits and checks mondo's bundles.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    propagate_version = true
)]
#[command(after_help = "\
Exit codes: 0 success, 1 a check failed, 2 wrong arguments, 10 manifest, 11 plan, 12 toolchain,
13 missing tool, 14 network, 15 integrity, 20 compile, 21 archive, 22 link, 23 exports, 24 audit,
25 wheel, 26 audit warnings, 30 io, 130 interrupted.

Example: cargo xtask bundle --manifest manifests/acme.toml")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Clone, Copy, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Print errors and results only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print every command that runs.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Print results and errors as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Args {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.output.quiet, self.output.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }

    pub(crate) fn json(&self) -> bool {
        self.output.json
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make the wheel that a manifest describes.
    #[command(after_help = "\
Example: cargo xtask bundle --manifest manifests/core.toml
         cargo xtask bundle --label acme --layout tree --out-dir ../acme")]
    Bundle(BundleArgs),
    /// Show what a bundle would consist of, without making it.
    #[command(after_help = "Example: cargo xtask plan --manifest manifests/acme.toml --json")]
    Plan(SelectArgs),
    /// List labels × manifests × LLVM versions for a CI service's build matrix.
    #[command(after_help = "Example: cargo xtask matrix --manifest manifests/core.toml --json")]
    Matrix(MatrixArgs),
    /// Audit wheels and shared libraries, ours or anyone's.
    #[command(after_help = "Example: cargo xtask audit dist/mondo_mlir-22.1.8-*.whl")]
    Audit(AuditArgs),
    /// Show what was found on this machine, where, and what is missing.
    #[command(after_help = "Example: cargo xtask doctor")]
    Doctor(DoctorArgs),
    /// About manifests: their JSON schema, or whether one is well formed.
    #[command(after_help = "Example: cargo xtask manifest --schema > manifest.schema.json")]
    Manifest(ManifestArgs),
    /// Show how large a bundle is and why: by dialect, archive, object file and section.
    #[command(after_help = "\
Examples:
  cargo xtask size --manifest manifests/core.toml --html size.html
  cargo xtask size --why mlir::vector::ContractionOp
  cargo xtask size --diff old.whl new.whl")]
    Size(SizeArgs),
    /// Begin a dialect crate of your own: it builds, and its tests pass.
    #[command(after_help = "Example: cargo xtask new-dialect toy --cpp --dir crates")]
    NewDialect(NewDialectArgs),
    /// Check every part of the project; with --all, all of each part. This is what CI runs.
    #[command(after_help = "\
Examples:
  cargo xtask test wheel
  cargo xtask test --all python")]
    Test(TestArgs),
    /// Run inputs that libFuzzer makes up against the readers of mondo-audit.
    #[command(after_help = "Example: cargo xtask fuzz elf wheel --seconds 600")]
    Fuzz(FuzzArgs),
    /// Check the architecture's rules over the sources.
    #[command(after_help = "Example: cargo xtask tidy")]
    Tidy,
    /// Measure, and print ratios against the peer that each benchmark names.
    #[command(after_help = "Example: cargo xtask bench bundle")]
    Bench(BenchArgs),
    /// Audit the wheels of docs/audit/wheels.toml, and write docs/audit.
    #[command(after_help = "Example: cargo xtask survey")]
    Survey,
    /// Load our wheels and other people's beside each other, and write docs/reach/side-by-side.md.
    #[command(after_help = "Example: cargo xtask coexist")]
    Coexist,
    /// Hold the audit's facts against readelf, nm, objdump and llvm-readobj, over those wheels.
    #[command(after_help = "Example: cargo xtask differential")]
    Differential,
    /// Run the suites in other releases of the distribution, under their Pythons; write docs/reach.
    #[command(after_help = "Example: cargo xtask userlands --python 3.14")]
    Userlands(UserlandsArgs),
    /// Run upstream's own Python tests over a bundle's wheel.
    #[command(
        after_help = "Example: cargo xtask conformance --llvm-src ~/llvm-toolchain-22-22.1.8 ir/"
    )]
    Conformance(ConformanceArgs),
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ManifestArg {
    /// The manifest: what the bundle consists of.
    #[arg(long, default_value = "manifests/default.toml")]
    pub(crate) manifest: Utf8PathBuf,
}

/// A manifest, and what stands in the place of its words.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct SelectArgs {
    #[command(flatten)]
    pub(crate) manifest: ManifestArg,
    /// This private label instead of the manifest's. Wheels are named after it, too.
    #[arg(long)]
    pub(crate) label: Option<String>,
    /// This LLVM version instead of the manifest's: `22`, or `22.1.8`.
    #[arg(long, value_name = "VERSION")]
    pub(crate) llvm: Option<String>,
}

impl SelectArgs {
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            label: self.label.clone(),
            llvm: self.llvm.clone(),
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MatrixArgs {
    /// Only these manifests; all of manifests/ without any.
    #[arg(long)]
    pub(crate) manifest: Vec<Utf8PathBuf>,
    /// Each manifest under each of these labels, instead of its own.
    #[arg(long)]
    pub(crate) label: Vec<String>,
    /// Only these LLVM versions, instead of all that the catalogue has.
    #[arg(long, value_name = "VERSION")]
    pub(crate) llvm: Vec<String>,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ToolchainArgs {
    /// An LLVM/MLIR prefix (the folder with bin, include and lib) to use instead of looking for one.
    #[arg(long)]
    pub(crate) llvm_dir: Option<Utf8PathBuf>,
    /// Never use the network.
    #[arg(long)]
    pub(crate) offline: bool,
    /// Take the packages that the distribution has now, and write them to manifests/toolchain.lock.
    #[arg(long)]
    pub(crate) update_lock: bool,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) toolchain: ToolchainArgs,
    /// The LLVM major version to look for.
    #[arg(long, default_value_t = crate::commands::DEFAULT_LLVM)]
    pub(crate) llvm: u32,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct BundleArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) toolchain: ToolchainArgs,
    /// A wheel, or a folder with the same in it for a build backend of your own.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layout: LayoutArg,
    /// Where the wheel or tree and its report go.
    #[arg(long, default_value = "dist")]
    pub(crate) out_dir: Utf8PathBuf,
    /// Build even if nothing changed since the last run.
    #[arg(long)]
    pub(crate) force: bool,
}

/// What a bundle comes as.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum LayoutArg {
    /// `dist/<distribution>-<version>-<tag>.whl`.
    #[default]
    Wheel,
    /// `dist/<distribution>-tree`, described by its mondo.json.
    Tree,
}

impl From<LayoutArg> for Layout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            LayoutArg::Wheel => Self::Wheel,
            LayoutArg::Tree => Self::Tree,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AuditArgs {
    /// Wheels, shared libraries, and folders of them; all of them together are what one process
    /// would load.
    #[arg(required_unless_present = "explain")]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// Print the page of this rule, or of `all`.
    #[arg(long, value_name = "RULE", conflicts_with = "paths")]
    pub(crate) explain: Option<String>,
    /// A TOML file that says how much rules count and what is allowed, with reasons.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<Utf8PathBuf>,
    /// Only what is not in this file fails.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<Utf8PathBuf>,
    /// Write all that is found into a file for --baseline.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<Utf8PathBuf>,
    /// Also write a SARIF 2.1.0 log.
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<Utf8PathBuf>,
    /// Load this image next, `RTLD_LOCAL`, or `RTLD_GLOBAL` if `:global` follows; once for each image.
    /// Without: any order is looked at, local and global.
    #[arg(long, value_name = "IMAGE[:global]")]
    pub(crate) load: Vec<String>,
    /// The least that makes the command fail: 24 on errors, 26 where warnings are the worst.
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = failing)]
    pub(crate) fail_on: Severity,
}

/// A severity that can make the audit fail.
fn failing(name: &str) -> Result<Severity, &'static str> {
    Severity::by_name(name)
        .filter(|&severity| severity != Severity::Info)
        .ok_or("`error` or `warning`")
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ManifestArgs {
    /// Print the JSON schema of manifests.
    #[arg(long)]
    pub(crate) schema: bool,
    /// Print the JSON schema of dialect crates (`dialect.toml`).
    #[arg(long)]
    pub(crate) dialect_schema: bool,
    /// Check these manifests.
    #[arg(required_unless_present_any = ["schema", "dialect_schema"])]
    pub(crate) paths: Vec<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SizeArgs {
    /// A wheel, anyone's; without it the one of the manifest, which is made if need be.
    pub(crate) wheel: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) manifest: ManifestArg,
    /// Where the manifest's wheel goes.
    #[arg(long, default_value = "dist")]
    pub(crate) out_dir: Utf8PathBuf,
    /// Print the shortest chain of references that keeps this in the manifest's library: a symbol,
    /// mangled or not, an archive (`libMLIRIR.a`) or an object file (`libMLIRIR.a(Block.cpp.o)`).
    #[arg(long, value_name = "SYMBOL", conflicts_with_all = ["wheel", "diff", "html"])]
    pub(crate) why: Option<String>,
    /// Print what grew from one wheel to another.
    #[arg(long, num_args = 2, value_names = ["BEFORE", "AFTER"], conflicts_with_all = ["wheel", "html"])]
    pub(crate) diff: Vec<Utf8PathBuf>,
    /// Write a page with a treemap.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct NewDialectArgs {
    /// The dialect's name, which begins the names of its operations.
    pub(crate) name: String,
    /// Write it in C++, over ODS.
    #[arg(long, required_unless_present = "rust", conflicts_with = "rust")]
    pub(crate) cpp: bool,
    /// Write it in Rust, over mondo-dialect.
    #[arg(long)]
    pub(crate) rust: bool,
    /// The folder that the crate's own comes into.
    #[arg(long, default_value = "crates/dialects")]
    pub(crate) dir: Utf8PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestArgs {
    /// Only these groups, in this order; without any, those of the gate, or all of them with --all.
    pub(crate) groups: Vec<crate::test::Group>,
    /// All that each group has, not only what the gate has of it. CI does this every night.
    #[arg(long)]
    pub(crate) all: bool,
    /// The manifests whose bundles `older-llvm` makes and tests: core, and with --all also standard,
    /// default and acme.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) older: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FuzzArgs {
    /// Only these targets, in this order; all without any.
    pub(crate) targets: Vec<crate::fuzz::Target>,
    /// How long each of them runs.
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConformanceArgs {
    /// LLVM's source folder, which holds mlir/test/python. Without it: how to get one.
    #[arg(long)]
    pub(crate) llvm_src: Option<Utf8PathBuf>,
    #[command(flatten)]
    pub(crate) manifest: ManifestArg,
    /// This wheel of that manifest, instead of making it.
    #[arg(long)]
    pub(crate) wheel: Option<Utf8PathBuf>,
    /// Only the tests whose path below mlir/test/python has this in it.
    pub(crate) pattern: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct UserlandsArgs {
    /// Download and unpack the releases again: they move on.
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Only this Python, once for each. The pages are written once each Python has results of the wheel.
    #[arg(long, value_name = "VERSION")]
    pub(crate) python: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// What to measure.
    #[arg(value_enum)]
    pub(crate) what: Bench,
    /// For `audit`: these wheels, instead of those of docs/audit/wheels.toml.
    pub(crate) paths: Vec<Utf8PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Bench {
    /// The audit of wheels against `auditwheel show`.
    Audit,
    /// Link, rebuild and audit times against the bare linker command.
    Bundle,
    /// Time and memory of importing, by manifest, beside other people's packages; writes
    /// docs/reach/cost.md.
    Import,
    /// The Python layer against upstream's bindings as iree-base-compiler ships them.
    Bindings,
}
