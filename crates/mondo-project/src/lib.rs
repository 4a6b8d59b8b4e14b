//! Existing MLIR projects as parts of a bundle.
//!
//! A project says in its own `CMake` what it consists of. [`prepare`] configures it against the bundle's
//! LLVM, records what it tells MLIR's functions, asks `CMake`'s File API for its targets, and lets Ninja
//! build the archives that the bundle takes. What comes out is a folder with a `dialect.toml`: for the
//! phases after it, a project is a dialect crate whose archives are there already.

mod alias;
mod build_tree;
mod built_archives;
mod closure;
mod configure;
mod cpp_options;
mod declaring_headers;
mod description;
mod dialect_toml;
mod dialects;
mod ended;
mod excluded;
mod extensions;
mod file_api;
mod headers;
mod host;
mod license;
mod link_line;
mod modules;
mod names;
mod needed;
mod ninja;
mod not_found;
mod own_targets;
mod pass_calls;
mod precompiled;
mod prefix;
mod prepare;
mod programs;
mod python;
mod record;
mod refusal;
mod refused_options;
mod release_flags;
mod rtti;
mod source_tree;
mod tablegen;
mod tools;
mod unlinked;
mod unread;
mod written;

pub use alias::alias;
pub use build_tree::BuildTree;
pub use description::Description;
pub use license::looks_like as license_of;
pub use prepare::{Prepared, Request, prepare};
pub use source_tree::{Origin, Stand};
pub use tools::{REQUIREMENTS, Tools};
pub use unlinked::Definition;
