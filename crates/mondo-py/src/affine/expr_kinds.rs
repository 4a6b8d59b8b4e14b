//! The methods of the classes of affine expressions: one class for each kind.

use mondo_sys::*;
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::AffineExpr;
use super::expr_operators::apply;
use super::expr_wrap::{
    AffineAddExpr, AffineBinaryExpr, AffineCeilDivExpr, AffineConstantExpr, AffineDimExpr,
    AffineFloorDivExpr, AffineModExpr, AffineMulExpr, AffineSymbolExpr, wrap,
};
use crate::ir::arguments::Int;
use crate::ownership::context::Context;

/// The first step of `cls(expr)`: a copy of the expression, if it is of the kind.
fn cast(
    expr: &Bound<'_, AffineExpr>,
    class: &str,
    is: unsafe extern "C" fn(MlirAffineExpr) -> bool,
) -> PyResult<PyClassInitializer<AffineExpr>> {
    let py = expr.py();
    // SAFETY: the expression is live.
    if unsafe { is(expr.get().get(py)?) } {
        return Ok(PyClassInitializer::from(expr.get().copy(py)));
    }
    Err(PyValueError::new_err(format!(
        "Cannot cast affine expression to {class} (from AffineExpr({}))",
        expr.get().text(py)?
    )))
}

/// Defines the methods of the class of a constant, a dimension, or a symbol: the expression for a
/// number, and the number of an expression.
macro_rules! leaves {
    ($($class:ident: $is:ident, $make:ident($argument:ident: $number:ty), $get:ident;)+) => {
        $(
            #[pymethods]
            impl $class {
                #[new]
                fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
                    let base = cast(expr, stringify!($class), $is)?;
                    Ok(base.add_subclass(Self))
                }

                /// The expression of this kind for a number.
                #[staticmethod]
                #[pyo3(signature = ($argument, context = None))]
                fn get(
                    py: Python<'_>,
                    $argument: Int<$number>,
                    context: Option<Bound<'_, Context>>,
                ) -> PyResult<Py<PyAny>> {
                    AffineExpr::$make(py, $argument, context)
                }

                #[getter]
                fn $argument(slf: &Bound<'_, Self>) -> PyResult<$number> {
                    // SAFETY: the constructors make only objects for live expressions of the kind.
                    Ok(unsafe { $get(slf.as_super().get().get(slf.py())?) })
                }
            }
        )+
    };
}

leaves! {
    AffineConstantExpr: mlirAffineExprIsAConstant, get_constant(value: i64),
        mlirAffineConstantExprGetValue;
    AffineDimExpr: mlirAffineExprIsADim, get_dim(position: isize), mlirAffineDimExprGetPosition;
    AffineSymbolExpr: mlirAffineExprIsASymbol, get_symbol(position: isize),
        mlirAffineSymbolExprGetPosition;
}

#[pymethods]
impl AffineBinaryExpr {
    #[new]
    fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
        let base = cast(expr, "AffineBinaryExpr", mlirAffineExprIsABinary)?;
        Ok(base.add_subclass(Self))
    }

    #[getter]
    fn lhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        side(slf, mlirAffineBinaryOpExprGetLHS)
    }

    #[getter]
    fn rhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        side(slf, mlirAffineBinaryOpExprGetRHS)
    }
}

/// One operand of a binary expression.
fn side(
    object: &Bound<'_, AffineBinaryExpr>,
    get: unsafe extern "C" fn(MlirAffineExpr) -> MlirAffineExpr,
) -> PyResult<Py<PyAny>> {
    let (py, base) = (object.py(), object.as_super().get());
    // SAFETY: the constructors make only objects for live binary expressions.
    unsafe { wrap(py, &base.context, get(base.get(py)?)) }
}

/// Defines the methods of the class of each operator.
macro_rules! operators {
    ($($class:ident: $get:ident, $is:ident;)+) => {
        $(
            #[pymethods]
            impl $class {
                #[new]
                fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
                    let base = cast(expr, stringify!($class), $is)?;
                    Ok(base.add_subclass(AffineBinaryExpr).add_subclass(Self))
                }

                /// The operator between two expressions, simplified where that is easy.
                #[staticmethod]
                #[pyo3(signature = (lhs, rhs, /))]
                fn get(
                    lhs: &Bound<'_, AffineExpr>,
                    rhs: &Bound<'_, AffineExpr>,
                ) -> PyResult<Py<PyAny>> {
                    apply(lhs, rhs, $get)
                }
            }
        )+
    };
}

operators! {
    AffineAddExpr: mlirAffineAddExprGet, mlirAffineExprIsAAdd;
    AffineMulExpr: mlirAffineMulExprGet, mlirAffineExprIsAMul;
    AffineModExpr: mlirAffineModExprGet, mlirAffineExprIsAMod;
    AffineFloorDivExpr: mlirAffineFloorDivExprGet, mlirAffineExprIsAFloorDiv;
    AffineCeilDivExpr: mlirAffineCeilDivExprGet, mlirAffineExprIsACeilDiv;
}
