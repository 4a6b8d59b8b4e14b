//! The lifetime of Python objects and of the IR that they represent. docs/design/ownership.md has the design.
//!
//! `wrapper` has the identity map, from each object of MLIR to its one Python object. The files beside it
//! have the wrappers of contexts, operations, blocks, regions, values and modules, the trees that own IR, and
//! the guards that refuse changes while MLIR works on the IR. The methods that Python calls are in `ir`.

pub(crate) mod adoption;
pub(crate) mod block;
pub(crate) mod capsules;
pub(crate) mod context;
pub(crate) mod cross_tree_uses;
mod destruction;
pub(crate) mod diagnostics;
pub(crate) mod erasure;
mod fast_paths;
pub(crate) mod module;
pub(crate) mod node_access;
pub(crate) mod numbering;
pub(crate) mod operation;
pub(crate) mod owner;
pub(crate) mod reentrancy;
pub(crate) mod region;
pub(crate) mod shared_registry;
pub(crate) mod storage_table;
pub(crate) mod storage_wrapper;
pub(crate) mod transfer;
pub(crate) mod traversal;
pub(crate) mod tree;
pub(crate) mod tree_member;
pub(crate) mod uniqued_ref;
pub(crate) mod value;
pub(crate) mod wrapper;
