//! Getters of values that are called most often, without PyO3's argument handling; see
//! `ir/operation/getters.rs`.

use std::ffi::c_void;

use pyo3::ffi;

use crate::ownership::operation::OperationBase;
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, Getters};

pub(super) const GETTERS: Getters = &[
    (
        c"owner",
        owner,
        c"The definition of the value: an operation for a result, a block for an argument.",
    ),
    (c"type", type_of, c"The type of the value."),
];

unsafe extern "C" fn owner(this: *mut ffi::PyObject, _closure: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes an object of the class.
    let it = unsafe { wrapper::contents::<Value>(this) };
    let known = it.quick(|op, _| op.quick_view());
    if known.is_null() {
        wrapper::answer(|py| it.owner(py).map(Some))
    } else {
        known
    }
}

unsafe extern "C" fn type_of(
    this: *mut ffi::PyObject,
    _closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes an object of the class.
    let it = unsafe { wrapper::contents::<Value>(this) };
    let known = it.quick(OperationBase::quick_result_type);
    if known.is_null() {
        wrapper::answer(|py| it.r#type(py).map(Some))
    } else {
        known
    }
}
