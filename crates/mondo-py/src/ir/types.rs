//! `Type` and `TypeID`.

use std::ffi::c_void;

use mondo_sys::*;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyType};

use crate::interop::capsule;
use crate::interop::string::{Terminated, collect, to_string};
use crate::ir::current;
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::storage_table::Table;
use crate::ownership::storage_wrapper::{self, Uniqued, UniquedClass};
use crate::ownership::wrapper::{Layout, Rest, Tie, Tied};

/// A type. Types are unique in their context and live as long as it.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Type {
    contents: Uniqued,
}

impl Tied for Type {
    const SIGNATURE: &'static str = "(cast_from_type)";

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

impl UniquedClass for Type {
    const WHAT: &'static str = "type";
    const SOURCES: &'static [&'static str] = &["cast_from_type"];

    fn make(contents: Uniqued) -> Self {
        Self { contents }
    }

    fn plain_repr(contents: &Uniqued) -> String {
        let raw = MlirType {
            ptr: contents.address(),
        };
        // SAFETY: the callers have just checked the contents; the last two arguments belong together.
        let text = collect(|callback, data| unsafe { mlirTypePrint(raw, callback, data) });
        format!("Type({text})")
    }

    fn contents(&self) -> &Uniqued {
        &self.contents
    }

    fn table(context: &Context) -> &Table {
        context.types()
    }

    fn type_id(ptr: *const c_void) -> MlirTypeID {
        // SAFETY: `wrap` passes a live type.
        unsafe { mlirTypeGetTypeID(MlirType { ptr }) }
    }

    fn dialect_of(ptr: *const c_void) -> String {
        // SAFETY: as above; the namespace lives as long as the dialect.
        unsafe {
            to_string(mlirDialectGetNamespace(mlirTypeGetDialect(MlirType {
                ptr,
            })))
        }
    }
}

/// The object for a type, as the class that fits it best.
///
/// # Safety
///
/// `raw` is a type of `context`, and not null.
pub(crate) unsafe fn wrap(
    py: Python<'_>,
    context: &Py<Context>,
    raw: MlirType,
) -> PyResult<Py<PyAny>> {
    storage_wrapper::wrap::<Type>(py, context, raw.ptr)
}

impl Type {
    fn blank() -> Self {
        Self::make(Uniqued::blank())
    }

    /// The type, for a call into the C API.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirType> {
        self.contents.get(py).map(|ptr| MlirType { ptr })
    }

    /// The type, for something that is to be of `context`.
    #[inline]
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirType> {
        let ptr = self.contents.get_in(py, context, "type")?;
        Ok(MlirType { ptr })
    }

    /// The context that it lives in.
    pub(crate) fn context_of(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.contents.context(py)
    }
}

#[pymethods]
impl Type {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.contents.traverse(&visit)
    }

    /// Parses a type's assembly form; raises `MLIRError` if it cannot be parsed.
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
            unsafe { mlirTypeParseGet(raw_context, asm.get()) }
        })?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse type"));
        }
        // SAFETY: the parser made a type of this context.
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

    /// Prints the type to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        // SAFETY: the type is live.
        unsafe { mlirTypeDump(self.get(py)?) };
        Ok(())
    }

    pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let raw = self.get(py)?;
        // SAFETY: the type is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirTypePrint(raw, callback, data);
        }))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.get().__str__(slf.py())?;
        Ok(format!("{}({text})", slf.get_type().name()?))
    }

    /// The same type as the class that fits it best.
    fn maybe_downcast(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let raw = self.get(py)?;
        // SAFETY: the type is live and of its context.
        unsafe { wrap(py, &self.contents.context(py)?, raw) }
    }

    /// What tells this kind of type from others.
    #[getter]
    fn typeid(&self, py: Python<'_>) -> PyResult<TypeID> {
        // SAFETY: the type is live.
        Ok(TypeID::new(unsafe { mlirTypeGetTypeID(self.get(py)?) }))
    }

    /// A capsule with the `MlirType`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Type", self.get(py)?.ptr)
    }

    /// The object for the `MlirType` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = capsule.py();
        let raw = MlirType {
            ptr: capsule::unwrap(capsule, "ir.Type")?,
        };
        // SAFETY: whoever made the capsule put a live type into it, and types know their context.
        unsafe {
            let context = Context::of(py, mlirTypeGetContext(raw))?;
            wrap(py, &context, raw)
        }
    }
}

/// What MLIR tells kinds of types, attributes and operations apart by.
#[pyclass(frozen)]
pub(crate) struct TypeID {
    raw: MlirTypeID,
}

// SAFETY: a type id is an address that is only compared.
unsafe impl Send for TypeID {}
// SAFETY: as above.
unsafe impl Sync for TypeID {}

impl TypeID {
    pub(crate) fn new(raw: MlirTypeID) -> Self {
        Self { raw }
    }

    pub(crate) fn raw(&self) -> MlirTypeID {
        self.raw
    }
}

#[pymethods]
impl TypeID {
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().raw.ptr == self.raw.ptr)
    }

    fn __hash__(&self) -> usize {
        // SAFETY: the type id is not null.
        unsafe { mlirTypeIDHashValue(self.raw) }
    }

    /// A capsule with the `MlirTypeID`.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.TypeID", self.raw.ptr)
    }

    /// The object for the `MlirTypeID` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let ptr = capsule::unwrap(capsule, "ir.TypeID")?;
        Ok(Self::new(MlirTypeID { ptr }))
    }
}
