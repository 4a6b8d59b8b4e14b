//! The fast paths of getters, which read one or two cache lines: they return objects that exist already, or nothing.

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

/// A reference that is the caller's, or none for null.
///
/// # Safety
///
/// The thread is attached, and the reference is to a live object.
#[inline]
unsafe fn owned(object: *mut ffi::PyObject) -> Option<Py<PyAny>> {
    // SAFETY: the thread is attached, and the reference is to a live object, by this function's contract.
    unsafe { Bound::from_owned_ptr_or_opt(Python::assume_attached(), object) }.map(Bound::unbind)
}

impl OperationBase {
    /// The name, once somebody asked for it.
    #[inline]
    pub(crate) fn quick_name(&self) -> Option<Py<PyAny>> {
        let known = self.quick()?.name.load(Ordering::Relaxed);
        // SAFETY: the context keeps the string alive, and `self`, which is in use, keeps the context alive.
        unsafe {
            ffi::Py_XINCREF(known);
            owned(known)
        }
    }

    /// The object of the operation around it, if somebody has that.
    #[inline]
    pub(crate) fn quick_parent(&self) -> Option<Py<PyAny>> {
        let op = NonNull::new(self.quick()?.node.raw())?;
        // SAFETY: `quick` has found the operation live, and so its parent is live; the observer of an
        // operation is in its object (`operation::wrap`).
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

    /// The type of a result, as an object of `T`, if somebody has it.
    fn quick_result_type<T: StorageClass>(&self, index: isize) -> *mut ffi::PyObject {
        let look = || {
            let observed = self.quick()?;
            let op = NonNull::new(observed.node.raw())?;
            // SAFETY: `quick` has found the operation live, and the number of its results never changes.
            let of = unsafe { c::mlirOperationGetResult(Op::at(op), index) };
            let address = Type::<'static>::address(c::mlirValueGetType(of)).as_ptr();
            let find = |tree: &Option<Py<Tree>>| {
                let context = tree.as_ref()?.get().context().get();
                // SAFETY: `T::table` is the context's table for the class `T`, and has objects of `T`
                // alone.
                unsafe { T::table(context).quick::<T>(address) }
            };
            observed.tree.look(find)?
        };
        look().unwrap_or(ptr::null_mut())
    }
}

impl Value {
    /// The view of the operation that it is a result of, if somebody has it.
    #[inline]
    pub(crate) fn quick_owner(&self) -> Option<Py<PyAny>> {
        // SAFETY: the reference is new, and getters are called by attached threads.
        unsafe { owned(self.quick(|op, _| op.quick_view())) }
    }

    /// Its type, as an object of `T`, if it is a result and somebody has it.
    #[inline]
    pub(crate) fn quick_type<T: StorageClass>(&self) -> Option<Py<PyAny>> {
        // SAFETY: the reference is new, and getters are called by attached threads.
        unsafe { owned(self.quick(OperationBase::quick_result_type::<T>)) }
    }
}
