//! `Diagnostic`, `DiagnosticInfo`, `DiagnosticHandler`.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple, PyWeakrefMethods, PyWeakrefReference};

use crate::interop::callback::{Callback, is_exception};
use crate::interop::enums;
use crate::interop::late::Late;
use crate::interop::string::collect;
use crate::ir::location::Location;
use crate::ownership::context::Context;

/// A copy of a diagnostic that needs no Python, for handlers that run without the interpreter.
pub(crate) struct Record {
    severity: MlirDiagnosticSeverity,
    location: MlirLocation,
    message: String,
    notes: Vec<Record>,
}

// SAFETY: the location is immutable and lives as long as its context.
unsafe impl Send for Record {}

impl Record {
    /// # Safety
    ///
    /// `diagnostic` is live.
    pub(crate) unsafe fn copy(diagnostic: MlirDiagnostic) -> Self {
        // SAFETY: the diagnostic is live for the whole call, its notes are as well, and the indices
        // are below the count.
        unsafe {
            Self {
                severity: mlirDiagnosticGetSeverity(diagnostic),
                location: mlirDiagnosticGetLocation(diagnostic),
                message: collect(|callback, data| mlirDiagnosticPrint(diagnostic, callback, data)),
                notes: (0..mlirDiagnosticGetNumNotes(diagnostic))
                    .map(|index| Self::copy(mlirDiagnosticGetNote(diagnostic, index)))
                    .collect(),
            }
        }
    }
}

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
        let notes = record
            .notes
            .into_iter()
            .map(|note| DiagnosticInfo::from_record(py, context, note));
        // SAFETY: the diagnostic was emitted on this context.
        let location = unsafe { Location::new(py, context.clone_ref(py), record.location)? };
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
        // SAFETY: `get` fails if the handler has returned.
        let record = unsafe { Record::copy(diag.get()?) };
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
    /// Null once the handler has returned.
    raw: Arc<AtomicPtr<c_void>>,
    /// The path to a note of it, from the outside in; empty for the diagnostic itself.
    path: Vec<isize>,
    context: Py<Context>,
}

impl Diagnostic {
    fn get(&self) -> PyResult<MlirDiagnostic> {
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyValueError::new_err(
                "Diagnostic is invalid (used outside of callback)",
            ));
        }
        // SAFETY: the diagnostic is live, and so are its notes; `notes` made the path from counts.
        Ok(self
            .path
            .iter()
            .fold(MlirDiagnostic { ptr }, |diagnostic, &index| unsafe {
                mlirDiagnosticGetNote(diagnostic, index)
            }))
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
        // SAFETY: `get` fails if the handler has returned.
        enums::severity(py, unsafe { mlirDiagnosticGetSeverity(self.get()?) })
    }

    /// The location that the diagnostic is about.
    #[getter]
    fn location<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Location>> {
        // SAFETY: `get` fails if the handler has returned; the location is of the context that the
        // diagnostic was emitted on.
        unsafe {
            Location::new(
                py,
                self.context.clone_ref(py),
                mlirDiagnosticGetLocation(self.get()?),
            )
        }
    }

    /// The text, without its location and without the notes.
    #[getter]
    fn message(&self) -> PyResult<String> {
        let raw = self.get()?;
        // SAFETY: the diagnostic is live; the last two arguments belong together.
        Ok(collect(|callback, data| unsafe {
            mlirDiagnosticPrint(raw, callback, data);
        }))
    }

    /// The notes that explain the diagnostic, in order.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        // SAFETY: `get` fails if the handler has returned.
        let count = unsafe { mlirDiagnosticGetNumNotes(self.get()?) };
        let notes = (0..count).map(|index| {
            let path = self.path.iter().copied().chain([index]).collect();
            Py::new(
                py,
                Self {
                    raw: Arc::clone(&self.raw),
                    path,
                    context: self.context.clone_ref(py),
                },
            )
        });
        PyTuple::new(py, notes.collect::<PyResult<Vec<_>>>()?)
    }

    fn __str__(&self) -> PyResult<String> {
        if self.raw.load(Ordering::Acquire).is_null() {
            return Ok("<Invalid Diagnostic>".to_owned());
        }
        self.message()
    }
}

/// The state of a handler that MLIR and the Python object share.
struct Shared {
    callback: Arc<Callback>,
    /// Weak: the context owns this, by way of MLIR.
    context: Py<PyWeakrefReference>,
    had_error: AtomicBool,
    /// True if MLIR is done with it: it was detached, or its context ended.
    released: AtomicBool,
}

/// A handler that was attached to a context, which it does not keep alive.
#[pyclass(frozen, subclass)]
pub(crate) struct DiagnosticHandler {
    shared: Arc<Shared>,
    /// None once detached.
    id: Mutex<Option<MlirDiagnosticHandlerID>>,
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
        let raw = context.get().get_outside_handlers(py)?;
        if context.get().is_running() && context.get().is_multithreaded() {
            // A worker would wait for the interpreter inside MLIR's lock, and whoever has the
            // interpreter for that lock.
            return Err(PyRuntimeError::new_err(
                "a diagnostic handler cannot be attached while a pass pipeline runs in several threads",
            ));
        }
        let data = Arc::into_raw(Arc::clone(&shared)).cast_mut().cast();
        // SAFETY: the context is live; MLIR gives `data` back to `release` exactly once, when the
        // handler is detached or the context ends.
        let id =
            unsafe { mlirContextAttachDiagnosticHandler(raw, Some(handle), data, Some(release)) };
        context.get().callbacks().show(&shared.callback);
        Py::new(
            py,
            Self {
                shared,
                id: Mutex::new(Some(id)),
            },
        )
    }

    fn id(&self) -> std::sync::MutexGuard<'_, Option<MlirDiagnosticHandlerID>> {
        self.id.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl DiagnosticHandler {
    /// Takes the handler off its context; does nothing if that is done, or if the context has ended.
    fn detach(&self, py: Python<'_>) -> PyResult<()> {
        let Some(context) = self.shared.context.bind(py).upgrade() else {
            return Ok(());
        };
        let raw = context
            .cast_into::<Context>()?
            .get()
            .get_outside_handlers(py)?;
        let id = self.id().take();
        if let Some(id) = id {
            // SAFETY: the context is live and the handler is still attached.
            unsafe { mlirContextDetachDiagnosticHandler(raw, id) };
        }
        Ok(())
    }

    /// True while the handler gets diagnostics.
    #[getter]
    fn attached(&self) -> bool {
        self.id().is_some() && !self.shared.released.load(Ordering::Acquire)
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

/// The function that MLIR calls with a diagnostic.
unsafe extern "C" fn handle(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `data` is the `Shared` that `attach` leaked and `release` has not yet taken back. It
    // is kept alive for this call in case the callback detaches the handler.
    let shared = unsafe {
        Arc::increment_strong_count(data.cast::<Shared>());
        Arc::from_raw(data.cast::<Shared>())
    };
    let handled = catch_unwind(AssertUnwindSafe(|| {
        // Nobody hears what is emitted while the interpreter ends.
        Python::try_attach(|py| match call(py, &shared, diagnostic) {
            Ok(handled) => handled,
            Err(error) => {
                shared.had_error.store(true, Ordering::Relaxed);
                report(py, &shared, error);
                false
            }
        })
    }));
    MlirLogicalResult {
        value: i8::from(handled.ok().flatten().unwrap_or(false)),
    }
}

fn call(py: Python<'_>, shared: &Shared, diagnostic: MlirDiagnostic) -> PyResult<bool> {
    let Some(context) = shared.context.bind(py).upgrade() else {
        // The context is going away.
        return Ok(false);
    };
    let context = context.cast_into::<Context>()?.unbind();
    let Some(callable) = shared.callback.get(py) else {
        return Ok(false);
    };
    let raw = Arc::new(AtomicPtr::new(diagnostic.ptr));
    let object = Diagnostic {
        raw: Arc::clone(&raw),
        path: Vec::new(),
        context: context.clone_ref(py),
    };
    // While a pipeline runs, its own thread or a worker emits it: the callback may use the context.
    let result = context.get().run_handler(|| callable.call1(py, (object,)));
    raw.store(std::ptr::null_mut(), Ordering::Release);
    result?.bind(py).is_truthy()
}

/// Passes on what a handler raised: what is no `Exception` to the caller of what emitted the diagnostic.
fn report(py: Python<'_>, shared: &Shared, error: PyErr) {
    let context = shared.context.bind(py).upgrade();
    let context = context.and_then(|context| context.cast_into::<Context>().ok());
    let left = match context {
        Some(context) if !is_exception(py, &error) => context.get().raise(error),
        _ => Some(error),
    };
    if let Some(error) = left {
        let callable = shared.callback.get(py);
        error.write_unraisable(py, callable.as_ref().map(|it| it.bind(py)));
    }
}

/// The function that MLIR calls when it is done with a handler.
unsafe extern "C" fn release(data: *mut c_void) {
    // SAFETY: `data` is the `Shared` that `attach` leaked; MLIR calls this once. Python objects in
    // it may be released without the interpreter: PyO3 defers that.
    let shared = unsafe { Arc::from_raw(data.cast::<Shared>()) };
    shared.released.store(true, Ordering::Release);
    // The garbage collector saw the callable through the context; the Python object of the handler
    // would keep it alive unseen.
    shared.callback.clear();
}
