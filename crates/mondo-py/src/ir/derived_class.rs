//! The common part of classes derived from `Type` and `Attribute`: a test of what they stand
//! for, a `TypeID` and a name in MLIR.

use std::ffi::c_void;

use mondo_sys::*;
use pyo3::PyClass;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::interop::casters;
use crate::interop::string::to_string;
use crate::ir::attribute::{self, Attribute};
use crate::ir::current;
use crate::ir::error::ErrorCapture;
use crate::ir::location::Location;
use crate::ir::types::{self, Type, TypeID};
use crate::ownership::context::Context;
use crate::ownership::storage_wrapper::StorageClass;
use crate::ownership::wrapper;

/// A function of the C API that returns a kind's `TypeID`.
pub(crate) type GetTypeId = unsafe extern "C" fn() -> MlirTypeID;
/// A function of the C API that returns a kind's name.
pub(crate) type GetName = unsafe extern "C" fn() -> MlirStringRef;

/// A class derived from `Type` or `Attribute`.
pub(crate) trait Kind: PyClass {
    /// `Type` or `Attribute`.
    type Base: StorageClass;
    /// Kinds that are interfaces, or that share their `TypeID` with others, have none.
    const TYPE_ID: Option<GetTypeId>;
    const FULL_NAME: Option<GetName>;

    /// Returns whether a type or attribute, by its storage pointer, is of this kind.
    fn is(ptr: *const c_void) -> bool;
}

/// Says what kind of type a class stands for.
macro_rules! type_kind {
    ($class:ty, $is:path, $type_id:expr, $name:expr) => {
        impl $crate::ir::derived_class::Kind for $class {
            type Base = $crate::ir::types::Type;
            const TYPE_ID: Option<$crate::ir::derived_class::GetTypeId> = $type_id;
            const FULL_NAME: Option<$crate::ir::derived_class::GetName> = $name;

            fn is(ptr: *const std::ffi::c_void) -> bool {
                // SAFETY: callers pass the storage pointer of a live type.
                unsafe { $is(mondo_sys::MlirType { ptr }) }
            }
        }
    };
}
pub(crate) use type_kind;

/// Says what kind of attribute a class stands for.
macro_rules! attribute_kind {
    ($class:ty, $is:path, $type_id:expr, $name:expr) => {
        impl $crate::ir::derived_class::Kind for $class {
            type Base = $crate::ir::attribute::Attribute;
            const TYPE_ID: Option<$crate::ir::derived_class::GetTypeId> = $type_id;
            const FULL_NAME: Option<$crate::ir::derived_class::GetName> = $name;

            fn is(ptr: *const std::ffi::c_void) -> bool {
                // SAFETY: callers pass the storage pointer of a live attribute.
                unsafe { $is(mondo_sys::MlirAttribute { ptr }) }
            }
        }
    };
}
pub(crate) use attribute_kind;

/// Publishes the class of a kind, and has types or attributes of that kind become objects of it.
pub(crate) fn publish<'py, K: Kind>(
    ir: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let class = wrapper::leaf::<K::Base, K>(ir, parent)?;
    set_up::<K>(&class)?;
    add_caster(&class, K::TYPE_ID);
    Ok(class)
}

#[inline(never)]
fn add_caster(class: &Bound<'_, PyType>, type_id: Option<GetTypeId>) {
    if let Some(type_id) = type_id {
        // SAFETY: the function has no precondition.
        casters::add_class(class, unsafe { type_id() });
    }
}

/// Gives the class of a kind its test and its constants.
pub(crate) fn set_up<K: Kind>(class: &Bound<'_, PyType>) -> PyResult<()> {
    describe(
        class,
        <K as Kind>::is,
        K::TYPE_ID,
        K::FULL_NAME,
        K::Base::WHAT,
    )
}

/// [`set_up`] once for all kinds.
#[inline(never)]
fn describe(
    class: &Bound<'_, PyType>,
    is: fn(*const c_void) -> bool,
    type_id: Option<GetTypeId>,
    full_name: Option<GetName>,
    what: &str,
) -> PyResult<()> {
    casters::add_test(class, is);
    match type_id {
        // SAFETY: the function has no precondition.
        Some(type_id) => set_type_id(class, unsafe { type_id() })?,
        None => class.setattr(
            "static_typeid",
            NoTypeId {
                class: class.name()?.to_string(),
            },
        )?,
    }
    if let Some(name) = full_name {
        // SAFETY: the function has no precondition, and the name is a constant of MLIR's.
        let name = unsafe { to_string(name()) };
        let key = match what {
            "type" => "type_name",
            _ => "attr_name",
        };
        class.setattr(key, name)?;
    }
    Ok(())
}

/// The attribute as an object of `class`, where the class that fits it best is another one.
pub(crate) fn exactly(
    attribute: Bound<'_, PyAny>,
    class: &PyOnceLock<Py<PyType>>,
) -> PyResult<Py<PyAny>> {
    let py = attribute.py();
    match class.get(py) {
        Some(class) if !attribute.is_instance(class.bind(py))? => class.call1(py, (attribute,)),
        _ => Ok(attribute.unbind()),
    }
}

/// Sets a class's `static_typeid`.
pub(crate) fn set_type_id(class: &Bound<'_, PyType>, type_id: MlirTypeID) -> PyResult<()> {
    class.setattr("static_typeid", TypeID::new(type_id))
}

/// The `static_typeid` of a class that has none.
#[pyclass(frozen, name = "_NoTypeId")]
struct NoTypeId {
    class: String,
}

#[pymethods]
impl NoTypeId {
    fn __get__(&self, instance: &Bound<'_, PyAny>, owner: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = (instance, owner);
        Err(PyAttributeError::new_err(format!(
            "{} has no typeid.",
            self.class
        )))
    }
}

/// The exception for an object whose class was changed into one that does not fit.
fn wrong_kind(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "an object of {} does not stand for such a thing: its class was changed",
        object.get_type()
    ))
}

/// The type behind an object of a kind.
pub(crate) fn type_of<K: Kind<Base = Type>>(object: &Bound<'_, K>) -> PyResult<MlirType> {
    let raw = object.as_any().cast::<Type>()?.get().get(object.py())?;
    if K::is(raw.ptr) {
        Ok(raw)
    } else {
        Err(wrong_kind(object.as_any()))
    }
}

/// The same, and the context it lives in.
pub(crate) fn type_in<K: Kind<Base = Type>>(
    object: &Bound<'_, K>,
) -> PyResult<(MlirType, Py<Context>)> {
    let raw = type_of(object)?;
    let context = object
        .as_any()
        .cast::<Type>()?
        .get()
        .context_of(object.py())?;
    Ok((raw, context))
}

/// The attribute behind an object of a kind.
pub(crate) fn attribute_of<K: Kind<Base = Attribute>>(
    object: &Bound<'_, K>,
) -> PyResult<MlirAttribute> {
    let raw = object
        .as_any()
        .cast::<Attribute>()?
        .get()
        .get(object.py())?;
    if K::is(raw.ptr) {
        Ok(raw)
    } else {
        Err(wrong_kind(object.as_any()))
    }
}

/// The same, and the context it lives in.
pub(crate) fn attribute_in<K: Kind<Base = Attribute>>(
    object: &Bound<'_, K>,
) -> PyResult<(MlirAttribute, Py<Context>)> {
    let raw = attribute_of(object)?;
    let base = object.as_any().cast::<Attribute>()?;
    Ok((raw, base.get().context_of(object.py())?))
}

/// The context that was given or is the current one, and what MLIR knows it by.
pub(crate) fn context_for(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
) -> PyResult<(Py<Context>, MlirContext)> {
    let context = current::resolve_context(py, given)?;
    let raw = context.get().get(py)?;
    Ok((context, raw))
}

/// The location at which errors about a new type or attribute are reported, and its context.
pub(crate) struct Site {
    pub(crate) context: Py<Context>,
    pub(crate) location: MlirLocation,
    /// Keeps the location usable.
    _held: Option<Py<Location>>,
}

impl Site {
    /// The location that was given or is the current one.
    pub(crate) fn at(py: Python<'_>, given: Option<Bound<'_, Location>>) -> PyResult<Self> {
        let held = current::resolve_location(py, given)?;
        Ok(Self {
            context: held.get().context_ref().clone_ref(py),
            location: held.get().get(py)?,
            _held: Some(held),
        })
    }

    /// No location in the context that was given or is the current one.
    pub(crate) fn unknown(py: Python<'_>, given: Option<Bound<'_, Context>>) -> PyResult<Self> {
        let (context, raw) = context_for(py, given)?;
        Ok(Self {
            context,
            // SAFETY: the context is live.
            location: unsafe { mlirLocationUnknownGet(raw) },
            _held: None,
        })
    }

    /// The object for the type that `make` makes; null is an error that MLIR has reported.
    pub(crate) fn make_type(
        &self,
        py: Python<'_>,
        make: impl FnOnce(MlirLocation) -> MlirType,
    ) -> PyResult<Py<PyAny>> {
        let (raw, errors) = ErrorCapture::run(py, &self.context, || make(self.location))?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Invalid type"));
        }
        // SAFETY: the type was made in this context.
        unsafe { types::wrap(py, &self.context, raw) }
    }

    /// The same for an attribute.
    pub(crate) fn make_attribute(
        &self,
        py: Python<'_>,
        make: impl FnOnce(MlirLocation) -> MlirAttribute,
    ) -> PyResult<Py<PyAny>> {
        let (raw, errors) = ErrorCapture::run(py, &self.context, || make(self.location))?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Invalid attribute"));
        }
        // SAFETY: the attribute was made in this context.
        unsafe { attribute::wrap(py, &self.context, raw) }
    }
}
