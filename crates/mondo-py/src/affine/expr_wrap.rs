//! The classes of affine expressions, and the choice of one for an expression.

use mondo_sys::*;
use pyo3::PyClassInitializer;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::AffineExpr;
use crate::ownership::context::Context;

/// A number.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineConstantExpr;

/// A dimension.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineDimExpr;

/// A symbol.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineSymbolExpr;

/// Two expressions and an operator.
#[pyclass(frozen, subclass, extends = AffineExpr)]
pub(crate) struct AffineBinaryExpr;

/// A sum.
#[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
pub(crate) struct AffineAddExpr;

/// A product.
#[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
pub(crate) struct AffineMulExpr;

/// The remainder of a division.
#[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
pub(crate) struct AffineModExpr;

/// A quotient, rounded down.
#[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
pub(crate) struct AffineFloorDivExpr;

/// A quotient, rounded up.
#[pyclass(frozen, subclass, extends = AffineBinaryExpr)]
pub(crate) struct AffineCeilDivExpr;

/// The object for an expression, as the class of its kind.
///
/// # Safety
///
/// `raw` is an expression of `context`, and not null.
pub(super) unsafe fn wrap(
    py: Python<'_>,
    context: &Py<Context>,
    raw: MlirAffineExpr,
) -> PyResult<Py<PyAny>> {
    // SAFETY: the caller vouches for the expression.
    unsafe {
        let base = PyClassInitializer::from(AffineExpr::new(raw, context.clone_ref(py)));
        if mlirAffineExprIsAConstant(raw) {
            Ok(Py::new(py, base.add_subclass(AffineConstantExpr))?.into_any())
        } else if mlirAffineExprIsADim(raw) {
            Ok(Py::new(py, base.add_subclass(AffineDimExpr))?.into_any())
        } else if mlirAffineExprIsASymbol(raw) {
            Ok(Py::new(py, base.add_subclass(AffineSymbolExpr))?.into_any())
        } else {
            let base = base.add_subclass(AffineBinaryExpr);
            if mlirAffineExprIsAAdd(raw) {
                Ok(Py::new(py, base.add_subclass(AffineAddExpr))?.into_any())
            } else if mlirAffineExprIsAMul(raw) {
                Ok(Py::new(py, base.add_subclass(AffineMulExpr))?.into_any())
            } else if mlirAffineExprIsAMod(raw) {
                Ok(Py::new(py, base.add_subclass(AffineModExpr))?.into_any())
            } else if mlirAffineExprIsAFloorDiv(raw) {
                Ok(Py::new(py, base.add_subclass(AffineFloorDivExpr))?.into_any())
            } else {
                Ok(Py::new(py, base.add_subclass(AffineCeilDivExpr))?.into_any())
            }
        }
    }
}
