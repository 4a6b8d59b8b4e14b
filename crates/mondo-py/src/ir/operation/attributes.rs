//! `OpAttributeMap`: the attributes of an operation.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator, PyList, PyString};

use crate::interop::string::{string_ref, to_string};
use crate::ir::attribute::{self, Attribute, NamedAttribute};
use crate::ownership::operation::OperationBase;
use crate::ownership::wrapper::{self, impl_transient};

/// The attributes of an operation, a mapping from names; a number picks by position.
#[pyclass(frozen, mapping, subclass)]
pub(crate) struct OpAttributeMap {
    op: Py<OperationBase>,
}

impl_transient!(OpAttributeMap { op });

impl OpAttributeMap {
    pub(crate) fn new(py: Python<'_>, op: Py<OperationBase>) -> PyResult<Bound<'_, Self>> {
        op.get().get(py)?;
        wrapper::new(py, Self { op })
    }

    fn wrap(&self, py: Python<'_>, raw: MlirAttribute) -> PyResult<Py<PyAny>> {
        let tree = self.op.get().tree(py)?;
        // SAFETY: the callers pass attributes of the operation.
        unsafe { attribute::wrap(py, tree.get().context(), raw) }
    }

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let (op, tree) = self.op.get().look(py)?;
        // SAFETY: the operation is live, the name is only read, and the attribute is of its context.
        unsafe {
            let raw = mlirOperationGetAttributeByName(op, string_ref(name));
            if raw.ptr.is_null() {
                return Ok(None);
            }
            attribute::wrap(py, tree.get().context(), raw).map(Some)
        }
    }

    /// Names and attributes, in order.
    fn named(&self, py: Python<'_>) -> PyResult<Vec<(String, MlirAttribute)>> {
        let op = self.op.get().get(py)?;
        // SAFETY: the operation is live, the indices are below the count, and identifiers live as
        // long as the context.
        unsafe {
            Ok((0..mlirOperationGetNumAttributes(op))
                .map(|index| {
                    let named = mlirOperationGetAttribute(op, index);
                    (to_string(mlirIdentifierStr(named.name)), named.attribute)
                })
                .collect())
        }
    }
}

#[pymethods]
impl OpAttributeMap {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.op)
    }

    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        let op = self.op.get().get(py)?;
        // SAFETY: the operation is live, and the name is only read.
        let raw = unsafe { mlirOperationGetAttributeByName(op, string_ref(name)) };
        Ok(!raw.ptr.is_null())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumAttributes(self.op.get().get(py)?) };
        Ok(count.unsigned_abs())
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        if let Ok(name) = key.cast::<PyString>() {
            return self
                .find(py, name.to_str()?)?
                .ok_or_else(|| PyKeyError::new_err("attempt to access a non-existent attribute"));
        }
        let index: isize = key.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "incompatible function arguments: an attribute is picked by its name or its position, not by {}",
                key.get_type()
            ))
        })?;
        let mut all = self.named(py)?;
        let index = if index < 0 {
            index.wrapping_add(all.len() as isize)
        } else {
            index
        };
        let index = usize::try_from(index)
            .ok()
            .filter(|index| *index < all.len())
            .ok_or_else(|| PyIndexError::new_err("attempt to access out of bounds attribute"))?;
        let (name, raw) = all.swap_remove(index);
        let attr = self.wrap(py, raw)?.extract::<Py<Attribute>>(py)?;
        Ok(Py::new(py, NamedAttribute::new(name, attr))?.into_any())
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, attr: &Bound<'_, Attribute>) -> PyResult<()> {
        let (op, tree) = self.op.get().look(py)?;
        tree.get().refuse_change()?;
        let attr = attr.get().get_in(py, tree.get().context())?;
        let name = string_ref(name);
        // SAFETY: both are live, and MLIR copies the name. It makes the whole dictionary anew, and
        // looking takes a fraction of that.
        unsafe {
            if mlirOperationGetAttributeByName(op, name).ptr != attr.ptr {
                mlirOperationSetAttributeByName(op, name, attr);
            }
        }
        Ok(())
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let (op, tree) = self.op.get().look(py)?;
        tree.get().refuse_change()?;
        // SAFETY: the operation is live, and the name is only read.
        if unsafe { mlirOperationRemoveAttributeByName(op, string_ref(name)) } {
            return Ok(());
        }
        Err(PyKeyError::new_err(
            "attempt to delete a non-existent attribute",
        ))
    }

    /// The attribute of this name, else the default.
    #[pyo3(signature = (key, default = None))]
    fn get(
        &self,
        py: Python<'_>,
        key: &str,
        default: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyAny>>> {
        Ok(self.find(py, key)?.or(default))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys(py)?)?.try_iter()
    }

    /// The attributes with their names, from the last one to the first.
    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let all = PyList::empty(py);
        for (name, raw) in self.named(py)?.into_iter().rev() {
            let attr = self.wrap(py, raw)?.extract::<Py<Attribute>>(py)?;
            all.append(NamedAttribute::new(name, attr))?;
        }
        all.try_iter()
    }

    /// The names of the attributes, as a list.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.named(py)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The attributes without their names, as a list.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let named = self.named(py)?.into_iter();
        named.map(|(_, raw)| self.wrap(py, raw)).collect()
    }

    /// Pairs of name and attribute, as a list.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
        let named = self.named(py)?.into_iter();
        named
            .map(|(name, raw)| Ok((name, self.wrap(py, raw)?)))
            .collect()
    }
}
