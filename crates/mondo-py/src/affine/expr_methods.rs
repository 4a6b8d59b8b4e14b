//! The methods of `AffineExpr`.

use mondo_ir::declarations as c;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::{AffineExpr, beyond, require_counts};
use super::expr_kinds::initialise;
use super::expr_operators::{apply, subtract};
use super::map::AffineMap;
use super::value_class::affine_methods;
use crate::interop::operators::refused;
use crate::ir::arguments::{Int, count, places};
use crate::ir::derived_class::enter;
use crate::ownership::context::Context;
use crate::ownership::uniqued_ref::UniquedRef;

affine_methods! {
    AffineExpr, "MlirAffineExpr", "expression",
    init: initialise,
    {
        fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, c::mlirAffineAddExprGet)
                .map_err(|error| refused(slf, "__add__", other, error))
        }

        fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, c::mlirAffineAddExprGet)
                .map_err(|error| refused(slf, "__radd__", other, error))
        }

        fn __mul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, c::mlirAffineMulExprGet)
                .map_err(|error| refused(slf, "__mul__", other, error))
        }

        fn __rmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, c::mlirAffineMulExprGet)
                .map_err(|error| refused(slf, "__rmul__", other, error))
        }

        fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, c::mlirAffineModExprGet)
                .map_err(|error| refused(slf, "__mod__", other, error))
        }

        fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(other, slf, c::mlirAffineModExprGet)
                .map_err(|error| refused(slf, "__rmod__", other, error))
        }

        fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            subtract(slf, other)
                .map_err(|error| refused(slf, "__sub__", other, error))
        }

        fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            subtract(other, slf)
                .map_err(|error| refused(slf, "__rsub__", other, error))
        }

        /// The expression with the results of a map for its dimensions.
        #[pyo3(signature = (other, /))]
        fn compose(&self, py: Python<'_>, other: &Bound<'_, AffineMap>) -> PyResult<Py<PyAny>> {
            self.uniqued()?.with(py, |ctx, expression| {
                ctx.wrap(c::mlirAffineExprCompose(expression, other.get().within(ctx)?))
            })
        }

        /// The same expression as the class of its kind.
        fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.uniqued()?.with(py, |ctx, expression| ctx.wrap(expression))
        }

        /// The expression with the dimensions from `offset` to `num_dims` moved up by `shift`.
        #[pyo3(signature = (num_dims, shift, offset = Int(0)), text_signature = "($self, num_dims, shift, offset=0)")]
        fn shift_dims(
            &self,
            py: Python<'_>,
            num_dims: Int<isize>,
            shift: Int<u32>,
            offset: Int<u32>,
        ) -> PyResult<Py<PyAny>> {
            let dims = places("the number of dimensions", num_dims.0)?;
            self.uniqued()?.with(py, |ctx, expression| {
                ctx.wrap(c::mlirAffineExprShiftDims(expression, dims, shift.0, offset.0))
            })
        }

        /// The expression with the symbols from `offset` to `num_symbols` moved up by `shift`.
        #[pyo3(signature = (num_symbols, shift, offset = Int(0)), text_signature = "($self, num_symbols, shift, offset=0)")]
        fn shift_symbols(
            &self,
            py: Python<'_>,
            num_symbols: Int<isize>,
            shift: Int<u32>,
            offset: Int<u32>,
        ) -> PyResult<Py<PyAny>> {
            let symbols = places("the number of symbols", num_symbols.0)?;
            self.uniqued()?.with(py, |ctx, expression| {
                ctx.wrap(c::mlirAffineExprShiftSymbols(expression, symbols, shift.0, offset.0))
            })
        }

        /// A simpler expression of the same value, where MLIR finds one.
        #[staticmethod]
        fn simplify_affine_expr(
            py: Python<'_>,
            expr: &Bound<'_, Self>,
            num_dims: Int<isize>,
            num_symbols: Int<isize>,
        ) -> PyResult<Py<PyAny>> {
            let (dims, symbols) = require_counts(num_dims.0, num_symbols.0)?;
            expr.get().uniqued()?.with(py, |ctx, expression| {
                let simplified = expression.simplified(dims, symbols);
                ctx.wrap(simplified.map_err(|needed| beyond(needed, dims, symbols))?)
            })
        }

        /// The sum of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_add(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, c::mlirAffineAddExprGet)
        }

        /// The product of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_mul(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, c::mlirAffineMulExprGet)
        }

        /// The remainder of a division of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_mod(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, c::mlirAffineModExprGet)
        }

        /// The quotient of two expressions, or of an expression and a number, rounded down.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_floor_div(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, c::mlirAffineFloorDivExprGet)
        }

        /// The quotient of two expressions, or of an expression and a number, rounded up.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_ceil_div(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, c::mlirAffineCeilDivExprGet)
        }

        /// The expression for a number.
        #[staticmethod]
        #[pyo3(signature = (value, context = None))]
        pub(super) fn get_constant(
            py: Python<'_>,
            value: Int<i64>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            enter(py, context, |ctx| ctx.wrap(ctx.constant(value.0)))
        }

        /// The expression for a dimension.
        #[staticmethod]
        #[pyo3(signature = (position, context = None))]
        pub(super) fn get_dim(
            py: Python<'_>,
            position: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            let position = count("the position of a dimension", position.0)? as u32;
            enter(py, context, |ctx| ctx.wrap(ctx.dimension(position)))
        }

        /// The expression for a symbol.
        #[staticmethod]
        #[pyo3(signature = (position, context = None))]
        pub(super) fn get_symbol(
            py: Python<'_>,
            position: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            let position = count("the position of a symbol", position.0)? as u32;
            enter(py, context, |ctx| ctx.wrap(ctx.symbol(position)))
        }

        /// The object for the `MlirAffineExpr` in a capsule.
        #[staticmethod]
        #[pyo3(name = "_CAPICreate")]
        fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            let uniqued = UniquedRef::<mondo_ir::AffineExpr<'static>>::from_capsule(capsule, "ir.AffineExpr")?;
            uniqued.with(capsule.py(), |ctx, expression| ctx.wrap(expression))
        }
    }
}
