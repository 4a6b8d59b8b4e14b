//! The per-thread stack behind `with Context()`, `with Location…` and `with InsertionPoint…`.

use std::cell::RefCell;

use pyo3::PyClass;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::insertion_point::InsertionPoint;
use crate::ir::location::Location;
use crate::ownership::context::Context;

/// The entry that a `with` statement pushes. A location or an insertion point also makes its context the
/// current one.
pub(crate) struct Frame {
    kind: Kind,
    context: Py<Context>,
    insertion_point: Option<Py<InsertionPoint>>,
    location: Option<Py<Location>>,
}

/// The class of the object that was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Context,
    InsertionPoint,
    Location,
}

thread_local! {
    static STACK: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Pushes a frame. It inherits the insertion point or location that it does not set from the frame below, if
/// that has the same context.
fn push(py: Python<'_>, mut frame: Frame) {
    STACK.with_borrow_mut(|stack| {
        if let Some(top) = stack.last().filter(|top| top.context.is(&frame.context)) {
            if frame.insertion_point.is_none() {
                frame.insertion_point = top
                    .insertion_point
                    .as_ref()
                    .map(|insertion_point| insertion_point.clone_ref(py));
            }
            if frame.location.is_none() {
                frame.location = top.location.as_ref().map(|location| location.clone_ref(py));
            }
        }
        stack.push(frame);
    });
}

/// A class whose objects `with` statements enter.
pub(crate) trait ContextManager: PyClass {
    /// The name of the class in error messages.
    const CLASS: &'static str;

    /// The frame of an object.
    ///
    /// # Errors
    ///
    /// The object is of IR that has been destroyed.
    fn frame(this: &Bound<'_, Self>) -> PyResult<Frame>;

    /// Returns whether `__exit__` of the object may pop `frame`. As in upstream's bindings, it need not be
    /// the frame that the object pushed, so that objects may be left in another order than they were entered
    /// in.
    fn has(this: &Bound<'_, Self>, frame: &Frame) -> bool;
}

impl ContextManager for Context {
    const CLASS: &'static str = "Context";

    fn frame(this: &Bound<'_, Self>) -> PyResult<Frame> {
        Ok(Frame {
            kind: Kind::Context,
            context: this.clone().unbind(),
            insertion_point: None,
            location: None,
        })
    }

    fn has(this: &Bound<'_, Self>, frame: &Frame) -> bool {
        frame.kind == Kind::Context || frame.context.is(this)
    }
}

impl ContextManager for InsertionPoint {
    const CLASS: &'static str = "InsertionPoint";

    fn frame(this: &Bound<'_, Self>) -> PyResult<Frame> {
        let py = this.py();
        Ok(Frame {
            kind: Kind::InsertionPoint,
            context: this.get().tree(py)?.get().context().clone_ref(py),
            insertion_point: Some(this.clone().unbind()),
            location: None,
        })
    }

    fn has(this: &Bound<'_, Self>, frame: &Frame) -> bool {
        let point = frame.insertion_point.as_ref();
        frame.kind == Kind::InsertionPoint || point.is_some_and(|point| point.is(this))
    }
}

impl ContextManager for Location {
    const CLASS: &'static str = "Location";

    fn frame(this: &Bound<'_, Self>) -> PyResult<Frame> {
        Ok(Frame {
            kind: Kind::Location,
            context: this.get().context_ref().clone_ref(this.py()),
            insertion_point: None,
            location: Some(this.clone().unbind()),
        })
    }

    fn has(this: &Bound<'_, Self>, frame: &Frame) -> bool {
        let location = frame.location.as_ref();
        frame.kind == Kind::Location || location.is_some_and(|location| location.is(this))
    }
}

/// `__enter__`: pushes a frame for the object.
pub(crate) fn enter<T: ContextManager>(this: Bound<'_, T>) -> PyResult<Bound<'_, T>> {
    push(this.py(), T::frame(&this)?);
    Ok(this)
}

/// `__exit__`: pops the top frame.
pub(crate) fn exit<T: ContextManager>(this: &Bound<'_, T>) -> PyResult<()> {
    // The frame is dropped after the borrow ends: dropping may run Python code.
    let frame = STACK.with_borrow_mut(|stack| {
        let balanced = stack.last().is_some_and(|top| T::has(this, top));
        if balanced { stack.pop() } else { None }
    });
    match frame {
        Some(_) => Ok(()),
        None => Err(PyRuntimeError::new_err(format!(
            "Unbalanced {} enter/exit",
            T::CLASS
        ))),
    }
}

/// Defines the methods of a class whose objects `with` statements enter: `__enter__`, `__exit__`, and the
/// given ones.
macro_rules! context_manager_methods {
    ($class:ty { $($more:item)* }) => {
        #[pymethods]
        impl $class {
            /// Makes the object the current one of this thread, until the `with` statement ends.
            fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
                $crate::ir::context_stack::enter(slf)
            }

            /// Makes what was current before the `with` statement current again.
            fn __exit__(
                slf: &Bound<'_, Self>,
                exc_type: &Bound<'_, PyAny>,
                exc_value: &Bound<'_, PyAny>,
                traceback: &Bound<'_, PyAny>,
            ) -> PyResult<()> {
                let _ = (exc_type, exc_value, traceback);
                $crate::ir::context_stack::exit(slf)
            }

            $($more)*
        }
    };
}
pub(crate) use context_manager_methods;

#[inline]
fn of_top<T>(pick: impl FnOnce(&Frame) -> Option<T>) -> Option<T> {
    STACK.with_borrow(|stack| stack.last().and_then(pick))
}

/// The current context of this thread.
#[inline]
pub(crate) fn context(py: Python<'_>) -> Option<Py<Context>> {
    of_top(|top| Some(top.context.clone_ref(py)))
}

/// The current insertion point of this thread.
#[inline]
pub(crate) fn insertion_point(py: Python<'_>) -> Option<Py<InsertionPoint>> {
    of_top(|top| {
        top.insertion_point
            .as_ref()
            .map(|insertion_point| insertion_point.clone_ref(py))
    })
}

/// The current location of this thread.
#[inline]
pub(crate) fn location(py: Python<'_>) -> Option<Py<Location>> {
    of_top(|top| top.location.as_ref().map(|location| location.clone_ref(py)))
}

/// The context that was given, else the current one.
pub(crate) fn resolve_context(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
) -> PyResult<Py<Context>> {
    given
        .map(Bound::unbind)
        .or_else(|| context(py))
        .ok_or_else(|| none_given("Context", "context", "Context()"))
}

/// The exception for a call that neither has an object of `class` as `argument` nor is within a `with`
/// statement for one.
#[cold]
#[inline(never)]
fn none_given(class: &str, argument: &str, with: &str) -> PyErr {
    PyRuntimeError::new_err(format!(
        "An MLIR function requires a {class} but none was provided in the call or from the \
         surrounding environment. Either pass to the function with a '{argument}=' argument or \
         establish a default using 'with {with}:'"
    ))
}

/// The location that was given, else the current one.
pub(crate) fn resolve_location(
    py: Python<'_>,
    given: Option<Bound<'_, Location>>,
) -> PyResult<Py<Location>> {
    given
        .map(Bound::unbind)
        .or_else(|| location(py))
        .ok_or_else(|| none_given("Location", "loc", "loc"))
}

/// The context of a location, or of the current one; none where there is neither. Generated constructors call
/// this first.
#[pyfunction]
#[pyo3(signature = (location = None), name = "get_default_loc_context")]
fn _default_location_context(
    py: Python<'_>,
    location: Option<&Bound<'_, Location>>,
) -> Option<Py<Context>> {
    match location {
        Some(location) => Some(location.get().context_ref().clone_ref(py)),
        None => of_top(|top| {
            let location = top.location.as_ref()?;
            Some(location.get().context_ref().clone_ref(py))
        }),
    }
}

// A property of the class itself. `classmethod` over `property` was removed from Python 3.13, and types with
// a metaclass cannot be made with the stable ABI of 3.10.
/// The object of the class that is current in this thread: a `with` statement sets it.
#[pyclass(frozen, name = "_CurrentProperty")]
pub(crate) struct CurrentProperty {
    get: fn(Python<'_>) -> PyResult<Option<Py<PyAny>>>,
}

#[pymethods]
impl CurrentProperty {
    fn __get__(
        &self,
        py: Python<'_>,
        instance: &Bound<'_, PyAny>,
        owner: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Py<PyAny>>> {
        let _ = (instance, owner);
        (self.get)(py)
    }

    fn __set__(&self, instance: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = (instance, value);
        Err(PyTypeError::new_err(
            "`current` is set by a `with` statement",
        ))
    }
}

/// Sets the property `current` of the three classes, and adds to `ir` the functions that depend on the stack.
pub(crate) fn install(ir: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = ir.py();
    ir.setattr(
        "_default_location_context",
        wrap_pyfunction!(_default_location_context, ir)?,
    )?;
    let install = |class: Bound<'_, PyType>, get: fn(Python<'_>) -> PyResult<Option<Py<PyAny>>>| {
        class.setattr("current", Py::new(py, CurrentProperty { get })?)
    };
    install(py.get_type::<Context>(), |py| {
        Ok(context(py).map(Py::into_any))
    })?;
    install(py.get_type::<InsertionPoint>(), |py| {
        insertion_point(py)
            .map(|insertion_point| Some(insertion_point.into_any()))
            .ok_or_else(|| PyValueError::new_err("No current InsertionPoint"))
    })?;
    install(py.get_type::<Location>(), |py| {
        Ok(location(py).map(Py::into_any))
    })
}
