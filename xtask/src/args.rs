//! The command line of `cargo xtask`: the product's commands, and those of this repository.

use camino::Utf8PathBuf;
use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::group::Group;

/// Builds, audits and checks mondo's bundles.
#[derive(Debug, Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    version,
    propagate_version = true
)]
#[command(after_help = format!("\
The commands of `mondo` are here under the same names: `cargo xtask bundle` is `mondo bundle`.

{}

Example: cargo xtask bundle --manifest manifests/acme.toml", mondo::EXIT_CODES))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: mondo::Output,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Product(mondo::Command),
    /// Check every part of the project; with --all, all of each part. This is what CI runs.
    #[command(after_help = "\
Examples:
  cargo xtask test wheel
  cargo xtask test --all python")]
    Test(TestArgs),
    /// Check the architecture's rules over the sources.
    #[command(after_help = "Example: cargo xtask tidy")]
    Tidy,
    /// Run inputs that libFuzzer makes up against the readers of mondo-audit.
    #[command(after_help = "Example: cargo xtask fuzz elf wheel --seconds 600")]
    Fuzz(FuzzArgs),
    /// Read damaged bytecode and made-up texts with a bundle's MLIR, under an allocator with red zones.
    #[command(after_help = "Example: cargo xtask damage --inputs 1000000")]
    Damage(DamageArgs),
    /// Measure the Python layer against upstream's bindings of the same LLVM, or the Rust API.
    #[command(after_help = "Example: cargo xtask bench --instructions")]
    Bench(BenchArgs),
    /// Run upstream's own Python tests over a bundle's wheel, or those of its tools over a bundle's commands.
    #[command(after_help = "Example: cargo xtask conformance ir/")]
    Conformance(ConformanceArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestArgs {
    /// Only these groups, in this order; without any, those of the gate, or all of them with --all.
    pub(crate) groups: Vec<Group>,
    /// All that each group has, not only what the gate has of it. CI does this every night.
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FuzzArgs {
    /// Only these targets, in this order; all without any.
    pub(crate) targets: Vec<String>,
    /// Seconds that each of them runs.
    #[arg(long, default_value_t = 60)]
    pub(crate) seconds: u32,
    /// Begin with the seeds alone, and do not keep what is found for the next run.
    #[arg(long)]
    pub(crate) fresh: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DamageArgs {
    /// The number of inputs of each kind.
    #[arg(long, default_value_t = 100_000)]
    pub(crate) inputs: u64,
    /// The number that the inputs follow from.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// A wheel, instead of that of manifests/core.toml, or of manifests/default.toml for `--upstream`.
    #[arg(long)]
    pub(crate) wheel: Option<Utf8PathBuf>,
    /// Find inputs that end the process with the wheel and not with upstream's package. The folder, LLVM's
    /// `mlir/test` for instance, has the texts that are changed.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) upstream: Option<Utf8PathBuf>,
    /// The folder for findings; for `--upstream` also for progress, from which another run continues.
    #[arg(long)]
    pub(crate) out: Option<Utf8PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Count instructions with valgrind, too.
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Count the instructions of the Rust API instead, and of the C API for the same.
    #[arg(long, conflicts_with = "instructions")]
    pub(crate) rust: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConformanceArgs {
    #[command(flatten)]
    pub(crate) manifest: mondo::ManifestArg,
    /// The tests of upstream's tools instead, over the commands of a bundle that has them, for instance
    /// that of manifests/default-tools.toml.
    #[arg(long)]
    pub(crate) tools: bool,
    /// Only the tests whose path below mlir/test/python (with `--tools`: below mlir/test) matches this regular
    /// expression.
    #[arg(default_value = "")]
    pub(crate) pattern: String,
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
    fn the_product_s_commands_are_aliases() {
        let command = |line: &[&str]| Args::parse_from([&["cargo xtask"], line].concat()).command;
        assert!(matches!(
            command(&["bundle", "--label", "acme"]),
            Command::Product(mondo::Command::Bundle(_))
        ));
        assert!(matches!(
            command(&["new-dialect", "toy", "--cpp"]),
            Command::Product(mondo::Command::NewDialect(_))
        ));
    }

    #[test]
    fn the_help_of_each_command_has_an_example() {
        for command in Args::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(help.unwrap_or_default().contains("Example"), "{command}");
        }
    }
}
