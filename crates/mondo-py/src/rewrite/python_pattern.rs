//! The calls that MLIR makes for a pattern that is written in Python. The pattern's data is a
//! reference to a [`Callback`].

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;

use super::drive::Drive;
use super::rewriter::PatternRewriter;

/// The reference that the pattern holds was made before it.
pub(super) unsafe extern "C" fn construct(_data: *mut c_void) {}

pub(super) unsafe extern "C" fn destruct(data: *mut c_void) {
    // SAFETY: `data` is the reference that `add` made for this pattern.
    drop(unsafe { Arc::from_raw(data.cast::<Callback>()) });
}

pub(super) unsafe extern "C" fn match_and_rewrite(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: `data` is the live reference of the pattern that runs.
    let callback = unsafe { &*data.cast::<Callback>() };
    let matched = catch_unwind(AssertUnwindSafe(|| {
        Python::try_attach(|py| call(py, callback, op, rewriter))
    }))
    .ok()
    .flatten()
    .unwrap_or(false);
    MlirLogicalResult {
        value: i8::from(matched),
    }
}

/// Calls a pattern with `op`. Returns whether it matched.
fn call(
    py: Python<'_>,
    callback: &Callback,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
) -> bool {
    let drive = Drive::current();
    if drive.as_ref().is_some_and(|drive| drive.has_raised()) {
        return false;
    }
    let mut operation = None;
    let result = call_with(py, callback, op, rewriter, drive.as_deref(), &mut operation);
    // The driver would go on with an operation that is no more.
    let gone = operation.is_some_and(|operation: Py<OperationBase>| !operation.get().is_alive(py));
    match result {
        Ok(matched) => matched || gone,
        Err(error) => {
            match drive {
                Some(drive) => drive.raise(error),
                None => error.write_unraisable(py, None),
            }
            gone
        }
    }
}

fn call_with(
    py: Python<'_>,
    callback: &Callback,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    drive: Option<&Drive>,
    seen: &mut Option<Py<OperationBase>>,
) -> PyResult<bool> {
    let callable = callback
        .get(py)
        .ok_or_else(|| PyRuntimeError::new_err("the pattern was freed by the garbage collector"))?;
    // SAFETY: drivers apply patterns to operations that are alive.
    let operation = unsafe { owner::find(py, op) }?;
    *seen = Some(operation.clone_ref(py));
    let tree = operation.get().tree(py)?;
    let context = operation.get().context_of(py)?;
    // SAFETY: as above, and the operation is of that tree.
    let view = unsafe { operation::view(py, tree.as_unbound(), op) }?;
    // SAFETY: MLIR's rewriter is live until this function returns.
    let rewriter =
        unsafe { PatternRewriter::open(py, rewriter, context, Some(&operation), drive) }?;
    let result = callable.call1(py, (view, rewriter.clone_ref(py)));
    rewriter.get().close();
    Ok(!result?.bind(py).is_truthy()?)
}
