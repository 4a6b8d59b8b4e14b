//! The core runtime of the mondo library: what goes beside the C API of MLIR.
//!
//! `include/mondo.h` declares what it exports. What needs MLIR's C++ is in `shim/`; what does not
//! is here. The functions that depend on which dialects a bundle has are exported by the
//! `mondo-bundle` crate, from a [`Registration`].

mod registration;
pub mod version;

pub use registration::{ContextCall, HandleGetter, PassCall, Registration, RegistryCall};
