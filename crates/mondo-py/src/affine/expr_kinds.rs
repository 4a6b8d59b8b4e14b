//! The methods of the classes of affine expressions: one class for each kind.

use mondo_ir::affine::{Binary, BinaryExpr, Dimension, ExprKind, Number, Symbol};
use mondo_ir::declarations as c;
use pyo3::PyClassInitializer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use super::expr::AffineExpr;
use super::expr_operators::apply;
use super::expr_wrap::{
    AffineAddExpr, AffineBinaryExpr, AffineCeilDivExpr, AffineConstantExpr, AffineDimExpr,
    AffineFloorDivExpr, AffineModExpr, AffineMulExpr, AffineSymbolExpr,
};
use crate::ir::arguments::Int;
use crate::ir::derived_class::wrong_kind;
use crate::ownership::context::Context;

/// `object.__init__(expr)`: sets the contents of an empty object to the expression of another one, which has
/// to be of the kind of the object's class.
pub(super) fn initialise(
    object: &Bound<'_, AffineExpr>,
    expr: &Bound<'_, AffineExpr>,
) -> PyResult<()> {
    check_kind(object, expr)?;
    object.get().set(object.py(), expr.get())
}

/// Fails if `expr` is not of the kind of the class of `object`.
fn check_kind(object: &Bound<'_, AffineExpr>, expr: &Bound<'_, AffineExpr>) -> PyResult<()> {
    type Test = for<'ctx> extern "C" fn(mondo_ir::AffineExpr<'ctx>) -> bool;
    let py = object.py();
    let mut kind: Option<(&str, Test)> = None;
    macro_rules! look {
        ($($class:ident: $is:ident;)+) => {
            $(
                if kind.is_none() && object.is_instance_of::<$class>() {
                    kind = Some((stringify!($class), c::$is));
                }
            )+
        };
    }
    look! {
        AffineConstantExpr: mlirAffineExprIsAConstant;
        AffineDimExpr: mlirAffineExprIsADim;
        AffineSymbolExpr: mlirAffineExprIsASymbol;
        AffineAddExpr: mlirAffineExprIsAAdd;
        AffineMulExpr: mlirAffineExprIsAMul;
        AffineModExpr: mlirAffineExprIsAMod;
        AffineFloorDivExpr: mlirAffineExprIsAFloorDiv;
        AffineCeilDivExpr: mlirAffineExprIsACeilDiv;
        AffineBinaryExpr: mlirAffineExprIsABinary;
    }
    match kind {
        Some((class, is))
            if !expr
                .get()
                .uniqued()?
                .read(py, |expression| is(expression))? =>
        {
            Err(PyValueError::new_err(format!(
                "Cannot cast affine expression to {class} (from AffineExpr({}))",
                expr.get().uniqued()?.to_text(py)?
            )))
        }
        _ => Ok(()),
    }
}

/// Runs `look` with the handle of an object whose class has the kind `K`.
fn read<K: ExprKind, R>(
    object: &Bound<'_, AffineExpr>,
    look: impl for<'ctx> FnOnce(mondo_ir::AffineExpr<'ctx, K>) -> R,
) -> PyResult<R> {
    let uniqued = object.get().uniqued()?;
    uniqued
        .read(object.py(), |expression| expression.downcast().map(look))?
        .ok_or_else(|| wrong_kind(object))
}

/// An empty object, for `AffineExpr.__init__`.
fn empty() -> PyClassInitializer<AffineExpr> {
    PyClassInitializer::from(AffineExpr::empty())
}

/// Defines the methods of the classes of constants, dimensions, and symbols, which differ in their number
/// only.
macro_rules! leaves {
    ($($class:ident: $make:ident($argument:ident: $number:ty), $kind:ident, $get:ident;)+) => {
        $(
            #[pymethods]
            impl $class {
                #[new]
                #[pyo3(signature = (*_args, **_kwargs), text_signature = "(expr)")]
                fn new(
                    _args: &Bound<'_, PyTuple>,
                    _kwargs: Option<&Bound<'_, PyDict>>,
                ) -> PyClassInitializer<Self> {
                    empty().add_subclass(Self)
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

                /// The number that the expression stands for: a value, or a place among dimensions
                /// or symbols.
                #[getter]
                fn $argument(slf: &Bound<'_, Self>) -> PyResult<$number> {
                    read::<$kind, _>(slf.as_super(), |expression| c::$get(expression))
                }
            }
        )+
    };
}

leaves! {
    AffineConstantExpr: get_constant(value: i64), Number, mlirAffineConstantExprGetValue;
    AffineDimExpr: get_dim(position: isize), Dimension, mlirAffineDimExprGetPosition;
    AffineSymbolExpr: get_symbol(position: isize), Symbol, mlirAffineSymbolExprGetPosition;
}

#[pymethods]
impl AffineBinaryExpr {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(expr)")]
    fn new(
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyClassInitializer<Self> {
        empty().add_subclass(Self)
    }

    /// The operand on the left.
    #[getter]
    fn lhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        side(slf, c::mlirAffineBinaryOpExprGetLHS)
    }

    /// The operand on the right.
    #[getter]
    fn rhs(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        side(slf, c::mlirAffineBinaryOpExprGetRHS)
    }
}

/// One operand of a binary expression.
fn side(
    object: &Bound<'_, AffineBinaryExpr>,
    get: for<'ctx> extern "C" fn(BinaryExpr<'ctx>) -> mondo_ir::AffineExpr<'ctx>,
) -> PyResult<Py<PyAny>> {
    let (py, base) = (object.py(), object.as_super().get());
    base.uniqued()?.with(py, |ctx, expression| {
        let expression = expression
            .downcast::<Binary>()
            .ok_or_else(|| wrong_kind(object))?;
        ctx.wrap(get(expression))
    })
}

/// Defines the methods of the class of each operator.
macro_rules! operators {
    ($($class:ident: $get:ident;)+) => {
        $(
            #[pymethods]
            impl $class {
                #[new]
                #[pyo3(signature = (*_args, **_kwargs), text_signature = "(expr)")]
                fn new(
                    _args: &Bound<'_, PyTuple>,
                    _kwargs: Option<&Bound<'_, PyDict>>,
                ) -> PyClassInitializer<Self> {
                    empty().add_subclass(AffineBinaryExpr).add_subclass(Self)
                }

                /// The operator between two expressions, simplified where that is easy.
                #[staticmethod]
                #[pyo3(signature = (lhs, rhs, /))]
                fn get(
                    lhs: &Bound<'_, AffineExpr>,
                    rhs: &Bound<'_, AffineExpr>,
                ) -> PyResult<Py<PyAny>> {
                    apply(lhs, rhs, c::$get)
                }
            }
        )+
    };
}

operators! {
    AffineAddExpr: mlirAffineAddExprGet;
    AffineMulExpr: mlirAffineMulExprGet;
    AffineModExpr: mlirAffineModExprGet;
    AffineFloorDivExpr: mlirAffineFloorDivExprGet;
    AffineCeilDivExpr: mlirAffineCeilDivExprGet;
}
