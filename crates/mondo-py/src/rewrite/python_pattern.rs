//! The calls that MLIR makes for a pattern that is written in Python.

use std::sync::Arc;

use mondo_ir::nodes::Op;
use mondo_ir::objects::OpenRewriter;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::interop::callback::Callback;
use crate::ownership::conversions::Conversion;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;

use super::drive::{Drive, Kind};
use super::rewriter::PatternRewriter;

/// Calls a pattern with `op`, in a thread that may be detached from the interpreter. Returns whether it
/// matched.
pub(super) fn matches(callback: &Callback, op: Op<'_>, rewriter: &Arc<OpenRewriter>) -> bool {
    Python::try_attach(|py| call(py, callback, op, rewriter)).unwrap_or(false)
}

/// Calls a pattern with `op`. Returns whether it matched.
fn call(py: Python<'_>, callback: &Callback, op: Op<'_>, rewriter: &Arc<OpenRewriter>) -> bool {
    let drive = Drive::current();
    if drive.as_ref().is_some_and(|drive| drive.has_raised()) {
        return false;
    }
    let mut operation = None;
    let running = match &drive {
        Some(drive) if drive.kind == Kind::Conversion => Conversion::current(),
        _ => None,
    };
    let mut run = || call_with(py, callback, op, rewriter, drive.as_deref(), &mut operation);
    let result = match running {
        Some(running) => running.run_pattern(op, rewriter, run),
        None => run(),
    };
    // If the callback destroyed the operation, the pattern counts as matched, whatever the callback returned:
    // after a failed match the driver would use the operation again.
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
    op: Op<'_>,
    rewriter: &Arc<OpenRewriter>,
    drive: Option<&Drive>,
    seen: &mut Option<Py<OperationBase>>,
) -> PyResult<bool> {
    let callable = callback
        .get(py)
        .ok_or_else(|| PyRuntimeError::new_err("the pattern was freed by the garbage collector"))?;
    let operation = owner::object(py, op)?;
    *seen = Some(operation.clone_ref(py));
    let context = operation.get().context_of(py)?;
    let view = operation::view_of(py, &operation)?;
    let rewriter = PatternRewriter::open(py, rewriter, context, Some(&operation), drive)?;
    let result = callable.call1(py, (view, rewriter.clone_ref(py)));
    // In a conversion, it is closed after the driver was told of what the pattern has inserted.
    if drive.is_none_or(|drive| drive.kind != Kind::Conversion) {
        rewriter.get().close();
    }
    Ok(!result?.bind(py).is_truthy()?)
}
