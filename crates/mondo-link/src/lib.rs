//! From a plan to linked images: the compile, collect, exports, patch, link and extension phases.
//! Each borrows the results of those before it.

pub mod archive;
pub mod collect;
pub mod compile;
mod cpp;
pub mod exports;
pub mod extension;
pub mod glibc_stubs;
pub mod link;
mod llvm_archives;
mod machine;
pub mod ods_apart;
pub mod patch;
mod precompiled;
mod prefix_contents;
pub mod step;
pub mod variables;
pub mod visibility;

pub use prefix_contents::prefix_contents;
