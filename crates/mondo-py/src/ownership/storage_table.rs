//! Tables of the wrappers of a context's types and attributes, by storage pointer.

use std::collections::HashMap;
use std::ffi::c_void;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::interop::attached_cell::AttachedCell;
use crate::interop::casters::AddressHash;
use crate::ownership::wrapper::{self, Wrapper};

/// The objects of a context's types, or of its attributes, by storage pointer. Not a reference: what
/// is dormant has none, and the others leave the table when they are freed.
pub(crate) struct Table {
    objects: AttachedCell<HashMap<usize, usize, AddressHash>>,
    /// Frees an object of the table's class that nobody refers to.
    abandon: unsafe fn(*mut ffi::PyObject),
}

impl Table {
    /// A table of objects of `T`.
    pub(crate) fn of<T: Wrapper>() -> Self {
        Self {
            objects: AttachedCell::default(),
            abandon: wrapper::abandon::<T>,
        }
    }

    /// Remembers the object for a storage pointer.
    #[inline]
    pub(super) fn insert(&self, py: Python<'_>, key: usize, object: usize) {
        self.objects.with(py, |map| map.insert(key, object));
    }

    /// The storage pointers that `is_meant` picks.
    pub(super) fn keys(&self, py: Python<'_>, is_meant: impl Fn(usize) -> bool) -> Vec<usize> {
        self.objects.with(py, |map| {
            let keys = map.keys().copied();
            keys.filter(|key| is_meant(*key)).collect()
        })
    }

    /// Forgets the object for a storage pointer.
    pub(super) fn remove(&self, py: Python<'_>, key: usize) {
        self.objects.with(py, |map| map.remove(&key));
    }

    #[inline]
    pub(super) fn find(&self, py: Python<'_>, key: usize) -> Option<usize> {
        self.objects.with(py, |map| map.get(&key).copied())
    }

    /// A reference to the object for `raw`, if somebody has it; else null.
    ///
    /// # Safety
    ///
    /// The table has objects of `T`.
    pub(crate) unsafe fn quick<T: Wrapper>(
        &self,
        raw: *const c_void,
    ) -> Option<*mut ffi::PyObject> {
        let object = self
            .objects
            .look(|map| map.get(&(raw as usize)).copied())??;
        // SAFETY: the table has objects of `T`, by this function's contract, and each leaves the table when
        // it is freed.
        Some(unsafe { wrapper::share_active::<T>(object as *mut ffi::PyObject) })
    }

    /// Frees what is dormant, at the end of the context.
    ///
    /// # Safety
    ///
    /// None of the table's objects is referred to.
    pub(crate) unsafe fn free(&mut self) {
        let map = std::mem::take(self.objects.get_mut());
        for object in map.into_values() {
            // SAFETY: the objects are those of the table's class, and the table is gone.
            unsafe { (self.abandon)(object as *mut ffi::PyObject) };
        }
    }
}
