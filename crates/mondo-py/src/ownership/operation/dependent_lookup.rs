//! The lookup of the wrappers that depend on an operation.

use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;

use super::dependents::Other;
use super::{Observed, OperationBase};
use crate::ownership::wrapper::Rest;

impl Observed {
    /// The address of another object of the operation, or null.
    #[inline]
    pub(crate) fn other(&self, py: Python<'_>, which: Other) -> *mut ffi::PyObject {
        if let Other::Result(0) = which {
            return self.first_result.load(Ordering::Relaxed);
        }
        self.others.with(py, |others| {
            let slot = others.as_mut().map(|it| it.slot(which).0);
            slot.unwrap_or(ptr::null_mut())
        })
    }
}

impl OperationBase {
    /// The address of another object of this `Operation`, or null.
    pub(crate) fn other(&self, py: Python<'_>, which: Other) -> *mut ffi::PyObject {
        self.observed()
            .map_or(ptr::null_mut(), |observed| observed.other(py, which))
    }

    /// Remembers another object of this `Operation`, or forgets it with null.
    pub(crate) fn set_other(&self, py: Python<'_>, which: Other, object: *mut ffi::PyObject) {
        let Some(observed) = self.observed() else {
            return;
        };
        if let Other::Result(0) = which {
            observed.first_result.store(object, Ordering::Relaxed);
            return;
        }
        observed.others.with(py, |others| {
            others.get_or_insert_default().slot(which).0 = object;
        });
    }

    /// What is to become of another object of this `Operation` that nobody refers to any more.
    pub(crate) fn rest_other(
        &self,
        py: Python<'_>,
        which: Other,
        object: *mut ffi::PyObject,
        then: &mut dyn FnMut(Rest<'_>),
    ) {
        let known = self.other(py, which) == object;
        match self.observed().map(|it| (it.mortal.raw(), it.tree.get(py))) {
            Some((raw, Some(tree))) if known && !raw.is_null() => {
                then(Rest::Park(tree.get().keep()));
            }
            _ => {
                if known {
                    self.set_other(py, which, ptr::null_mut());
                }
                then(Rest::Free);
            }
        }
    }
}
