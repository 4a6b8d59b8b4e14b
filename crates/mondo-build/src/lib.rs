//! The pipeline from a manifest and MLIR's archives to an audited wheel.
//!
//! Data flows one way: manifest → plan → compile → collect → exports → surgery → link → audit → ods →
//! stage → wheel → report. Each phase is a module that borrows the result of the one before it,
//! immutably. A downstream's own xtask depends on this crate and calls the same functions as this
//! repository's does.

pub mod archive;
pub mod audit;
pub mod bundle;
pub mod cache;
pub mod catalogue;
pub mod collect;
pub mod compile;
pub mod cost;
mod cpp;
mod crate_wheel;
pub mod demangle;
pub mod dialect_crate;
pub mod digest;
pub mod document;
pub mod error;
pub mod exec;
pub mod exports;
pub mod extension;
pub mod file;
pub mod floor;
pub mod glibc;
pub mod interrupt;
pub mod link;
pub mod manifest;
pub mod matrix;
pub mod metadata;
mod names;
pub mod new_dialect;
pub mod ods;
pub mod path;
pub mod plan;
pub mod progress;
pub mod report;
pub mod size;
pub mod source;
pub mod stage;
mod stamp;
mod step;
pub mod surgery;
pub mod toolchain;
pub mod tree;
mod version;
pub mod wheel;

pub use error::{Error, ErrorKind, Result};
