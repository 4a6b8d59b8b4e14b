//! The command line of `cargo xtask`: the product's commands, and those of this repository.

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
Research, such as `survey`, is under `cargo lab`.

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
    /// Run libFuzzer over the readers of mondo-audit: `cargo lab fuzz`.
    #[command(after_help = "Example: cargo xtask fuzz elf wheel --seconds 600")]
    Fuzz(LabArgs),
    /// Measure, and print ratios against the peer that each benchmark names: `cargo lab bench`.
    #[command(after_help = "Example: cargo xtask bench bundle")]
    Bench(LabArgs),
    /// Run upstream's own Python tests over a bundle's wheel: `cargo lab conformance`.
    #[command(
        after_help = "Example: cargo xtask conformance --llvm-src ~/llvm-toolchain-22-22.1.8 ir/"
    )]
    Conformance(LabArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestArgs {
    /// Only these groups, in this order; without any, those of the gate, or all of them with --all.
    pub(crate) groups: Vec<Group>,
    /// All that each group has, not only what the gate has of it. CI does this every night.
    #[arg(long)]
    pub(crate) all: bool,
    /// The manifests whose bundles `older-llvm` makes and tests: core, and with --all also standard,
    /// default and acme.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) older: Vec<String>,
}

/// Arguments that are handed on to the command of this name of `cargo lab`, which checks them.
#[derive(Debug, ClapArgs)]
#[command(disable_help_flag = true)]
pub(crate) struct LabArgs {
    /// The arguments of the command of `cargo lab`; --help lists them.
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    pub(crate) arguments: Vec<String>,
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
    fn arguments_of_the_lab_are_handed_on() {
        let line = ["cargo xtask", "fuzz", "elf", "--seconds", "6", "--help"];
        let Command::Fuzz(args) = Args::parse_from(line).command else {
            panic!("another command");
        };
        assert_eq!(args.arguments, line[2..]);
    }

    #[test]
    fn the_help_of_each_command_has_an_example() {
        for command in Args::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string);
            assert!(help.unwrap_or_default().contains("Example"), "{command}");
        }
    }
}
