//! `StringAttr`, `SymbolRefAttr`, `FlatSymbolRefAttr` and `OpaqueAttr`.

use mondo_ir::attributes::{AnySymbolRef, OpaqueValue, Str, SymbolRef};
use mondo_ir::declarations as c;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyBytes, PyModule, PyString, PyType};

use crate::interop::buffer::{STRIDES, View};
use crate::interop::casters;
use crate::interop::conversion_errors::undecodable;
use crate::ir::arguments::each;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::{self, Kind, attribute_kind, enter, read_attribute};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The published class `SymbolRefAttr`.
static SYMBOL_REF_ATTR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A text, or bytes.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct StringAttr;

attribute_kind!(StringAttr: Str,
    type_id: c::mlirStringAttrGetTypeID,
    name: c::mlirStringAttrGetName);

#[pymethods]
impl StringAttr {
    /// The attribute of a `str` or `bytes`.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get(
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let value = match value.cast::<PyBytes>() {
            Ok(value) => value.as_bytes(),
            Err(_) => value.cast::<PyString>()?.to_str()?.as_bytes(),
        };
        Context::enter(py, &context, |ctx| ctx.wrap(ctx.string_attr(value)))
    }

    /// The attribute of a text that has a type.
    #[staticmethod]
    fn get_typed(r#type: &Bound<'_, Type>, value: &str) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let context = r#type.get().context_of(py)?;
        Context::enter(py, &context, |ctx| {
            let ty = r#type.get().within(ctx)?;
            ctx.wrap(c::mlirStringAttrTypedGet(ty, value.into()))
        })
    }

    /// The text; raises an error, `UnicodeDecodeError` and `RuntimeError` at once, if it is not UTF-8.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        read_attribute(slf, |attribute| {
            match std::str::from_utf8(attribute.value()) {
                Ok(text) => Ok(PyString::new(py, text).into_any()),
                Err(_) => Err(PyBytes::new(py, attribute.value())),
            }
        })?
        .or_else(|bytes| {
            let decoded = bytes.call_method0("decode");
            decoded.map_err(|error| undecodable(py, error))
        })
    }

    /// The text as bytes.
    #[getter]
    fn value_bytes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        read_attribute(slf, |attribute| PyBytes::new(slf.py(), attribute.value()))
    }
}

/// A reference to a symbol, perhaps one within others.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct SymbolRefAttr;

attribute_kind!(SymbolRefAttr: AnySymbolRef,
    name: c::mlirSymbolRefAttrGetName);

#[pymethods]
impl SymbolRefAttr {
    /// The reference by the names of symbols, the outermost first.
    #[staticmethod]
    #[pyo3(signature = (symbols, context = None))]
    fn get(
        py: Python<'_>,
        symbols: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        let mut names: Vec<String> = Vec::new();
        each(symbols, |name| {
            names.push(name.extract()?);
            Ok(())
        })?;
        let Some((root, nested)) = names.split_first() else {
            return Err(PyRuntimeError::new_err(
                "SymbolRefAttr must be composed of at least one symbol.",
            ));
        };
        let attribute = Context::enter(py, &context, |ctx| {
            ctx.wrap(ctx.nested_symbol_ref(root, nested))
        })?;
        // The caster of a single name makes a `FlatSymbolRefAttr`, whose `value` is not a list.
        derived_class::exactly(attribute.into_bound(py), &SYMBOL_REF_ATTR)
    }

    /// The names, the outermost first.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        read_attribute(slf, |attribute| {
            attribute
                .names()
                .into_iter()
                .map(|name| name.to_text())
                .collect()
        })
    }
}

/// A reference to a symbol that is in no other.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct FlatSymbolRefAttr;

attribute_kind!(FlatSymbolRefAttr: SymbolRef,
    name: c::mlirFlatSymbolRefAttrGetName);

#[pymethods]
impl FlatSymbolRefAttr {
    /// The reference by the name of the symbol.
    #[staticmethod]
    #[pyo3(signature = (value, context = None))]
    fn get(
        py: Python<'_>,
        value: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        enter(py, context, |ctx| ctx.wrap(ctx.symbol_ref(value)))
    }

    /// The name.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<String> {
        read_attribute(slf, |attribute| {
            c::mlirFlatSymbolRefAttrGetValue(attribute).to_text()
        })
    }
}

/// An attribute of a dialect that is not loaded.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct OpaqueAttr;

attribute_kind!(OpaqueAttr: OpaqueValue,
    type_id: c::mlirOpaqueAttrGetTypeID,
    name: c::mlirOpaqueAttrGetName);

#[pymethods]
impl OpaqueAttr {
    /// An attribute of a dialect that is not loaded, by its text.
    #[staticmethod]
    #[pyo3(signature = (dialect_namespace, buffer, r#type, context = None))]
    fn get(
        py: Python<'_>,
        dialect_namespace: &str,
        buffer: &Bound<'_, PyAny>,
        r#type: &Bound<'_, Type>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = context_stack::resolve_context(py, context)?;
        r#type.get().require_in(py, &context)?;
        let data = View::of(buffer, STRIDES)?;
        let data = data.contiguous()?;
        Context::enter(py, &context, |ctx| {
            let ty = r#type.get().within(ctx)?;
            ctx.wrap(ctx.opaque_attr(dialect_namespace, &data, ty))
        })
    }

    /// The name of the dialect that the attribute is of.
    #[getter]
    fn dialect_namespace(slf: &Bound<'_, Self>) -> PyResult<String> {
        read_attribute(slf, |attribute| {
            c::mlirOpaqueAttrGetDialectNamespace(attribute).to_text()
        })
    }

    /// The text of the attribute as bytes.
    #[getter]
    fn data<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        read_attribute(slf, |attribute| {
            PyBytes::new(slf.py(), c::mlirOpaqueAttrGetData(attribute).bytes())
        })
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<StringAttr>(ir, parent)?;
    let symbol = derived_class::publish::<SymbolRefAttr>(ir, parent)?;
    let flat = derived_class::publish::<FlatSymbolRefAttr>(ir, parent)?;
    let type_id = c::mlirSymbolRefAttrGetTypeID().key();
    // Both classes share one TypeID, as in MLIR: a flat reference is a symbol reference that a test
    // tells apart.
    casters::add_choice(
        ir.py(),
        type_id,
        vec![
            (FlatSymbolRefAttr::TEST, flat.clone().unbind()),
            (SymbolRefAttr::TEST, symbol.clone().unbind()),
        ],
    );
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = SYMBOL_REF_ATTR.set(ir.py(), symbol.unbind());
    derived_class::publish::<OpaqueAttr>(ir, parent)?;
    Ok(())
}
