//! The cache of a context's operation names, and of the classes that are registered for them.

use std::collections::HashMap;

use mondo_ir::declarations as c;
use mondo_ir::nodes::Op;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::interop::attached_cell::AttachedCell;
use crate::interop::casters::AddressHash;
use crate::interop::registered_classes;

/// Operation names by the addresses of their identifiers, which MLIR uniques in the context and keeps as long
/// as it lives.
#[derive(Default)]
pub(crate) struct Names(AttachedCell<HashMap<usize, Name, AddressHash>>);

/// A name as a Python string, and the cached class for operations of this name.
struct Name {
    text: Py<PyString>,
    class: Option<Class>,
}

/// The result of a lookup of the class: None if there was none. It is valid as long as `replaced_classes`
/// returns `registered`.
struct Class {
    registered: u64,
    class: Option<Py<PyType>>,
}

impl Names {
    /// The name of a live operation of the context: `func.return`.
    pub(crate) fn text<'py>(&self, py: Python<'py>, op: Op<'_>) -> Bound<'py, PyString> {
        let identifier = c::mlirOperationGetName(op);
        let key = identifier.address() as usize;
        let known = self.0.with(py, |names| {
            names.get(&key).map(|name| name.text.bind(py).clone())
        });
        known.unwrap_or_else(|| {
            let text = c::mlirIdentifierStr(identifier).to_text();
            let text = PyString::intern(py, &text);
            let name = Name {
                text: text.clone().unbind(),
                class: None,
            };
            drop(self.0.with(py, |names| names.insert(key, name)));
            text
        })
    }

    /// The class that is registered for the name of `op`, a live operation of the context.
    pub(crate) fn class<'py>(
        &self,
        py: Python<'py>,
        op: Op<'_>,
    ) -> PyResult<Option<Bound<'py, PyType>>> {
        let key = c::mlirOperationGetName(op).address() as usize;
        let registered = registered_classes::replaced_classes();
        let known = self.0.with(py, |names| {
            let known = names.get(&key)?.class.as_ref()?;
            let class = || known.class.as_ref().map(|class| class.bind(py).clone());
            (known.registered == registered).then(class)
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let text = self.text(py, op);
        let class = registered_classes::operation_class(py, text.to_str()?)?;
        // Read after the lookup, which may have imported the dialect's module and so registered classes.
        let registered = registered_classes::replaced_classes();
        let found = class.as_ref().map(|class| class.clone_ref(py));
        let before = self.0.with(py, |names| {
            let name = names.get_mut(&key)?;
            let class = Class { registered, class };
            name.class.replace(class)
        });
        drop(before);
        Ok(found.map(|class| class.into_bound(py)))
    }

    /// Visits the classes, for the garbage collector.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let show = |names: &HashMap<usize, Name, AddressHash>| {
            names
                .values()
                .filter_map(|name| name.class.as_ref())
                .try_for_each(|class| visit.call(&class.class))
        };
        self.0.look(show).unwrap_or(Ok(()))
    }

    /// Drops the classes, which the next access looks up again. The strings stay, because active wrappers of
    /// operations have pointers to them without a reference.
    pub(super) fn clear(&self, py: Python<'_>) {
        let before: Vec<_> = self.0.with(py, |names| {
            let classes = names.values_mut().map(|name| name.class.take());
            classes.collect()
        });
        drop(before);
    }
}
