//! `IntegerType` and `IndexType`.

use mondo_sys::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyModule, PyType};

use crate::ir::arguments::{Int, integer};
use crate::ir::derived_class::{self, context_for, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// The most bits that MLIR lets an integer have.
const MAX_WIDTH: u32 = (1 << 24) - 1;

const SIGNLESS: usize = 0;
const SIGNED: usize = 1;
const UNSIGNED: usize = 2;

/// The members of `IntegerType.Signedness`, by their values.
static SIGNEDNESS: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();

/// An integer type: `i32`, `si8`, `ui64`.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct IntegerType;

type_kind!(
    IntegerType,
    mlirTypeIsAInteger,
    Some(mlirIntegerTypeGetTypeID),
    Some(mlirIntegerTypeGetName)
);

fn make(
    py: Python<'_>,
    width: u32,
    signedness: usize,
    context: Option<Bound<'_, Context>>,
) -> PyResult<Py<PyAny>> {
    let (context, raw) = context_for(py, context)?;
    if width > MAX_WIDTH {
        return Err(PyValueError::new_err(format!(
            "integer bitwidth is limited to {MAX_WIDTH} bits, {width} are too many"
        )));
    }
    // SAFETY: the context is live, and MLIR allows the width.
    unsafe {
        let raw = match signedness {
            SIGNED => mlirIntegerTypeSignedGet(raw, width),
            UNSIGNED => mlirIntegerTypeUnsignedGet(raw, width),
            _ => mlirIntegerTypeGet(raw, width),
        };
        types::wrap(py, &context, raw)
    }
}

/// The value of a member of `Signedness`, or a value itself.
fn signedness_value(member: &Bound<'_, PyAny>) -> PyResult<usize> {
    let value = match member.getattr("value") {
        Ok(value) => integer(&value)?,
        Err(_) => integer(member)?,
    };
    if value <= UNSIGNED {
        Ok(value)
    } else {
        Err(PyTypeError::new_err(format!(
            "expected a Signedness, not {}",
            member.repr()?
        )))
    }
}

#[pymethods]
impl IntegerType {
    /// The signless integer type of a width.
    #[staticmethod]
    #[pyo3(signature = (width, context = None))]
    fn get_signless(
        py: Python<'_>,
        width: Int<u32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make(py, width.0, SIGNLESS, context)
    }

    /// The signed integer type of a width.
    #[staticmethod]
    #[pyo3(signature = (width, context = None))]
    fn get_signed(
        py: Python<'_>,
        width: Int<u32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make(py, width.0, SIGNED, context)
    }

    /// The unsigned integer type of a width.
    #[staticmethod]
    #[pyo3(signature = (width, context = None))]
    fn get_unsigned(
        py: Python<'_>,
        width: Int<u32>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make(py, width.0, UNSIGNED, context)
    }

    /// The integer type of a width and a signedness.
    #[staticmethod]
    #[pyo3(
        signature = (width, signedness = None, context = None),
        text_signature = "(width, signedness=..., context=None)"
    )]
    fn get(
        py: Python<'_>,
        width: Int<u32>,
        signedness: Option<&Bound<'_, PyAny>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let signedness = signedness.map_or(Ok(SIGNLESS), signedness_value)?;
        make(py, width.0, signedness, context)
    }

    /// True if the numbers have a sign, or it is up to the operations.
    #[getter]
    fn signedness(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live integer type.
        let value = unsafe {
            match (mlirIntegerTypeIsSignless(raw), mlirIntegerTypeIsSigned(raw)) {
                (true, _) => SIGNLESS,
                (_, true) => SIGNED,
                _ => UNSIGNED,
            }
        };
        SIGNEDNESS
            .get(slf.py())
            .map(|members| members[value].clone_ref(slf.py()))
            .ok_or_else(|| PyValueError::new_err("IntegerType.Signedness is not set up"))
    }

    /// The number of bits of the numbers.
    #[getter]
    fn width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        // SAFETY: the type is a live integer type.
        Ok(unsafe { mlirIntegerTypeGetWidth(type_of(slf)?) })
    }

    /// True if the operations decide on the sign, as in `i32`.
    #[getter]
    fn is_signless(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live integer type.
        Ok(unsafe { mlirIntegerTypeIsSignless(type_of(slf)?) })
    }

    /// True if the integers are signed, as in `si32`.
    #[getter]
    fn is_signed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live integer type.
        Ok(unsafe { mlirIntegerTypeIsSigned(type_of(slf)?) })
    }

    /// True if the integers are unsigned, as in `ui32`.
    #[getter]
    fn is_unsigned(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the type is a live integer type.
        Ok(unsafe { mlirIntegerTypeIsUnsigned(type_of(slf)?) })
    }
}

/// Makes the enumeration `Signedness` and puts it and its members into `IntegerType`.
fn add_signedness(class: &Bound<'_, PyType>) -> PyResult<()> {
    let py = class.py();
    let names = ["SIGNLESS", "SIGNED", "UNSIGNED"];
    let options = PyDict::new(py);
    options.set_item("module", class.getattr("__module__")?)?;
    options.set_item("qualname", "IntegerType.Signedness")?;
    let values: Vec<_> = names
        .iter()
        .zip(0..)
        .map(|(name, value): (_, u8)| (*name, value))
        .collect();
    let signedness = py
        .import("enum")?
        .getattr("Enum")?
        .call(("Signedness", values), Some(&options))?;
    // Upstream's members print alike by `repr` and by `str`.
    signedness.setattr("__repr__", signedness.getattr("__str__")?)?;
    class.setattr("Signedness", &signedness)?;
    let member = |name: &str| -> PyResult<Py<PyAny>> {
        let member = signedness.getattr(name)?;
        class.setattr(name, &member)?;
        Ok(member.unbind())
    };
    let members = [member(names[0])?, member(names[1])?, member(names[2])?];
    // The extension is initialised once; should that ever change, the first enumeration stays.
    let _ = SIGNEDNESS.set(py, members);
    Ok(())
}

/// The type of indices and sizes, whose width the target decides.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct IndexType;

type_kind!(
    IndexType,
    mlirTypeIsAIndex,
    Some(mlirIndexTypeGetTypeID),
    Some(mlirIndexTypeGetName)
);

#[pymethods]
impl IndexType {
    /// The index type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live.
        unsafe { types::wrap(py, &context, mlirIndexTypeGet(raw)) }
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    add_signedness(&derived_class::publish::<IntegerType>(ir, parent)?)?;
    derived_class::publish::<IndexType>(ir, parent)?;
    Ok(())
}
