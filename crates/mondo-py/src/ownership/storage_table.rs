//! Tables of the wrappers of a context's types and attributes, by storage pointer.

use std::collections::HashMap;
use std::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::interop::attached_cell::AttachedCell;
use crate::interop::casters::AddressHash;
use crate::ownership::wrapper::{self, Wrapper};

/// The addresses of the wrappers of a context's types, or of its attributes, by storage pointer. They are no
/// references: a dormant wrapper has none, and a wrapper removes its entry when it is freed.
pub(crate) struct Table {
    objects: AttachedCell<HashMap<usize, usize, AddressHash>>,
    /// `wrapper::abandon` for the table's class.
    abandon: unsafe fn(*mut ffi::PyObject),
}

impl Table {
    /// A table of wrappers of the class `T`.
    pub(crate) fn of<T: Wrapper>() -> Self {
        Self {
            objects: AttachedCell::default(),
            abandon: wrapper::abandon::<T>,
        }
    }

    /// Stores the wrapper of a storage pointer.
    #[inline]
    pub(super) fn insert(&self, py: Python<'_>, key: usize, object: usize) {
        self.objects.with(py, |map| map.insert(key, object));
    }

    /// The storage pointers for which `is_meant` returns true.
    pub(super) fn keys(&self, py: Python<'_>, is_meant: impl Fn(usize) -> bool) -> Vec<usize> {
        self.objects.with(py, |map| {
            let keys = map.keys().copied();
            keys.filter(|key| is_meant(*key)).collect()
        })
    }

    /// Removes the wrapper of a storage pointer.
    pub(super) fn remove(&self, py: Python<'_>, key: usize) {
        self.objects.with(py, |map| map.remove(&key));
    }

    #[inline]
    pub(super) fn find(&self, py: Python<'_>, key: usize) -> Option<usize> {
        self.objects.with(py, |map| map.get(&key).copied())
    }

    /// A new reference to the wrapper of `raw`, if it is active; else None or null.
    ///
    /// # Safety
    ///
    /// The table was made by `of::<T>`.
    pub(crate) unsafe fn quick<T: Wrapper>(
        &self,
        raw: *const c_void,
    ) -> Option<*mut ffi::PyObject> {
        let object = self
            .objects
            .look(|map| map.get(&(raw as usize)).copied())??;
        // SAFETY: the table has wrappers of `T` alone, by this function's contract, and each removes its
        // entry when it is freed.
        Some(unsafe { wrapper::share_active::<T>(object as *mut ffi::PyObject) })
    }

    /// Frees the dormant wrappers, when the context is destroyed.
    ///
    /// # Safety
    ///
    /// Nothing has a reference to a wrapper of the table.
    pub(crate) unsafe fn free(&mut self) {
        let map = std::mem::take(self.objects.get_mut());
        for object in map.into_values() {
            // SAFETY: the wrappers are of the class that `of` took `abandon` for, and `take` has emptied the
            // table.
            unsafe { (self.abandon)(object as *mut ffi::PyObject) };
        }
    }
}
