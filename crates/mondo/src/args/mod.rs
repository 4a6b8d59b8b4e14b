//! The command line. A command with many arguments has a file of its own.

mod audit;
mod bundle;
mod cache;
mod develop;
mod kit;
mod new;
mod output;
mod pep517;
mod toolchain;

use std::sync::LazyLock;

use camino::Utf8PathBuf;
use clap::{Parser, Subcommand};
use clap_complete::Shell;

use mondo_build::catalogue;

use self::bundle::{NetworkArgs, ToolchainArgs};
use crate::exit_codes::EXIT_CODES;

pub(crate) use self::audit::AuditArgs;
pub(crate) use self::bundle::{
    BundleArgs, PlanArgs, SizeArgs, TestProjectArgs, llvm_of_project, manifest_of,
};
pub use self::bundle::{DEFAULT_LLVM, ManifestArg};
pub(crate) use self::cache::{CacheArgs, CacheCommand};
pub(crate) use self::develop::{DevelopArgs, Sanitizer};
pub(crate) use self::kit::{KitArgs, KitBuildArgs, KitCheckArgs, KitCommand, KitWheelArgs};
pub(crate) use self::new::{InitArgs, KindArgs, NewArgs, NewDialectArgs};
pub use self::output::Output;
pub(crate) use self::pep517::{Hook, Pep517Args};
pub(crate) use self::toolchain::{ToolchainCommand, ToolchainCommandArgs};

/// Build, audit and measure bundles: MLIR as one private shared library in a Python wheel.
#[derive(Debug, Parser)]
#[command(name = "mondo", version = version(), propagate_version = true)]
#[command(after_help = format!("{EXIT_CODES}\n\nExample: mondo bundle --manifest manifests/acme.toml"))]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
    /// Options of the output.
    #[command(flatten)]
    pub output: Output,
}

/// The product's commands. Another program can add them to its own with `#[command(flatten)]`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build the wheel that a manifest describes.
    #[command(after_help = "\
Examples:
  mondo bundle --manifest manifests/core.toml
  mondo bundle --label acme --layout tree --out-dir ../acme")]
    Bundle(BundleArgs),
    /// Install a bundle into a virtual environment in editable mode: the library stays in the work folder, and
    /// edits to the project's Python need no rebuild.
    #[command(after_help = "\
Examples:
  mondo develop
  mondo develop --watch --debug")]
    Develop(DevelopArgs),
    /// Show what a bundle would contain, without building it.
    #[command(after_help = "Example: mondo plan --manifest manifests/acme.toml --json")]
    Plan(PlanArgs),
    /// List the combinations of manifest, label and LLVM version for a build matrix in CI.
    #[command(after_help = "Example: mondo matrix --manifest manifests/core.toml --json")]
    Matrix(MatrixArgs),
    /// Audit wheels and shared libraries, built by mondo or not.
    #[command(after_help = "Example: mondo audit dist/mondo_mlir-22.1.8-*.whl")]
    Audit(AuditArgs),
    /// Show which tools mondo finds on this machine, where they are, and what is missing.
    #[command(after_help = "Example: mondo doctor")]
    Doctor(DoctorArgs),
    /// Download LLVM's sources, including examples and tests, and print the path of their `mlir` folder. Later
    /// runs use the cache.
    #[command(after_help = "Example: mondo sources --llvm 22")]
    Sources(SourcesArgs),
    /// Check manifests and dialect crates, or print their JSON schemas.
    #[command(after_help = "\
Examples:
  mondo manifest
  mondo manifest --schema > manifest.schema.json")]
    Manifest(ManifestArgs),
    /// Show what takes space in a bundle: by dialect, archive, object file and section.
    #[command(after_help = "\
Examples:
  mondo size --manifest manifests/core.toml --html size.html
  mondo size --why mlir::vector::ContractionOp
  mondo size --diff old.whl new.whl")]
    Size(SizeArgs),
    /// Create a Python project with a private MLIR and a dialect of its own, ready for `pip install`.
    #[command(after_help = "Example: mondo new toy --cpp")]
    New(NewArgs),
    /// Create a Python project with a private MLIR in an existing folder.
    #[command(after_help = "Example: mondo init --cpp")]
    Init(InitArgs),
    /// Create a dialect crate: a working example, or a description of an existing project.
    #[command(after_help = "\
Examples:
  mondo new-dialect toy --cpp --dir crates
  mondo new-dialect tally --from ../tally --dir crates")]
    NewDialect(NewDialectArgs),
    /// Run a project's own lit suites and pytest tests against the bundle.
    #[command(
        after_help = "Example: mondo test-project toy --manifest examples/toy-project/bundle.toml"
    )]
    TestProject(TestProjectArgs),
    /// Build or check kits: with a kit installed, building a bundle requires no Rust.
    #[command(after_help = "Example: mondo kit build --llvm 22")]
    Kit(KitArgs),
    /// Run a hook of the build backend `mondo_bundle`, as pip and other frontends do (PEP 517, PEP 660). Results
    /// are JSON.
    #[command(
        hide = true,
        after_help = "\
Example: mondo pep517 build-wheel --project . --out-dir dist --config offline=true"
    )]
    Pep517(Pep517Args),
    /// Check that an index would accept the wheels of a release, and that they belong together. Uploads nothing.
    #[command(after_help = "Example: mondo check dist/*.whl")]
    Check(CheckArgs),
    /// List, check or clear the cache that all of your projects share.
    #[command(after_help = "\
Examples:
  mondo cache list
  mondo cache verify
  mondo cache gc --days 7")]
    Cache(CacheArgs),
    /// Download LLVM's packages, list them, or carry them to a machine without a network.
    #[command(after_help = "\
Examples:
  mondo toolchain fetch
  mondo toolchain export llvm.tar
  mondo toolchain key")]
    Toolchain(ToolchainCommandArgs),
    /// Print shell completions.
    #[command(
        after_help = "Example: mondo completions bash > ~/.local/share/bash-completion/completions/mondo"
    )]
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a folder.
    #[command(after_help = "Example: mondo man --out-dir ~/.local/share/man/man1")]
    Man(ManArgs),
}

#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// The wheels of the release, all of them.
    #[arg(required = true)]
    pub wheels: Vec<Utf8PathBuf>,
}

#[derive(Debug, Clone, clap::Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub toolchain: ToolchainArgs,
    /// Look for this LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<u32>,
}

#[derive(Debug, clap::Args)]
pub struct ManifestArgs {
    /// Print the JSON schema of manifests.
    #[arg(long)]
    pub schema: bool,
    /// Print the JSON schema of dialect crates (`dialect.toml`).
    #[arg(long)]
    pub dialect_schema: bool,
    /// Manifests and `dialect.toml` files to check. Default: the manifest that `bundle` would use.
    #[arg(value_name = "FILE")]
    pub paths: Vec<Utf8PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct MatrixArgs {
    /// List this manifest. May be repeated. Default: the manifest that `bundle` would use; if it is in `manifests`,
    /// all manifests there.
    #[arg(long, value_name = "FILE")]
    pub manifest: Vec<Utf8PathBuf>,
    /// Combine each manifest with this label instead of its own. May be repeated.
    #[arg(long)]
    pub label: Vec<String>,
    /// List this LLVM version. May be repeated. Default: all versions in the catalogue.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell to complete for.
    pub shell: Shell,
}

#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Write one page per command to this folder, instead of printing the first page.
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone, clap::Args)]
pub struct SourcesArgs {
    /// The LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION")]
    pub llvm: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArgs,
}

/// The version of mondo, and the LLVM versions in its catalogue.
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let versions: Vec<String> = catalogue::versions().iter().map(u32::to_string).collect();
        let llvm = versions.join(", ");
        format!("{} (LLVM {llvm})", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

/// Reads the process's arguments for `program`, whose commands include [`Command`]: their help shows
/// examples that begin with `program` in place of `mondo`. Wrong arguments end the process.
#[must_use]
pub fn parse<P: Parser>(program: &str) -> P {
    let matches = with_examples_of(P::command(), program).get_matches();
    P::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// The same command line, with `program` in place of `mondo` in the examples of its commands.
fn with_examples_of(command: clap::Command, program: &str) -> clap::Command {
    let prefix = format!("{program} ");
    command.mut_subcommands(|command| match command.get_after_help() {
        Some(help) => {
            let help = help.to_string().replace("mondo ", &prefix);
            command.after_help(help)
        }
        None => command,
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn clap_accepts_the_command_line() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_of_each_command_has_an_example() {
        for program in ["mondo", "cargo xtask"] {
            for command in with_examples_of(Args::command(), program).get_subcommands() {
                let help = command.get_after_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                let example = format!("{program} {}", command.get_name());
                assert!(help.contains(&example), "{example}: {help}");
                assert_eq!(help.contains("mondo "), program == "mondo", "{help}");
            }
        }
    }
}
