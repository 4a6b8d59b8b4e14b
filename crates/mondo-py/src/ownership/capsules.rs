//! The objects for what is in capsules: whoever made a capsule put something live into it, which knows its context.

use std::ptr::NonNull;

use mondo_ir::Sort;
use mondo_ir::nodes::{self, Loose};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::ownership::adoption;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, Entered};
use crate::ownership::module::{self, Module};
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::storage_wrapper::{self, StorageClass};
use crate::ownership::value;

/// The object for the `MlirContext` in a capsule; one that has no object yet is taken over.
pub(crate) fn context(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Context>> {
    let address = NonNull::new(capsule::unwrap(capsule, "ir.Context")?).ok_or_else(empty)?;
    if Context::is_known(address.as_ptr()) {
        // SAFETY: a context that is known has an object, which keeps it alive.
        return unsafe { Context::of(capsule.py(), address) };
    }
    // SAFETY: by the protocol of capsules, the code that made this one put a live context into it, and
    // gives that up.
    unsafe { Context::adopt(capsule.py(), address, true) }
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
    // SAFETY: by the protocol of capsules, the code that made this one put a live type or attribute into
    // it, which knows its context.
    let thing = unsafe { T::Sort::at(address) };
    let uniquer = T::Sort::uniquer(thing);
    let context = Context::calling(py, uniquer)?;
    storage_wrapper::wrap::<T>(Entered::of(py, &context, uniquer)?, thing)
}

/// The object for the `MlirOperation` in a capsule.
pub(crate) fn operation(capsule: &Bound<'_, PyAny>) -> PyResult<Py<OperationBase>> {
    let ptr = capsule::unwrap(capsule, "ir.Operation")?;
    let op = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live operation into it.
    owner::object(capsule.py(), unsafe { nodes::Op::at(op) })
}

/// The object for the `MlirBlock` in a capsule.
pub(crate) fn block(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Block>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, "ir.Block")?;
    let block = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live block into it.
    owner::block_object(py, unsafe { nodes::Block::at(block) })
}

/// The object for the `MlirValue` in a capsule.
pub(crate) fn value(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let ptr = capsule::unwrap(capsule, "ir.Value")?;
    let value = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live value into it.
    value::object(capsule.py(), unsafe { nodes::Value::at(value) })
}

/// The object for the `MlirModule` in a capsule, which it takes over; unless the module is one of ours already.
pub(crate) fn module(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Module>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, "ir.Module")?;
    let module = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live module into it; the
    // address of a module is that of its operation.
    let op = unsafe { nodes::Op::at(module) };
    if owner::root_of(op).is_some() {
        return module::of(py, owner::object(py, op)?);
    }
    let context = Context::calling(py, op.uniquer())?;
    let ctx = Entered::of(py, &context, op.uniquer())?;
    // SAFETY: by the protocol of capsules, the code that made this one gives the module up, and a module
    // has no parent.
    adoption::module(ctx, unsafe { Loose::new(op) })
}

/// The exception for a capsule without a pointer, which Python does not make.
fn empty() -> PyErr {
    PyValueError::new_err("the capsule is empty")
}
