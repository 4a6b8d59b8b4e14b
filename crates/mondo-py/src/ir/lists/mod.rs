//! Lists and iterators over the parts of operations, blocks, and values.

pub(crate) mod blocks;
pub(crate) mod operations;
pub(crate) mod uses;
pub(crate) mod values;
