//! The class `AffineExpr`, the checks of the dimensions and symbols that expressions use, and sequences of
//! expressions. Its Python methods are in `expr_methods.rs`.

use std::ffi::c_void;

use mondo_ir::affine::{Bounded, Needed, Unfit};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::two_phase::Late;
use crate::ir::arguments::{each, likely_length, places};
use crate::ownership::context::{Context, Entered, require_same, too_deep};
use crate::ownership::uniqued_ref::UniquedRef;

/// The contents of an `AffineExpr`.
pub(super) type ExprRef = UniquedRef<mondo_ir::AffineExpr<'static>>;

/// An affine expression: it is unique in its context, and lives as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct AffineExpr {
    parts: Late<ExprRef>,
}

impl AffineExpr {
    pub(super) fn of<'ctx>(ctx: Entered<'_, 'ctx>, expr: mondo_ir::AffineExpr<'ctx>) -> Self {
        Self {
            parts: Late::of(UniquedRef::of(ctx, expr)),
        }
    }

    /// An empty object, for `__init__`.
    pub(super) fn empty() -> Self {
        Self {
            parts: Late::empty(),
        }
    }

    /// Sets the contents of an empty object to the expression of another one.
    pub(super) fn set(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let other = other.parts.get()?;
        if let Some(mine) = self.parts.known()
            && mine.address() == other.address()
        {
            return Ok(());
        }
        self.parts.set(other.duplicate(py))
    }

    #[inline]
    pub(super) fn uniqued(&self) -> PyResult<&ExprRef> {
        self.parts.get()
    }

    pub(super) fn known(&self) -> Option<&ExprRef> {
        self.parts.known()
    }

    /// The address, by which expressions are compared; null in an empty object.
    pub(super) fn address(&self) -> *const c_void {
        let parts = self.parts.known();
        parts.map_or(std::ptr::null(), |parts| parts.address().as_ptr())
    }

    /// The handle, in the context that was entered; fails for an expression of another context.
    #[inline]
    pub(crate) fn within<'ctx>(
        &self,
        ctx: Entered<'_, 'ctx>,
    ) -> PyResult<mondo_ir::AffineExpr<'ctx>> {
        self.parts.get()?.within(ctx, WHAT)
    }
}

/// The noun in error messages.
const WHAT: &str = "affine expression";

/// Checks numbers of dimensions and symbols.
pub(super) fn require_counts(dims: isize, symbols: isize) -> PyResult<(u32, u32)> {
    Ok((
        places("the number of dimensions", dims)?,
        places("the number of symbols", symbols)?,
    ))
}

/// The exception for expressions that use more dimensions or symbols than the map or set has.
pub(super) fn beyond(needed: Needed, dims: u32, symbols: u32) -> PyErr {
    let Needed {
        dimensions: used_dims,
        symbols: used_symbols,
    } = needed;
    PyValueError::new_err(format!(
        "the expressions need {used_dims} dimensions and {used_symbols} symbols, but there are only \
         {dims} and {symbols}"
    ))
}

/// The exception for a map or a set whose expressions cannot be replaced.
pub(super) fn unfit(reason: Unfit, dims: u32, symbols: u32) -> PyErr {
    match reason {
        Unfit::Beyond(needed) => beyond(needed, dims, symbols),
        Unfit::TooDeep => too_deep("affine expression"),
    }
}

/// Fails for expressions that use more dimensions or symbols than the map or set has.
pub(super) fn bounded<'a, 'ctx>(
    expressions: &'a [mondo_ir::AffineExpr<'ctx>],
    dims: isize,
    symbols: isize,
) -> PyResult<Bounded<'a, 'ctx>> {
    let (dims, symbols) = require_counts(dims, symbols)?;
    Bounded::check(expressions, dims, symbols).map_err(|needed| beyond(needed, dims, symbols))
}

/// The exception for an element of a list that is of a wrong class.
pub(super) fn not_one(object: &Bound<'_, PyAny>, doing: &str) -> PyErr {
    PyRuntimeError::new_err(if object.is_none() {
        format!("Invalid expression (None?) when {doing} ()")
    } else {
        let found = object.get_type();
        format!("Invalid expression when {doing} (std::bad_cast)\nit is {object}, of type {found}")
    })
}

/// Converts a sequence of expressions, each of which has to be of `context`.
pub(super) fn expressions_in<'py>(
    sequence: &Bound<'py, PyAny>,
    context: &Py<Context>,
    doing: &str,
) -> PyResult<Vec<Bound<'py, AffineExpr>>> {
    let mut expressions = Vec::with_capacity(likely_length(sequence));
    each(sequence, |element| {
        let expression = element
            .cast_into::<AffineExpr>()
            .map_err(|error| not_one(&error.into_inner(), doing))?;
        require_same(context, expression.get().uniqued()?.context(), WHAT)?;
        expressions.push(expression);
        Ok(())
    })?;
    Ok(expressions)
}

/// The handles of expressions of the context.
pub(super) fn within_all<'ctx>(
    expressions: &[Bound<'_, AffineExpr>],
    ctx: Entered<'_, 'ctx>,
) -> PyResult<Vec<mondo_ir::AffineExpr<'ctx>>> {
    expressions
        .iter()
        .map(|expression| expression.get().within(ctx))
        .collect()
}
