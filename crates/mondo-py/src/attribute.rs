//! `Attribute`, `NamedAttribute`, and the attributes of an operation.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator, PyList};

use crate::context::{Context, require_same};
use crate::current;
use crate::error::ErrorCapture;
use crate::owner::OpRef;
use crate::string::{collect, string_ref, to_string};
use crate::types::Type;

/// An attribute. Attributes are unique in their context and live as long as it.
#[pyclass(frozen, subclass)]
pub(crate) struct Attribute {
    raw: MlirAttribute,
    context: Py<Context>,
}

// SAFETY: an attribute is immutable, and its context outlives it.
unsafe impl Send for Attribute {}
// SAFETY: as above.
unsafe impl Sync for Attribute {}

impl Attribute {
    /// # Safety
    ///
    /// `raw` is an attribute of `context`.
    pub(crate) unsafe fn new(context: Py<Context>, raw: MlirAttribute) -> Self {
        Self { raw, context }
    }

    /// The attribute, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirAttribute> {
        self.context.get().check_access(py)?;
        Ok(self.raw)
    }

    /// The attribute, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirAttribute> {
        require_same(context, &self.context, "attribute")?;
        self.get(py)
    }
}

#[pymethods]
impl Attribute {
    #[new]
    fn cast(py: Python<'_>, cast_from_type: &Bound<'_, Self>) -> Self {
        let other = cast_from_type.get();
        Self {
            raw: other.raw,
            context: other.context.clone_ref(py),
        }
    }

    /// Parses an attribute's assembly form; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (asm, context = None))]
    fn parse(py: Python<'_>, asm: &str, context: Option<Bound<'_, Context>>) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        let raw_context = context.get().get(py)?;
        let (raw, errors) = ErrorCapture::run(py, &context, || {
            // SAFETY: the context is live, and the text is only read.
            unsafe { mlirAttributeParseGet(raw_context, string_ref(asm)) }
        })?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse attribute"));
        }
        Ok(Self { raw, context })
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.context.clone_ref(py)
    }

    /// The type of the attribute; `none` where it has no other.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Type> {
        let raw = self.get(py)?;
        // SAFETY: the attribute is live, and its type is of the same context.
        Ok(unsafe { Type::new(self.context.clone_ref(py), mlirAttributeGetType(raw)) })
    }

    /// The attribute under a name.
    fn get_named(slf: &Bound<'_, Self>, name: String) -> NamedAttribute {
        NamedAttribute {
            name,
            attr: slf.clone().unbind(),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        self.raw.ptr as usize >> 4
    }

    /// Prints the attribute to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the attribute is live.
        unsafe { mlirAttributeDump(self.get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the attribute is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAttributePrint(raw, callback, data);
        }))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Attribute({})", self.__str__(py)?))
    }
}

/// An attribute and its name.
#[pyclass(frozen)]
pub(crate) struct NamedAttribute {
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    attr: Py<Attribute>,
}

#[pymethods]
impl NamedAttribute {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "NamedAttribute({}={})",
            self.name,
            self.attr.get().__str__(py)?
        ))
    }
}

/// A name or a position.
#[derive(FromPyObject)]
enum Key {
    Name(String),
    Index(isize),
}

/// The attributes of an operation, a mapping from names; a number picks by position.
#[pyclass(frozen, mapping)]
pub(crate) struct OpAttributeMap {
    op: OpRef,
}

impl OpAttributeMap {
    pub(crate) fn new(op: OpRef) -> Self {
        Self { op }
    }

    fn attribute(&self, py: Python<'_>, raw: MlirAttribute) -> Attribute {
        Attribute {
            raw,
            context: self.op.tree().context().clone_ref(py),
        }
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Attribute>> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, and the name is only read.
        let raw = unsafe { mlirOperationGetAttributeByName(op, string_ref(name)) };
        Ok((!raw.ptr.is_null()).then(|| self.attribute(py, raw)))
    }

    fn named(&self, py: Python<'_>) -> PyResult<Vec<(String, Attribute)>> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumAttributes(op) };
        let entry = |index| {
            // SAFETY: the operation is live, the index is below the count, and identifiers live as
            // long as the context.
            let (name, raw) = unsafe {
                let named = mlirOperationGetAttribute(op, index);
                (to_string(mlirIdentifierStr(named.name)), named.attribute)
            };
            (name, self.attribute(py, raw))
        };
        Ok((0..count).map(entry).collect())
    }
}

#[pymethods]
impl OpAttributeMap {
    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.find(py, name)?.is_some())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        // SAFETY: the operation is live.
        Ok(unsafe { mlirOperationGetNumAttributes(self.op.get(py)?) } as usize)
    }

    fn __getitem__(&self, py: Python<'_>, key: Key) -> PyResult<Py<PyAny>> {
        match key {
            Key::Name(name) => {
                let found = self.find(py, &name)?.ok_or_else(|| {
                    PyKeyError::new_err("attempt to access a non-existent attribute")
                })?;
                Ok(Py::new(py, found)?.into_any())
            }
            Key::Index(index) => {
                let mut all = self.named(py)?;
                let index = if index < 0 {
                    index + all.len() as isize
                } else {
                    index
                };
                let index = usize::try_from(index)
                    .ok()
                    .filter(|index| *index < all.len());
                let (name, attr) = all.swap_remove(index.ok_or_else(|| {
                    PyIndexError::new_err("attempt to access out of bounds attribute")
                })?);
                Ok(Py::new(
                    py,
                    NamedAttribute {
                        name,
                        attr: Py::new(py, attr)?,
                    },
                )?
                .into_any())
            }
        }
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, attr: &Bound<'_, Attribute>) -> PyResult<()> {
        let op = self.op.get(py)?;
        let attr = attr.get().get_in(py, self.op.tree().context())?;
        // SAFETY: both are live, and MLIR copies the name.
        unsafe { mlirOperationSetAttributeByName(op, string_ref(name), attr) };
        Ok(())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, and the name is only read.
        if unsafe { mlirOperationRemoveAttributeByName(op, string_ref(name)) } {
            Ok(())
        } else {
            Err(PyKeyError::new_err(
                "attempt to delete a non-existent attribute",
            ))
        }
    }

    /// The attribute of this name, else the default.
    #[pyo3(signature = (key, default = None))]
    fn get(
        &self,
        py: Python<'_>,
        key: &str,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        match self.find(py, key)? {
            Some(found) => Ok(Some(Py::new(py, found)?.into_any())),
            None => Ok(default),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys(py)?)?.try_iter()
    }

    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.named(py)?.into_iter().map(|(name, _)| name).collect())
    }

    fn values(&self, py: Python<'_>) -> PyResult<Vec<Attribute>> {
        Ok(self.named(py)?.into_iter().map(|(_, attr)| attr).collect())
    }

    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Attribute)>> {
        self.named(py)
    }
}
