//! Acceptance tests: mondo in the hands of its users. Each module is a group of `cargo xtask test`, which
//! makes projects as users have them, runs the command over them, and uses what comes out.
//!
//! Tests of one crate's code stand in that crate.

#![expect(
    clippy::missing_errors_doc,
    reason = "each function fails if a result is not the expected one"
)]

pub mod attack;
pub mod backend;
pub mod cache;
pub mod clients;
pub mod conformance;
pub mod crates;
pub mod distributions;
pub mod downstream;
pub mod hosts;
pub mod installed;
pub mod language;
mod no_rust;
pub mod older_kit;
mod opened;
pub mod page;
mod project_bundle;
pub mod projects;
pub mod rust_crates;
pub mod rust_programs;
mod standalone;
pub mod vendoring;
mod workflow;

pub use installed::environment::copy_manifests;
