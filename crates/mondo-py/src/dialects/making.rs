//! The making of types and attributes of dialects, from a dialect that is loaded or from text.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interop::casters;
use crate::interop::string::Terminated;
use crate::ir::derived_class::{self, context_for};
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;

/// A function of the C API that returns a dialect's handle.
pub(super) type Handle = unsafe extern "C" fn() -> MlirDialectHandle;

/// Loads a dialect into a context: MLIR makes nothing of a dialect that is not loaded, but crashes.
pub(super) fn load(py: Python<'_>, context: &Py<Context>, handle: Handle) -> PyResult<MlirContext> {
    let raw = context.get().get(py)?;
    // SAFETY: the context is live, and nothing runs in it.
    unsafe { mlirDialectHandleLoadDialect(handle(), raw) };
    Ok(raw)
}

/// The context that was given or is the current one, with a dialect loaded.
pub(super) fn context_with(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
    handle: Handle,
) -> PyResult<(Py<Context>, MlirContext)> {
    let (context, _) = context_for(py, given)?;
    let raw = load(py, &context, handle)?;
    Ok((context, raw))
}

/// The type written so, for kinds that the C API makes without checking anything.
pub(super) fn type_written(
    py: Python<'_>,
    context: &Py<Context>,
    text: &str,
) -> PyResult<MlirType> {
    let raw_context = context.get().get(py)?;
    let text = Terminated::new(text);
    let (raw, errors) = ErrorCapture::run(py, context, || {
        // SAFETY: the context is live, and the text is only read.
        unsafe { mlirTypeParseGet(raw_context, text.get()) }
    })?;
    if raw.ptr.is_null() {
        return Err(errors.into_error(py, "Invalid type"));
    }
    Ok(raw)
}

/// The attribute written so, as above.
pub(super) fn attribute_written(
    py: Python<'_>,
    context: &Py<Context>,
    text: &str,
) -> PyResult<MlirAttribute> {
    let raw_context = context.get().get(py)?;
    let text = Terminated::new(text);
    let (raw, errors) = ErrorCapture::run(py, context, || {
        // SAFETY: the context is live, and the text is only read.
        unsafe { mlirAttributeParseGet(raw_context, text.get()) }
    })?;
    if raw.ptr.is_null() {
        return Err(errors.into_error(py, "Invalid attribute"));
    }
    Ok(raw)
}

/// The `ValueError` that stands where an `MLIRError` might.
pub(super) fn value_error(py: Python<'_>, cause: PyErr) -> PyErr {
    let error = PyValueError::new_err(cause.value(py).to_string());
    error.set_cause(py, Some(cause));
    error
}

/// Has types or attributes become objects of a class whose `TypeID` the C API has no function for.
/// They know it themselves: `example` makes one, in a context that lives no longer than that.
pub(super) fn cast_like(
    class: &Bound<'_, PyType>,
    handle: Handle,
    example: impl FnOnce(MlirContext) -> MlirTypeID,
) -> PyResult<()> {
    // SAFETY: the context is ours alone, and is destroyed once. What a TypeID points to is static.
    let type_id = unsafe {
        let context = mlirContextCreateWithThreading(false);
        mlirDialectHandleLoadDialect(handle(), context);
        let type_id = example(context);
        mlirContextDestroy(context);
        type_id
    };
    casters::add_class(class, type_id);
    derived_class::set_type_id(class, type_id)
}
