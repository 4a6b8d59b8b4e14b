//! `__init__` of a class without a tuple and a dictionary for the arguments, which take longer to make and to take
//! apart than all the rest.

use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple, PyType};
use pyo3::{Borrowed, PyClass, ffi};

use super::class::publish_over;
use super::class_trait::Wrapper;
use super::lifecycle::attached;

/// A class with such an `__init__`.
pub(crate) trait Initialised: Wrapper {
    /// The implementation of `__init__`: the arguments without names, and the others.
    fn init<'a, 'py: 'a>(
        this: &Bound<'py, Self>,
        args: impl ExactSizeIterator<Item = Borrowed<'a, 'py, PyAny>>,
        named: impl ExactSizeIterator<Item = (Borrowed<'a, 'py, PyAny>, Borrowed<'a, 'py, PyAny>)>,
    ) -> PyResult<()>;
}

/// `tp_init`, for a call of the class itself.
unsafe extern "C" fn init<T: Initialised>(
    this: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> c_int {
    attached(|py| {
        // SAFETY: the interpreter passes a tuple, and a dictionary or null.
        let (args, kwargs) = unsafe {
            (
                Borrowed::from_ptr(py, args).cast_unchecked::<PyTuple>(),
                Borrowed::from_ptr_or_opt(py, kwargs)
                    .map(|kwargs| kwargs.cast_unchecked::<PyDict>()),
            )
        };
        let named: Vec<_> = kwargs.iter().flat_map(|it| it.iter()).collect();
        let named = named
            .iter()
            .map(|(key, value)| (key.as_borrowed(), value.as_borrowed()));
        // SAFETY: the interpreter passes an object of the class.
        match unsafe { initialise::<T>(py, this, args.iter_borrowed(), named) } {
            true => 0,
            false => -1,
        }
    })
}

/// `__init__` as derived classes call it.
unsafe extern "C" fn init_fast<T: Initialised>(
    this: *mut ffi::PyObject,
    args: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    attached(|py| {
        // SAFETY: the interpreter passes so many arguments, those with a name behind them, and a
        // tuple of the names or null.
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
        // SAFETY: each is an object that the caller has a reference to.
        let object = |it: &*mut ffi::PyObject| unsafe { Borrowed::from_ptr(py, *it) };
        let key = |(index, value)| {
            // SAFETY: there are as many names as values, and the tuple refers to them.
            let name = unsafe {
                let names = names
                    .as_ref()
                    .map_or(ptr::null_mut(), |names| names.as_ptr());
                Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, index as ffi::Py_ssize_t))
            };
            (name, object(value))
        };
        let named = values.iter().enumerate().map(key);
        // SAFETY: the method is called with objects of the class only.
        match unsafe { initialise::<T>(py, this, args.iter().map(object), named) } {
            true => py.None().into_ptr(),
            false => ptr::null_mut(),
        }
    })
}

/// Runs [`Initialised::init`]. Returns whether it succeeded; if not, the interpreter has the exception.
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

/// Makes the class that Python sees for `L`, whose `__init__` is that of `T`, over `parent`, what Python sees for
/// `T`.
pub(crate) fn publish_initialised<'py, T: Initialised, L: PyClass>(
    module: &Bound<'py, PyModule>,
    name: &str,
    parent: &Bound<'py, PyType>,
    signature: &str,
) -> PyResult<Bound<'py, PyType>> {
    // Python keeps a pointer to the definitions.
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
