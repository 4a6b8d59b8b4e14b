//! `_mlirDialectsTransform`: the types of the `transform` dialect. `_mlirTransformInterpreter`: the
//! interpreter of its scripts.

mod interpreter;
mod script;

pub(super) use interpreter::fill as fill_interpreter;

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::dialects::making::{context_with, load, type_written};
use crate::interop::string::{collect, string_ref, to_string};
use crate::ir::derived_class::{self, type_in, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;
use crate::ownership::wrapper::Wrapper;

/// A handle to operations.
#[pyclass(frozen, subclass, extends = Type)]
struct AnyOpType;

type_kind!(
    AnyOpType,
    mlirTypeIsATransformAnyOpType,
    Some(mlirTransformAnyOpTypeGetTypeID),
    Some(mlirTransformAnyOpTypeGetName)
);

/// A parameter of any type.
#[pyclass(frozen, subclass, extends = Type)]
struct AnyParamType;

type_kind!(
    AnyParamType,
    mlirTypeIsATransformAnyParamType,
    Some(mlirTransformAnyParamTypeGetTypeID),
    Some(mlirTransformAnyParamTypeGetName)
);

/// A handle to values.
#[pyclass(frozen, subclass, extends = Type)]
struct AnyValueType;

type_kind!(
    AnyValueType,
    mlirTypeIsATransformAnyValueType,
    Some(mlirTransformAnyValueTypeGetTypeID),
    Some(mlirTransformAnyValueTypeGetName)
);

/// The type that `make` makes in the context that was given or is the current one.
fn simple(
    py: Python<'_>,
    context: Option<Bound<'_, Context>>,
    make: unsafe extern "C" fn(MlirContext) -> MlirType,
) -> PyResult<Py<PyAny>> {
    let (context, raw) = context_with(py, context, mlirGetDialectHandle__transform__)?;
    // SAFETY: the context is live and has the dialect, and the type is made in it.
    unsafe { types::wrap(py, &context, make(raw)) }
}

#[pymethods]
impl AnyOpType {
    /// The type, in the context that is given or in the current one.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        simple(py, context, mlirTransformAnyOpTypeGet)
    }
}

#[pymethods]
impl AnyParamType {
    /// The type, in the context that is given or in the current one.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        simple(py, context, mlirTransformAnyParamTypeGet)
    }
}

#[pymethods]
impl AnyValueType {
    /// The type, in the context that is given or in the current one.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        simple(py, context, mlirTransformAnyValueTypeGet)
    }
}

/// A handle to operations of one name.
#[pyclass(frozen, subclass, extends = Type)]
struct OperationType;

type_kind!(
    OperationType,
    mlirTypeIsATransformOperationType,
    Some(mlirTransformOperationTypeGetTypeID),
    Some(mlirTransformOperationTypeGetName)
);

#[pymethods]
impl OperationType {
    /// The type for operations of this name.
    #[staticmethod]
    #[pyo3(signature = (operation_name, context = None))]
    fn get(
        py: Python<'_>,
        operation_name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_with(py, context, mlirGetDialectHandle__transform__)?;
        // SAFETY: the context is live and has the dialect, and MLIR copies the name.
        unsafe {
            let raw = mlirTransformOperationTypeGet(raw, string_ref(operation_name));
            types::wrap(py, &context, raw)
        }
    }

    /// The name of the operations.
    #[getter]
    fn operation_name(slf: &Bound<'_, Self>) -> PyResult<String> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live one of this kind, which owns its name.
        Ok(unsafe { to_string(mlirTransformOperationTypeGetOperationName(raw)) })
    }
}

/// A parameter of one type.
#[pyclass(frozen, subclass, extends = Type)]
struct ParamType;

type_kind!(
    ParamType,
    mlirTypeIsATransformParamType,
    Some(mlirTransformParamTypeGetTypeID),
    Some(mlirTransformParamTypeGetName)
);

#[pymethods]
impl ParamType {
    /// The type for parameters of `type`, in the context of that; another one cannot be given.
    #[staticmethod]
    #[pyo3(signature = (r#type, context = None))]
    fn get(
        py: Python<'_>,
        r#type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = match context {
            Some(context) => context.unbind(),
            None => r#type.get().context_of(py)?,
        };
        let element = r#type.get().get_in(py, &context)?;
        load(py, &context, mlirGetDialectHandle__transform__)?;
        // SAFETY: the type is live; the last two arguments belong together.
        let element = collect(|callback, data| unsafe {
            mlirTypePrint(element, callback, data);
        });
        // Not every type can be one of parameters, which the function that makes it does not check.
        let raw = type_written(py, &context, &format!("!transform.param<{element}>"))?;
        // SAFETY: the type was made in this context.
        unsafe { types::wrap(py, &context, raw) }
    }

    /// The type of the parameters.
    #[getter]
    fn r#type(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live one of this kind, and the other is of its context.
        unsafe { types::wrap(slf.py(), &context, mlirTransformParamTypeGetType(raw)) }
    }
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let parent = Type::layout().class(module.py())?;
    derived_class::publish::<AnyOpType>(module, parent)?;
    derived_class::publish::<AnyParamType>(module, parent)?;
    derived_class::publish::<AnyValueType>(module, parent)?;
    derived_class::publish::<OperationType>(module, parent)?;
    derived_class::publish::<ParamType>(module, parent)?;
    Ok(())
}
