//! `StringAttr`, `SymbolRefAttr`, `FlatSymbolRefAttr` and `OpaqueAttr`.

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyBytes, PyModule, PyString, PyType};

use super::buffer::{STRIDES, View};
use crate::interop::casters;
use crate::interop::string::{bytes, string_ref, to_string};
use crate::ir::arguments::each;
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{self, Kind, attribute_kind, attribute_of, context_for};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// The class `SymbolRefAttr` as Python sees it.
static SYMBOL_REF_ATTR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A text, or bytes.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct StringAttr;

attribute_kind!(
    StringAttr,
    mlirAttributeIsAString,
    Some(mlirStringAttrGetTypeID),
    Some(mlirStringAttrGetName)
);

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
        let (context, raw) = context_for(py, context)?;
        let value = match value.cast::<PyBytes>() {
            Ok(value) => value.as_bytes(),
            Err(_) => value.cast::<PyString>()?.to_str()?.as_bytes(),
        };
        // SAFETY: the context is live, and MLIR copies the text.
        unsafe { attribute::wrap(py, &context, mlirStringAttrGet(raw, string_ref(value))) }
    }

    /// The attribute of a text that has a type.
    #[staticmethod]
    fn get_typed(r#type: &Bound<'_, Type>, value: &str) -> PyResult<Py<PyAny>> {
        let py = r#type.py();
        let raw = r#type.get().get(py)?;
        let context = r#type.get().context_of(py)?;
        // SAFETY: the type is live and of this context, and MLIR copies the text.
        unsafe { attribute::wrap(py, &context, mlirStringAttrTypedGet(raw, string_ref(value))) }
    }

    /// The text; raises `UnicodeDecodeError` if it is not UTF-8.
    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live string attribute, which owns the text.
        let value = unsafe { bytes(mlirStringAttrGetValue(raw)) };
        match std::str::from_utf8(value) {
            Ok(text) => Ok(PyString::new(slf.py(), text).into_any()),
            Err(_) => PyBytes::new(slf.py(), value).call_method0("decode"),
        }
    }

    /// The text as bytes.
    #[getter]
    fn value_bytes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live string attribute, which owns the text.
        let value = unsafe { bytes(mlirStringAttrGetValue(raw)) };
        Ok(PyBytes::new(slf.py(), value))
    }
}

/// A reference to a symbol, perhaps one within others.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct SymbolRefAttr;

attribute_kind!(
    SymbolRefAttr,
    mlirAttributeIsASymbolRef,
    None,
    Some(mlirSymbolRefAttrGetName)
);

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
        let (context, raw) = context_for(py, context)?;
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
        let nested: Vec<_> = nested
            .iter()
            // SAFETY: the context is live, and MLIR copies the text.
            .map(|name| unsafe { mlirFlatSymbolRefAttrGet(raw, string_ref(name)) })
            .collect();
        // SAFETY: the context is live, MLIR copies the text, and there are as many references as is
        // said.
        let made = unsafe {
            let raw = mlirSymbolRefAttrGet(
                raw,
                string_ref(root),
                nested.len() as isize,
                nested.as_ptr(),
            );
            attribute::wrap(py, &context, raw)?
        };
        // The object that stands for a single name is a `FlatSymbolRefAttr`, whose `value` is not a
        // list.
        derived_class::exactly(made.into_bound(py), &SYMBOL_REF_ATTR)
    }

    /// The names, the outermost first.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live symbol reference, and so are the nested ones, which own
        // their texts.
        unsafe {
            let root = mlirSymbolRefAttrGetRootReference(raw);
            let nested = (0..mlirSymbolRefAttrGetNumNestedReferences(raw)).map(|at| {
                mlirSymbolRefAttrGetRootReference(mlirSymbolRefAttrGetNestedReference(raw, at))
            });
            Ok(std::iter::once(root)
                .chain(nested)
                .map(|name| to_string(name))
                .collect())
        }
    }
}

/// A reference to a symbol that is in no other.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct FlatSymbolRefAttr;

attribute_kind!(
    FlatSymbolRefAttr,
    mlirAttributeIsAFlatSymbolRef,
    None,
    Some(mlirFlatSymbolRefAttrGetName)
);

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
        let (context, raw) = context_for(py, context)?;
        // SAFETY: the context is live, and MLIR copies the text.
        unsafe {
            attribute::wrap(
                py,
                &context,
                mlirFlatSymbolRefAttrGet(raw, string_ref(value)),
            )
        }
    }

    /// The name.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<String> {
        // SAFETY: the attribute is a live symbol reference, which owns the text.
        Ok(unsafe { to_string(mlirFlatSymbolRefAttrGetValue(attribute_of(slf)?)) })
    }
}

/// An attribute of a dialect that is not loaded.
#[pyclass(frozen, subclass, extends = Attribute)]
pub(super) struct OpaqueAttr;

attribute_kind!(
    OpaqueAttr,
    mlirAttributeIsAOpaque,
    Some(mlirOpaqueAttrGetTypeID),
    Some(mlirOpaqueAttrGetName)
);

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
        let (context, raw) = context_for(py, context)?;
        let r#type = r#type.get().get_in(py, &context)?;
        let data = View::of(buffer, STRIDES)?;
        let data = data.contiguous();
        // SAFETY: context and type are live, and MLIR copies both texts.
        unsafe {
            let raw = mlirOpaqueAttrGet(
                raw,
                string_ref(dialect_namespace),
                data.len() as isize,
                data.as_ptr().cast(),
                r#type,
            );
            attribute::wrap(py, &context, raw)
        }
    }

    /// The name of the dialect that the attribute is of.
    #[getter]
    fn dialect_namespace(slf: &Bound<'_, Self>) -> PyResult<String> {
        // SAFETY: the attribute is a live opaque attribute, which owns the text.
        Ok(unsafe { to_string(mlirOpaqueAttrGetDialectNamespace(attribute_of(slf)?)) })
    }

    /// The text of the attribute as bytes.
    #[getter]
    fn data<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyBytes>> {
        let raw = attribute_of(slf)?;
        // SAFETY: the attribute is a live opaque attribute, which owns the text.
        let data = unsafe { bytes(mlirOpaqueAttrGetData(raw)) };
        Ok(PyBytes::new(slf.py(), data))
    }
}

pub(super) fn install<'py>(ir: &Bound<'py, PyModule>, parent: &Bound<'py, PyType>) -> PyResult<()> {
    derived_class::publish::<StringAttr>(ir, parent)?;
    let symbol = derived_class::publish::<SymbolRefAttr>(ir, parent)?;
    let flat = derived_class::publish::<FlatSymbolRefAttr>(ir, parent)?;
    // SAFETY: the function has no precondition.
    let type_id = unsafe { mlirSymbolRefAttrGetTypeID() };
    // As in MLIR, where the one is a kind of the other that only a test tells.
    casters::add_choice(
        ir.py(),
        type_id,
        vec![
            (FlatSymbolRefAttr::is, flat.clone().unbind()),
            (SymbolRefAttr::is, symbol.clone().unbind()),
        ],
    );
    // The extension is initialised once; should that ever change, the first class stays.
    let _ = SYMBOL_REF_ATTR.set(ir.py(), symbol.unbind());
    derived_class::publish::<OpaqueAttr>(ir, parent)?;
    Ok(())
}
