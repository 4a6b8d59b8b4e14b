//! The common part of the classes derived from `Type` and `Attribute`: the test of which types or attributes
//! they represent, their `TypeID`, and their name in MLIR.

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
    /// The kind's `TypeID`; None for an interface, and for a kind that shares its `TypeID` with others.
    fn type_id() -> Option<mondo_ir::TypeId<'static>>;
    /// MLIR's name of the kind.
    fn full_name() -> Option<String>;

    /// The test whether a type or attribute is of this kind.
    const TEST: Test;
}

/// A class derived from `Type` whose kind mondo-ir has, too.
pub(crate) trait TypeKind: Kind<Base = Type> {
    type Of: mondo_ir::types::TypeKind;
}

/// A class derived from `Attribute` whose kind mondo-ir has, too.
pub(crate) trait AttributeKind: Kind<Base = Attribute> {
    type Of: mondo_ir::attributes::AttributeKind;
}

/// Implements [`Kind`] for a class; `type_kind` and `attribute_kind` call it.
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

/// Implements [`Kind`] and [`TypeKind`] for a class. `type_id` and `name` are functions of the C API;
/// interfaces, and kinds that share their `TypeID` with others, have none.
macro_rules! type_kind {
    ($($row:tt)*) => {
        $crate::ir::derived_class::kind!(
            TypeKind, $crate::ir::types::Type, OfType, mondo_ir::types::TypeKind: $($row)*
        );
    };
}
pub(crate) use type_kind;

/// Implements [`Kind`] and [`AttributeKind`] for a class, as `type_kind` does for types.
macro_rules! attribute_kind {
    ($($row:tt)*) => {
        $crate::ir::derived_class::kind!(
            AttributeKind, $crate::ir::attribute::Attribute,
            OfAttribute, mondo_ir::attributes::AttributeKind: $($row)*
        );
    };
}
pub(crate) use attribute_kind;

/// Defines the functions `type_id` and `full_name` of [`Kind`] by functions of the C API.
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

/// Publishes the class of a kind, and registers it as the caster of types or attributes of the kind.
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

/// Registers the test of a kind's class, and sets its constants.
pub(crate) fn set_up<K: Kind>(class: &Bound<'_, PyType>) -> PyResult<()> {
    describe(class, K::TEST, K::type_id(), K::full_name(), K::Base::WHAT)
}

/// The part of [`set_up`] that is not generic, so that it is compiled once for all kinds.
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

/// The attribute as an object of `class`, also if its caster made an object of another class.
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

/// The exception for an object whose `__class__` was changed into one that cannot represent it.
pub(crate) fn wrong_kind(object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "the `__class__` of this object was set to {}, which does not fit what it is in MLIR",
        object.get_type()
    ))
}

/// Defines the functions that give the handle of a wrapper whose class has a kind.
macro_rules! readers {
    ($class:ident of $kind:ident: $uniqued:ident, $read:ident, $with:ident) => {
        /// Casts the handle of a wrapper to its kind; fails if `__class__` was changed to one that does not
        /// fit. It is not inlined because it has many callers.
        #[inline(never)]
        fn $uniqued<K: $kind>(
            object: &Bound<'_, K>,
        ) -> PyResult<UniquedRef<mondo_ir::$class<'static, K::Of>>> {
            let base = object.as_any().cast::<$class>()?.get();
            storage_wrapper::uniqued(base, object.py(), |_, storage| storage.downcast())?
                .ok_or_else(|| wrong_kind(object.as_any()))
        }

        /// Runs `look` with the handle of a wrapper, cast to its kind.
        pub(crate) fn $read<K: $kind, R>(
            object: &Bound<'_, K>,
            look: impl for<'ctx> FnOnce(mondo_ir::$class<'ctx, K::Of>) -> R,
        ) -> PyResult<R> {
            let base = object.as_any().cast::<$class>()?.get();
            base.read(object.py(), |base| base.downcast().map(look))?
                .ok_or_else(|| wrong_kind(object.as_any()))
        }

        /// Runs `look` with the handle of a wrapper, cast to its kind, in its context.
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
    // As a `Bound`, it is dropped without asking PyO3 whether the thread is attached.
    let context = context_stack::resolve_context(py, given)?.into_bound(py);
    Context::enter(py, context.as_unbound(), work)
}

/// The result of `make`. If that is None, MLIR has reported errors, and the exception has them after
/// `message` as the first line.
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
