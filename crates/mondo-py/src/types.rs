//! `Type`.

use mondo_sys::*;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::context::Context;
use crate::current;
use crate::error::ErrorCapture;
use crate::string::{collect, string_ref};

/// A type. Types are unique in their context and live as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct Type {
    raw: MlirType,
    context: Py<Context>,
}

// SAFETY: a type is immutable, and its context outlives it.
unsafe impl Send for Type {}
// SAFETY: as above.
unsafe impl Sync for Type {}

impl Type {
    /// # Safety
    ///
    /// `raw` is a type of `context`.
    pub(crate) unsafe fn new(context: Py<Context>, raw: MlirType) -> Self {
        Self { raw, context }
    }

    /// The type, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirType> {
        self.context.get().check_access(py)?;
        Ok(self.raw)
    }
}

#[pymethods]
impl Type {
    #[new]
    fn cast(py: Python<'_>, cast_from_type: &Bound<'_, Self>) -> Self {
        let other = cast_from_type.get();
        Self {
            raw: other.raw,
            context: other.context.clone_ref(py),
        }
    }

    /// Parses a type's assembly form; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (asm, context = None))]
    fn parse(py: Python<'_>, asm: &str, context: Option<Bound<'_, Context>>) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        let raw_context = context.get().get(py)?;
        let (raw, errors) = ErrorCapture::run(py, &context, || {
            // SAFETY: the context is live, and the text is only read.
            unsafe { mlirTypeParseGet(raw_context, string_ref(asm)) }
        })?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse type"));
        }
        Ok(Self { raw, context })
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        self.raw.ptr as usize >> 4
    }

    /// Prints the type to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the type is live.
        unsafe { mlirTypeDump(self.get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the type is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirTypePrint(raw, callback, data);
        }))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Type({})", self.__str__(py)?))
    }
}
