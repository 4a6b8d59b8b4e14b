//! `DialectRegistry`, and a context's dialects.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mondo_sys::*;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple};

use crate::interop::absent_parts::not_found;
use crate::interop::capsule;
use crate::interop::late::Late;
use crate::interop::registered_classes;
use crate::interop::string::to_string;
use crate::ownership::context::Context;

/// The capsules of registries.
const CAPSULE: &str = "ir.DialectRegistry";

/// A registry of MLIR's, which ends with its last owner.
struct Registry(MlirDialectRegistry);

// SAFETY: a registry is used only with the interpreter attached.
unsafe impl Send for Registry {}
// SAFETY: as above.
unsafe impl Sync for Registry {}

impl Drop for Registry {
    fn drop(&mut self) {
        if let Some(known) = known().as_mut() {
            known.remove(&(self.0.ptr as usize));
        }
        // SAFETY: this is the last owner of the registry.
        unsafe { mlirDialectRegistryDestroy(self.0) };
    }
}

/// The registries that objects of ours own, by address: a capsule may come back.
static KNOWN: Mutex<Option<HashMap<usize, Weak<Registry>>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashMap<usize, Weak<Registry>>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A set of dialects that contexts can be given.
#[pyclass(frozen, subclass)]
pub(crate) struct DialectRegistry {
    registry: Arc<Registry>,
}

impl DialectRegistry {
    /// The registry, for a call into the C API.
    pub(crate) fn get(&self) -> MlirDialectRegistry {
        self.registry.0
    }

    fn own(raw: MlirDialectRegistry) -> Self {
        let registry = Arc::new(Registry(raw));
        known()
            .get_or_insert_default()
            .insert(raw.ptr as usize, Arc::downgrade(&registry));
        Self { registry }
    }
}

#[pymethods]
impl DialectRegistry {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        // SAFETY: there is no precondition.
        Self::own(unsafe { mlirDialectRegistryCreate() })
    }

    fn __init__(&self) {}

    /// A capsule with the `MlirDialectRegistry`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.get().ptr)
    }

    /// Takes over the `MlirDialectRegistry` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, CAPSULE)?;
        let registry = known()
            .get_or_insert_default()
            .get(&(ptr as usize))
            .and_then(Weak::upgrade);
        Ok(match registry {
            Some(registry) => Self { registry },
            None => Self::own(MlirDialectRegistry { ptr }),
        })
    }
}

/// A loaded dialect.
#[pyclass(frozen, subclass)]
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
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    /// The name of the dialect, as it is before the dot in names of operations.
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
    descriptor: Late<Py<DialectDescriptor>>,
}

#[pymethods]
impl Dialect {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.descriptor.known())
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(descriptor)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            descriptor: Late::empty(),
        }
    }

    fn __init__(&self, descriptor: Py<DialectDescriptor>) -> PyResult<()> {
        self.descriptor.set(descriptor)
    }

    /// The description of the dialect in its context.
    #[getter]
    fn descriptor(&self) -> PyResult<&Py<DialectDescriptor>> {
        self.descriptor.get()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type();
        Ok(format!(
            "<Dialect {} (class {}.{})>",
            slf.get().descriptor.get()?.get().namespace(slf.py())?,
            class.module()?,
            class.name()?
        ))
    }
}

/// Gives [`Dialects`] its `__getattr__`.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = ir.py().get_type::<Dialects>();
    class.setattr("__getattr__", class.getattr("_getattr")?)?;
    class.delattr("_getattr")
}

/// The dialects of a context; asking for one loads it.
#[pyclass(frozen, subclass)]
pub(crate) struct Dialects {
    context: Py<Context>,
}

impl Dialects {
    pub(crate) fn new(context: Py<Context>) -> Self {
        Self { context }
    }

    /// The object for a dialect, of the class that is registered for it.
    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let raw = self.context.get().dialect(py, name)?;
        let Some(descriptor) = DialectDescriptor::new(self.context.clone_ref(py), raw) else {
            return Ok(None);
        };
        let descriptor = Py::new(py, descriptor)?;
        match registered_classes::dialect_class(py, name)? {
            Some(class) => class.call1(py, (descriptor,)).map(Some),
            None => {
                let descriptor = Late::of(descriptor);
                Ok(Some(Py::new(py, Dialect { descriptor })?.into_any()))
            }
        }
    }
}

#[pymethods]
impl Dialects {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.find(py, name)?
            .ok_or_else(|| PyIndexError::new_err(not_found(py, name)))
    }

    /// `__getattr__`, under a name that `install` replaces: as a slot it would show as
    /// `__getattribute__`.
    #[pyo3(name = "_getattr")]
    fn getattr(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        self.find(py, name)?
            .ok_or_else(|| PyAttributeError::new_err(not_found(py, name)))
    }
}
