//! The classes of the types and attributes of MLIR's builtin dialect. Those of other dialects are in
//! `dialects`.

pub(crate) mod attributes;
pub(crate) mod types;
