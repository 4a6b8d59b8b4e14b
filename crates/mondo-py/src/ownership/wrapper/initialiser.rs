//! `__init__` by CPython's fast calling convention, without a tuple and a dictionary for the arguments.
//! Building and reading these would take longer than the rest of the call.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple, PyType};
use pyo3::{Borrowed, PyClass, ffi};

use super::class::publish_over;
use super::class_trait::Wrapper;
use crate::interop::attachment::attached;

/// A wrapper class with an `__init__` that has the fast calling convention.
pub(crate) trait Initialised: Wrapper {
    /// The implementation of `__init__`, with the positional arguments and the keyword arguments.
    fn init<'a, 'py: 'a>(
        this: &Bound<'py, Self>,
        args: impl ExactSizeIterator<Item = Borrowed<'a, 'py, PyAny>>,
        named: impl ExactSizeIterator<Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)>,
    ) -> PyResult<()>;
}

/// `tp_init`, which a call of the class uses.
unsafe extern "C" fn init<T: Initialised>(
    this: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> c_int {
    attached(|py| {
        // SAFETY: CPython calls `tp_init` with a tuple, and a dictionary or null.
        let (args, kwargs) = unsafe {
            (
                Borrowed::from_ptr(py, args).cast_unchecked::<PyTuple>(),
                Borrowed::from_ptr_or_opt(py, kwargs)
                    .map(|kwargs| kwargs.cast_unchecked::<PyDict>()),
            )
        };
        let named: Vec<_> = kwargs.iter().flat_map(|keywords| keywords.iter()).collect();
        let named = named
            .iter()
            .map(|(key, value)| (key.as_borrowed(), value.as_borrowed()));
        // SAFETY: CPython calls `tp_init` of this class with an instance of it.
        match unsafe { initialise::<T>(py, this, args.iter_borrowed(), named) } {
            true => 0,
            false => -1,
        }
    })
}

/// The method `__init__`, which `super().__init__(…)` of derived classes uses.
unsafe extern "C" fn init_fast<T: Initialised>(
    this: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    attached(|py| {
        // SAFETY: by the calling convention of `METH_FASTCALL | METH_KEYWORDS`, `args` has `count` positional
        // arguments and then one value for each name in `names`, a tuple or null.
        let (args, values, names) = unsafe {
            let names =
                Borrowed::from_ptr_or_opt(py, names).map(|names| names.cast_unchecked::<PyTuple>());
            let count = count.unsigned_abs();
            let all = count + names.as_ref().map_or(0, |names| names.len());
            let all: &[*mut ffi::PyObject] = if all == 0 {
                &[]
            } else {
                std::slice::from_raw_parts(args, all)
            };
            let (args, values) = all.split_at(count);
            (args, values, names)
        };
        // SAFETY: by the calling convention, each element is an object to which the caller has a reference
        // during the call.
        let object = |pointer: &*mut ffi::PyObject| unsafe { Borrowed::from_ptr(py, *pointer) };
        let key = |(index, value)| {
            // SAFETY: `values` was cut to the length of `names`, so that the index is in range, and the tuple
            // keeps the name alive.
            let name = unsafe {
                let names = names
                    .as_ref()
                    .map_or(ptr::null_mut(), |names| names.as_ptr());
                Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, index as ffi::Py_ssize_t))
            };
            (name, object(value))
        };
        let named = values.iter().enumerate().map(key);
        // SAFETY: the method descriptor checks that `self` is an instance of the class before it calls this.
        match unsafe { initialise::<T>(py, this, args.iter().map(object), named) } {
            true => py.None().into_ptr(),
            false => ptr::null_mut(),
        }
    })
}

/// Runs [`Initialised::init`]. Returns whether it succeeded; if not, the exception is set.
///
/// # Safety
///
/// `this` is an object of the class.
unsafe fn initialise<'a, 'py: 'a, T: Initialised>(
    py: Python<'py>,
    this: *mut ffi::PyObject,
    args: impl ExactSizeIterator<Item = Borrowed<'a, 'py, PyAny>>,
    named: impl ExactSizeIterator<Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)>,
) -> bool {
    // SAFETY: `this` is an object of the class `T`, by this function's contract.
    let this = unsafe { Bound::from_borrowed_ptr(py, this).cast_into_unchecked::<T>() };
    catch_unwind(AssertUnwindSafe(|| T::init(&this, args, named)))
        .unwrap_or_else(|_| Err(PySystemError::new_err("__init__ panicked")))
        .map_err(|error| error.restore(py))
        .is_ok()
}

/// Makes the published class of `L`, with the `__init__` of `T`. `parent` is the published class of `T`.
pub(crate) fn publish_initialised<'py, T: Initialised, L: PyClass>(
    module: &Bound<'py, PyModule>,
    name: &str,
    parent: &Bound<'py, PyType>,
    signature: &str,
) -> PyResult<Bound<'py, PyType>> {
    // CPython keeps a pointer to the definitions, so that they are leaked.
    let methods = Box::leak(Box::new([
        ffi::PyMethodDef {
            ml_name: c"__init__".as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: init_fast::<T>,
            },
            // Without `METH_COEXIST`, CPython's own wrapper of the slot `tp_init` would keep the
            // name `__init__`.
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS | ffi::METH_COEXIST,
            ml_doc: c"__init__($self, /, *args, **kwargs)\n--\n\n\
                Initialize self.  See help(type(self)) for accurate signature."
                .as_ptr(),
        },
        ffi::PyMethodDef::zeroed(),
    ]));
    let slots = [
        ffi::PyType_Slot {
            slot: ffi::Py_tp_init,
            pfunc: init::<T> as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: ffi::Py_tp_methods,
            pfunc: methods.as_mut_ptr().cast(),
        },
    ];
    publish_over::<L>(module, name, parent, signature, &slots)
}
