//! The class `TypeConverter`: functions that say what types become in a conversion.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::{Type as TypeHandle, Uniquer};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::callback::Callback;
use crate::ir::types::Type;
use crate::ownership::context::{Context, Entered};
use crate::ownership::conversions::Conversion;

use super::conversion;
use super::drive::Drive;

/// Says what types become in a conversion.
#[pyclass(frozen, subclass)]
#[derive(Default)]
pub(super) struct TypeConverter {
    functions: Mutex<Vec<Py<PyAny>>>,
}

impl TypeConverter {
    fn functions(&self) -> MutexGuard<'_, Vec<Py<PyAny>>> {
        self.functions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl TypeConverter {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the mutex is locked, its references are not visited; the collector then frees less, never too much.
        let Ok(functions) = self.functions.try_lock() else {
            return Ok(());
        };
        functions
            .iter()
            .try_for_each(|function| visit.call(function))
    }

    fn __clear__(&self) {
        // Dropped after the lock: that may run Python code.
        let functions = std::mem::take(&mut *self.functions());
        drop(functions);
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        conversion::require_llvm()?;
        Ok(Self::default())
    }

    fn __init__(&self) {}

    /// Adds `convert(type)`, which returns what a type becomes, or None for a type that earlier functions convert.
    fn add_conversion(&self, convert: Bound<'_, PyAny>) -> PyResult<()> {
        if !convert.is_callable() {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: the convert argument must be callable",
            ));
        }
        self.functions().push(convert.unbind());
        Ok(())
    }

    /// What a type becomes; None if no function converts it.
    fn convert_type(&self, r#type: &Bound<'_, Type>) -> PyResult<Option<Py<Type>>> {
        let py = r#type.py();
        let functions: Vec<_> = {
            let functions = self.functions();
            let functions = functions.iter().rev();
            functions.map(|function| function.clone_ref(py)).collect()
        };
        for function in functions {
            let found = function.bind(py).call1((r#type,))?;
            if found.is_none() {
                continue;
            }
            let found = found.cast_into::<Type>().map_err(|error| {
                PyTypeError::new_err(format!(
                    "a function of a type converter returns a Type or None, not {}",
                    error.into_inner().get_type()
                ))
            })?;
            return Ok(Some(found.unbind()));
        }
        Ok(None)
    }
}

/// The function by which MLIR converts types with a `TypeConverter`.
pub(super) fn function(
    converter: Arc<Callback>,
) -> impl for<'ctx> Fn(Uniquer<'ctx>, TypeHandle<'ctx>) -> Option<TypeHandle<'ctx>> + Send + Sync + 'static
{
    move |ctx, ty| {
        Python::try_attach(|py| {
            let drive = Drive::current()?;
            if drive.has_raised() {
                return None;
            }
            let running = Conversion::current()?;
            let result = running.convert_type(|| convert(py, &converter, ctx, ty));
            result.unwrap_or_else(|error| {
                drive.raise(error);
                None
            })
        })
        .flatten()
    }
}

fn convert<'ctx>(
    py: Python<'_>,
    converter: &Callback,
    ctx: Uniquer<'ctx>,
    ty: TypeHandle<'ctx>,
) -> PyResult<Option<TypeHandle<'ctx>>> {
    let converter = converter.get(py).ok_or_else(|| {
        PyRuntimeError::new_err("the type converter was freed by the garbage collector")
    })?;
    let converter = converter.bind(py).cast::<TypeConverter>()?;
    let context = Context::calling(py, ctx)?;
    let ty = Entered::of(py, &context, ctx)?.wrap(ty)?;
    let found = converter.get().convert_type(ty.bind(py).cast()?)?;
    let ctx = Entered::of(py, &context, ctx)?;
    found.map(|found| found.get().within(ctx)).transpose()
}
