//! The per-thread stack behind `with Context()`, `with Location…` and `with InsertionPoint…`.

use std::cell::RefCell;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule, PyType};

use crate::ir::insertion_point::InsertionPoint;
use crate::ir::location::Location;
use crate::ownership::context::Context;

/// What a `with` put on the stack. Entering a location or an insertion point also makes its context
/// the current one.
struct Frame {
    kind: Kind,
    context: Py<Context>,
    insertion_point: Option<Py<InsertionPoint>>,
    location: Option<Py<Location>>,
}

/// What was entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Context,
    InsertionPoint,
    Location,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Context => "Context",
            Self::InsertionPoint => "InsertionPoint",
            Self::Location => "Location",
        }
    }
}

thread_local! {
    static STACK: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
}

/// Enters something. What it does not bring itself stays as it was, if the context does.
fn push(py: Python<'_>, mut frame: Frame) {
    STACK.with_borrow_mut(|stack| {
        if let Some(top) = stack.last().filter(|top| top.context.is(&frame.context)) {
            if frame.insertion_point.is_none() {
                frame.insertion_point = top.insertion_point.as_ref().map(|it| it.clone_ref(py));
            }
            if frame.location.is_none() {
                frame.location = top.location.as_ref().map(|it| it.clone_ref(py));
            }
        }
        stack.push(frame);
    });
}

/// Leaves what was entered last, which has to be of `kind` and mine.
fn pop(kind: Kind, is_mine: impl FnOnce(&Frame) -> bool) -> PyResult<()> {
    // The frame is dropped after the borrow ends: dropping may run Python code.
    let frame = STACK.with_borrow_mut(|stack| {
        let balanced = stack
            .last()
            .is_some_and(|top| top.kind == kind && is_mine(top));
        if balanced { stack.pop() } else { None }
    });
    match frame {
        Some(_) => Ok(()),
        None => Err(PyRuntimeError::new_err(format!(
            "Unbalanced {} enter/exit",
            kind.name()
        ))),
    }
}

/// Enters a context.
pub(crate) fn push_context(context: &Bound<'_, Context>) {
    let frame = Frame {
        kind: Kind::Context,
        context: context.clone().unbind(),
        insertion_point: None,
        location: None,
    };
    push(context.py(), frame);
}

/// Leaves a context, which must be the last thing that was entered.
pub(crate) fn pop_context(context: &Bound<'_, Context>) -> PyResult<()> {
    pop(Kind::Context, |top| top.context.is(context))
}

/// Enters an insertion point and `context`, which it is of.
pub(crate) fn push_insertion_point(point: &Bound<'_, InsertionPoint>, context: Py<Context>) {
    let frame = Frame {
        kind: Kind::InsertionPoint,
        context,
        insertion_point: Some(point.clone().unbind()),
        location: None,
    };
    push(point.py(), frame);
}

/// Leaves an insertion point, which must be the last thing that was entered.
pub(crate) fn pop_insertion_point(point: &Bound<'_, InsertionPoint>) -> PyResult<()> {
    pop(Kind::InsertionPoint, |top| {
        top.insertion_point
            .as_ref()
            .is_some_and(|top| top.is(point))
    })
}

/// Enters a location and its context.
pub(crate) fn push_location(location: &Bound<'_, Location>) {
    let frame = Frame {
        kind: Kind::Location,
        context: location.get().context_ref().clone_ref(location.py()),
        insertion_point: None,
        location: Some(location.clone().unbind()),
    };
    push(location.py(), frame);
}

/// Leaves a location, which must be the last thing that was entered.
pub(crate) fn pop_location(location: &Bound<'_, Location>) -> PyResult<()> {
    pop(Kind::Location, |top| {
        top.location.as_ref().is_some_and(|top| top.is(location))
    })
}

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
    of_top(|top| top.insertion_point.as_ref().map(|it| it.clone_ref(py)))
}

/// The current location of this thread.
#[inline]
pub(crate) fn location(py: Python<'_>) -> Option<Py<Location>> {
    of_top(|top| top.location.as_ref().map(|it| it.clone_ref(py)))
}

/// The context that was given, else the current one.
pub(crate) fn resolve_context(
    py: Python<'_>,
    given: Option<Bound<'_, Context>>,
) -> PyResult<Py<Context>> {
    given
        .map(Bound::unbind)
        .or_else(|| context(py))
        .ok_or_else(no_context)
}

#[cold]
#[inline(never)]
fn no_context() -> PyErr {
    PyRuntimeError::new_err(
        "An MLIR function requires a Context but none was provided in the call or from the \
         surrounding environment. Either pass to the function with a 'context=' argument or \
         establish a default using 'with Context():'",
    )
}

/// The location that was given, else the current one.
pub(crate) fn resolve_location(
    py: Python<'_>,
    given: Option<Bound<'_, Location>>,
) -> PyResult<Py<Location>> {
    given
        .map(Bound::unbind)
        .or_else(|| location(py))
        .ok_or_else(no_location)
}

#[cold]
#[inline(never)]
fn no_location() -> PyErr {
    PyRuntimeError::new_err(
        "An MLIR function requires a Location but none was provided in the call or from the \
         surrounding environment. Either pass to the function with a 'loc=' argument or \
         establish a default using 'with loc:'",
    )
}

/// The context of a location, or of the current one; none where there is neither. What generated
/// constructors ask first.
#[pyfunction]
#[pyo3(signature = (location = None))]
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

/// A property of the class itself: `Context.current`. (`classmethod` over `property` went away with
/// Python 3.13, and metaclasses are not in the stable ABI's reach.)
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

/// Gives the three classes their `current`, and `ir` what goes by that.
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
            .map(|it| Some(it.into_any()))
            .ok_or_else(|| PyValueError::new_err("No current InsertionPoint"))
    })?;
    install(py.get_type::<Location>(), |py| {
        Ok(location(py).map(Py::into_any))
    })
}
