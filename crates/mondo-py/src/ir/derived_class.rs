//! The common part of classes derived from `Type` and `Attribute`: a test of what they stand
//! for, a `TypeID` and a name in MLIR.

use mondo_ir::TypeKey;
use pyo3::PyClass;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::interop::casters::{self, Test};
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::error::ErrorCapture;
use crate::ir::location::Location;
use crate::ir::types::{Type, TypeID};
use crate::ownership::context::{Context, Entered};
use crate::ownership::storage_wrapper::{self, StorageClass};
use crate::ownership::uniqued_ref::UniquedRef;
use crate::ownership::wrapper;

/// A class derived from `Type` or `Attribute`.
pub(crate) trait Kind: PyClass {
    /// `Type` or `Attribute`.
    type Base: StorageClass;
    /// Kinds that are interfaces, or that share their `TypeID` with others, have none.
    fn type_id() -> Option<mondo_ir::TypeId<'static>>;
    /// MLIR's name of the kind.
    fn full_name() -> Option<String>;

    /// The test of a type or attribute for this kind.
    const TEST: Test;
}

/// A class derived from `Type`, of a kind that the Rust API of MLIR has too.
pub(crate) trait TypeKind: Kind<Base = Type> {
    type Of: mondo_ir::types::TypeKind;
}

/// A class derived from `Attribute`, of a kind that the Rust API of MLIR has too.
pub(crate) trait AttributeKind: Kind<Base = Attribute> {
    type Of: mondo_ir::attributes::AttributeKind;
}

/// Says what kind of type or attribute a class stands for: see `type_kind`.
macro_rules! kind {
    ($kind:ident, $base:path, $test:ident, $of_kind:path: $class:ty: $of:ty $(, type_id: $type_id:path)? $(, name: $name:path)?) => {
        impl $crate::ir::derived_class::$kind for $class {
            type Of = $of;
        }

        impl $crate::ir::derived_class::Kind for $class {
            type Base = $base;

            $crate::ir::derived_class::constants!($($type_id)?; $($name)?);

            const TEST: $crate::interop::casters::Test =
                $crate::interop::casters::Test::$test(<$of as $of_kind>::holds);
        }
    };
}
pub(crate) use kind;

/// Says what kind of type a class stands for. A `type_id` and a `name` are functions of the C API; kinds
/// that are interfaces, or that share their `TypeID` with others, have none.
macro_rules! type_kind {
    ($($row:tt)*) => {
        $crate::ir::derived_class::kind!(
            TypeKind, $crate::ir::types::Type, OfType, mondo_ir::types::TypeKind: $($row)*
        );
    };
}
pub(crate) use type_kind;

/// Says what kind of attribute a class stands for, like `type_kind`.
macro_rules! attribute_kind {
    ($($row:tt)*) => {
        $crate::ir::derived_class::kind!(
            AttributeKind, $crate::ir::attribute::Attribute,
            OfAttribute, mondo_ir::attributes::AttributeKind: $($row)*
        );
    };
}
pub(crate) use attribute_kind;

/// The `TypeID` and the name of a kind, by functions of the C API.
macro_rules! constants {
    ($($type_id:path)?; $($name:path)?) => {
        fn type_id() -> Option<mondo_ir::TypeId<'static>> {
            None$(.or(Some($type_id())))?
        }

        fn full_name() -> Option<String> {
            None$(.or(Some($name().to_text())))?
        }
    };
}
pub(crate) use constants;

/// Publishes the class of a kind, and has types or attributes of that kind become objects of it.
pub(crate) fn publish<'py, K: Kind>(
    ir: &Bound<'py, PyModule>,
    parent: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyType>> {
    let class = wrapper::leaf::<K::Base, K>(ir, parent)?;
    set_up::<K>(&class)?;
    if let Some(type_id) = K::type_id() {
        casters::add_class(&class, type_id.key());
    }
    Ok(class)
}

/// Gives the class of a kind its test and its constants.
pub(crate) fn set_up<K: Kind>(class: &Bound<'_, PyType>) -> PyResult<()> {
    describe(class, K::TEST, K::type_id(), K::full_name(), K::Base::WHAT)
}

/// [`set_up`] once for all kinds.
#[inline(never)]
fn describe(
    class: &Bound<'_, PyType>,
    test: Test,
    type_id: Option<mondo_ir::TypeId<'_>>,
    full_name: Option<String>,
    what: &str,
) -> PyResult<()> {
    casters::add_test(class, test);
    match type_id {
        Some(type_id) => set_type_id(class, type_id.key())?,
        None => class.setattr(
            "static_typeid",
            NoTypeId {
                class: class.name()?.to_string(),
            },
        )?,
    }
    if let Some(name) = full_name {
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
pub(crate) fn set_type_id(class: &Bound<'_, PyType>, type_id: TypeKey) -> PyResult<()> {
    class.setattr("static_typeid", TypeID::of(type_id))
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
pub(crate) fn wrong_kind(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "an object of {} does not stand for such a thing: its class was changed",
        object.get_type()
    ))
}

/// The functions that reach the type or attribute behind an object of a kind.
macro_rules! readers {
    ($class:ident of $kind:ident: $uniqued:ident, $read:ident, $with:ident) => {
        /// The one behind an object of a kind, which is checked. Not a part of each caller, of which there are many.
        #[inline(never)]
        fn $uniqued<K: $kind>(
            object: &Bound<'_, K>,
        ) -> PyResult<UniquedRef<mondo_ir::$class<'static, K::Of>>> {
            let base = object.as_any().cast::<$class>()?.get();
            storage_wrapper::uniqued(base, object.py(), |_, it| it.downcast())?
                .ok_or_else(|| wrong_kind(object.as_any()))
        }

        /// Runs `look` with the one behind an object of a kind.
        pub(crate) fn $read<K: $kind, R>(
            object: &Bound<'_, K>,
            look: impl for<'ctx> FnOnce(mondo_ir::$class<'ctx, K::Of>) -> R,
        ) -> PyResult<R> {
            let base = object.as_any().cast::<$class>()?.get();
            base.read(object.py(), |it| it.downcast().map(look))?
                .ok_or_else(|| wrong_kind(object.as_any()))
        }

        /// The same in the context that it lives in.
        pub(crate) fn $with<K: $kind, R>(
            object: &Bound<'_, K>,
            look: impl for<'ctx> FnOnce(
                Entered<'_, 'ctx>,
                mondo_ir::$class<'ctx, K::Of>,
            ) -> PyResult<R>,
        ) -> PyResult<R> {
            $uniqued(object)?.with(object.py(), look)
        }
    };
}

readers!(Type of TypeKind: uniqued_type, read_type, with_type);
readers!(Attribute of AttributeKind: uniqued_attribute, read_attribute, with_attribute);

/// Runs `work` with the context that was given or is the current one.
pub(crate) fn enter<R>(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
    work: impl for<'ctx> FnOnce(Entered<'_, 'ctx>) -> PyResult<R>,
) -> PyResult<R> {
    // Dropping it as `Bound` does not ask whether the thread is attached.
    let context = context_stack::resolve_context(py, given)?.into_bound(py);
    Context::enter(py, context.as_unbound(), work)
}

/// The result of `make`; where it is none, MLIR has reported an error, and `message` is its first line.
pub(crate) fn checked<T>(
    ctx: Entered<'_, '_>,
    message: &str,
    make: impl FnOnce() -> Option<T>,
) -> PyResult<T> {
    let (made, errors) = ErrorCapture::run(ctx.py(), ctx.object(), make)?;
    made.ok_or_else(|| errors.into_error(ctx.py(), message))
}

/// The location at which errors about a new type or attribute are reported, and its context.
pub(crate) struct Site {
    pub(crate) context: Py<Context>,
    /// None for an unknown location.
    location: Option<Py<Location>>,
}

impl Site {
    /// The location that was given or is the current one.
    pub(crate) fn at(py: Python<'_>, given: Option<Bound<'_, Location>>) -> PyResult<Self> {
        let location = context_stack::resolve_location(py, given)?;
        Ok(Self {
            context: location.get().context_ref().clone_ref(py),
            location: Some(location),
        })
    }

    /// No location in the context that was given or is the current one.
    pub(crate) fn unknown(py: Python<'_>, given: Option<Bound<'_, Context>>) -> PyResult<Self> {
        Ok(Self {
            context: context_stack::resolve_context(py, given)?,
            location: None,
        })
    }

    /// Runs `work` with the location in its context.
    pub(crate) fn enter<R>(
        &self,
        py: Python<'_>,
        work: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, mondo_ir::Location<'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        Context::enter(py, &self.context, |ctx| {
            let location = match &self.location {
                Some(location) => location.get().within(ctx)?,
                None => ctx.unknown(),
            };
            work(ctx, location)
        })
    }
}
