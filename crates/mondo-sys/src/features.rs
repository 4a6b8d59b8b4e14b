//! The parts of the extension that a bundle has.
//!
//! `mondo bundle` links the extension with a table of them (`mondo-link/src/compile/features.rs`).
//! The linker drops the parts that the table does not name.

use std::ffi::c_void;
use std::slice;

/// The table, as the pipeline lays it out.
#[repr(C)]
struct Table {
    first: *const *const c_void,
    count: usize,
}

// SAFETY: the table is constant data, which the loader alone writes to, before any code runs.
unsafe impl Sync for Table {}

unsafe extern "C" {
    #[link_name = "mondo_features"]
    static TABLE: Table;
}

/// The addresses of the extension's statics `mondo_feature_<name>`, sorted by name.
pub fn table() -> &'static [*const c_void] {
    // SAFETY: the pipeline links exactly one table: a constant array of `count` addresses, whose own
    // address is never null.
    unsafe { slice::from_raw_parts(TABLE.first, TABLE.count) }
}
