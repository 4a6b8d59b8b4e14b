//! The submodules, by name: they follow the import root that the extension was imported under.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyModule, PyType};

static IR: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// `_mlir.ir`.
pub(crate) fn ir<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyModule>> {
    IR.get(py)
        .map(|module| module.bind(py).clone())
        .ok_or_else(|| PyRuntimeError::new_err("_mlir.ir is not set up"))
}

/// Remembers `_mlir.ir` for code that raises `MLIRError`, which the package defines.
pub(crate) fn set_ir(module: &Bound<'_, PyModule>) {
    // The extension is initialised once; should that ever change, the first one stays.
    let _ = IR.set(module.py(), module.clone().unbind());
}

/// Makes the submodule `name` of `parent`, importable by its full name.
pub(crate) fn submodule<'py>(
    parent: &Bound<'py, PyModule>,
    name: &str,
    doc: &str,
) -> PyResult<Bound<'py, PyModule>> {
    let py = parent.py();
    let full_name = format!("{}.{name}", parent.name()?);
    let module = PyModule::new(py, &full_name)?;
    module.setattr("__doc__", doc)?;
    parent.add(name, &module)?;
    py.import("sys")?
        .getattr("modules")?
        .set_item(full_name, &module)?;
    Ok(module)
}

/// Puts a class into `module`, which also becomes its `__module__`.
pub(crate) fn add_class(module: &Bound<'_, PyModule>, class: Bound<'_, PyType>) -> PyResult<()> {
    class.setattr("__module__", module.name()?)?;
    let name = class.name()?;
    // Python shows this name in its errors, where that of PyO3's specification has a module.
    class.setattr("__name__", &name)?;
    // Not `add`, which keeps an `__all__` that classes written in Python would be missing from.
    module.setattr(name, class)
}

/// Puts a function into `module`. PyO3's `add_function` would also make an `__all__`.
pub(crate) fn add_function(
    module: &Bound<'_, PyModule>,
    function: &Bound<'_, PyCFunction>,
) -> PyResult<()> {
    let name = function.getattr("__name__")?.extract::<String>()?;
    module.setattr(name.as_str(), function)
}
