//! Fixtures that the tests and the measurements of `xtask` have in common: the bundles
//! of manifests/, virtual environments, and the seeds of the fuzz targets. The product does not use them.

pub mod binutils;
pub mod cargo;
mod context;
pub mod damage;
mod extent;
pub mod files;
pub mod phases;
mod system_program;
mod valgrind;
mod venv;

pub use context::Context;
pub use extent::Extent;
pub use system_program::SystemProgram;
pub use valgrind::Valgrind;
pub use venv::{Venv, requirements};
