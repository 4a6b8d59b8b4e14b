//! Checks of the documentation's pages against the files that they link to, the tables of the code, and the figures that
//! were measured. The group `docs` of `cargo xtask test` runs them. Pages with command lines are checked there, beside
//! the command line; sources are checked by mondo-tidy.

pub mod figures;
pub mod links;
pub mod tables;
