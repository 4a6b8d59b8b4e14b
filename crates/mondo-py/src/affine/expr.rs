//! `AffineExpr`.

use std::collections::HashSet;

use mondo_sys::*;
use pyo3::PyClassInitializer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::AffineMap;
use super::expr_kinds::{
    AffineAddExpr, AffineBinaryExpr, AffineCeilDivExpr, AffineConstantExpr, AffineDimExpr,
    AffineFloorDivExpr, AffineModExpr, AffineMulExpr, AffineSymbolExpr,
};
use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::arguments::{Int, count, integer};
use crate::ir::derived_class::context_for;
use crate::ownership::context::{Context, require_same};

/// An affine expression: it is unique in its context, and lives as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct AffineExpr {
    raw: MlirAffineExpr,
    pub(super) context: Py<Context>,
}

// SAFETY: expressions are immutable, and the context outlives them.
unsafe impl Send for AffineExpr {}
// SAFETY: as above.
unsafe impl Sync for AffineExpr {}

type Binary = unsafe extern "C" fn(MlirAffineExpr, MlirAffineExpr) -> MlirAffineExpr;

impl AffineExpr {
    /// The expression, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirAffineExpr> {
        self.context.get().get(py)?;
        Ok(self.raw)
    }

    /// The same, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirAffineExpr> {
        require_same(context, &self.context, "affine expression")?;
        self.get(py)
    }

    pub(super) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the expression is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAffineExprPrint(raw, callback, data);
        }))
    }

    pub(super) fn copy(&self, py: Python<'_>) -> Self {
        Self {
            raw: self.raw,
            context: self.context.clone_ref(py),
        }
    }
}

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
    let base = PyClassInitializer::from(AffineExpr {
        raw,
        context: context.clone_ref(py),
    });
    // SAFETY: the caller vouches for the expression.
    unsafe {
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

/// How many dimensions and symbols an expression needs.
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
        (Ok(side), _) | (_, Ok(side)) => side.get().context.clone_ref(py),
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
fn subtract(lhs: &Bound<'_, PyAny>, rhs: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
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

#[pymethods]
impl AffineExpr {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

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

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        self.raw.ptr as usize >> 4
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("AffineExpr({})", self.text(py)?))
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// The expression with the results of a map for its dimensions.
    #[pyo3(signature = (other, /))]
    fn compose(&self, py: Python<'_>, other: &Bound<'_, AffineMap>) -> PyResult<Py<PyAny>> {
        let map = other.get().handle_in(py, &self.context)?;
        // SAFETY: both are live and of one context.
        unsafe { wrap(py, &self.context, mlirAffineExprCompose(self.get(py)?, map)) }
    }

    /// The same expression as the class of its kind.
    fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        // SAFETY: the expression is live and of its context.
        unsafe { wrap(py, &self.context, self.get(py)?) }
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
            wrap(py, &self.context, raw)
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
            wrap(py, &self.context, raw)
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
            wrap(py, &expr.get().context, raw)
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

    /// Prints the expression to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the expression is live.
        unsafe { mlirAffineExprDump(self.get(py)?) };
        Ok(())
    }

    /// A capsule with the `MlirAffineExpr`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.AffineExpr", self.get(py)?.ptr)
    }

    /// The object for the `MlirAffineExpr` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = capsule.py();
        let raw = MlirAffineExpr {
            ptr: capsule::unwrap(capsule, "ir.AffineExpr")?,
        };
        // SAFETY: whoever made the capsule put a live expression into it, and these know their context.
        unsafe {
            let context = Context::of(py, mlirAffineExprGetContext(raw))?;
            wrap(py, &context, raw)
        }
    }
}
