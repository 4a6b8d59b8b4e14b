//! Declarations of the C API of MLIR and of `mondo.h`, made by bindgen from the headers of the
//! toolchain that the bundle is linked from.
//!
//! Nothing here is linked: whoever links the final image brings the definitions. The documentation
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

include!(concat!(env!("OUT_DIR"), "/bindings.rs"));

pub mod links;
pub mod optional;
