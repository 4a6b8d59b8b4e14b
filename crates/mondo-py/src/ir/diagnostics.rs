//! The classes `Diagnostic`, `DiagnosticInfo` and `DiagnosticHandler`, and the call of a handler written in
//! Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mondo_ir::Emitted;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyWeakrefMethods, PyWeakrefReference};

use crate::interop::callback::{Callback, is_exception};
use crate::interop::enums;
use crate::interop::two_phase::Late;
use crate::ir::location::Location;
use crate::ownership::context::Context;
use crate::ownership::diagnostics::{self, Current, Handler, Hear, Record};

/// A diagnostic that stays valid after its handler returned.
#[pyclass(frozen, subclass)]
pub(crate) struct DiagnosticInfo {
    copy: Late<Copied>,
}

/// The contents of a `DiagnosticInfo`.
struct Copied {
    severity: Py<PyAny>,
    location: Py<Location>,
    message: String,
    notes: Vec<Py<DiagnosticInfo>>,
}

impl Copied {
    fn build(py: Python<'_>, context: &Py<Context>, record: Record) -> PyResult<Self> {
        let location = Context::enter(py, context, |ctx| {
            Location::new(py, ctx, record.location(ctx))
        })?;
        let notes = record
            .notes
            .into_iter()
            .map(|note| DiagnosticInfo::from_record(py, context, note));
        Ok(Self {
            severity: enums::severity(py, record.severity)?,
            location: location.unbind(),
            message: record.message,
            notes: notes.collect::<PyResult<_>>()?,
        })
    }
}

impl DiagnosticInfo {
    pub(crate) fn from_record(
        py: Python<'_>,
        context: &Py<Context>,
        record: Record,
    ) -> PyResult<Py<Self>> {
        let copy = Late::of(Copied::build(py, context, record)?);
        Py::new(py, Self { copy })
    }
}

#[pymethods]
impl DiagnosticInfo {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Some(copy) = self.copy.known() else {
            return Ok(());
        };
        visit.call(&copy.severity)?;
        visit.call(&copy.location)?;
        copy.notes.iter().try_for_each(|note| visit.call(note))
    }

    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "(diag)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            copy: Late::empty(),
        }
    }

    fn __init__(&self, py: Python<'_>, diag: &Bound<'_, Diagnostic>) -> PyResult<()> {
        let diag = diag.get();
        let record = diag.read(Record::copy)?;
        self.copy.set(Copied::build(py, &diag.context, record)?)
    }

    /// The severity: error, warning, remark or note.
    #[getter]
    fn severity(&self) -> PyResult<&Py<PyAny>> {
        Ok(&self.copy.get()?.severity)
    }

    /// The location that the diagnostic is about.
    #[getter]
    fn location(&self) -> PyResult<&Py<Location>> {
        Ok(&self.copy.get()?.location)
    }

    /// The text, without its location and without the notes.
    #[getter]
    fn message(&self) -> PyResult<&str> {
        Ok(&self.copy.get()?.message)
    }

    /// The notes that explain the diagnostic, in order.
    #[getter]
    fn notes(&self, py: Python<'_>) -> PyResult<Vec<Py<Self>>> {
        let notes = self.copy.get()?.notes.iter();
        Ok(notes.map(|note| note.clone_ref(py)).collect())
    }

    fn __str__(&self) -> PyResult<&str> {
        self.message()
    }
}

/// A diagnostic as its handler sees it; valid until the handler returns.
#[pyclass(frozen, subclass)]
pub(crate) struct Diagnostic {
    current: Current,
    /// The indices of the note within the diagnostic, from the outside in; empty for the diagnostic itself.
    path: Vec<usize>,
    context: Py<Context>,
}

/// The exception for a diagnostic whose handler has returned.
fn ended() -> PyErr {
    PyValueError::new_err("Diagnostic is invalid (used outside of callback)")
}

impl Diagnostic {
    /// The note at the end of the path.
    fn at_end<'ctx>(&self, outer: Emitted<'ctx>) -> PyResult<Emitted<'ctx>> {
        let step = |diagnostic: Emitted<'ctx>, index: &usize| diagnostic.note(*index);
        self.path.iter().try_fold(outer, step).ok_or_else(ended)
    }

    /// Runs `look` with the diagnostic or note; fails once the handler has returned.
    fn read<R>(&self, look: impl for<'ctx> FnOnce(Emitted<'ctx>) -> R) -> PyResult<R> {
        let found = self.current.read(|outer| self.at_end(outer).map(look));
        found.ok_or_else(ended)?
    }
}

#[pymethods]
impl Diagnostic {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }

    /// The severity: error, warning, remark or note.
    #[getter]
    fn severity(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        enums::severity(py, self.read(|diagnostic| diagnostic.severity())?)
    }

    /// The location that the diagnostic is about.
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Location>> {
        let found = self.current.with(py, &self.context, |ctx, outer| {
            Location::new(py, ctx, self.at_end(outer)?.location())
        })?;
        found.ok_or_else(ended)
    }

    /// The text, without its location and without the notes.
    #[getter]
    fn message(&self) -> PyResult<String> {
        self.read(|diagnostic| diagnostic.message())
    }

    /// The notes that explain the diagnostic, in order.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.read(|diagnostic| diagnostic.note_count())?;
        let notes = (0..count).map(|index| {
            let path = self.path.iter().copied().chain([index]).collect();
            Py::new(
                py,
                Self {
                    current: self.current.clone(),
                    path,
                    context: self.context.clone_ref(py),
                },
            )
        });
        PyTuple::new(py, notes.collect::<PyResult<Vec<_>>>()?)
    }

    fn __str__(&self) -> PyResult<String> {
        if !self.current.is_live() {
            return Ok("<Invalid Diagnostic>".to_owned());
        }
        self.message()
    }
}

/// The state of a handler that MLIR and the Python object share.
struct Shared {
    callback: Arc<Callback>,
    /// A weak reference, because MLIR's context owns this.
    context: Py<PyWeakrefReference>,
    had_error: AtomicBool,
    /// True if MLIR has dropped the handler, because it was detached or its context was destroyed.
    released: AtomicBool,
}

/// A handler that was attached to a context, which it does not keep alive.
#[pyclass(frozen, subclass)]
pub(crate) struct DiagnosticHandler {
    shared: Arc<Shared>,
    /// The attached handler; None once `detach` was called.
    handler: Mutex<Option<Handler>>,
}

impl DiagnosticHandler {
    /// Attaches `callback` to `context`.
    pub(crate) fn attach(
        context: &Bound<'_, Context>,
        callback: Bound<'_, PyAny>,
    ) -> PyResult<Py<Self>> {
        let py = context.py();
        let shared = Arc::new(Shared {
            callback: Callback::new(callback.unbind()),
            context: PyWeakrefReference::new(context.as_any())?.unbind(),
            had_error: AtomicBool::new(false),
            released: AtomicBool::new(false),
        });
        context.get().get_outside_handlers(py)?;
        if context.get().is_running() && context.get().is_multithreaded() {
            // This would deadlock: a worker thread that emits a diagnostic holds MLIR's lock and waits for
            // the interpreter, while this thread has the interpreter and waits for that lock.
            return Err(PyRuntimeError::new_err(
                "a diagnostic handler cannot be attached while a pass pipeline runs in several threads",
            ));
        }
        let handler = diagnostics::attach(py, context.get(), &shared)?;
        context.get().callbacks().show(&shared.callback);
        Py::new(
            py,
            Self {
                shared,
                handler: Mutex::new(Some(handler)),
            },
        )
    }

    fn handler(&self) -> std::sync::MutexGuard<'_, Option<Handler>> {
        self.handler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl DiagnosticHandler {
    /// Takes the handler off its context; does nothing if that is done, or if the context has ended.
    fn detach(&self, py: Python<'_>) -> PyResult<()> {
        let Some(context) = self.shared.context.bind(py).upgrade() else {
            return Ok(());
        };
        let context = context.cast_into::<Context>()?;
        context.get().get_outside_handlers(py)?;
        let handler = self.handler().take();
        handler.map_or(Ok(()), |handler| handler.detach(py, context.get()))
    }

    /// True while the handler gets diagnostics.
    #[getter]
    fn attached(&self) -> bool {
        self.handler().is_some() && !self.shared.released.load(Ordering::Acquire)
    }

    /// True if the callback raised.
    #[getter]
    fn had_error(&self) -> bool {
        self.shared.had_error.load(Ordering::Relaxed)
    }

    /// The handler itself, which the `with` statement detaches at its end.
    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// Detaches the handler.
    fn __exit__(
        &self,
        py: Python<'_>,
        exc_type: &Bound<'_, PyAny>,
        exc_value: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (exc_type, exc_value, traceback);
        self.detach(py)
    }
}

impl Hear for Shared {
    fn hear(&self, diagnostic: &Current) -> bool {
        // While the interpreter shuts down, `try_attach` fails, and the diagnostic goes to MLIR's other
        // handlers.
        let handled = Python::try_attach(|py| match call(py, self, diagnostic) {
            Ok(handled) => handled,
            Err(error) => {
                self.had_error.store(true, Ordering::Relaxed);
                report(py, self, error);
                false
            }
        });
        handled.unwrap_or(false)
    }

    fn released(&self) {
        self.released.store(true, Ordering::Release);
        // The garbage collector visited the callable through the context. From here on only the handler's
        // Python object would keep it alive, which does not visit it, so that a cycle would leak.
        self.callback.clear();
    }
}

fn call(py: Python<'_>, shared: &Shared, diagnostic: &Current) -> PyResult<bool> {
    let Some(context) = shared.context.bind(py).upgrade() else {
        // The context's wrapper is being freed.
        return Ok(false);
    };
    let context = context.cast_into::<Context>()?.unbind();
    let Some(callable) = shared.callback.get(py) else {
        return Ok(false);
    };
    let object = Diagnostic {
        current: diagnostic.clone(),
        path: Vec::new(),
        context: context.clone_ref(py),
    };
    // If a pipeline runs, its own thread or one of its workers emitted the diagnostic, and `run_handler` lets
    // the callback use the context.
    let result = context.get().run_handler(|| callable.call1(py, (object,)));
    diagnostic.end();
    result?.bind(py).is_truthy()
}

/// Reports an exception of a handler. One that is no `Exception` is raised by the call that emitted the
/// diagnostic; the others are printed.
fn report(py: Python<'_>, shared: &Shared, error: PyErr) {
    let context = shared.context.bind(py).upgrade();
    let context = context.and_then(|context| context.cast_into::<Context>().ok());
    let left = match context {
        Some(context) if !is_exception(py, &error) => context.get().raise(error),
        _ => Some(error),
    };
    if let Some(error) = left {
        let callable = shared.callback.get(py);
        error.write_unraisable(py, callable.as_ref().map(|callable| callable.bind(py)));
    }
}
