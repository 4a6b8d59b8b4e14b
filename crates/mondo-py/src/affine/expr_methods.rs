//! The methods of `AffineExpr`.

use mondo_sys::*;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::expr::{AffineExpr, require_within};
use super::expr_kinds::initialise;
use super::expr_operators::{apply, subtract};
use super::expr_wrap::wrap;
use super::map::AffineMap;
use super::value_class::affine_methods;
use crate::interop::capsule;
use crate::ir::arguments::{Int, count};
use crate::ir::derived_class::context_for;
use crate::ownership::context::Context;

affine_methods! {
    AffineExpr(MlirAffineExpr), "expression",
    get: get,
    dump: mlirAffineExprDump,
    init: initialise,
    {
        fn __add__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, mlirAffineAddExprGet)
        }

        fn __radd__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, mlirAffineAddExprGet)
        }

        fn __mul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, mlirAffineMulExprGet)
        }

        fn __rmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, mlirAffineMulExprGet)
        }

        fn __mod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(slf, other, mlirAffineModExprGet)
        }

        fn __rmod__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(other, slf, mlirAffineModExprGet)
        }

        fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            subtract(slf, other)
        }

        fn __rsub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            subtract(other, slf)
        }

        /// The expression with the results of a map for its dimensions.
        #[pyo3(signature = (other, /))]
        fn compose(&self, py: Python<'_>, other: &Bound<'_, AffineMap>) -> PyResult<Py<PyAny>> {
            let map = other.get().handle_in(py, self.home()?)?;
            // SAFETY: both are live and of one context.
            unsafe { wrap(py, self.home()?, mlirAffineExprCompose(self.get(py)?, map)) }
        }

        /// The same expression as the class of its kind.
        fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            // SAFETY: the expression is live and of its context.
            unsafe { wrap(py, self.home()?, self.get(py)?) }
        }

        /// The expression with the dimensions from `offset` to `num_dims` moved up by `shift`.
        #[pyo3(signature = (num_dims, shift, offset = Int(0)), text_signature = "($self, num_dims, shift, offset=0)")]
        fn shift_dims(
            &self,
            py: Python<'_>,
            num_dims: Int<u32>,
            shift: Int<u32>,
            offset: Int<u32>,
        ) -> PyResult<Py<PyAny>> {
            // SAFETY: the expression is live.
            unsafe {
                let raw = mlirAffineExprShiftDims(self.get(py)?, num_dims.0, shift.0, offset.0);
                wrap(py, self.home()?, raw)
            }
        }

        /// The expression with the symbols from `offset` to `num_symbols` moved up by `shift`.
        #[pyo3(signature = (num_symbols, shift, offset = Int(0)), text_signature = "($self, num_symbols, shift, offset=0)")]
        fn shift_symbols(
            &self,
            py: Python<'_>,
            num_symbols: Int<u32>,
            shift: Int<u32>,
            offset: Int<u32>,
        ) -> PyResult<Py<PyAny>> {
            // SAFETY: the expression is live.
            unsafe {
                let raw = mlirAffineExprShiftSymbols(self.get(py)?, num_symbols.0, shift.0, offset.0);
                wrap(py, self.home()?, raw)
            }
        }

        /// A simpler expression of the same value, where MLIR finds one.
        #[staticmethod]
        fn simplify_affine_expr(
            py: Python<'_>,
            expr: &Bound<'_, Self>,
            num_dims: Int<u32>,
            num_symbols: Int<u32>,
        ) -> PyResult<Py<PyAny>> {
            let raw = expr.get().get(py)?;
            require_within(&[raw], num_dims.0 as isize, num_symbols.0 as isize)?;
            // SAFETY: the expression is live, and has no more dimensions and symbols than is said.
            unsafe {
                let raw = mlirSimplifyAffineExpr(raw, num_dims.0, num_symbols.0);
                wrap(py, expr.get().home()?, raw)
            }
        }

        /// The sum of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_add(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, mlirAffineAddExprGet)
        }

        /// The product of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_mul(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, mlirAffineMulExprGet)
        }

        /// The remainder of a division of two expressions, or of an expression and a number.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_mod(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, mlirAffineModExprGet)
        }

        /// The quotient of two expressions, or of an expression and a number, rounded down.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_floor_div(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, mlirAffineFloorDivExprGet)
        }

        /// The quotient of two expressions, or of an expression and a number, rounded up.
        #[staticmethod]
        #[pyo3(signature = (lhs, rhs, /))]
        fn get_ceil_div(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            apply(lhs, rhs, mlirAffineCeilDivExprGet)
        }

        /// The expression for a number.
        #[staticmethod]
        #[pyo3(signature = (value, context = None))]
        pub(super) fn get_constant(
            py: Python<'_>,
            value: Int<i64>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live.
            unsafe { wrap(py, &context, mlirAffineConstantExprGet(raw, value.0)) }
        }

        /// The expression for a dimension.
        #[staticmethod]
        #[pyo3(signature = (position, context = None))]
        pub(super) fn get_dim(
            py: Python<'_>,
            position: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            let position = count("the position of a dimension", position.0)?;
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live, and the position fits.
            unsafe { wrap(py, &context, mlirAffineDimExprGet(raw, position)) }
        }

        /// The expression for a symbol.
        #[staticmethod]
        #[pyo3(signature = (position, context = None))]
        pub(super) fn get_symbol(
            py: Python<'_>,
            position: Int<isize>,
            context: Option<Bound<'_, Context>>,
        ) -> PyResult<Py<PyAny>> {
            let position = count("the position of a symbol", position.0)?;
            let (context, raw) = context_for(py, context)?;
            // SAFETY: the context is live, and the position fits.
            unsafe { wrap(py, &context, mlirAffineSymbolExprGet(raw, position)) }
        }

        /// The object for the `MlirAffineExpr` in a capsule.
        #[staticmethod]
        #[pyo3(name = "_CAPICreate")]
        fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
            let py = capsule.py();
            let raw = MlirAffineExpr {
                ptr: capsule::unwrap(capsule, "ir.AffineExpr")?,
            };
            // SAFETY: whoever made the capsule put a live expression into it, and these know their
            // context.
            unsafe {
                let context = Context::of(py, mlirAffineExprGetContext(raw))?;
                wrap(py, &context, raw)
            }
        }
    }
}
