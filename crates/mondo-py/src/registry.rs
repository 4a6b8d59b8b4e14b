//! `DialectRegistry`, and a context's dialects.

use mondo_sys::*;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;

use crate::context::Context;
use crate::string::to_string;

/// A set of dialects that contexts can be given.
#[pyclass(frozen)]
pub(crate) struct DialectRegistry {
    raw: MlirDialectRegistry,
}

// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Send for DialectRegistry {}
// SAFETY: as above.
unsafe impl Sync for DialectRegistry {}

impl DialectRegistry {
    /// The registry, for a call into the C API.
    pub(crate) fn get(&self) -> MlirDialectRegistry {
        self.raw
    }
}

impl Drop for DialectRegistry {
    fn drop(&mut self) {
        // SAFETY: this object owns the registry.
        unsafe { mlirDialectRegistryDestroy(self.raw) };
    }
}

#[pymethods]
impl DialectRegistry {
    #[new]
    fn new() -> Self {
        // SAFETY: there is no precondition.
        let raw = unsafe { mlirDialectRegistryCreate() };
        Self { raw }
    }
}

/// A loaded dialect.
#[pyclass(frozen)]
pub(crate) struct DialectDescriptor {
    context: Py<Context>,
    raw: MlirDialect,
}

// SAFETY: a dialect lives as long as its context and is only read.
unsafe impl Send for DialectDescriptor {}
// SAFETY: as above.
unsafe impl Sync for DialectDescriptor {}

impl DialectDescriptor {
    /// None for the null dialect.
    pub(crate) fn new(context: Py<Context>, raw: MlirDialect) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self { context, raw })
    }
}

#[pymethods]
impl DialectDescriptor {
    #[getter]
    fn namespace(&self, py: Python<'_>) -> PyResult<String> {
        self.context.get().check_access(py)?;
        // SAFETY: the dialect is live, and its name lives as long as it.
        Ok(unsafe { to_string(mlirDialectGetNamespace(self.raw)) })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<DialectDescriptor {}>", self.namespace(py)?))
    }
}

/// A dialect as Python code uses it.
#[pyclass(frozen, subclass)]
pub(crate) struct Dialect {
    #[pyo3(get)]
    descriptor: Py<DialectDescriptor>,
}

#[pymethods]
impl Dialect {
    #[new]
    fn new(descriptor: Py<DialectDescriptor>) -> Self {
        Self { descriptor }
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type();
        Ok(format!(
            "<Dialect {} (class {}.{})>",
            slf.get().descriptor.get().namespace(slf.py())?,
            class.module()?,
            class.name()?
        ))
    }
}

/// The dialects of a context; asking for one loads it.
#[pyclass(frozen)]
pub(crate) struct Dialects {
    context: Py<Context>,
}

impl Dialects {
    pub(crate) fn new(context: Py<Context>) -> Self {
        Self { context }
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Dialect>> {
        let raw = self.context.get().dialect(py, name)?;
        DialectDescriptor::new(self.context.clone_ref(py), raw)
            .map(|descriptor| {
                Ok(Dialect {
                    descriptor: Py::new(py, descriptor)?,
                })
            })
            .transpose()
    }
}

#[pymethods]
impl Dialects {
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Dialect> {
        self.find(py, name)?
            .ok_or_else(|| PyIndexError::new_err(format!("Dialect '{name}' not found")))
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Dialect> {
        self.find(py, name)?
            .ok_or_else(|| PyAttributeError::new_err(format!("Dialect '{name}' not found")))
    }
}
