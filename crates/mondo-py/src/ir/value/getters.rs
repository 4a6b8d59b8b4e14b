//! What is asked of values most often, without PyO3's way in; see `ir/operation/getters.rs`.

use std::ffi::{CStr, c_void};
use std::ptr;

use pyo3::ffi;

use super::{Holder, Kind, Value};
use crate::ir::operation::OperationBase;
use crate::ownership::wrapper;

pub(super) const GETTERS: &[(&CStr, ffi::getter, &CStr)] = &[
    (
        c"owner",
        owner,
        c"What defines the value: an operation for a result, a block for an argument.",
    ),
    (c"type", type_of, c"The type of the value."),
];

impl Value {
    /// What `look` finds for a result, of its operation and its number; else null.
    fn quick(
        &self,
        look: impl FnOnce(&OperationBase, isize) -> *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        let Kind::Result(index) = self.kind else {
            return ptr::null_mut();
        };
        let found = self.holder.look(|holder| match holder {
            Some(Holder::Operation(op)) => look(op.get(), index),
            _ => ptr::null_mut(),
        });
        found.unwrap_or(ptr::null_mut())
    }
}

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
