//! `TupleType`, `FunctionType` and `OpaqueType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{Function, Opaque, Tuple};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::arguments::{Int, type_objects, types_within};
use crate::ir::context_stack;
use crate::ir::derived_class::{self, enter, read_type, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// A tuple of types.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct TupleType;

type_kind!(
    TupleType: Tuple,
    type_id: c::mlirTupleTypeGetTypeID,
    name: c::mlirTupleTypeGetName
);

#[pymethods]
impl TupleType {
    /// The tuple type of element types.
    #[staticmethod]
    #[pyo3(signature = (elements, context = None))]
    fn get_tuple(
        py: Python<'_>,
        elements: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let elements = type_objects(elements)?;
        Context::enter(py, &context, |ctx| {
            ctx.wrap(ctx.tuple(&types_within(&elements, ctx)?))
        })
    }

    /// The element type at a place.
    fn get_type(slf: &Bound<'_, Self>, pos: Int<isize>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| {
            let element = usize::try_from(pos.0).ok().and_then(|at| ty.element_at(at));
            ctx.wrap(element.ok_or_else(|| {
                let length = c::mlirTupleTypeGetNumTypes(ty);
                PyIndexError::new_err(format!(
                    "type {} is out of range: the tuple has {length}",
                    pos.0
                ))
            })?)
        })
    }

    /// The number of elements.
    #[getter]
    fn num_types(slf: &Bound<'_, Self>) -> PyResult<isize> {
        read_type(slf, |ty| c::mlirTupleTypeGetNumTypes(ty))
    }
}

/// The type of a function.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct FunctionType;

type_kind!(
    FunctionType: Function,
    type_id: c::mlirFunctionTypeGetTypeID,
    name: c::mlirFunctionTypeGetName
);

#[pymethods]
impl FunctionType {
    /// The type of functions with such inputs and results.
    #[staticmethod]
    #[pyo3(signature = (inputs, results, context = None))]
    fn get(
        py: Python<'_>,
        inputs: &Bound<'_, PyAny>,
        results: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let (inputs, results) = (type_objects(inputs)?, type_objects(results)?);
        Context::enter(py, &context, |ctx| {
            let inputs = types_within(&inputs, ctx)?;
            let results = types_within(&results, ctx)?;
            ctx.wrap(ctx.function(&inputs, &results))
        })
    }

    /// The types of the inputs.
    #[getter]
    fn inputs(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        with_type(slf, |ctx, ty| {
            ty.inputs().into_iter().map(|of| ctx.wrap(of)).collect()
        })
    }

    /// The types of the results.
    #[getter]
    fn results(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        with_type(slf, |ctx, ty| {
            ty.results().into_iter().map(|of| ctx.wrap(of)).collect()
        })
    }
}

/// A type of a dialect that is not loaded.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct OpaqueType;

type_kind!(
    OpaqueType: Opaque,
    type_id: c::mlirOpaqueTypeGetTypeID,
    name: c::mlirOpaqueTypeGetName
);

#[pymethods]
impl OpaqueType {
    /// A type of a dialect that is not loaded, by its text.
    #[staticmethod]
    #[pyo3(signature = (dialect_namespace, buffer, context = None))]
    fn get(
        py: Python<'_>,
        dialect_namespace: &str,
        buffer: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirOpaqueTypeGet(
                *ctx,
                dialect_namespace.into(),
                buffer.into(),
            ))
        })
    }

    /// The name of the dialect that the type is of.
    #[getter]
    fn dialect_namespace(slf: &Bound<'_, Self>) -> PyResult<String> {
        read_type(slf, |ty| c::mlirOpaqueTypeGetDialectNamespace(ty).to_text())
    }

    /// The text of the type.
    #[getter]
    fn data(slf: &Bound<'_, Self>) -> PyResult<String> {
        read_type(slf, |ty| c::mlirOpaqueTypeGetData(ty).to_text())
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<TupleType>(ir, parent)?;
    derived_class::publish::<FunctionType>(ir, parent)?;
    derived_class::publish::<OpaqueType>(ir, parent)?;
    Ok(())
}
