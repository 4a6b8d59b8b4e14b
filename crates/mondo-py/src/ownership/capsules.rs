//! The objects for what is in capsules: whoever made a capsule put something live into it, which knows its context.

use std::ptr::NonNull;

use mondo_ir::Sort;
use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::ownership::block::{self, Block};
use crate::ownership::context::Context;
use crate::ownership::module::{self, Module};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;
use crate::ownership::storage_wrapper::{self, StorageClass};
use crate::ownership::value;

/// The object for the `MlirContext` in a capsule; one that has no object yet is taken over.
pub(crate) fn context(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Context>> {
    let ptr = capsule::unwrap(capsule, "ir.Context")?;
    if Context::is_known(ptr) {
        // SAFETY: the context of an object is live.
        return unsafe { Context::of(capsule.py(), MlirContext { ptr }) };
    }
    Context::adopt(capsule.py(), MlirContext { ptr }, true)
}

/// The object for the type or attribute in a capsule of a name.
pub(crate) fn storage<T: StorageClass>(
    capsule: &Bound<'_, PyAny>,
    name: &'static str,
) -> PyResult<Py<PyAny>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, name)?;
    let empty = || PyValueError::new_err(format!("the capsule `{name}` is empty"));
    let address = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: whoever made the capsule put a live thing into it, which knows its context.
    let context = unsafe { Context::of(py, T::Sort::context(T::Sort::at(address)))? };
    storage_wrapper::wrap::<T>(py, &context, ptr)
}

/// The object for the `MlirOperation` in a capsule.
pub(crate) fn operation(capsule: &Bound<'_, PyAny>) -> PyResult<Py<OperationBase>> {
    let ptr = capsule::unwrap(capsule, "ir.Operation")?;
    // SAFETY: whoever made the capsule put a live operation into it.
    unsafe { owner::find(capsule.py(), MlirOperation { ptr }) }
}

/// The object for the `MlirBlock` in a capsule.
pub(crate) fn block(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Block>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, "ir.Block")?;
    let block = MlirBlock { ptr };
    // SAFETY: whoever made the capsule put a live block into it.
    unsafe { block::wrap(py, owner::tree_of_block(py, block)?.as_unbound(), block) }
}

/// The object for the `MlirValue` in a capsule.
pub(crate) fn value(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let ptr = capsule::unwrap(capsule, "ir.Value")?;
    // SAFETY: whoever made the capsule put a live value into it.
    unsafe { value::find(capsule.py(), MlirValue { ptr }) }
}

/// The object for the `MlirModule` in a capsule, which it takes over; unless the module is one of ours already.
pub(crate) fn module(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Module>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, "ir.Module")?;
    // SAFETY: whoever made the capsule put a live module into it, and gives it up.
    let operation = unsafe {
        let op = mlirModuleGetOperation(MlirModule { ptr });
        if owner::root_of(op).is_some() {
            owner::find(py, op)?
        } else {
            let context = Context::of(py, mlirOperationGetContext(op))?;
            operation::adopt(py, &context, op, false)?
        }
    };
    module::of(py, operation)
}
