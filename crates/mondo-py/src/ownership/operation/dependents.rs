//! The objects that belong to an operation: its module, results and regions.

use std::ptr;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::ownership::wrapper::Rest;

use super::{Observed, OperationBase};

/// The objects that belong to an operation, but for its first result: not references. Only the
/// interpreter's thread uses them.
#[derive(Default)]
pub(crate) struct Others {
    pub(crate) module: Object,
    pub(crate) results: Vec<Object>,
    pub(crate) regions: Vec<Object>,
}

/// The address of a tied object, or null.
#[derive(Clone, Copy)]
pub(crate) struct Object(pub(crate) *mut ffi::PyObject);

impl Default for Object {
    fn default() -> Self {
        Self(ptr::null_mut())
    }
}

// SAFETY: the addresses are used only with the interpreter attached.
unsafe impl Send for Object {}

/// Which of an operation's other objects is meant.
#[derive(Clone, Copy)]
pub(crate) enum Other {
    Module,
    Result(isize),
    Region(isize),
}

impl Others {
    #[inline]
    fn slot(&mut self, which: Other) -> &mut Object {
        let (list, index) = match which {
            Other::Module => return &mut self.module,
            Other::Result(index) => (&mut self.results, index.unsigned_abs()),
            Other::Region(index) => (&mut self.regions, index.unsigned_abs()),
        };
        if list.len() <= index {
            list.resize(index + 1, Object::default());
        }
        &mut list[index]
    }
}

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
