//! The flags of a command's output, which every command has.

use clap::Args;

use crate::progress::Verbosity;

/// The amount and the form of a command's output. Part of a command line: `#[command(flatten)]`.
#[derive(Debug, Clone, Copy, Args)]
pub struct Output {
    /// Print only errors and results.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Also print details, and every command that mondo runs.
    #[arg(short, long, global = true)]
    verbose: bool,
    /// Print results and errors as JSON.
    #[arg(long, global = true)]
    json: bool,
}

impl Output {
    /// The amount of progress that is printed.
    #[must_use]
    pub fn verbosity(self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }

    /// Results and errors are printed as JSON.
    #[must_use]
    pub fn json(self) -> bool {
        self.json
    }

    /// The flags that give another program of ours the same output.
    #[must_use]
    pub fn flags(self) -> Vec<&'static str> {
        let flags = [
            (self.quiet, "--quiet"),
            (self.verbose, "--verbose"),
            (self.json, "--json"),
        ];
        let set = flags.into_iter().filter(|(set, _)| *set);
        set.map(|(_, flag)| flag).collect()
    }
}
