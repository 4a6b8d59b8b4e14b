//! The operands of Python's operators: `table[name]`, `name in table`, `a + b`.
//!
//! The errors about a method's arguments get their whole text from the trampoline that the method is called
//! through. Operators are called often and do little, so that they have no trampoline: each of them reads
//! its operand by a function of this file, which costs nothing where the operand is right.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::capsule;

/// The operand of the operator of `slf` that Python calls `name`, which an error shows.
#[inline]
pub(crate) fn operand<'a, 'py, T, Of>(
    slf: &Bound<'py, Of>,
    name: &str,
    given: &'a Bound<'py, PyAny>,
) -> PyResult<T>
where
    T: FromPyObject<'a, 'py>,
    Of: PyTypeInfo,
{
    given
        .extract()
        .map_err(|error: T::Error| refused(slf, name, given, error.into()))
}

/// The error about an operand, with the operator's signatures and the types of both sides.
#[cold]
#[inline(never)]
pub(crate) fn refused<Of: PyTypeInfo>(
    slf: &Bound<'_, Of>,
    name: &str,
    given: &Bound<'_, PyAny>,
    error: PyErr,
) -> PyErr {
    let py = slf.py();
    let module = format!("{}._mlir_libs._argument_errors", capsule::root(py));
    let class = Of::type_object(py);
    let explained = py.import(module).and_then(|module| {
        let arguments = (error.value(py), class, name, (slf, given), ());
        module.call_method1("explain", arguments)
    });
    // An error here would hide the one that the message is about.
    drop(explained);
    error
}
