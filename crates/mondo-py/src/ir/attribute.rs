//! `Attribute` and `NamedAttribute`.

use mondo_ir::{Terminated, Uniquer, declarations};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};

use crate::interop::capsule;
use crate::interop::casters::{self, Caster, Test};
use crate::ir::context_stack;
use crate::ir::error::ErrorCapture;
use crate::ir::storage_class::storage_class;
use crate::ir::types::TypeID;
use crate::ownership::capsules;
use crate::ownership::context::{Context, Entered, Wrap};
use crate::ownership::storage_table::Table;
use crate::ownership::storage_wrapper::{self, StorageClass, StorageContents};
use crate::ownership::wrapper::{Disposal, Header, Layout, Wrapper};

storage_class! {
    /// An attribute. Attributes are unique in their context and live as long as it.
    Attribute, "attribute", "an",
    // Upstream's `Attribute` and its derived classes have different names for the parameter.
    signature: "(cast_from_type=..., *, cast_from_attr=...)",
    sources: &["cast_from_type", "cast_from_attr"],
    table: attributes,
    too_deep: is_too_deep_attribute,
    test: OfAttribute,
    dynamic: casters::of_dynamic_attribute,
    parse: Uniquer::attribute_of_text,
    more: {
        /// The type of the attribute; `none` where it has no other.
        #[getter]
        fn r#type(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
            self.with(py, |ctx, attribute| ctx.wrap(declarations::mlirAttributeGetType(attribute)))
        }

        /// The attribute under a name.
        fn get_named(slf: &Bound<'_, Self>, name: String) -> NamedAttribute {
            NamedAttribute::new(name, slf.clone().unbind())
        }
    }
}

/// An attribute and its name.
#[pyclass(frozen, subclass)]
pub(crate) struct NamedAttribute {
    /// The name of the attribute.
    #[pyo3(get)]
    name: String,
    /// The attribute without its name.
    #[pyo3(get)]
    attr: Py<Attribute>,
}

impl NamedAttribute {
    pub(crate) fn new(name: String, attr: Py<Attribute>) -> Self {
        Self { name, attr }
    }
}

#[pymethods]
impl NamedAttribute {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.attr)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "NamedAttribute({}={})",
            self.name,
            self.attr.get().__str__(py)?
        ))
    }
}
