//! The core runtime of the mondo library: the functions beside the C API of MLIR.
//!
//! `include/mondo.h` declares its exports. The code that needs MLIR's C++ is in `shim/`, the rest is
//! here. Nothing compiled here depends on a manifest: the contents of a bundle are in its
//! registration table, which is linked beside this crate.

mod bundle_functions;
mod llvm_ir;
mod registration;
pub mod version;

pub use bundle_functions::*;
