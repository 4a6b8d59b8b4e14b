//! `AffineExpr`: the struct, the extent of expressions, and sequences of them.

use std::collections::HashSet;
use std::ffi::c_void;

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::late::Late;
use crate::interop::string::collect;
use crate::ir::arguments::{count, each};
use crate::ownership::context::{Context, require_same};

/// An affine expression: it is unique in its context, and lives as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct AffineExpr {
    parts: Late<Parts>,
}

/// The contents of an `AffineExpr`.
struct Parts {
    raw: MlirAffineExpr,
    context: Py<Context>,
}

// SAFETY: expressions are immutable, and the context outlives them.
unsafe impl Send for Parts {}
// SAFETY: as above.
unsafe impl Sync for Parts {}

impl AffineExpr {
    /// # Safety
    ///
    /// `raw` is of `context`, and not null.
    pub(super) unsafe fn new(raw: MlirAffineExpr, context: Py<Context>) -> Self {
        Self {
            parts: Late::of(Parts { raw, context }),
        }
    }

    /// An object for `__init__`.
    pub(super) fn empty() -> Self {
        Self {
            parts: Late::empty(),
        }
    }

    /// Makes an empty object stand for the expression of another.
    pub(super) fn set(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let other = other.parts.get()?;
        if let Some(mine) = self.parts.known()
            && mine.raw.ptr == other.raw.ptr
        {
            return Ok(());
        }
        self.parts.set(Parts {
            raw: other.raw,
            context: other.context.clone_ref(py),
        })
    }

    /// The context that it lives in.
    pub(super) fn home(&self) -> PyResult<&Py<Context>> {
        Ok(&self.parts.get()?.context)
    }

    /// The address of the expression, by which it is compared; null in an empty object.
    pub(super) fn address(&self) -> *const c_void {
        let parts = self.parts.known();
        parts.map_or(std::ptr::null(), |parts| parts.raw.ptr)
    }

    pub(super) fn show(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.parts.known().map(|parts| &parts.context))
    }

    /// The expression, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirAffineExpr> {
        let parts = self.parts.get()?;
        parts.context.get().get(py)?;
        Ok(parts.raw)
    }

    /// The same, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirAffineExpr> {
        require_same(context, self.home()?, "affine expression")?;
        self.get(py)
    }

    pub(super) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the expression is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAffineExprPrint(raw, callback, data);
        }))
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
