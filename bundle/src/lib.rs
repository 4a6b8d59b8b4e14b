//! The one Rust staticlib of the mondo library: the core runtime. A bundle with dialects in Rust is
//! linked from a staticlib that has those beside it (`mondo-link/src/compile/rust_crates.rs`).

extern crate mondo_runtime as _;
