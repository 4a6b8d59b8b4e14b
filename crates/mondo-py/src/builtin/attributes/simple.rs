//! `IntegerAttr`, `BoolAttr`, `FloatAttr`, `TypeAttr` and `UnitAttr`.

use mondo_ir::attributes::{Bool, Int, Real, TypeValue, Unit};
use mondo_ir::declarations as c;
use mondo_ir::types::{Index, Integer, Signedness};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyInt, PyModule, PyType};

use crate::interop::casters;
use crate::ir::arguments;
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{
    self, Kind, Site, attribute_kind, checked, enter, read_attribute, with_attribute,
};
use crate::ir::location::Location;
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The published class `IntegerAttr`.
static INTEGER_ATTR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An integer and its type.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct IntegerAttr;

attribute_kind!(IntegerAttr: Int,
    type_id: c::mlirIntegerAttrGetTypeID,
    name: c::mlirIntegerAttrGetName);

#[pymethods]
impl IntegerAttr {
    /// The attribute of an integer or index type. Bits of the value that do not fit are cut off.
    #[staticmethod]
    fn get(r#type: &Bound<'_, Type>, value: arguments::Int<i64>) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let context = r#type.get().context_of(py)?;
        let (made, is_bool) = Context::enter(py, &context, |ctx| {
            let any = r#type.get().within(ctx)?;
            if let Some(integer) = any.downcast::<Integer>() {
                let is_bool = integer.width() == 1 && c::mlirIntegerTypeIsSignless(integer);
                return Ok((ctx.wrap(ctx.integer_attr(integer, value.0))?, is_bool));
            }
            let index = any.downcast::<Index>().ok_or_else(|| {
                PyValueError::new_err(format!(
                    "an IntegerAttr has an integer or index type, not {any}"
                ))
            })?;
            Ok((ctx.wrap(ctx.integer_attr(index, value.0))?, false))
        })?;
        if is_bool {
            // The caster of `i1` makes a `BoolAttr`, but the result of `IntegerAttr.get` has to be an
            // `IntegerAttr`.
            return derived_class::exactly(made.into_bound(py), &INTEGER_ATTR);
        }
        Ok(made)
    }

    /// The integer, signed or not as its type says.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let number = read_attribute(slf, |attribute| {
            match attribute.type_().downcast::<Integer>() {
                Some(of) if of.width() > 64 => None,
                Some(of) => Some(match of.signedness() {
                    Signedness::Signless => {
                        c::mlirIntegerAttrGetValueInt(attribute).into_pyobject(py)
                    }
                    Signedness::Signed => {
                        c::mlirIntegerAttrGetValueSInt(attribute).into_pyobject(py)
                    }
                    Signedness::Unsigned => {
                        c::mlirIntegerAttrGetValueUInt(attribute).into_pyobject(py)
                    }
                }),
                None => Some(c::mlirIntegerAttrGetValueInt(attribute).into_pyobject(py)),
            }
        })?;
        if let Some(number) = number {
            return Ok(number?.into_any());
        }
        // The C API returns at most 64 bits; the printed form has all digits.
        let text = slf.as_any().cast::<Attribute>()?.get().__str__(py)?;
        let digits = text.split(" : ").next().unwrap_or(&text);
        py.get_type::<PyInt>().call1((digits,))
    }

    fn __int__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::value(slf)
    }
}

/// A truth value: an integer of type `i1`.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct BoolAttr;

attribute_kind!(BoolAttr: Bool);

#[pymethods]
impl BoolAttr {
    /// The attribute of a truth value.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get(
        py: Python<'_>,
        value: bool,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| ctx.wrap(ctx.bool_attr(value)))
    }

    /// The value as a `bool`.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<bool> {
        read_attribute(slf, |attribute| c::mlirBoolAttrGetValue(attribute))
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::value(slf)
    }
}

/// A floating point number and its type.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct FloatAttr;

attribute_kind!(FloatAttr: Real,
    type_id: c::mlirFloatAttrGetTypeID,
    name: c::mlirFloatAttrGetName);

fn make_float(
    py: Python<'_>,
    site: &Site,
    r#type: &Bound<'_, Type>,
    value: f64,
) -> PyResult<Py<PyAny>> {
    site.enter(py, |ctx, location| {
        let ty = r#type.get().within(ctx)?;
        let attribute = checked(ctx, "Invalid attribute", || {
            c::mlirFloatAttrDoubleGetChecked(location, ty, value)
        })?;
        ctx.wrap(attribute)
    })
}

#[pymethods]
impl FloatAttr {
    /// The attribute of a floating point type; raises `MLIRError` for other types.
    #[staticmethod]
    #[pyo3(signature = (r#type, value, loc = None))]
    fn get(
        py: Python<'_>,
        r#type: &Bound<'_, Type>,
        value: f64,
        loc: Option<Bound<'_, Location>>,
    ) -> PyResult<Py<PyAny>> {
        make_float(py, &Site::at(py, loc)?, r#type, value)
    }

    /// As `get`, without a location for the errors.
    #[staticmethod]
    #[pyo3(signature = (r#type, value, context = None))]
    fn get_unchecked(
        py: Python<'_>,
        r#type: &Bound<'_, Type>,
        value: f64,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make_float(py, &Site::unknown(py, context)?, r#type, value)
    }

    /// The attribute of type `f32`.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get_f32(
        py: Python<'_>,
        value: f64,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(ctx.float_attr(ctx.f32(), value))
        })
    }

    /// The attribute of type `f64`.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get_f64(
        py: Python<'_>,
        value: f64,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(ctx.float_attr(ctx.f64(), value))
        })
    }

    /// The number as a `float`; one of a wider type is rounded.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<f64> {
        read_attribute(slf, |attribute| attribute.value())
    }

    fn __float__(slf: &Bound<'_, Self>) -> PyResult<f64> {
        Self::value(slf)
    }
}

/// A type, as an attribute.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct TypeAttr;

attribute_kind!(TypeAttr: TypeValue,
    type_id: c::mlirTypeAttrGetTypeID,
    name: c::mlirTypeAttrGetName);

#[pymethods]
impl TypeAttr {
    /// The attribute of a type.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get(
        py: Python<'_>,
        value: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| {
            ctx.wrap(c::mlirTypeAttrGet(value.get().within(ctx)?))
        })
    }

    /// The type that the attribute holds.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_attribute(slf, |ctx, attribute| ctx.wrap(attribute.value()))
    }
}

/// An attribute that is there or is not, and has no value.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct UnitAttr;

attribute_kind!(UnitAttr: Unit,
    type_id: c::mlirUnitAttrGetTypeID,
    name: c::mlirUnitAttrGetName);

#[pymethods]
impl UnitAttr {
    /// The attribute.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| ctx.wrap(ctx.unit()))
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    let py = ir.py();
    let integer = derived_class::publish::<IntegerAttr>(ir, parent)?;
    let boolean = derived_class::publish::<BoolAttr>(ir, parent)?;
    let type_id = c::mlirIntegerAttrGetTypeID().key();
    casters::add_choice(
        py,
        type_id,
        vec![
            (BoolAttr::TEST, boolean.unbind()),
            (IntegerAttr::TEST, integer.clone().unbind()),
        ],
    );
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = INTEGER_ATTR.set(py, integer.unbind());
    derived_class::publish::<FloatAttr>(ir, parent)?;
    derived_class::publish::<TypeAttr>(ir, parent)?;
    derived_class::publish::<UnitAttr>(ir, parent)?;
    Ok(())
}
