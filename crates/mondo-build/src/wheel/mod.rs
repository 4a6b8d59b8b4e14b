//! From staged files to a wheel: tag, metadata, SBOM, RECORD, and one write.

pub mod metadata;
