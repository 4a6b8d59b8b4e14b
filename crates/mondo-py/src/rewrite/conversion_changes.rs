//! What a rewriter does in a conversion: MLIR's driver makes the changes in the end.

use std::rc::Rc;

use mondo_ir::nodes::{Op, Value};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::ownership::conversions::{Conversion, in_conversion};
use crate::ownership::operation::OperationBase;

pub(super) fn in_another_tree() -> PyErr {
    PyRuntimeError::new_err("the rewriter can only change the tree that the conversion works on")
}

/// Finds the conversion that works on the tree of an operation, and fails if the pattern must not erase it.
pub(super) fn running_on(py: Python<'_>, op: &OperationBase) -> PyResult<Rc<Conversion>> {
    let tree = op.tree(py)?;
    let running = Conversion::of(tree.get()).ok_or_else(in_another_tree)?;
    if !op.read(py, |op| running.owns(op))? {
        return Err(PyRuntimeError::new_err(
            "in a conversion, a pattern can only erase or replace the operation that it matched and those that it has \
             inserted, each of them once, and not what is converted as a whole",
        ));
    }
    if !running.waits() {
        return Err(in_conversion());
    }
    Ok(running)
}

/// Replaces the results of an operation in a conversion.
pub(super) fn replace(running: &Conversion, op: Op<'_>, values: &[Value<'_>]) -> PyResult<()> {
    let wanted = op.results().count();
    if values.len() != wanted {
        return Err(PyValueError::new_err(format!(
            "the operation has {wanted} results, but there are {} values to replace them with",
            values.len()
        )));
    }
    if running.replace(op, values) {
        return Ok(());
    }
    Err(PyValueError::new_err(
        "a result can only be replaced by a value that is defined before the operation, where the operation could use it",
    ))
}

/// Erases an operation in a conversion.
pub(super) fn erase(running: &Conversion, op: Op<'_>) -> PyResult<()> {
    if running.erase(op) {
        return Ok(());
    }
    Err(in_conversion())
}
