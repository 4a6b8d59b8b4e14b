//! The classes of the kinds of affine expressions.

use mondo_sys::*;
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::{AffineExpr, apply, wrap};
use crate::ir::arguments::Int;
use crate::ownership::context::Context;

/// What `cls(expr)` begins with: a copy of the expression, if it is of the kind.
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

/// A number.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineConstantExpr;

#[pymethods]
impl AffineConstantExpr {
    #[new]
    fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
        let base = cast(expr, "AffineConstantExpr", mlirAffineExprIsAConstant)?;
        Ok(base.add_subclass(Self))
    }

    /// The expression for a number.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get(
        py: Python<'_>,
        value: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        AffineExpr::get_constant(py, value, context)
    }

    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<i64> {
        // SAFETY: the constructors make only objects for live constants.
        Ok(unsafe { mlirAffineConstantExprGetValue(slf.as_super().get().get(slf.py())?) })
    }
}

/// A dimension.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineDimExpr;

#[pymethods]
impl AffineDimExpr {
    #[new]
    fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
        let base = cast(expr, "AffineDimExpr", mlirAffineExprIsADim)?;
        Ok(base.add_subclass(Self))
    }

    /// The expression for a dimension.
    #[staticmethod]
    #[pyo3(signature = (position, context = None))]
    fn get(
        py: Python<'_>,
        position: Int<isize>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        AffineExpr::get_dim(py, position, context)
    }

    #[getter]
    fn position(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // SAFETY: the constructors make only objects for live dimensions.
        Ok(unsafe { mlirAffineDimExprGetPosition(slf.as_super().get().get(slf.py())?) })
    }
}

/// A symbol.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineSymbolExpr;

#[pymethods]
impl AffineSymbolExpr {
    #[new]
    fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
        let base = cast(expr, "AffineSymbolExpr", mlirAffineExprIsASymbol)?;
        Ok(base.add_subclass(Self))
    }

    /// The expression for a symbol.
    #[staticmethod]
    #[pyo3(signature = (position, context = None))]
    fn get(
        py: Python<'_>,
        position: Int<isize>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        AffineExpr::get_symbol(py, position, context)
    }

    #[getter]
    fn position(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // SAFETY: the constructors make only objects for live symbols.
        Ok(unsafe { mlirAffineSymbolExprGetPosition(slf.as_super().get().get(slf.py())?) })
    }
}

/// Two expressions and an operator.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineBinaryExpr;

#[pymethods]
impl AffineBinaryExpr {
    #[new]
    fn new(expr: &Bound<'_, AffineExpr>) -> PyResult<PyClassInitializer<Self>> {
        let base = cast(expr, "AffineBinaryExpr", mlirAffineExprIsABinary)?;
        Ok(base.add_subclass(Self))
    }

    #[getter]
    fn lhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (py, base) = (slf.py(), slf.as_super().get());
        // SAFETY: the constructors make only objects for live binary expressions.
        unsafe {
            wrap(
                py,
                &base.context,
                mlirAffineBinaryOpExprGetLHS(base.get(py)?),
            )
        }
    }

    #[getter]
    fn rhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (py, base) = (slf.py(), slf.as_super().get());
        // SAFETY: the constructors make only objects for live binary expressions.
        unsafe {
            wrap(
                py,
                &base.context,
                mlirAffineBinaryOpExprGetRHS(base.get(py)?),
            )
        }
    }
}

/// Defines the class of each operator.
macro_rules! operators {
    ($($class:ident: $get:ident, $is:ident, $doc:literal;)+) => {
        $(
            #[doc = $doc]
            #[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
            pub(crate) struct $class;

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
    AffineAddExpr: mlirAffineAddExprGet, mlirAffineExprIsAAdd, "A sum.";
    AffineMulExpr: mlirAffineMulExprGet, mlirAffineExprIsAMul, "A product.";
    AffineModExpr: mlirAffineModExprGet, mlirAffineExprIsAMod, "The remainder of a division.";
    AffineFloorDivExpr: mlirAffineFloorDivExprGet, mlirAffineExprIsAFloorDiv,
        "A quotient, rounded down.";
    AffineCeilDivExpr: mlirAffineCeilDivExprGet, mlirAffineExprIsACeilDiv,
        "A quotient, rounded up.";
}
