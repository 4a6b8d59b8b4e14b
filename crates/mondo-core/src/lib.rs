//! The basis of every layer of the build: errors, running programs, interruption, progress,
//! digests, files and the caches in the user's cache folder. Nothing here knows of MLIR.

pub mod ancestors;
pub mod cache;
pub mod cache_entry;
pub mod cache_inventory;
pub mod demangle;
pub mod digest;
pub mod error;
pub mod exec;
pub mod file;
pub mod glibc;
pub mod interrupt;
pub mod kit;
pub mod lock;
pub mod path;
pub mod progress;
pub mod source;
pub mod taken_digest;

pub use error::{Error, ErrorKind, Result};
pub use file::report_truncated_maps;
