//! Creating the extension's submodules. Their full names begin with the import root under which the extension
//! was imported.

use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyMappingProxy, PyModule, PyString, PyType};

static IR: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// `_mlir.ir`.
pub(crate) fn ir<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyModule>> {
    IR.get(py)
        .map(|module| module.bind(py).clone())
        .ok_or_else(|| PyRuntimeError::new_err("_mlir.ir is not set up"))
}

/// Stores `_mlir.ir` for code that raises `MLIRError`: the package defines that class in Python and puts it
/// into the module.
pub(crate) fn set_ir(module: &Bound<'_, PyModule>) {
    // The extension is initialised once; should that ever change, the first one stays.
    let _ = IR.set(module.py(), module.clone().unbind());
}

/// Creates the submodule `name` of `parent` and enters it into `sys.modules`.
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

/// Sets the `__module__` of a native class and of its static methods, which PyO3 makes as functions without one.
pub(crate) fn set_module(class: &Bound<'_, PyType>, module: &Bound<'_, PyString>) -> PyResult<()> {
    static STATIC_METHOD: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = class.py();
    let static_method = STATIC_METHOD.import(py, "builtins", "staticmethod")?;
    let attribute = intern!(py, "__module__");
    class.setattr(attribute, module)?;
    let members = class.getattr(intern!(py, "__dict__"))?;
    for member in members.cast_into::<PyMappingProxy>()?.values()?.iter() {
        if member.get_type().is(static_method) {
            let function = member.getattr(intern!(py, "__func__"))?;
            function.setattr(attribute, module)?;
        }
    }
    Ok(())
}

/// Adds a class to `module` and sets the class's `__module__`.
pub(crate) fn add_class(module: &Bound<'_, PyModule>, class: Bound<'_, PyType>) -> PyResult<()> {
    set_module(&class, &module.name()?)?;
    let name = class.name()?;
    // Setting `__name__` sets `tp_name`, which Python's errors show, and which PyO3 made from a module's name
    // and the class's.
    class.setattr("__name__", &name)?;
    // `add` would also make an `__all__`, in which the classes written in Python would be missing.
    module.setattr(name, class)
}

/// Adds a function to `module`. PyO3's `add_function` would also make an `__all__`.
pub(crate) fn add_function(
    module: &Bound<'_, PyModule>,
    function: &Bound<'_, PyCFunction>,
) -> PyResult<()> {
    let name = function.getattr("__name__")?.extract::<String>()?;
    module.setattr(name.as_str(), function)
}
