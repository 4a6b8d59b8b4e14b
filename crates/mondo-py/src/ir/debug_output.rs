//! `_GlobalDebug`: the switch of LLVM's debug output, and the choice of its types (`-debug-only`).

use mondo_ir::debug;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyModule, PyString, PyTuple, PyType};

/// Adds `_GlobalDebug` to `ir`. Its `flag` is a settable property of the class itself, for which the class
/// needs a metaclass.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    let builtins = py.import("builtins")?;
    let plain = py.get_type::<PyType>();
    let meta = PyDict::new(py);
    let flag = (
        wrap_pyfunction!(get_flag, ir)?,
        wrap_pyfunction!(set_flag, ir)?,
    );
    meta.set_item("flag", builtins.getattr("property")?.call1(flag)?)?;
    let meta = new_class(
        ir,
        plain.as_any(),
        "_GlobalDebugType",
        PyTuple::new(py, [&plain])?,
        &meta,
    )?;
    let members = PyDict::new(py);
    members.set_item("__doc__", "LLVM's debug output, for the whole process.")?;
    members.set_item(
        "set_types",
        builtins
            .getattr("staticmethod")?
            .call1((wrap_pyfunction!(set_types, ir)?,))?,
    )?;
    let class = new_class(ir, &meta, "_GlobalDebug", PyTuple::empty(py), &members)?;
    ir.setattr("_GlobalDebug", class)
}

/// Calls a metaclass for a class of `ir`.
fn new_class<'py>(
    ir: &Bound<'py, PyModule>,
    metaclass: &Bound<'py, PyAny>,
    name: &str,
    bases: Bound<'py, PyTuple>,
    members: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    members.set_item("__module__", ir.name()?)?;
    metaclass.call1((name, bases, members))
}

/// Returns whether LLVM prints what it does.
#[pyfunction]
fn get_flag(_class: &Bound<'_, PyAny>) -> bool {
    debug::is_enabled()
}

#[pyfunction]
fn set_flag(class: &Bound<'_, PyAny>, enable: &Bound<'_, PyAny>) -> PyResult<()> {
    let Ok(enable) = enable.extract() else {
        // The text is upstream's, whose setter is a lambda without a name.
        return Err(PyTypeError::new_err(format!(
            "(): incompatible function arguments. The following argument types are supported:\n    \
             1. (arg0: object, arg1: bool, /) -> None\n\nInvoked with types: {}, {}\n\
             the flag is True or False",
            class.get_type().name()?,
            enable.get_type().name()?
        )));
    };
    debug::enable(enable);
    Ok(())
}

/// Says which kinds of debug output LLVM prints: one, or a list of them.
#[pyfunction]
fn set_types(types: &Bound<'_, PyAny>) -> PyResult<()> {
    let names: Vec<String> = if types.is_instance_of::<PyString>() {
        vec![types.extract()?]
    } else {
        types.extract()?
    };
    let names = names.into_iter().map(std::ffi::CString::new);
    debug::set_types(&names.collect::<Result<Vec<_>, _>>()?);
    Ok(())
}
