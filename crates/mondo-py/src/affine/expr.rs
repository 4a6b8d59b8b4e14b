//! `AffineExpr`: the struct, the extent of expressions, and sequences of them.

use std::collections::HashSet;

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::string::collect;
use crate::ir::arguments::{count, each};
use crate::ownership::context::{Context, require_same};

/// An affine expression: it is unique in its context, and lives as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct AffineExpr {
    pub(super) raw: MlirAffineExpr,
    pub(super) context: Py<Context>,
}

// SAFETY: expressions are immutable, and the context outlives them.
unsafe impl Send for AffineExpr {}
// SAFETY: as above.
unsafe impl Sync for AffineExpr {}

impl AffineExpr {
    /// The expression, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirAffineExpr> {
        self.context.get().get(py)?;
        Ok(self.raw)
    }

    /// The same, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirAffineExpr> {
        require_same(context, &self.context, "affine expression")?;
        self.get(py)
    }

    pub(super) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the expression is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAffineExprPrint(raw, callback, data);
        }))
    }

    pub(super) fn copy(&self, py: Python<'_>) -> Self {
        Self {
            raw: self.raw,
            context: self.context.clone_ref(py),
        }
    }
}

/// The numbers of dimensions and symbols that expressions need.
pub(super) fn extent(expressions: &[MlirAffineExpr]) -> (isize, isize) {
    let mut extent = (0, 0);
    let mut seen = HashSet::new();
    let mut open = expressions.to_vec();
    while let Some(expression) = open.pop() {
        // Expressions share parts, so that walking all paths could take for ever.
        if !seen.insert(expression.ptr) {
            continue;
        }
        // SAFETY: callers pass live expressions, whose parts live as long.
        unsafe {
            if mlirAffineExprIsADim(expression) {
                extent.0 = extent.0.max(mlirAffineDimExprGetPosition(expression) + 1);
            } else if mlirAffineExprIsASymbol(expression) {
                extent.1 = extent
                    .1
                    .max(mlirAffineSymbolExprGetPosition(expression) + 1);
            } else if mlirAffineExprIsABinary(expression) {
                open.push(mlirAffineBinaryOpExprGetLHS(expression));
                open.push(mlirAffineBinaryOpExprGetRHS(expression));
            }
        }
    }
    extent
}

/// Refuses expressions that use more dimensions or symbols than there are.
pub(super) fn require_within(
    expressions: &[MlirAffineExpr],
    dims: isize,
    symbols: isize,
) -> PyResult<()> {
    count("the number of dimensions", dims)?;
    count("the number of symbols", symbols)?;
    let (used_dims, used_symbols) = extent(expressions);
    if used_dims <= dims && used_symbols <= symbols {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "the expressions need {used_dims} dimensions and {used_symbols} symbols, but there are only \
         {dims} and {symbols}"
    )))
}

/// The exception for something in a list that is not what the list is of.
pub(super) fn not_one(object: &Bound<'_, PyAny>, doing: &str) -> PyErr {
    let (none, found) = if object.is_none() {
        (" (None?)", String::new())
    } else {
        ("", object.get_type().to_string())
    };
    PyRuntimeError::new_err(format!("Invalid expression{none} when {doing} ({found})"))
}

/// The expressions in a sequence, all of `context`.
pub(super) fn expressions_in(
    sequence: &Bound<'_, PyAny>,
    context: &Py<Context>,
    doing: &str,
) -> PyResult<Vec<MlirAffineExpr>> {
    let mut expressions = Vec::with_capacity(sequence.len().unwrap_or(0));
    each(sequence, |element| {
        let expression = element
            .cast::<AffineExpr>()
            .map_err(|_| not_one(&element, doing))?;
        expressions.push(expression.get().get_in(element.py(), context)?);
        Ok(())
    })?;
    Ok(expressions)
}
