//! The process-wide registry of the classes and attribute builders that the dialects' Python modules
//! register.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyModuleNotFoundError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyType};

use crate::interop::capsule;

/// The registry. Its lock is never held while Python code may run, which could register something else.
static REGISTERED: Mutex<Option<Registered>> = Mutex::new(None);

/// The number of times that a class for operations was registered, or that the search prefixes were replaced.
static REPLACED: AtomicU64 = AtomicU64::new(0);

#[derive(Default)]
struct Registered {
    /// Packages in which modules of dialects are looked for; None means `<root>.dialects`.
    prefixes: Option<Vec<String>>,
    /// Dialects whose modules are loaded.
    loaded: HashSet<String>,
    /// Dialects that no prefix has a module for. Setting the prefixes empties it.
    missing: HashSet<String>,
    dialects: HashMap<String, Py<PyAny>>,
    operations: HashMap<String, Py<PyType>>,
    op_adaptors: HashMap<String, Py<PyType>>,
    attribute_builders: HashMap<String, Py<PyAny>>,
}

fn locked<T>(work: impl FnOnce(&mut Registered) -> T) -> T {
    let mut guard: MutexGuard<'_, Option<Registered>> =
        REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    work(guard.get_or_insert_default())
}

/// The packages in which modules of dialects are looked for.
pub(crate) fn dialect_search_prefixes(py: Python<'_>) -> Vec<String> {
    locked(|tables| tables.prefixes.clone())
        .unwrap_or_else(|| vec![format!("{}.dialects", capsule::root(py))])
}

/// Replaces the packages in which modules of dialects are looked for.
pub(crate) fn set_dialect_search_prefixes(prefixes: Vec<String>) {
    locked(|tables| {
        tables.prefixes = Some(prefixes);
        tables.missing.clear();
    });
    REPLACED.fetch_add(1, Ordering::Relaxed);
}

/// Imports the Python module of a dialect, which registers the dialect's classes. Returns whether there is
/// such a module.
pub(crate) fn load_dialect_module(py: Python<'_>, namespace: &str) -> PyResult<bool> {
    let known = locked(|tables| {
        if tables.loaded.contains(namespace) {
            Some(true)
        } else {
            tables.missing.contains(namespace).then_some(false)
        }
    });
    if let Some(known) = known {
        return Ok(known);
    }
    for prefix in dialect_search_prefixes(py) {
        match py.import(format!("{prefix}.{namespace}")) {
            Ok(_) => {
                locked(|tables| tables.loaded.insert(namespace.to_owned()));
                return Ok(true);
            }
            Err(error) if error.is_instance_of::<PyModuleNotFoundError>(py) => {}
            Err(error) => return Err(error),
        }
    }
    locked(|tables| tables.missing.insert(namespace.to_owned()));
    Ok(false)
}

/// Registers the class of a dialect.
pub(crate) fn register_dialect(namespace: &str, class: Py<PyAny>, replace: bool) -> PyResult<()> {
    let replaced = locked(|tables| {
        if tables.dialects.contains_key(namespace) && !replace {
            return Err(PyRuntimeError::new_err(format!(
                "Dialect namespace '{namespace}' is already registered."
            )));
        }
        Ok(tables.dialects.insert(namespace.to_owned(), class))
    })?;
    drop(replaced);
    Ok(())
}

/// The class for a dialect.
pub(crate) fn dialect_class(py: Python<'_>, namespace: &str) -> PyResult<Option<Py<PyAny>>> {
    // A dialect that is defined in Python need not have a module of its name.
    load_dialect_module(py, namespace)?;
    Ok(locked(|tables| {
        tables
            .dialects
            .get(namespace)
            .map(|class| class.clone_ref(py))
    }))
}

/// Registers the class of operations with this name.
pub(crate) fn register_operation(name: &str, class: Py<PyType>, replace: bool) -> PyResult<()> {
    let replaced = locked(|tables| {
        if tables.operations.contains_key(name) && !replace {
            return Err(PyRuntimeError::new_err(format!(
                "Operation '{name}' is already registered."
            )));
        }
        Ok(tables.operations.insert(name.to_owned(), class))
    })?;
    // Views of such operations that exist already may be of another class.
    REPLACED.fetch_add(1, Ordering::Relaxed);
    drop(replaced);
    Ok(())
}

/// A number that changes with each registration of a class for operations and with each change of the search
/// prefixes. A cached class is valid while the number stays.
pub(crate) fn replaced_classes() -> u64 {
    REPLACED.load(Ordering::Relaxed)
}

/// The class for operations of this name (`func.return`).
pub(crate) fn operation_class(py: Python<'_>, name: &str) -> PyResult<Option<Py<PyType>>> {
    let namespace = name.split('.').next().unwrap_or(name);
    let look =
        |tables: &mut Registered| tables.operations.get(name).map(|class| class.clone_ref(py));
    // The dialect's module is imported first, because it may replace a class that another module registered.
    // Once that is done, from the second operation of a dialect on, the lock is taken only once.
    let known = locked(|tables| {
        (tables.loaded.contains(namespace) || tables.missing.contains(namespace))
            .then(|| look(tables))
    });
    if let Some(known) = known {
        return Ok(known);
    }
    load_dialect_module(py, namespace)?;
    Ok(locked(look))
}

/// Registers the class of adaptors of operations with this name.
pub(crate) fn register_op_adaptor(name: &str, class: Py<PyType>, replace: bool) -> PyResult<()> {
    let replaced = locked(|tables| {
        if tables.op_adaptors.contains_key(name) && !replace {
            return Err(PyRuntimeError::new_err(format!(
                "Operation adaptor of '{name}' is already registered."
            )));
        }
        Ok(tables.op_adaptors.insert(name.to_owned(), class))
    })?;
    drop(replaced);
    Ok(())
}

/// The class for adaptors of operations with this name, whose class is known.
pub(crate) fn op_adaptor(py: Python<'_>, name: &str) -> Option<Py<PyType>> {
    locked(|tables| {
        let found = tables.op_adaptors.get(name);
        found.map(|class| class.clone_ref(py))
    })
}

/// Registers the builder of attributes of this kind.
pub(crate) fn register_attribute_builder(
    py: Python<'_>,
    kind: &str,
    builder: Py<PyAny>,
    replace: bool,
) -> PyResult<()> {
    let present = locked(|tables| {
        tables
            .attribute_builders
            .get(kind)
            .map(|builder| builder.clone_ref(py))
    });
    if let Some(present) = present.filter(|_| !replace) {
        return Err(PyRuntimeError::new_err(format!(
            "Attribute builder for '{kind}' is already registered with func: {}",
            present.bind(py).str()?
        )));
    }
    let replaced = locked(|tables| tables.attribute_builders.insert(kind.to_owned(), builder));
    drop(replaced);
    Ok(())
}

/// The builder of attributes of this kind.
pub(crate) fn attribute_builder(py: Python<'_>, kind: &str) -> Option<Py<PyAny>> {
    locked(|tables| {
        tables
            .attribute_builders
            .get(kind)
            .map(|builder| builder.clone_ref(py))
    })
}
