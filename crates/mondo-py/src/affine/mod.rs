//! Affine expressions, maps and integer sets. They are plain values: equal ones are equal, but not
//! one object.

mod expr;
mod expr_kinds;
mod integer_set;
mod map;
mod slice;

use mondo_sys::MlirAffineExpr;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::interop::submodules::add_class;
use crate::ir::arguments::each;
use crate::ownership::context::Context;

pub(crate) use integer_set::IntegerSet;
pub(crate) use map::AffineMap;

/// The exception for something in a list that is not what the list is of.
fn not_one(object: &Bound<'_, PyAny>, doing: &str) -> PyErr {
    let (none, found) = if object.is_none() {
        (" (None?)", String::new())
    } else {
        ("", object.get_type().to_string())
    };
    PyRuntimeError::new_err(format!("Invalid expression{none} when {doing} ({found})"))
}

/// The expressions in a sequence, all of `context`.
fn expressions_in(
    sequence: &Bound<'_, PyAny>,
    context: &Py<Context>,
    doing: &str,
) -> PyResult<Vec<MlirAffineExpr>> {
    let mut expressions = Vec::with_capacity(sequence.len().unwrap_or(0));
    each(sequence, |element| {
        let expression = element
            .cast::<expr::AffineExpr>()
            .map_err(|_| not_one(&element, doing))?;
        expressions.push(expression.get().get_in(element.py(), context)?);
        Ok(())
    })?;
    Ok(expressions)
}

/// Publishes the classes in `ir`.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! add {
        ($($class:ty),+ $(,)?) => {
            $(add_class(ir, ir.py().get_type::<$class>())?;)+
        };
    }
    add!(
        expr::AffineExpr,
        expr_kinds::AffineConstantExpr,
        expr_kinds::AffineDimExpr,
        expr_kinds::AffineSymbolExpr,
        expr_kinds::AffineBinaryExpr,
        expr_kinds::AffineAddExpr,
        expr_kinds::AffineMulExpr,
        expr_kinds::AffineModExpr,
        expr_kinds::AffineFloorDivExpr,
        expr_kinds::AffineCeilDivExpr,
        AffineMap,
        map::AffineExprList,
        IntegerSet,
        integer_set::IntegerSetConstraint,
        integer_set::IntegerSetConstraintList,
    );
    Ok(())
}
