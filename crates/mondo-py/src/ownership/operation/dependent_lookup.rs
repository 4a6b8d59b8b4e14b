//! The lookup of the wrappers that depend on an operation.

use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;

use super::dependents::Dependent;
use super::{Observed, OperationBase};
use crate::ownership::wrapper::Disposal;

impl Observed {
    /// The address of a dependent wrapper of the operation, or null.
    #[inline]
    pub(crate) fn dependent(&self, py: Python<'_>, which: Dependent) -> *mut ffi::PyObject {
        if let Dependent::Result(0) = which {
            return self.first_result.load(Ordering::Relaxed);
        }
        self.dependents.with(py, |others| {
            let slot = others.as_mut().map(|it| it.slot(which).0);
            slot.unwrap_or(ptr::null_mut())
        })
    }
}

impl OperationBase {
    /// The address of a dependent wrapper of this `Operation`, or null.
    pub(crate) fn dependent(&self, py: Python<'_>, which: Dependent) -> *mut ffi::PyObject {
        self.observed()
            .map_or(ptr::null_mut(), |observed| observed.dependent(py, which))
    }

    /// Stores the address of a dependent wrapper of this `Operation`; null removes it.
    pub(crate) fn set_dependent(
        &self,
        py: Python<'_>,
        which: Dependent,
        object: *mut ffi::PyObject,
    ) {
        let Some(observed) = self.observed() else {
            return;
        };
        if let Dependent::Result(0) = which {
            observed.first_result.store(object, Ordering::Relaxed);
            return;
        }
        observed.dependents.with(py, |others| {
            others.get_or_insert_default().slot(which).0 = object;
        });
    }

    /// Implements [`Wrapper::dispose`] for a dependent wrapper of this `Operation`, whose last reference is
    /// gone.
    pub(crate) fn dispose_dependent(
        &self,
        py: Python<'_>,
        which: Dependent,
        object: *mut ffi::PyObject,
        then: &mut dyn FnMut(Disposal<'_>),
    ) {
        let known = self.dependent(py, which) == object;
        match self.observed().map(|it| (it.node.raw(), it.tree.get(py))) {
            Some((raw, Some(tree))) if known && !raw.is_null() => {
                then(Disposal::Dormant(tree.get().retained()));
            }
            _ => {
                if known {
                    self.set_dependent(py, which, ptr::null_mut());
                }
                then(Disposal::Free);
            }
        }
    }
}
