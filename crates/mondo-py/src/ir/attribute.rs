//! `Attribute` and `NamedAttribute`.

use std::ffi::c_void;

use mondo_sys::*;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};

use crate::interop::capsule;
use crate::interop::string::{Terminated, collect, to_string};
use crate::ir::current;
use crate::ir::error::ErrorCapture;
use crate::ir::types::{self, TypeID};
use crate::ownership::context::Context;
use crate::ownership::storage_table::Table;
use crate::ownership::storage_wrapper::{self, Uniqued, UniquedClass};
use crate::ownership::wrapper::{Layout, Rest, Tie, Tied};

/// An attribute. Attributes are unique in their context and live as long as it.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Attribute {
    contents: Uniqued,
}

impl Tied for Attribute {
    // Upstream's derived classes have the other name for it.
    const SIGNATURE: &'static str = "(cast_from_type=..., *, cast_from_attr=...)";

    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn tie(&self) -> &Tie {
        self.contents.tie()
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn rest(&self, py: Python<'_>, then: &mut dyn FnMut(Rest<'_>)) {
        self.contents.rest(py, then);
    }

    fn construct<'py>(
        cls: &Bound<'py, PyType>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        storage_wrapper::construct::<Self>(cls, args, kwargs)
    }
}

impl UniquedClass for Attribute {
    const WHAT: &'static str = "attribute";
    const SOURCES: &'static [&'static str] = &["cast_from_type", "cast_from_attr"];

    fn make(contents: Uniqued) -> Self {
        Self { contents }
    }

    fn plain_repr(contents: &Uniqued) -> String {
        let raw = MlirAttribute {
            ptr: contents.address(),
        };
        // SAFETY: the callers have just checked the contents; the last two arguments belong together.
        let text = collect(|callback, data| unsafe { mlirAttributePrint(raw, callback, data) });
        format!("Attribute({text})")
    }

    fn contents(&self) -> &Uniqued {
        &self.contents
    }

    fn table(context: &Context) -> &Table {
        context.attributes()
    }

    fn type_id(ptr: *const c_void) -> MlirTypeID {
        // SAFETY: `wrap` passes a live attribute.
        unsafe { mlirAttributeGetTypeID(MlirAttribute { ptr }) }
    }

    fn dialect_of(ptr: *const c_void) -> String {
        // SAFETY: as above; the namespace lives as long as the dialect.
        unsafe {
            to_string(mlirDialectGetNamespace(mlirAttributeGetDialect(
                MlirAttribute { ptr },
            )))
        }
    }
}

/// The object for an attribute, as the class that fits it best.
///
/// # Safety
///
/// `raw` is an attribute of `context`, and not null.
pub(crate) unsafe fn wrap(
    py: Python<'_>,
    context: &Py<Context>,
    raw: MlirAttribute,
) -> PyResult<Py<PyAny>> {
    storage_wrapper::wrap::<Attribute>(py, context, raw.ptr)
}

impl Attribute {
    fn blank() -> Self {
        Self::make(Uniqued::blank())
    }

    /// The attribute, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirAttribute> {
        self.contents.get(py).map(|ptr| MlirAttribute { ptr })
    }

    /// The attribute, for something that is to be of `context`.
    #[inline]
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirAttribute> {
        let ptr = self.contents.get_in(py, context, "attribute")?;
        Ok(MlirAttribute { ptr })
    }

    /// The context that it lives in.
    pub(crate) fn context_of(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.contents.context(py)
    }
}

#[pymethods]
impl Attribute {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.contents.traverse(&visit)
    }

    /// Parses an attribute's assembly form; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (asm, context = None))]
    fn parse(
        py: Python<'_>,
        asm: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let context = current::resolve_context(py, context)?;
        let raw_context = context.get().get(py)?;
        let asm = Terminated::new(asm);
        let (raw, errors) = ErrorCapture::run(py, &context, || {
            // SAFETY: the context is live, and the text is only read.
            unsafe { mlirAttributeParseGet(raw_context, asm.get()) }
        })?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse attribute"));
        }
        // SAFETY: the parser made an attribute of this context.
        unsafe { wrap(py, &context, raw) }
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.contents.context(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().contents.address() == self.contents.address())
    }

    fn __hash__(&self) -> usize {
        self.contents.address() as usize >> 4
    }

    /// Prints the attribute to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the attribute is live.
        unsafe { mlirAttributeDump(self.get(py)?) };
        Ok(())
    }

    pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the attribute is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirAttributePrint(raw, callback, data);
        }))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.get().__str__(slf.py())?;
        Ok(format!("{}({text})", slf.get_type().name()?))
    }

    /// The same attribute as the class that fits it best.
    fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let raw = self.get(py)?;
        // SAFETY: the attribute is live and of its context.
        unsafe { wrap(py, &self.contents.context(py)?, raw) }
    }

    /// What tells this kind of attribute from others.
    #[getter]
    fn typeid(&self, py: Python<'_>) -> PyResult<TypeID> {
        // SAFETY: the attribute is live.
        Ok(TypeID::new(unsafe {
            mlirAttributeGetTypeID(self.get(py)?)
        }))
    }

    /// The type of the attribute; `none` where it has no other.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let raw = self.get(py)?;
        // SAFETY: the attribute is live, and its type is of the same context.
        unsafe { types::wrap(py, &self.contents.context(py)?, mlirAttributeGetType(raw)) }
    }

    /// The attribute under a name.
    fn get_named(slf: &Bound<'_, Self>, name: String) -> NamedAttribute {
        NamedAttribute::new(name, slf.clone().unbind())
    }

    /// A capsule with the `MlirAttribute`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Attribute", self.get(py)?.ptr)
    }

    /// The object for the `MlirAttribute` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = capsule.py();
        let raw = MlirAttribute {
            ptr: capsule::unwrap(capsule, "ir.Attribute")?,
        };
        // SAFETY: whoever made the capsule put a live attribute into it, and attributes know their context.
        unsafe {
            let context = Context::of(py, mlirAttributeGetContext(raw))?;
            wrap(py, &context, raw)
        }
    }
}

/// An attribute and its name.
#[pyclass(frozen)]
pub(crate) struct NamedAttribute {
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    attr: Py<Attribute>,
}

impl NamedAttribute {
    pub(crate) fn new(name: String, attr: Py<Attribute>) -> Self {
        Self { name, attr }
    }
}

#[pymethods]
impl NamedAttribute {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.attr)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "NamedAttribute({}={})",
            self.name,
            self.attr.get().__str__(py)?
        ))
    }
}
