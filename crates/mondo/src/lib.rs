//! The product's command line: its arguments, progress, log, Ctrl-C handler, exit codes, and errors as
//! JSON. The work itself is done by `mondo-build` and `mondo-audit`.
//!
//! The binary `mondo` is one user of this library. `xtask` is another one: it offers the same commands
//! beside its own, so that `cargo xtask bundle` is `mondo bundle`.

mod args;
mod commands;
pub mod console;
mod exit_codes;
mod program;
mod progress;
mod workspace;
mod wrap;

pub use args::{Args, Command, DEFAULT_LLVM, ManifestArg, Output, parse};
pub use commands::{request, run};
pub use exit_codes::EXIT_CODES;
pub use program::{program, to_json};
pub use progress::{Terminal, Verbosity};
pub use workspace::{project, workspace};
