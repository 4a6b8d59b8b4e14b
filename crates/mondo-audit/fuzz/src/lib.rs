//! Shared code of the fuzz targets: mutation of inputs, and the invariants that hold for each.

pub mod memory;
pub mod mutate;
pub mod promises;
mod settle;
pub mod targets;
pub mod zip;
