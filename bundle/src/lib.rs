//! The one Rust staticlib of the mondo library.
