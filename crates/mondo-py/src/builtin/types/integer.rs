//! `IntegerType` and `IndexType`.

use mondo_ir::declarations as c;
use mondo_ir::types::{Index, Integer, MAX_WIDTH, Signedness};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyDict, PyModule, PyType};

use crate::ir::arguments::{Int, integer};
use crate::ir::derived_class::{self, enter, read_type, type_kind};
use crate::ir::types::Type;
use crate::ownership::context::Context;

const SIGNLESS: usize = 0;
const SIGNED: usize = 1;
const UNSIGNED: usize = 2;

/// The members of `IntegerType.Signedness`, indexed by their values.
static SIGNEDNESS: PyOnceLock<[Py<PyAny>; 3]> = PyOnceLock::new();

/// An integer type: `i32`, `si8`, `ui64`.
#[pyclass(frozen, subclass, extends = Type)]
pub(super) struct IntegerType;

type_kind!(
    IntegerType: Integer,
    type_id: c::mlirIntegerTypeGetTypeID,
    name: c::mlirIntegerTypeGetName
);

fn make(
    py: Python<'_>,
    width: u32,
    signedness: usize,
    context: Option<Bound<'_, Context>>,
) -> PyResult<Py<PyAny>> {
    let signedness = match signedness {
        SIGNED => Signedness::Signed,
        UNSIGNED => Signedness::Unsigned,
        _ => Signedness::Signless,
    };
    enter(py, context, |ctx| {
        let ty = ctx.integer_of(width, signedness).ok_or_else(|| {
            PyValueError::new_err(format!(
                "integer bitwidth is limited to {MAX_WIDTH} bits, {width} are too many"
            ))
        })?;
        ctx.wrap(ty)
    })
}

/// The value of a member of `Signedness`; an integer is accepted in place of a member.
fn signedness_value(member: &Bound<'_, PyAny>) -> PyResult<usize> {
    let value = match member.getattr("value") {
        Ok(value) => integer(&value)?,
        Err(_) => integer(member)?,
    };
    if value <= UNSIGNED {
        Ok(value)
    } else {
        Err(PyTypeError::new_err(format!(
            "incompatible function arguments: expected a Signedness, not {}",
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

    /// The signedness: signless, signed or unsigned.
    #[getter]
    fn signedness(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let value = match read_type(slf, |ty| ty.signedness())? {
            Signedness::Signless => SIGNLESS,
            Signedness::Signed => SIGNED,
            Signedness::Unsigned => UNSIGNED,
        };
        SIGNEDNESS
            .get(slf.py())
            .map(|members| members[value].clone_ref(slf.py()))
            .ok_or_else(|| PyValueError::new_err("IntegerType.Signedness is not set up"))
    }

    /// The number of bits of the numbers.
    #[getter]
    fn width(slf: &Bound<'_, Self>) -> PyResult<u32> {
        read_type(slf, |ty| c::mlirIntegerTypeGetWidth(ty))
    }

    /// True if the operations decide on the sign, as in `i32`.
    #[getter]
    fn is_signless(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirIntegerTypeIsSignless(ty))
    }

    /// True if the integers are signed, as in `si32`.
    #[getter]
    fn is_signed(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirIntegerTypeIsSigned(ty))
    }

    /// True if the integers are unsigned, as in `ui32`.
    #[getter]
    fn is_unsigned(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_type(slf, |ty| c::mlirIntegerTypeIsUnsigned(ty))
    }
}

/// Makes the enumeration `Signedness`, and sets it and its members as attributes of `IntegerType`.
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
    signedness.setattr("__doc__", "The sign of an integer type's numbers.")?;
    // Upstream's members have the same text in `repr` and in `str`.
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
    IndexType: Index,
    type_id: c::mlirIndexTypeGetTypeID,
    name: c::mlirIndexTypeGetName
);

#[pymethods]
impl IndexType {
    /// The index type.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| ctx.wrap(ctx.index()))
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    add_signedness(&derived_class::publish::<IntegerType>(ir, parent)?)?;
    derived_class::publish::<IndexType>(ir, parent)?;
    Ok(())
}
