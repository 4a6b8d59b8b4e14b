//! The lookup of the wrappers that depend on an operation.

use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

use super::dependents::slot::Dependent;
use super::{Key, Observed, OperationBase};
use crate::ownership::wrapper::{self, AnyPlace, Disposal, Wrapper};

impl Observed {
    /// The address of a dependent wrapper of the operation, or null.
    #[inline]
    fn dependent(&self, py: Python<'_>, which: Dependent) -> *mut ffi::PyObject {
        if let Dependent::Result(0) = which {
            return self.first_result.get();
        }
        self.dependents.with(py, |others| {
            let place = others.as_mut().map(|map| map.slot(which).get());
            place.unwrap_or(ptr::null_mut())
        })
    }

    /// Calls `work` with the place of a dependent.
    fn with_place(&self, py: Python<'_>, which: Dependent, work: impl FnOnce(&AnyPlace)) {
        if let Dependent::Result(0) = which {
            return work(&self.first_result);
        }
        self.dependents.with(py, |others| {
            work(others.get_or_insert_default().slot(which));
        });
    }

    /// The object of a dependent, if somebody has it.
    #[inline]
    pub(crate) fn active_dependent<K: Key>(&self, py: Python<'_>, key: K) -> Option<Py<K::Object>> {
        let known = self.dependent(py, key.which());
        // SAFETY: only `put_dependent` fills the place, by the class of the key, and what is there is not freed
        // before it leaves.
        unsafe { wrapper::fetch_active::<K::Object>(py, known) }
    }
}

impl OperationBase {
    /// The wrapper of a dependent of this `Operation`, if there is one; `wake` gives a dormant wrapper the references
    /// that an active one has.
    #[inline]
    pub(crate) fn fetch_dependent<K: Key>(
        &self,
        py: Python<'_>,
        key: K,
        wake: impl FnOnce(&K::Object),
    ) -> Option<PyResult<Py<K::Object>>> {
        let known = self.observed()?.dependent(py, key.which());
        if known.is_null() {
            return None;
        }
        // SAFETY: only `put_dependent` fills the place, by the class of the key, and what is there is not freed
        // before it leaves.
        let object = unsafe { wrapper::fetch::<K::Object>(py, known, wake) };
        Some(object.ok_or_else(wrapper::being_freed))
    }

    /// Remembers a dependent of this `Operation`, unless the object has another place already.
    pub(crate) fn put_dependent<K: Key>(&self, py: Python<'_>, key: K, object: &Py<K::Object>) {
        if let Some(observed) = self.observed() {
            observed.with_place(py, key.which(), |place| place.put(object));
        }
    }

    /// Implements [`Wrapper::dispose`] for a dependent wrapper of this `Operation`, whose last reference is
    /// gone.
    pub(crate) fn dispose_dependent<K: Key>(
        &self,
        py: Python<'_>,
        key: K,
        object: &K::Object,
        then: &mut dyn FnMut(Disposal<'_>),
    ) {
        let Some(observed) = self.observed() else {
            return then(Disposal::Free);
        };
        let header = object.header();
        let known = observed.dependent(py, key.which()) == header.object();
        match observed.member.tree.get(py) {
            Some(tree) if known && !observed.member.node.raw().is_null() => {
                then(Disposal::Dormant(tree.get().retained()));
            }
            _ => {
                if known {
                    observed.with_place(py, key.which(), |place| place.leave(header));
                }
                then(Disposal::Free);
            }
        }
    }
}
