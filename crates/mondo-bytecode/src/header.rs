//! The first bytes of a file.

/// The first bytes of a bytecode file.
pub const MAGIC: [u8; 4] = *b"ML\xefR";

/// True if `bytes` begin as bytecode does; MLIR reads everything else as text.
#[must_use]
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}
