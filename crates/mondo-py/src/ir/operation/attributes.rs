//! `OpAttributeMap`: the attributes of an operation.

use mondo_ir::declarations as c;
use mondo_ir::nodes::{self, Attached, refusal};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator, PyList, PyString};

use crate::interop::callback::unless_interrupted;
use crate::interop::missing_elements::{no_attribute, out_of_range};
use crate::interop::operators::{operand, refused};
use crate::ir::attribute::{Attribute, NamedAttribute};
use crate::ownership::node_access::InTree;
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

    fn find(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        self.op.get().enter(py, |at, op| {
            let found = c::mlirOperationGetAttributeByName(op, name.into());
            found.map(|attribute| at.wrap(attribute)).transpose()
        })
    }

    /// The exception for a name that no attribute has: upstream's text, and the names that exist.
    #[cold]
    fn missing(&self, py: Python<'_>, doing: &str, name: &str) -> PyResult<PyErr> {
        let (operation, names) = self.op.get().read(py, |op| {
            let names: Vec<String> = op.attributes().map(name_of).collect();
            (op.name().to_text(), names)
        })?;
        let owner = format!("operation \"{operation}\"");
        Ok(no_attribute(doing, name, &owner, &names))
    }

    /// Runs `work` with the names and the attributes, in order. All are read before the first one is wrapped,
    /// because that may run a caster, which is Python code.
    fn with_all<R>(
        &self,
        py: Python<'_>,
        work: impl for<'ctx> FnOnce(InTree<'_, 'ctx>, Vec<Attached<'ctx>>) -> PyResult<R>,
    ) -> PyResult<R> {
        let op = self.op.get();
        op.enter(py, |at, op| work(at, op.attributes().collect()))
    }
}

/// The name of an attribute.
fn name_of(attached: Attached<'_>) -> String {
    c::mlirIdentifierStr(attached.name).to_text()
}

/// The `NamedAttribute` of an attribute.
fn named<'ctx>(at: InTree<'_, 'ctx>, attached: Attached<'ctx>) -> PyResult<NamedAttribute> {
    let attribute = at
        .wrap(attached.attribute)?
        .extract::<Py<Attribute>>(at.py())?;
    Ok(NamedAttribute::new(name_of(attached), attribute))
}

#[pymethods]
impl OpAttributeMap {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.op)
    }

    fn __contains__(slf: &Bound<'_, Self>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        let name: &str = operand(slf, "__contains__", name)?;
        let find =
            |op: nodes::Op<'_>| c::mlirOperationGetAttributeByName(op, name.into()).is_some();
        slf.get().op.get().read(slf.py(), find)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.op
            .get()
            .read(py, |op| c::mlirOperationGetNumAttributes(op).unsigned_abs())
    }

    fn __getitem__(slf: &Bound<'_, Self>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if let Ok(name) = key.cast::<PyString>() {
            let name = name.to_str()?;
            let found = slf.get().find(py, name)?;
            return found.map_or_else(|| Err(slf.get().missing(py, "access", name)?), Ok);
        }
        let index: isize = key.extract().map_err(|error| {
            unless_interrupted(py, error, |_| {
                let error = PyTypeError::new_err(format!(
                    "incompatible function arguments: an attribute is picked by its name or its position, not by {}",
                    key.get_type()
                ));
                refused(slf, "__getitem__", key, error)
            })
        })?;
        slf.get().with_all(py, |at, all| {
            let index = if index < 0 {
                index.wrapping_add(all.len() as isize)
            } else {
                index
            };
            let found = usize::try_from(index).ok().and_then(|index| all.get(index));
            let found = found.ok_or_else(|| {
                out_of_range("attempt to access out of bounds attribute", all.len())
            })?;
            Ok(Py::new(py, named(at, *found)?)?.into_any())
        })
    }

    fn __setitem__(&self, py: Python<'_>, name: &str, attr: &Bound<'_, Attribute>) -> PyResult<()> {
        self.op.get().enter(py, |at, op| {
            at.tree().get().modify(op)?;
            let attr = attr.get().within(at.ctx())?;
            if op.set_attribute(name, attr) {
                return Ok(());
            }
            let operation = op.name().to_text();
            Err(PyValueError::new_err(refusal(&operation, name, attr)))
        })
    }

    fn __delitem__(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let removed = self.op.get().enter(py, |at, op| {
            at.tree().get().modify(op)?;
            Ok(op.remove_attribute(name))
        })?;
        if removed {
            return Ok(());
        }
        Err(self.missing(py, "delete", name)?)
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
        self.with_all(py, |at, attributes| {
            let mut attributes = attributes.into_iter().rev();
            attributes.try_for_each(|attribute| all.append(named(at, attribute)?))
        })?;
        all.try_iter()
    }

    /// The names of the attributes, as a list.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.op
            .get()
            .read(py, |op| op.attributes().map(name_of).collect())
    }

    /// The attributes without their names, as a list.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        self.with_all(py, |at, all| {
            let all = all.into_iter();
            all.map(|entry| at.wrap(entry.attribute)).collect()
        })
    }

    /// Pairs of name and attribute, as a list.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
        self.with_all(py, |at, all| {
            let all = all.into_iter();
            all.map(|entry| Ok((name_of(entry), at.wrap(entry.attribute)?)))
                .collect()
        })
    }
}
