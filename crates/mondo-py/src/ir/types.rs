//! `Type`, and `TypeID`, the identifier of a kind of types.

use std::ffi::c_void;

use mondo_sys::*;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};

use crate::interop::capsule;
use crate::interop::late::uninitialised;
use crate::interop::string::{Terminated, collect, to_string};
use crate::ir::current;
use crate::ir::error::ErrorCapture;
use crate::ir::storage_class::storage_class;
use crate::ownership::context::{Context, Entered, Wrap};
use crate::ownership::storage_table::Table;
use crate::ownership::storage_wrapper::{self, StorageClass, StorageContents};
use crate::ownership::wrapper::{Disposal, Header, Layout, Wrapper};

storage_class! {
    /// A type. Types are unique in their context and live as long as it.
    Type(MlirType), "type", "a",
    signature: "(cast_from_type)",
    sources: &["cast_from_type"],
    table: types,
    print: mlirTypePrint,
    dump: mlirTypeDump,
    parse: mlirTypeParseGet,
    type_id: mlirTypeGetTypeID,
    dialect: mlirTypeGetDialect,
    context: mlirTypeGetContext,
    more: {}
}

/// The identifier of a kind of types, attributes or operations.
#[pyclass(frozen, subclass)]
pub(crate) struct TypeID {
    raw: MlirTypeID,
}

// SAFETY: a type id is an address that is only compared.
unsafe impl Send for TypeID {}
// SAFETY: as above.
unsafe impl Sync for TypeID {}

impl TypeID {
    pub(crate) fn new(raw: MlirTypeID) -> Self {
        Self { raw }
    }

    pub(crate) fn raw(&self) -> MlirTypeID {
        self.raw
    }
}

#[pymethods]
impl TypeID {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        // SAFETY: the type id is not null.
        unsafe { mlirTypeIDHashValue(self.raw) }
    }

    /// A capsule with the `MlirTypeID`.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.TypeID", self.raw.ptr)
    }

    /// The object for the `MlirTypeID` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, "ir.TypeID")?;
        Ok(Self::new(MlirTypeID { ptr }))
    }
}
