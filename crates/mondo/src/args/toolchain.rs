//! The arguments of `toolchain`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand};

use super::bundle::NetworkArgs;

/// Download LLVM's packages, list them, or carry them to a machine without a network.
#[derive(Debug, Args)]
pub struct ToolchainCommandArgs {
    #[command(subcommand)]
    pub command: ToolchainCommand,
    /// The LLVM major version. Default: the version in the manifest that `bundle` would use, else 22.
    #[arg(long, value_name = "VERSION", global = true)]
    pub llvm: Option<u32>,
    #[command(flatten)]
    pub network: NetworkArgs,
}

#[derive(Debug, Subcommand)]
pub enum ToolchainCommand {
    /// Download the packages of the toolchain lock, unpack them to the cache, and print the prefix of LLVM. Later runs
    /// only print it.
    #[command(after_help = "Example: mondo toolchain fetch --llvm 22")]
    Fetch,
    /// Write the package files to one file, for `mondo toolchain import`.
    #[command(after_help = "Example: mondo toolchain export llvm.tar")]
    Export {
        /// The file to write.
        file: Utf8PathBuf,
    },
    /// Unpack the packages of an exported file to the cache. The network is not used.
    #[command(after_help = "Example: mondo toolchain import llvm.tar")]
    Import {
        /// A file that `mondo toolchain export` wrote.
        file: Utf8PathBuf,
    },
    /// List the packages of the toolchain lock.
    #[command(after_help = "Example: mondo toolchain list --json")]
    List,
    /// Print a key for the cache of a CI service. It changes whenever the packages do.
    #[command(after_help = "Example: mondo toolchain key")]
    Key,
}
