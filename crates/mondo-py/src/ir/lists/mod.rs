//! Lists and iterators over the parts of operations, blocks, regions, and values.

pub(crate) mod block_operations;
pub(crate) mod blocks;
pub(crate) mod region_blocks;
pub(crate) mod regions;
pub(crate) mod sequence;
pub(crate) mod uses;
pub(crate) mod values;
