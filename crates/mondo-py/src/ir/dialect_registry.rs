//! The classes `DialectRegistry`, `Dialects`, `Dialect` and `DialectDescriptor`.

use mondo_ir::Registry;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyTuple};

use crate::interop::absent_parts::not_found;
use crate::interop::capsule;
use crate::interop::operators::operand;
use crate::interop::registered_classes;
use crate::interop::two_phase::Late;
use crate::ownership::context::Context;
use crate::ownership::shared_registry::SharedRegistry;

/// The class name in the capsules of registries.
const CAPSULE: &str = "ir.DialectRegistry";

/// A set of dialects that contexts can be given.
#[pyclass(frozen, subclass)]
pub(crate) struct DialectRegistry {
    registry: SharedRegistry,
}

impl DialectRegistry {
    pub(crate) fn registry(&self) -> &Registry {
        self.registry.get()
    }
}

#[pymethods]
impl DialectRegistry {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            registry: SharedRegistry::own(Registry::empty()),
        }
    }

    fn __init__(&self) {}

    /// A capsule with the `MlirDialectRegistry`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, CAPSULE, self.registry().address())
    }

    /// Takes over the `MlirDialectRegistry` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let registry = SharedRegistry::from_capsule(capsule, CAPSULE)?;
        Ok(Self { registry })
    }
}

/// A loaded dialect.
#[pyclass(frozen, subclass)]
pub(crate) struct DialectDescriptor {
    context: Py<Context>,
    namespace: String,
}

impl DialectDescriptor {
    /// Finds a dialect by its name, and loads it if necessary; None if the context's registry does not have
    /// it.
    pub(crate) fn find(
        py: Python<'_>,
        context: &Py<Context>,
        name: &str,
    ) -> PyResult<Option<Self>> {
        Context::enter(py, context, |ctx| {
            let namespace = ctx.dialect(name);
            Ok(namespace.map(|namespace| Self {
                context: context.clone_ref(py),
                namespace: namespace.to_text(),
            }))
        })
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
        Ok(self.namespace.clone())
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

/// Renames the method `_getattr` of [`Dialects`] to `__getattr__`.
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

    /// The Python object of a dialect, of the class that is registered for it.
    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let Some(descriptor) = DialectDescriptor::find(py, &self.context, name)? else {
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

    fn __getitem__(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let name: &str = operand(slf, "__getitem__", name)?;
        slf.get()
            .find(py, name)?
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
