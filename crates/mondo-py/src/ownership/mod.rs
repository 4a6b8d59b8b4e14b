//! The lifetime of Python objects and of the IR that they stand for: wrappers with their identity map,
//! trees that own IR, and guards that refuse changes while MLIR works on the IR.

pub(crate) mod cross_tree_uses;
pub(crate) mod guarded;
pub(crate) mod reentrancy;
pub(crate) mod storage_wrapper;
pub(crate) mod tree;
pub(crate) mod wrapper;
