//! `Type`, and `TypeID`, the identifier of a kind of types.

use mondo_ir::{Terminated, TypeKey, Uniquer};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};

use crate::interop::capsule;
use crate::interop::casters::{self, Caster, Test};
use crate::ir::context_stack;
use crate::ir::error::ErrorCapture;
use crate::ir::storage_class::storage_class;
use crate::ownership::capsules;
use crate::ownership::context::{Context, Entered, Wrap};
use crate::ownership::storage_table::Table;
use crate::ownership::storage_wrapper::{self, StorageClass, StorageContents};
use crate::ownership::wrapper::{Disposal, Header, Layout, Wrapper};

storage_class! {
    /// A type. Types are unique in their context and live as long as it.
    Type, "type", "a",
    signature: "(cast_from_type)",
    sources: &["cast_from_type"],
    table: types,
    too_deep: is_too_deep_type,
    test: OfType,
    dynamic: casters::of_dynamic_type,
    parse: Uniquer::type_of_text,
    more: {}
}

/// The identifier of a kind of types, attributes or operations.
#[pyclass(frozen, subclass)]
pub(crate) struct TypeID {
    key: TypeKey,
}

impl TypeID {
    pub(crate) fn new(id: mondo_ir::TypeId<'_>) -> Self {
        Self::of(id.key())
    }

    pub(crate) fn of(key: TypeKey) -> Self {
        Self { key }
    }

    /// The key by which `TypeID`s are compared.
    pub(crate) fn key(&self) -> TypeKey {
        self.key
    }
}

#[pymethods]
impl TypeID {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().key == self.key)
    }

    fn __hash__(&self) -> usize {
        self.key.hash_value()
    }

    /// A capsule with the `MlirTypeID`.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.TypeID", self.key.address().as_ptr())
    }

    /// The object for the `MlirTypeID` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, "ir.TypeID")?;
        let key = TypeKey::at(ptr).ok_or_else(|| PyValueError::new_err("the capsule is empty"))?;
        Ok(Self::of(key))
    }
}
