//! The catalogue of dialects, read from `crates/dialects/*/dialect.toml`.
