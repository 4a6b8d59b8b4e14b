//! Fixtures that the tests and the measurements of `xtask` share: the bundles of manifests/, virtual environments,
//! packages of the distribution, and verdicts. The product does not use them.

#![expect(
    clippy::missing_errors_doc,
    reason = "each function fails if a program that it starts fails, or the file system refuses"
)]

pub mod cargo;
mod context;
mod extent;
pub mod files;
pub mod packages;
mod system_program;
mod valgrind;
mod venv;
pub mod verdict;

pub use context::Context;
pub use extent::Extent;
pub use system_program::SystemProgram;
pub use valgrind::valgrind;
pub use venv::Venv;
