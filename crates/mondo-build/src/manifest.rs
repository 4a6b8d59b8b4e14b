//! Bundle descriptions: versioned TOML.
