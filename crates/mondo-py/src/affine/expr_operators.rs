//! The operators between affine expressions and numbers.

use mondo_sys::*;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::AffineExpr;
use super::expr_wrap::wrap;
use crate::ir::arguments::integer;
use crate::ownership::context::Context;

type Binary = unsafe extern "C" fn(MlirAffineExpr, MlirAffineExpr) -> MlirAffineExpr;

/// Either side of an operator: an expression, or a number.
fn operand(side: &Bound<'_, PyAny>, context: &Py<Context>) -> PyResult<MlirAffineExpr> {
    let py = side.py();
    if let Ok(expression) = side.cast::<AffineExpr>() {
        return expression.get().get_in(py, context);
    }
    let value = integer::<i64>(side)?;
    // SAFETY: the context is live.
    Ok(unsafe { mlirAffineConstantExprGet(context.get().get(py)?, value) })
}

/// Applies an operator; at least one side is an expression.
pub(super) fn apply(
    lhs: &Bound<'_, PyAny>,
    rhs: &Bound<'_, PyAny>,
    operator: Binary,
) -> PyResult<Py<PyAny>> {
    let py = lhs.py();
    let context = match (lhs.cast::<AffineExpr>(), rhs.cast::<AffineExpr>()) {
        (Ok(side), _) | (_, Ok(side)) => side.get().home()?.clone_ref(py),
        _ => {
            return Err(PyTypeError::new_err(format!(
                "one of the two must be an AffineExpr, but there are {} and {}",
                lhs.repr()?,
                rhs.repr()?
            )));
        }
    };
    let (lhs, rhs) = (operand(lhs, &context)?, operand(rhs, &context)?);
    // SAFETY: both are live expressions of one context.
    unsafe { wrap(py, &context, operator(lhs, rhs)) }
}

/// `lhs - rhs`.
pub(super) fn subtract(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = lhs.py();
    let minus_one = (-1i64).into_pyobject(py)?.into_any();
    let negated = match rhs.cast::<AffineExpr>() {
        Ok(_) => apply(&minus_one, rhs, mlirAffineMulExprGet)?.into_bound(py),
        Err(_) => integer::<i64>(rhs)?
            .wrapping_neg()
            .into_pyobject(py)?
            .into_any(),
    };
    apply(lhs, &negated, mlirAffineAddExprGet)
}
