//! What the fuzz targets share: how inputs are changed, and what must hold whatever they are.

pub mod memory;
pub mod mutate;
pub mod promises;
mod settle;
pub mod targets;
pub mod zip;
