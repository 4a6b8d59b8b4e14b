//! Getters of operations that are called most often, without PyO3's argument handling.
//!
//! Each of these looks at one or two cache lines and returns an object that is there already.
//! Whatever else there may be to do (the operation was destroyed, a pipeline runs, the object is not
//! made yet), the methods of `methods.rs` do.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::Ordering;

use mondo_sys::*;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::ir::types::Type;
use crate::ownership::operation::OperationBase;
use crate::ownership::tree::Tree;
use crate::ownership::wrapper::{self, Getters, ObservedNode};

pub(super) const GETTERS: Getters = &[
    (c"name", name, c"The name with its dialect: `func.return`."),
    (
        c"parent",
        parent,
        c"The operation around this one, or none at the top.",
    ),
];

impl OperationBase {
    /// A reference to the type of a result, if somebody has it; else null.
    pub(crate) fn quick_result_type(&self, index: isize) -> *mut ffi::PyObject {
        let look = || {
            let observed = self.quick()?;
            let ptr = observed.node.raw();
            // SAFETY: the operation is live, and the number of its results never changes.
            let raw =
                unsafe { mlirValueGetType(mlirOperationGetResult(MlirOperation { ptr }, index)) };
            let find = |tree: &Option<Py<Tree>>| {
                let context = tree.as_ref()?.get().context().get();
                context.types().quick::<Type>(raw.ptr)
            };
            observed.tree.look(find)?
        };
        look().unwrap_or(ptr::null_mut())
    }
}

unsafe extern "C" fn name(this: *mut ffi::PyObject, _closure: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes an object of the class.
    let it = unsafe { wrapper::contents::<OperationBase>(this) };
    if let Some(observed) = it.quick() {
        let known = observed.name.load(Ordering::Relaxed);
        if !known.is_null() {
            // SAFETY: the context refers to the string, and the object that is in use to the context.
            unsafe { ffi::Py_INCREF(known) };
            return known;
        }
    }
    wrapper::answer(|py| it.name(py).map(|name| Some(name.unbind())))
}

unsafe extern "C" fn parent(this: *mut ffi::PyObject, _closure: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes an object of the class.
    let it = unsafe { wrapper::contents::<OperationBase>(this) };
    if let Some(observed) = it.quick() {
        let ptr = observed.node.raw();
        // SAFETY: the operation is live, and so is its parent; an observer of an operation is its
        // object's.
        let known = unsafe {
            let observer = mondoOperationGetParentObserver(MlirOperation { ptr });
            if observer.is_null() {
                ptr::null_mut()
            } else {
                wrapper::share_active::<OperationBase>(ObservedNode::object(observer))
            }
        };
        if !known.is_null() {
            return known;
        }
    }
    wrapper::answer(|py| it.parent(py))
}
