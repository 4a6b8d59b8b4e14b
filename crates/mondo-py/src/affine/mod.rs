//! The classes of affine expressions, maps and integer sets. They are not in the identity map: two Python
//! objects for one expression compare equal and are not identical.

mod expr;
mod expr_kinds;
mod expr_methods;
mod expr_operators;
mod expr_wrap;
mod integer_set;
mod map;
mod slice;
mod value_class;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::interop::submodules::add_class;

pub(crate) use integer_set::IntegerSet;
pub(crate) use map::AffineMap;

/// Adds the classes to `ir`.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    macro_rules! add {
        ($($class:ty),+ $(,)?) => {
            $(add_class(ir, ir.py().get_type::<$class>())?;)+
        };
    }
    add!(
        expr::AffineExpr,
        expr_wrap::AffineConstantExpr,
        expr_wrap::AffineDimExpr,
        expr_wrap::AffineSymbolExpr,
        expr_wrap::AffineBinaryExpr,
        expr_wrap::AffineAddExpr,
        expr_wrap::AffineMulExpr,
        expr_wrap::AffineModExpr,
        expr_wrap::AffineFloorDivExpr,
        expr_wrap::AffineCeilDivExpr,
        AffineMap,
        map::AffineExprList,
        IntegerSet,
        integer_set::IntegerSetConstraint,
        integer_set::IntegerSetConstraintList,
    );
    Ok(())
}
