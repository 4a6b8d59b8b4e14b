//! The operators between affine expressions and numbers.

use mondo_ir::declarations as c;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::AffineExpr;
use crate::ir::arguments::integer;
use crate::ownership::context::{Context, Entered};

type Binary = for<'ctx> extern "C" fn(
    mondo_ir::AffineExpr<'ctx>,
    mondo_ir::AffineExpr<'ctx>,
) -> mondo_ir::AffineExpr<'ctx>;

/// An operand of an operator.
enum Operand<'a, 'py> {
    Expression(&'a Bound<'py, AffineExpr>),
    Number(i64),
}

impl<'a, 'py> Operand<'a, 'py> {
    fn of(side: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        match side.cast::<AffineExpr>() {
            Ok(expression) => Ok(Self::Expression(expression)),
            Err(_) => Ok(Self::Number(integer(side)?)),
        }
    }

    fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> PyResult<mondo_ir::AffineExpr<'ctx>> {
        match self {
            Self::Expression(expression) => expression.get().within(ctx),
            Self::Number(value) => Ok(ctx.constant(*value)),
        }
    }
}

/// Applies an operator; at least one operand has to be an expression.
pub(super) fn apply(
    lhs: &Bound<'_, PyAny>,
    rhs: &Bound<'_, PyAny>,
    operator: Binary,
) -> PyResult<Py<PyAny>> {
    let py = lhs.py();
    let context = match (lhs.cast::<AffineExpr>(), rhs.cast::<AffineExpr>()) {
        (Ok(side), _) | (_, Ok(side)) => side.get().uniqued()?.context(),
        _ => {
            return Err(PyTypeError::new_err(format!(
                "incompatible function arguments: one of the two must be an AffineExpr, but there are {} \
                 and {}",
                lhs.repr()?,
                rhs.repr()?
            )));
        }
    };
    let (lhs, rhs) = (Operand::of(lhs)?, Operand::of(rhs)?);
    Context::enter(py, context, |ctx| {
        ctx.wrap(operator(lhs.within(ctx)?, rhs.within(ctx)?))
    })
}

/// `lhs - rhs`.
pub(super) fn subtract(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let py = lhs.py();
    let minus_one = (-1i64).into_pyobject(py)?.into_any();
    let negated = match rhs.cast::<AffineExpr>() {
        Ok(_) => apply(&minus_one, rhs, c::mlirAffineMulExprGet)?.into_bound(py),
        Err(_) => integer::<i64>(rhs)?
            .wrapping_neg()
            .into_pyobject(py)?
            .into_any(),
    };
    apply(lhs, &negated, c::mlirAffineAddExprGet)
}
