//! The fast paths of getters. They return a wrapper that is active already, which takes reads of one or two
//! cache lines, or None; then the caller takes the slow path.

use std::ptr::{self, NonNull};
use std::sync::atomic::Ordering;

use mondo_ir::declarations as c;
use mondo_ir::nodes::Op;
use mondo_ir::{Sort, Type};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::ownership::operation::OperationBase;
use crate::ownership::storage_wrapper::StorageClass;
use crate::ownership::tree::Tree;
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, ObservedNode};

/// Takes over a reference; None for null.
///
/// # Safety
///
/// The thread is attached, and `object` is null or a reference to a live object that the caller gives up.
#[inline]
unsafe fn owned(object: *mut ffi::PyObject) -> Option<Py<PyAny>> {
    // SAFETY: by this function's contract, the thread is attached, and the pointer is null or a reference
    // that the caller gives up.
    unsafe { Bound::from_owned_ptr_or_opt(Python::assume_attached(), object) }.map(Bound::unbind)
}

impl OperationBase {
    /// The name, if a getter has stored it in the wrapper before.
    #[inline]
    pub(crate) fn quick_name(&self) -> Option<Py<PyAny>> {
        let known = self.quick()?.name.load(Ordering::Relaxed);
        // SAFETY: a getter, which an attached thread called, borrows `self`; so its tree and its context are
        // alive, and the context's `Names` has a reference to the string.
        unsafe {
            ffi::Py_XINCREF(known);
            owned(known)
        }
    }

    /// The wrapper of the parent operation, if it is active.
    #[inline]
    pub(crate) fn quick_parent(&self) -> Option<Py<PyAny>> {
        let op = NonNull::new(self.quick()?.member.node.raw())?;
        // SAFETY: `quick` has found the operation live, so that its parent is live. `operation::wrap` made
        // the parent's observer a part of the parent's wrapper.
        unsafe {
            let observer = Op::at(op).parent_observer();
            if observer.is_null() {
                return None;
            }
            owned(wrapper::share_active::<Self>(ObservedNode::object(
                observer,
            )))
        }
    }

    /// The wrapper of a result's type, of the class `T`, if it is active; else null.
    fn quick_result_type<T: StorageClass>(&self, index: isize) -> *mut ffi::PyObject {
        let look = || {
            let observed = self.quick()?;
            let op = NonNull::new(observed.member.node.raw())?;
            // SAFETY: `quick` has found the operation live. `index` was in range when the result's wrapper
            // was made, and an operation's number of results never changes.
            let result = unsafe { c::mlirOperationGetResult(Op::at(op), index) };
            let address = Type::<'static>::address(c::mlirValueGetType(result)).as_ptr();
            let find = |tree: &Option<Py<Tree>>| {
                let context = tree.as_ref()?.get().context().get();
                // SAFETY: `T::table` is the context's table for the class `T`, and has objects of `T`
                // alone.
                unsafe { T::table(context).quick::<T>(address) }
            };
            observed.member.tree.look(find)?
        };
        look().unwrap_or(ptr::null_mut())
    }
}

impl Value {
    /// The view of the operation that the value is a result of, if the view is active.
    #[inline]
    pub(crate) fn quick_owner(&self) -> Option<Py<PyAny>> {
        // SAFETY: the reference is new, and getters are called by attached threads.
        unsafe { owned(self.quick(|op, _| op.quick_view())) }
    }

    /// The wrapper of the type, of the class `T`, if the value is a result and the wrapper is active.
    #[inline]
    pub(crate) fn quick_type<T: StorageClass>(&self) -> Option<Py<PyAny>> {
        // SAFETY: the reference is new, and getters are called by attached threads.
        unsafe { owned(self.quick(OperationBase::quick_result_type::<T>)) }
    }
}
