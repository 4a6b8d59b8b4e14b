//! The types and attributes of MLIR's builtin dialect.

pub(crate) mod attributes;
pub(crate) mod types;
