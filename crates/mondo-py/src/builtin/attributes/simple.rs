//! `IntegerAttr`, `BoolAttr`, `FloatAttr`, `TypeAttr` and `UnitAttr`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyInt, PyModule, PyType};

use crate::interop::casters;
use crate::ir::arguments::Int;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{
    self, Kind, Site, attribute_in, attribute_kind, attribute_of, context_for,
};
use crate::ir::location::Location;
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// The class `IntegerAttr` as Python sees it.
static INTEGER_ATTR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An integer and its type.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct IntegerAttr;

attribute_kind!(
    IntegerAttr,
    mlirAttributeIsAInteger,
    Some(mlirIntegerAttrGetTypeID),
    Some(mlirIntegerAttrGetName)
);

#[pymethods]
impl IntegerAttr {
    /// The attribute of an integer or index type. Bits of the value that do not fit are cut off.
    #[staticmethod]
    fn get(r#type: &Bound<'_, Type>, value: Int<i64>) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let raw = r#type.get().get(py)?;
        // SAFETY: the type is live, and its width is asked for only if it is an integer type.
        let (fits, is_bool) = unsafe {
            if mlirTypeIsAInteger(raw) {
                let is_bool = mlirIntegerTypeGetWidth(raw) == 1 && mlirIntegerTypeIsSignless(raw);
                (true, is_bool)
            } else {
                (mlirTypeIsAIndex(raw), false)
            }
        };
        if !fits {
            return Err(PyValueError::new_err(format!(
                "an IntegerAttr has an integer or index type, not {}",
                r#type.get().__str__(py)?
            )));
        }
        let context = r#type.get().context_of(py)?;
        // SAFETY: the type is one of integers, and live in this context.
        let made = unsafe { attribute::wrap(py, &context, mlirIntegerAttrGet(raw, value.0))? };
        if is_bool {
            // The object that stands for it is a `BoolAttr`, but who calls this wants a number.
            return derived_class::exactly(made.into_bound(py), &INTEGER_ATTR);
        }
        Ok(made)
    }

    /// The integer, signed or not as its type says.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live integer attribute, and has an integer or index type.
        unsafe {
            let r#type = mlirAttributeGetType(raw);
            if mlirTypeIsAIndex(r#type) {
                return Ok(mlirIntegerAttrGetValueInt(raw)
                    .into_pyobject(py)?
                    .into_any());
            }
            if mlirIntegerTypeGetWidth(r#type) <= 64 {
                let number = if mlirIntegerTypeIsSignless(r#type) {
                    mlirIntegerAttrGetValueInt(raw).into_pyobject(py)?
                } else if mlirIntegerTypeIsSigned(r#type) {
                    mlirIntegerAttrGetValueSInt(raw).into_pyobject(py)?
                } else {
                    mlirIntegerAttrGetValueUInt(raw).into_pyobject(py)?
                };
                return Ok(number.into_any());
            }
        }
        // The C API has no more than 64 bits; the text has all.
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

attribute_kind!(BoolAttr, mlirAttributeIsABool, None, None);

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
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live.
        unsafe { attribute::wrap(py, &context, mlirBoolAttrGet(raw, value.into())) }
    }

    /// The value as a `bool`.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<bool> {
        // SAFETY: the attribute is a live bool attribute.
        Ok(unsafe { mlirBoolAttrGetValue(attribute_of(slf)?) })
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::value(slf)
    }
}

/// A floating point number and its type.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct FloatAttr;

attribute_kind!(
    FloatAttr,
    mlirAttributeIsAFloat,
    Some(mlirFloatAttrGetTypeID),
    Some(mlirFloatAttrGetName)
);

fn make_float(
    py: Python<'_>,
    site: &Site,
    r#type: &Bound<'_, Type>,
    value: f64,
) -> PyResult<Py<PyAny>> {
    let raw = r#type.get().get_in(py, &site.context)?;
    site.make_attribute(py, |location| {
        // SAFETY: location and type are live and of one context; MLIR checks the rest.
        unsafe { mlirFloatAttrDoubleGetChecked(location, raw, value) }
    })
}

/// The attribute of the type that `r#type` gives in a context.
fn make_float_of(
    py: Python<'_>,
    context: Option<Bound<'_, Context>>,
    r#type: unsafe extern "C" fn(MlirContext) -> MlirType,
    value: f64,
) -> PyResult<Py<PyAny>> {
    let (context, raw) = context_for(py, context)?;
    // SAFETY: the context is live, and the function makes a floating point type.
    unsafe {
        let raw = mlirFloatAttrDoubleGet(raw, r#type(raw), value);
        attribute::wrap(py, &context, raw)
    }
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

    /// The same, without a location for the errors.
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
        make_float_of(py, context, mlirF32TypeGet, value)
    }

    /// The attribute of type `f64`.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get_f64(
        py: Python<'_>,
        value: f64,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        make_float_of(py, context, mlirF64TypeGet, value)
    }

    /// The number as a `float`; one of a wider type is rounded.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<f64> {
        // SAFETY: the attribute is a live float attribute.
        Ok(unsafe { mlirFloatAttrGetValueDouble(attribute_of(slf)?) })
    }

    fn __float__(slf: &Bound<'_, Self>) -> PyResult<f64> {
        Self::value(slf)
    }
}

/// A type, as an attribute.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct TypeAttr;

attribute_kind!(
    TypeAttr,
    mlirAttributeIsAType,
    Some(mlirTypeAttrGetTypeID),
    Some(mlirTypeAttrGetName)
);

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
        let (context, _) = context_for(py, context)?;
        let raw = value.get().get_in(py, &context)?;
        // SAFETY: the type is live and of this context.
        unsafe { attribute::wrap(py, &context, mlirTypeAttrGet(raw)) }
    }

    /// The type that the attribute holds.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = attribute_in(slf)?;
        // SAFETY: the attribute is a live type attribute.
        unsafe { types::wrap(slf.py(), &context, mlirTypeAttrGetValue(raw)) }
    }
}

/// An attribute that is there or is not, and has no value.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct UnitAttr;

attribute_kind!(
    UnitAttr,
    mlirAttributeIsAUnit,
    Some(mlirUnitAttrGetTypeID),
    Some(mlirUnitAttrGetName)
);

#[pymethods]
impl UnitAttr {
    /// The attribute.
    #[staticmethod]
    #[pyo3(signature = (context = None))]
    fn get(py: Python<'_>, context: Option<Bound<'_, Context>>) -> PyResult<Py<PyAny>> {
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live.
        unsafe { attribute::wrap(py, &context, mlirUnitAttrGet(raw)) }
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    let py = ir.py();
    let integer = derived_class::publish::<IntegerAttr>(ir, parent)?;
    let boolean = derived_class::publish::<BoolAttr>(ir, parent)?;
    // SAFETY: the function has no precondition.
    let type_id = unsafe { mlirIntegerAttrGetTypeID() };
    casters::add_choice(
        py,
        type_id,
        vec![
            (BoolAttr::is, boolean.unbind()),
            (IntegerAttr::is, integer.clone().unbind()),
        ],
    );
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = INTEGER_ATTR.set(py, integer.unbind());
    derived_class::publish::<FloatAttr>(ir, parent)?;
    derived_class::publish::<TypeAttr>(ir, parent)?;
    derived_class::publish::<UnitAttr>(ir, parent)?;
    Ok(())
}
