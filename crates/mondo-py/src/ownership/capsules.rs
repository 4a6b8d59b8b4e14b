//! The wrappers of objects of MLIR that capsules contain. By the protocol of capsules, the code that made a
//! capsule put a pointer to a live object into it; from that object the context and the tree are found.

use std::ptr::NonNull;

use mondo_ir::Sort;
use mondo_ir::nodes::{self, Loose};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::interop::capsule;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, Entered};
use crate::ownership::module::{self, Module};
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::storage_wrapper::{self, StorageClass};
use crate::ownership::value;

/// The wrapper of the `MlirContext` in a capsule. It takes ownership of a context that has no wrapper yet.
pub(crate) fn context(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Context>> {
    let address = NonNull::new(capsule::unwrap(capsule, "ir.Context")?).ok_or_else(empty)?;
    if Context::is_known(address.as_ptr()) {
        // SAFETY: `is_known` has found a wrapper, which keeps the context alive.
        return unsafe { Context::of(capsule.py(), address) };
    }
    // SAFETY: by the protocol of capsules, the code that made this one put a live context into it and gives
    // up its ownership.
    unsafe { Context::adopt(capsule.py(), address, true) }
}

/// The wrapper of the type or attribute in a capsule with this name.
pub(crate) fn storage<T: StorageClass>(
    capsule: &Bound<'_, PyAny>,
    name: &'static str,
) -> PyResult<Py<PyAny>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, name)?;
    let empty = || PyValueError::new_err(format!("the capsule `{name}` is empty"));
    let address = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live type or attribute into it.
    let thing = unsafe { T::Sort::at(address) };
    let uniquer = T::Sort::uniquer(thing);
    let context = Context::calling(py, uniquer)?;
    storage_wrapper::wrap::<T>(Entered::of(py, &context, uniquer)?, thing)
}

/// The wrapper of the `MlirOperation` in a capsule.
pub(crate) fn operation(capsule: &Bound<'_, PyAny>) -> PyResult<Py<OperationBase>> {
    let ptr = capsule::unwrap(capsule, "ir.Operation")?;
    let op = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live operation into it.
    owner::object(capsule.py(), unsafe { nodes::Op::at(op) })
}

/// The wrapper of the `MlirBlock` in a capsule.
pub(crate) fn block(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Block>> {
    let py = capsule.py();
    let ptr = capsule::unwrap(capsule, "ir.Block")?;
    let block = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live block into it.
    owner::block_object(py, unsafe { nodes::Block::at(block) })
}

/// The wrapper of the `MlirValue` in a capsule.
pub(crate) fn value(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let ptr = capsule::unwrap(capsule, "ir.Value")?;
    let value = NonNull::new(ptr).ok_or_else(empty)?;
    // SAFETY: by the protocol of capsules, the code that made this one put a live value into it.
    value::object(capsule.py(), unsafe { nodes::Value::at(value) })
}

/// The wrapper of the `MlirModule` in a capsule. A new tree takes ownership of the module, unless a tree has
/// it already.
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
    // SAFETY: by the protocol of capsules, the code that made this one gives up its ownership of the module,
    // and an `MlirModule` that somebody owns has no parent.
    module::adopt(ctx, unsafe { Loose::new(op) })
}

/// The exception for a capsule with a null pointer. `PyCapsule_New` refuses one, but other code may set it
/// later.
fn empty() -> PyErr {
    PyValueError::new_err("the capsule is empty")
}
