//! `_mlirDialectsSMT`: types of the `smt` dialect, and the export to SMT-LIB.

use mondo_ir::declarations::mlirTypeGetTypeID;
use mondo_ir::dialects::smt as c;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use super::plain_type::plain_type;
use super::translation::export_smtlib;
use super::type_publication::cast_like;
use crate::ir::arguments::Int;
use crate::ir::derived_class::{self, checked, enter, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

plain_type!(
    /// Truth values.
    BoolType: c::Bool,
    get: c::mlirSMTTypeGetBool,
    name: c::mlirSMTBoolTypeGetName
);
plain_type!(
    /// Integers without bounds.
    IntType: c::Int,
    get: c::mlirSMTTypeGetInt,
    name: c::mlirSMTIntTypeGetName
);

/// Bit vectors of one width.
#[pyclass(frozen, subclass, extends = Type)]
struct BitVectorType;

type_kind!(BitVectorType: c::BitVector, name: c::mlirSMTBitVectorTypeGetName);

#[pymethods]
impl BitVectorType {
    /// The type of bit vectors of this width; raises `MLIRError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (width, context = None))]
    fn get(
        py: Python<'_>,
        width: Int<i32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            let smt = ctx.with_dialect::<c::Smt>();
            ctx.wrap(checked(ctx, "Invalid type", || smt.bit_vector(width.0))?)
        })
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    let class = derived_class::publish::<BoolType>(module, parent)?;
    cast_like(&class, |ctx| {
        mlirTypeGetTypeID(c::mlirSMTTypeGetBool(ctx.with_dialect()).any())
    })?;
    let class = derived_class::publish::<BitVectorType>(module, parent)?;
    cast_like(&class, |ctx| {
        let example = ctx.with_dialect::<c::Smt>().bit_vector(1);
        mlirTypeGetTypeID(example.expect("there are vectors of one bit").any())
    })?;
    let class = derived_class::publish::<IntType>(module, parent)?;
    cast_like(&class, |ctx| {
        mlirTypeGetTypeID(c::mlirSMTTypeGetInt(ctx.with_dialect()).any())
    })?;
    Ok(())
}

/// Adds the export to SMT-LIB, for a bundle that has it.
pub(super) fn fill_translation(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("export_smtlib", wrap_pyfunction!(export_smtlib, module)?)
}
