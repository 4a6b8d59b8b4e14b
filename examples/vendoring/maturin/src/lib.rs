//! The native module of brook.

use pyo3::prelude::*;

/// FNV-1a over the words of a text: how they are spaced does not matter.
fn words(text: &str) -> u64 {
    let bytes = text.split_whitespace().flat_map(|word| word.bytes().chain([b' ']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Brook's native module.
#[pymodule]
mod _brook {
    use pyo3::prelude::*;

    /// A number for the words of `text`.
    #[pyfunction]
    fn fingerprint(text: &str) -> u64 {
        super::words(text)
    }
}
