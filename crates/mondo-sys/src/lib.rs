//! Declarations of the C API of MLIR and of `mondo.h`, made by bindgen from the headers of the
//! toolchain that the bundle is linked from. The crate has those of each LLVM in the catalogue (`declarations.rs`). With
//! the feature `bindgen`, the build makes them.
//!
//! The functions are those of the newest LLVM that the catalogue describes, with its signatures. Those
//! that an older one lacks are in `before_22`, `before_23` and, if they need C++, in mondo-runtime's
//! `mondo_backports.h`. A function that an older LLVM cannot offer at all is absent.
//!
//! Nothing here is linked: the link of the final image brings the definitions. The documentation
//! of each function is in its header.

#![allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = "C names, and the documentation stays in the headers"
)]

#[cfg(llvm_before = "22")]
mod before_22;
#[cfg(all(llvm_before = "23", not(llvm_before = "22")))]
mod before_23;
mod declared {
    #[cfg(not(feature = "bindgen"))]
    include!("declarations.rs");
    #[cfg(feature = "bindgen")]
    include!(concat!(env!("OUT_DIR"), "/bindings.rs"));
}
pub mod features;
pub mod links;
pub mod optional;

#[cfg(llvm_before = "22")]
pub use before_22::*;
#[cfg(all(llvm_before = "23", not(llvm_before = "22")))]
pub use before_23::*;
pub use declared::*;
// Functions that an LLVM after the newest release has under another name, which the build script finds in its headers.
#[cfg(newer_name = "mlirSymbolTableGetDefaultVisibilityAttributeName")]
pub use declared::mlirSymbolTableGetDefaultVisibilityAttributeName as mlirSymbolTableGetVisibilityAttributeName;
