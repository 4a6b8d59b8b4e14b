//! The classes of affine expressions, and the choice of one for an expression.

use mondo_ir::declarations as c;
use pyo3::PyClassInitializer;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::AffineExpr;
use crate::ownership::context::{Entered, Wrap};

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

impl<'ctx, K> Wrap<'ctx> for mondo_ir::AffineExpr<'ctx, K> {
    fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>> {
        let (py, expr) = (ctx.py(), self.any());
        let base = PyClassInitializer::from(AffineExpr::of(ctx, expr));
        if c::mlirAffineExprIsAConstant(expr) {
            Ok(Py::new(py, base.add_subclass(AffineConstantExpr))?.into_any())
        } else if c::mlirAffineExprIsADim(expr) {
            Ok(Py::new(py, base.add_subclass(AffineDimExpr))?.into_any())
        } else if c::mlirAffineExprIsASymbol(expr) {
            Ok(Py::new(py, base.add_subclass(AffineSymbolExpr))?.into_any())
        } else {
            ctx.check_expression(expr)?;
            let base = base.add_subclass(AffineBinaryExpr);
            if c::mlirAffineExprIsAAdd(expr) {
                Ok(Py::new(py, base.add_subclass(AffineAddExpr))?.into_any())
            } else if c::mlirAffineExprIsAMul(expr) {
                Ok(Py::new(py, base.add_subclass(AffineMulExpr))?.into_any())
            } else if c::mlirAffineExprIsAMod(expr) {
                Ok(Py::new(py, base.add_subclass(AffineModExpr))?.into_any())
            } else if c::mlirAffineExprIsAFloorDiv(expr) {
                Ok(Py::new(py, base.add_subclass(AffineFloorDivExpr))?.into_any())
            } else {
                Ok(Py::new(py, base.add_subclass(AffineCeilDivExpr))?.into_any())
            }
        }
    }
}
