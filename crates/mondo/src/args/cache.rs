//! The arguments of `cache`.

use clap::{Args, Subcommand};

/// List, check or clear the cache that all of your projects share: LLVM, compiled code, linked libraries.
#[derive(Debug, Args)]
pub struct CacheArgs {
    #[command(subcommand)]
    pub command: CacheCommand,
}

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Print the path of the cache.
    #[command(after_help = "Example: mondo cache dir")]
    Dir,
    /// List the entries: kind, size, days since last used, name.
    #[command(after_help = "Example: mondo cache list --json")]
    List,
    /// Check every file in the cache, and remove damaged entries; the next build recreates them. The exit code is 15
    /// if an entry was damaged.
    #[command(after_help = "Example: mondo cache verify")]
    Verify,
    /// Remove entries that no build has used recently, and leftovers of interrupted builds.
    #[command(after_help = "Example: mondo cache gc --days 7")]
    Gc(CacheGcArgs),
}

#[derive(Debug, Args)]
pub struct CacheGcArgs {
    /// Remove entries unused for this many days. 0 removes all entries, even those a running build uses.
    #[arg(long, default_value_t = 30)]
    pub days: u32,
}
