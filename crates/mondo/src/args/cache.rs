//! The arguments of `cache`.

use clap::{Args, Subcommand};

/// The user's cache: LLVM's packages, compiled code and results of links, which all projects share.
#[derive(Debug, Args)]
pub struct CacheArgs {
    #[command(subcommand)]
    pub command: CacheCommand,
}

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Print the folder of the cache.
    #[command(after_help = "Example: mondo cache dir")]
    Dir,
    /// List the entries: kind, size, days since the last use, name.
    #[command(after_help = "Example: mondo cache list --json")]
    List,
    /// Read every file of every entry, and remove the entries that are damaged. The next build makes them
    /// again. The exit code is 15 if an entry was damaged.
    #[command(after_help = "Example: mondo cache verify")]
    Verify,
    /// Remove the entries that no build has used for some days, and what ended builds left behind.
    #[command(after_help = "Example: mondo cache gc --days 7")]
    Gc(CacheGcArgs),
}

#[derive(Debug, Args)]
pub struct CacheGcArgs {
    /// Remove what was not used for this many days. 0 removes everything, even what a running build uses.
    #[arg(long, default_value_t = 30)]
    pub days: u32,
}
