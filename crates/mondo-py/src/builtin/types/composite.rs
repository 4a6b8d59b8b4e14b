//! `TupleType`, `FunctionType` and `OpaqueType`.

use mondo_sys::*;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::interop::string::{string_ref, to_string};
use crate::ir::arguments::{Int, types_in};
use crate::ir::derived_class::{self, context_for, type_in, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// A tuple of types.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct TupleType;

type_kind!(
    TupleType,
    mlirTypeIsATuple,
    Some(mlirTupleTypeGetTypeID),
    Some(mlirTupleTypeGetName)
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
        let (context, raw) = context_for(py, context)?;
        let elements = types_in(elements, &context)?;
        // SAFETY: all types are live and of this context, and there are as many as is said.
        unsafe {
            let raw = mlirTupleTypeGet(raw, elements.len() as isize, elements.as_ptr());
            types::wrap(py, &context, raw)
        }
    }

    /// The element type at a place.
    fn get_type(slf: &Bound<'_, Self>, pos: Int<isize>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live tuple type.
        let length = unsafe { mlirTupleTypeGetNumTypes(raw) };
        if !(0..length).contains(&pos.0) {
            return Err(PyIndexError::new_err(format!(
                "type {} is out of range: the tuple has {length}",
                pos.0
            )));
        }
        // SAFETY: as above, and it has this element.
        unsafe { types::wrap(slf.py(), &context, mlirTupleTypeGetType(raw, pos.0)) }
    }

    /// The number of elements.
    #[getter]
    fn num_types(slf: &Bound<'_, Self>) -> PyResult<isize> {
        // SAFETY: the type is a live tuple type.
        Ok(unsafe { mlirTupleTypeGetNumTypes(type_of(slf)?) })
    }
}

/// The type of a function.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct FunctionType;

type_kind!(
    FunctionType,
    mlirTypeIsAFunction,
    Some(mlirFunctionTypeGetTypeID),
    Some(mlirFunctionTypeGetName)
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
        let (context, raw) = context_for(py, context)?;
        let inputs = types_in(inputs, &context)?;
        let results = types_in(results, &context)?;
        // SAFETY: all types are live and of this context, and there are as many as is said.
        unsafe {
            let raw = mlirFunctionTypeGet(
                raw,
                inputs.len() as isize,
                inputs.as_ptr(),
                results.len() as isize,
                results.as_ptr(),
            );
            types::wrap(py, &context, raw)
        }
    }

    /// The types of the inputs.
    #[getter]
    fn inputs(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live function type.
        let length = unsafe { mlirFunctionTypeGetNumInputs(raw) };
        (0..length)
            // SAFETY: as above, and it has this input, which is of the same context.
            .map(|at| unsafe { types::wrap(slf.py(), &context, mlirFunctionTypeGetInput(raw, at)) })
            .collect()
    }

    /// The types of the results.
    #[getter]
    fn results(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live function type.
        let length = unsafe { mlirFunctionTypeGetNumResults(raw) };
        (0..length)
            // SAFETY: as above, and it has this result, which is of the same context.
            .map(|at| unsafe {
                types::wrap(slf.py(), &context, mlirFunctionTypeGetResult(raw, at))
            })
            .collect()
    }
}

/// A type of a dialect that is not loaded.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct OpaqueType;

type_kind!(
    OpaqueType,
    mlirTypeIsAOpaque,
    Some(mlirOpaqueTypeGetTypeID),
    Some(mlirOpaqueTypeGetName)
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
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live, and MLIR copies both texts.
        unsafe {
            let raw = mlirOpaqueTypeGet(raw, string_ref(dialect_namespace), string_ref(buffer));
            types::wrap(py, &context, raw)
        }
    }

    /// The name of the dialect that the type is of.
    #[getter]
    fn dialect_namespace(slf: &Bound<'_, Self>) -> PyResult<String> {
        // SAFETY: the type is a live opaque type, which owns the text.
        Ok(unsafe { to_string(mlirOpaqueTypeGetDialectNamespace(type_of(slf)?)) })
    }

    /// The text of the type.
    #[getter]
    fn data(slf: &Bound<'_, Self>) -> PyResult<String> {
        // SAFETY: the type is a live opaque type, which owns the text.
        Ok(unsafe { to_string(mlirOpaqueTypeGetData(type_of(slf)?)) })
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<TupleType>(ir, parent)?;
    derived_class::publish::<FunctionType>(ir, parent)?;
    derived_class::publish::<OpaqueType>(ir, parent)?;
    Ok(())
}
