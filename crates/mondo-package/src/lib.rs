//! From linked images to a wheel or a tree: the dialects' generated Python, staging, metadata, the SBOM
//! and the archive.

pub mod alias_stubs;
pub mod crate_wheel;
pub mod editable;
pub mod folder_layout;
pub mod ods;
pub mod sdist;
pub mod staging;
pub mod wheel;
