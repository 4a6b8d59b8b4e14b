//! The operands of Python's operators: `table[name]`, `name in table`, `a + b`.
//!
//! A method is called through a trampoline, which completes the text of an error about its arguments.
//! Operators are called often and do little, so that they have no trampoline: each converts its operand by
//! `operand`, which takes additional time only if the operand is of a wrong type.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::capsule;

/// Converts the operand of an operator of `slf`, whose method is called `name` in errors.
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
    // An exception of `explain` would hide the one about the operand.
    drop(explained);
    error
}
