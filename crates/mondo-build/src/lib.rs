//! The pipeline from a manifest and MLIR's archives to an audited wheel.
//!
//! Data flows one way: manifest → projects → plan → compile → collect → exports → patch → link →
//! extensions → audit → ods → stage → wheel → report. Each phase borrows the result of the one before it,
//! immutably. The phases are in crates of their own, of which none depends on one that comes after it:
//! `mondo-core`, `mondo-plan`, `mondo-toolchain`, `mondo-project`, `mondo-new`, `mondo-link`, `mondo-package`. This crate calls them in order ([`bundle`]), audits
//! what they made, and passes their public modules on, so that a downstream depends on it alone.
//!
//! # Examples
//!
//! A downstream's own `cargo xtask bundle`:
//!
//! ```no_run
//! use camino::Utf8Path;
//! use mondo_build::bundle::{Options, bundle};
//! use mondo_build::progress::Silent;
//!
//! # fn main() -> mondo_build::Result<()> {
//! let workspace = Utf8Path::new("/home/me/tinyc");
//! let options = Options::new(workspace.join("bundle.toml"), workspace);
//! let bundle = bundle(&options, &Silent)?;
//! println!("{}", bundle.wheel);
//! # Ok(())
//! # }
//! ```

pub mod audit;
pub mod backend;
pub mod build_script;
pub mod bundle;
pub mod cost;
mod cross_check;
pub mod develop;
pub mod kit;
mod linked_code;
pub mod matrix;
pub mod project_tests;
pub mod publish;
pub mod report;
pub mod sdist;
pub mod size;
mod stamp;

pub use mondo_core::{
    Error, ErrorKind, Result, cache, digest, error, exec, file, glibc, interrupt, path, progress,
    report_truncated_maps, source,
};
pub use mondo_link::{collect, compile, exports, extension, glibc_stubs, link, patch};
pub use mondo_new::{dialect as new_dialect, project as new_project};
pub use mondo_package::{editable, folder_layout, ods, staging, wheel};
pub use mondo_plan::{agreement, catalogue, dialect_crate, manifest, plan};
pub use mondo_toolchain as toolchain;
