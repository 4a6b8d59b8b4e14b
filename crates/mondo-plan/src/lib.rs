//! From a manifest to a plan: what a bundle consists of, decided before anything is built.
//!
//! [`manifest`], [`dialect_crate`] and [`catalogue`] read files and check each by itself; [`plan`]
//! sets them against each other. Nothing but those files, and the C headers and sources that they name, is
//! read, and no program is started.

pub mod agreement;
pub mod archive_symbols;
pub mod c_declarations;
pub mod catalogue;
pub mod compiler_flags;
pub mod dialect_crate;
pub mod document;
mod file_patterns;
pub mod index;
pub mod manifest;
pub mod metadata;
pub mod names;
pub mod plan;
mod requirement;
pub mod spanned;
mod version;
