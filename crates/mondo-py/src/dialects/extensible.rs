//! The classes of `ir` for dialects that are defined at run time: the traits of operations, and the bases of the
//! types and attributes.
//!
//! A verifier that is written in Python runs as a diagnostic handler does: what called it goes on with the IR, so
//! that nothing of the context may be changed meanwhile. MLIR verifies in threads of its own, which would wait for
//! the interpreter while the thread that has it waits for them, so that such a context has no threads.

use std::sync::Arc;

use mondo_ir::TypeKey;
use mondo_ir::declarations as c;
use mondo_ir::dialects::extensible::{self as dynamic, KnownTrait};
use mondo_ir::nodes::Op;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyString, PyType};

use crate::interop::callback::{Callback, unless_interrupted};
use crate::interop::casters;
use crate::interop::submodules::add_class;
use crate::ir::attribute::Attribute;
use crate::ir::context_stack;
use crate::ir::derived_class::{
    self, Site, attribute_kind, checked, enter, read_attribute, read_type, type_kind,
    with_attribute, with_type,
};
use crate::ir::operation::traits::TRAIT_KEY;
use crate::ir::types::{Type, TypeID};
use crate::ownership::context::{Context, Entered};
use crate::ownership::operation;
use crate::ownership::owner;
use crate::ownership::storage_wrapper;
use crate::ownership::wrapper::Wrapper;

/// The methods that check a trait: before and after what is inside of the operation.
const METHODS: [&str; 2] = ["verify_invariants", "verify_region_invariants"];

/// The name of the operation that a trait is attached to, given as a class or as text.
fn operation_name(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if given.is_instance_of::<PyType>() {
        return given.getattr("OPERATION_NAME")?.extract();
    }
    match given.cast::<PyString>() {
        Ok(name) => name.extract(),
        Err(_) => Err(PyTypeError::new_err(
            "incompatible function arguments: op_name is the class or the name of an operation",
        )),
    }
}

/// Runs `change`, which changes what a context knows of an operation that was defined at run time, and returns None
/// for another one.
fn change<R>(
    py: Python<'_>,
    name: &str,
    context: &Py<Context>,
    change: impl for<'ctx> FnOnce(Entered<'_, 'ctx>) -> Option<R>,
) -> PyResult<R> {
    Context::enter(py, context, |ctx| {
        context.get().refuse_while_running()?;
        context.get().refuse_in_handlers()?;
        change(ctx).ok_or_else(|| {
            PyValueError::new_err(format!(
                "{name:?} is not an operation that was defined at run time in this context"
            ))
        })
    })
}

/// The key of a trait's class, which is made with the first use.
fn key_of(target: &Bound<'_, PyAny>) -> PyResult<TypeKey> {
    // A class must not take over the key of its base, whose checks are others.
    if let Ok(known) = target.getattr("__dict__")?.get_item(TRAIT_KEY) {
        return Ok(known.cast::<TypeID>()?.get().key());
    }
    let key = dynamic::new_key();
    target.setattr(TRAIT_KEY, TypeID::of(key))?;
    Ok(key)
}

/// A trait of operations that were defined at run time. A class derived from it checks operations with the static
/// methods `verify_invariants` and `verify_region_invariants`.
#[pyclass(frozen, subclass)]
pub(crate) struct DynamicOpTrait;

#[pymethods]
impl DynamicOpTrait {
    /// Gives the operation this trait; false if it has the trait already. With `target`, that object has the methods.
    ///
    /// The context has no threads from then on, because MLIR verifies in them.
    #[classmethod]
    #[pyo3(signature = (op_name, target = None, context = None))]
    fn attach(
        cls: &Bound<'_, PyType>,
        op_name: &Bound<'_, PyAny>,
        target: Option<Bound<'_, PyAny>>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<bool> {
        let py = cls.py();
        let name = operation_name(op_name)?;
        let target = target.unwrap_or_else(|| cls.clone().into_any());
        let mut has = [false; 2];
        for (has, method) in has.iter_mut().zip(METHODS) {
            *has = target.hasattr(method)?;
        }
        if has == [false; 2] {
            return Err(PyTypeError::new_err(
                "the target object must have at least one of 'verify_invariants' or 'verify_region_invariants' methods",
            ));
        }
        let key = key_of(&target)?;
        let context = context_stack::resolve_context(py, context)?;
        let callback = Callback::new(target.unbind());
        let check = Arc::clone(&callback);
        change(py, &name, &context, |ctx| {
            ctx.is_dynamic_operation(&name).then_some(())
        })?;
        Context::verify_in_python(context.bind(py))?;
        let added = change(py, &name, &context, |ctx| {
            ctx.add_trait(&name, key, move |op, regions| {
                !has[usize::from(regions)] || verify(&check, op, METHODS[usize::from(regions)])
            })
        })?;
        context.get().callbacks().show(&callback);
        Ok(added)
    }
}

/// Defines the class of a trait that MLIR has.
macro_rules! known_trait {
    ($(#[$doc:meta])* $class:ident: $known:expr) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = DynamicOpTrait)]
        struct $class;

        #[pymethods]
        impl $class {
            /// Gives the operation this trait; false if it has the trait already.
            #[staticmethod]
            #[pyo3(signature = (op_name, context = None))]
            fn attach(
                op_name: &Bound<'_, PyAny>,
                context: Option<Bound<'_, Context>>,
            ) -> PyResult<bool> {
                let (py, name) = (op_name.py(), operation_name(op_name)?);
                let context = context_stack::resolve_context(py, context)?;
                change(py, &name, &context, |ctx| ctx.add_known_trait(&name, $known))
            }
        }
    };
}

known_trait!(
    /// The trait of operations that end a block.
    IsTerminatorTrait: KnownTrait::IsTerminator
);
known_trait!(
    /// The trait of operations whose blocks need no terminator.
    NoTerminatorTrait: KnownTrait::NoTerminator
);

/// Says of an operation that it has no effects and may be executed speculatively.
#[pyfunction]
#[pyo3(signature = (op_name, context = None))]
fn _make_pure(op_name: &Bound<'_, PyAny>, context: Option<Bound<'_, Context>>) -> PyResult<()> {
    let (py, name) = (op_name.py(), operation_name(op_name)?);
    let context = context_stack::resolve_context(py, context)?;
    change(py, &name, &context, |ctx| ctx.make_pure(&name))
}

/// Calls a verifier with `op`, in a thread that may be detached from the interpreter. Returns whether the operation
/// is valid; while the interpreter ends, it counts as invalid.
fn verify(callback: &Callback, op: Op<'_>, method: &str) -> bool {
    Python::try_attach(|py| {
        let context = owner::object(py, op).and_then(|operation| operation.get().context_of(py));
        let context = match context {
            Ok(context) => context,
            Err(error) => {
                error.write_unraisable(py, None);
                return false;
            }
        };
        let run = || match call(py, callback, op, method) {
            Ok(valid) => valid,
            Err(error) => {
                report(py, context.get(), op, method, error);
                false
            }
        };
        context.get().run_handler(run)
    })
    .unwrap_or(false)
}

fn call(py: Python<'_>, callback: &Callback, op: Op<'_>, method: &str) -> PyResult<bool> {
    let target = callback
        .get(py)
        .ok_or_else(|| PyRuntimeError::new_err("the trait was freed by the garbage collector"))?;
    let view = operation::view_of(py, &owner::object(py, op)?)?;
    let valid = target.bind(py).call_method1(method, (view,))?;
    valid.extract().map_err(|error| {
        unless_interrupted(py, error, |_| {
            PyTypeError::new_err(format!("{method} returns True or False, not {valid}"))
        })
    })
}

/// Emits an error that says what a verifier raised. The exception is raised by the call that verifies.
fn report(py: Python<'_>, context: &Context, op: Op<'_>, method: &str, error: PyErr) {
    let message = format!("{method} raised {error}").replace('\0', "");
    if let Ok(message) = std::ffi::CString::new(message) {
        // An exception of a handler would hide the one that is reported.
        let _ = context.emit_error(py, c::mlirOperationGetLocation(op), &message);
    }
    if let Some(left) = context.raise(error) {
        left.write_unraisable(py, None);
    }
}

/// The name of a type or attribute, as the dialect's and its own.
fn parts_of(full_name: &str) -> PyResult<(&str, &str)> {
    full_name.split_once('.').ok_or_else(|| {
        PyValueError::new_err(format!(
            "{full_name:?} is not the name of a type or attribute with that of its dialect"
        ))
    })
}

fn undefined(full_name: &str) -> PyErr {
    PyValueError::new_err(format!(
        "no dialect of this context has defined {full_name:?} at run time"
    ))
}

/// Defines the methods of `DynamicType` or `DynamicAttr`.
macro_rules! dynamic_class {
    (
        $(#[$doc:meta])* $class:ident: $base:ident, $what:literal, $name:ident,
        $full_name:ident, $kind:ident, $make:ident, $read:ident, $with:ident
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, subclass, extends = $base)]
        struct $class;

        #[pymethods]
        impl $class {
            #[doc = concat!("The ", $what, " of this name, as in `my_dialect.name`, with these parameters.")]
            #[staticmethod]
            #[pyo3(signature = ($full_name, attributes, context = None))]
            fn get(
                py: Python<'_>,
                $full_name: &str,
                attributes: Vec<Bound<'_, Attribute>>,
                context: Option<Bound<'_, Context>>,
            ) -> PyResult<Py<PyAny>> {
                let (dialect, name) = parts_of($full_name)?;
                Site::unknown(py, context)?.enter(py, |ctx, location| {
                    if ctx.$kind(dialect, name).is_none() {
                        return Err(undefined($full_name));
                    }
                    let parameters = attributes.iter().map(|attribute| attribute.get().within(ctx));
                    let parameters = parameters.collect::<PyResult<Vec<_>>>()?;
                    let created = checked(ctx, concat!("Invalid ", $what), || {
                        location.$make(dialect, name, &parameters)
                    })?;
                    ctx.wrap(created)
                })
            }

            /// The parameters.
            #[getter]
            fn params(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
                $with(slf, |ctx, this| {
                    let parameters = this.values().into_iter();
                    parameters.map(|parameter| ctx.wrap(parameter)).collect()
                })
            }

            /// The name, with that of the dialect.
            #[getter]
            fn $name(slf: &Bound<'_, Self>) -> PyResult<String> {
                $read(slf, |this| this.full_name())
            }

            #[doc = concat!("The `TypeID` of the ", $what, "s of this name in a context.")]
            #[staticmethod]
            #[pyo3(signature = ($full_name, context = None))]
            fn lookup_typeid(
                py: Python<'_>,
                $full_name: &str,
                context: Option<Bound<'_, Context>>,
            ) -> PyResult<TypeID> {
                let (dialect, name) = parts_of($full_name)?;
                let kind = enter(py, context, |ctx| Ok(ctx.$kind(dialect, name)))?;
                kind.map(TypeID::of).ok_or_else(|| undefined($full_name))
            }
        }
    };
}

dynamic_class!(
    /// A type that was defined at run time.
    DynamicType: Type, "type", type_name, full_type_name,
    dynamic_type_kind, dynamic_type, read_type, with_type
);
type_kind!(DynamicType: dynamic::Dynamic);

dynamic_class!(
    /// An attribute that was defined at run time.
    DynamicAttr: Attribute, "attribute", attr_name, full_attr_name,
    dynamic_attribute_kind, dynamic_attribute, read_attribute, with_attribute
);
attribute_kind!(DynamicAttr: dynamic::DynamicValue);

/// Makes `class` the one for what was defined by a name (`my_dialect.name`) in any context.
#[pyfunction]
fn _register_dynamic_class(
    class: Bound<'_, PyType>,
    full_name: &str,
    attribute: bool,
) -> PyResult<()> {
    let py = class.py();
    casters::name_class(class, full_name.to_owned(), attribute);
    let (dialect, name) = parts_of(full_name)?;
    // Objects of the current context may be of another class already.
    let kind = enter(py, None, |ctx| {
        Ok(if attribute {
            ctx.dynamic_attribute_kind(dialect, name)
        } else {
            ctx.dynamic_type_kind(dialect, name)
        })
    })?;
    if let Some(kind) = kind {
        storage_wrapper::forget::<Type>(py, kind);
        storage_wrapper::forget::<Attribute>(py, kind);
    }
    Ok(())
}

/// The full name by which the class of a type is found.
fn type_name(type_: mondo_ir::Type<'_>) -> Option<String> {
    let dynamic = type_.downcast::<dynamic::Dynamic>()?;
    Some(dynamic.full_name())
}

/// The full name by which the class of an attribute is found.
fn attribute_name(attribute: mondo_ir::Attribute<'_>) -> Option<String> {
    let dynamic = attribute.downcast::<dynamic::DynamicValue>()?;
    Some(dynamic.full_name())
}

/// Adds the classes to `ir`.
pub(super) fn fill_ir(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    let types = derived_class::publish::<DynamicType>(ir, Type::layout().class(py)?)?;
    let attributes = derived_class::publish::<DynamicAttr>(ir, Attribute::layout().class(py)?)?;
    casters::set_dynamic(
        py,
        casters::Dynamic {
            type_name,
            attribute_name,
            types: types.unbind(),
            attributes: attributes.unbind(),
        },
    );
    add_class(ir, py.get_type::<DynamicOpTrait>())?;
    for (class, known) in [
        (py.get_type::<IsTerminatorTrait>(), KnownTrait::IsTerminator),
        (py.get_type::<NoTerminatorTrait>(), KnownTrait::NoTerminator),
    ] {
        class.setattr(TRAIT_KEY, TypeID::of(known.key()))?;
        add_class(ir, class)?;
    }
    Ok(())
}

/// Adds what `ext` needs to the native module of the dialect `irdl`.
pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.setattr("_make_pure", wrap_pyfunction!(_make_pure, module)?)?;
    module.setattr(
        "_register_dynamic_class",
        wrap_pyfunction!(_register_dynamic_class, module)?,
    )
}
