//! The per-thread stack behind `with Context()` and `with Location…`.

use std::cell::RefCell;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyType};

use crate::context::Context;
use crate::location::Location;

/// What a `with` put on the stack. Entering a location also makes its context the current one.
struct Frame {
    context: Py<Context>,
    location: Option<Py<Location>>,
    /// Whether the frame was entered through the location.
    by_location: bool,
}

thread_local! {
    static STACK: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Enters a context. A location of the same context stays current.
pub(crate) fn push_context(context: &Bound<'_, Context>) {
    let py = context.py();
    STACK.with_borrow_mut(|stack| {
        let location = stack
            .last()
            .filter(|top| top.context.is(context))
            .and_then(|top| top.location.as_ref())
            .map(|location| location.clone_ref(py));
        stack.push(Frame {
            context: context.clone().unbind(),
            location,
            by_location: false,
        });
    });
}

/// Leaves a context, which must be the last thing that was entered.
pub(crate) fn pop_context(context: &Bound<'_, Context>) -> PyResult<()> {
    pop("Context", |top| !top.by_location && top.context.is(context))
}

/// Enters a location and its context.
pub(crate) fn push_location(location: &Bound<'_, Location>) {
    let context = location.get().context_ref().clone_ref(location.py());
    let frame = Frame {
        context,
        location: Some(location.clone().unbind()),
        by_location: true,
    };
    STACK.with_borrow_mut(|stack| stack.push(frame));
}

/// Leaves a location, which must be the last thing that was entered.
pub(crate) fn pop_location(location: &Bound<'_, Location>) -> PyResult<()> {
    pop("Location", |top| {
        top.by_location && top.location.as_ref().is_some_and(|top| top.is(location))
    })
}

fn pop(what: &str, is_mine: impl FnOnce(&Frame) -> bool) -> PyResult<()> {
    // The frame is dropped after the borrow ends: dropping may run Python code.
    let frame = STACK.with_borrow_mut(|stack| {
        let balanced = stack.last().is_some_and(is_mine);
        if balanced { stack.pop() } else { None }
    });
    match frame {
        Some(_) => Ok(()),
        None => Err(PyRuntimeError::new_err(format!(
            "Unbalanced {what} enter/exit"
        ))),
    }
}

/// The current context of this thread.
pub(crate) fn context(py: Python<'_>) -> Option<Py<Context>> {
    STACK.with_borrow(|stack| stack.last().map(|top| top.context.clone_ref(py)))
}

/// The current location of this thread.
pub(crate) fn location(py: Python<'_>) -> Option<Py<Location>> {
    STACK.with_borrow(|stack| {
        stack
            .last()
            .and_then(|top| top.location.as_ref())
            .map(|location| location.clone_ref(py))
    })
}

/// The context that was given, else the current one.
pub(crate) fn resolve_context(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
) -> PyResult<Py<Context>> {
    given
        .map(Bound::unbind)
        .or_else(|| context(py))
        .ok_or_else(|| {
            PyRuntimeError::new_err(
                "An MLIR function requires a Context but none was provided in the call or from the \
             surrounding environment. Either pass to the function with a 'context=' argument or \
             establish a default using 'with Context():'",
            )
        })
}

/// The location that was given, else the current one.
pub(crate) fn resolve_location(
    py: Python<'_>,
    given: Option<Bound<'_, Location>>,
) -> PyResult<Py<Location>> {
    given.map(Bound::unbind).or_else(|| location(py)).ok_or_else(|| {
        PyRuntimeError::new_err(
            "An MLIR function requires a Location but none was provided in the call or from the \
             surrounding environment. Either pass to the function with a 'loc=' argument or \
             establish a default using 'with loc:'",
        )
    })
}

/// A property of the class itself: `Context.current`. (`classmethod` over `property` went away with
/// Python 3.13, and metaclasses are not in the stable ABI's reach.)
#[pyclass(frozen, name = "_CurrentProperty")]
pub(crate) struct CurrentProperty {
    get: fn(Python<'_>) -> Option<Py<PyAny>>,
}

#[pymethods]
impl CurrentProperty {
    fn __get__(
        &self,
        py: Python<'_>,
        instance: &Bound<'_, PyAny>,
        owner: &Bound<'_, PyAny>,
    ) -> Option<Py<PyAny>> {
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

/// Gives the two classes their `current`.
pub(crate) fn install(py: Python<'_>) -> PyResult<()> {
    let install = |class: Bound<'_, PyType>, get: fn(Python<'_>) -> Option<Py<PyAny>>| {
        class.setattr("current", Py::new(py, CurrentProperty { get })?)
    };
    install(py.get_type::<Context>(), |py| context(py).map(Py::into_any))?;
    install(py.get_type::<Location>(), |py| {
        location(py).map(Py::into_any)
    })
}
