//! `_mlirTransformInterpreter`: scripts of the `transform` dialect, run on other operations.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple};

use super::script::Script;
use crate::interop::string::collect;
use crate::interop::submodules::add_class;
use crate::ir::error::succeeded;
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;
use crate::ownership::wrapper::{self, Cause};

/// The options of the interpreter.
#[pyclass(frozen, subclass)]
struct TransformOptions {
    expensive_checks: AtomicBool,
    enforce_single_top_level_transform_op: AtomicBool,
}

/// MLIR's form of them.
struct RawOptions(MlirTransformOptions);

impl RawOptions {
    fn new() -> Self {
        // SAFETY: the function has no precondition.
        Self(unsafe { mlirTransformOptionsCreate() })
    }

    fn of(options: &TransformOptions) -> Self {
        let raw = Self::new();
        let checks = options.expensive_checks.load(Ordering::Relaxed);
        let single = &options.enforce_single_top_level_transform_op;
        // SAFETY: the options are live.
        unsafe {
            mlirTransformOptionsEnableExpensiveChecks(raw.0, checks);
            mlirTransformOptionsEnforceSingleTopLevelTransformOp(
                raw.0,
                single.load(Ordering::Relaxed),
            );
        }
        raw
    }
}

impl Drop for RawOptions {
    fn drop(&mut self) {
        // SAFETY: the options are live and of this object alone.
        unsafe { mlirTransformOptionsDestroy(self.0) };
    }
}

#[pymethods]
impl TransformOptions {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let defaults = RawOptions::new();
        // SAFETY: the options are live.
        unsafe {
            Self {
                expensive_checks: mlirTransformOptionsGetExpensiveChecksEnabled(defaults.0).into(),
                enforce_single_top_level_transform_op:
                    mlirTransformOptionsGetEnforceSingleTopLevelTransformOp(defaults.0).into(),
            }
        }
    }

    fn __init__(&self) {}

    /// True if each step is checked for handles that it made invalid.
    #[getter]
    fn get_expensive_checks(&self) -> bool {
        self.expensive_checks.load(Ordering::Relaxed)
    }

    #[setter]
    fn set_expensive_checks(&self, value: bool) {
        self.expensive_checks.store(value, Ordering::Relaxed);
    }

    /// True if a script has to begin with an operation that nothing else is beside.
    #[getter]
    fn get_enforce_single_top_level_transform_op(&self) -> bool {
        self.enforce_single_top_level_transform_op
            .load(Ordering::Relaxed)
    }

    #[setter]
    fn set_enforce_single_top_level_transform_op(&self, value: bool) {
        self.enforce_single_top_level_transform_op
            .store(value, Ordering::Relaxed);
    }
}

/// Runs `work` and collects the diagnostics of the context meanwhile, of all severities, as text.
fn listen<T>(py: Python<'_>, context: &Context, work: impl FnOnce() -> T) -> PyResult<(T, String)> {
    let raw = context.get_outside_handlers(py)?;
    let mut text = String::new();
    // SAFETY: the context is live, and the text lives until the handler is detached below.
    let id = unsafe {
        mlirContextAttachDiagnosticHandler(raw, Some(note), (&raw mut text).cast(), None)
    };
    let result = work();
    // SAFETY: the handler was attached above and is still there.
    unsafe { mlirContextDetachDiagnosticHandler(raw, id) };
    Ok((result, text))
}

/// The diagnostic handler behind [`listen`].
unsafe extern "C" fn note(diagnostic: MlirDiagnostic, data: *mut c_void) -> MlirLogicalResult {
    // SAFETY: `data` is the text of `listen`, and MLIR calls its handlers one at a time. The
    // diagnostic is live, as are its location and its notes.
    unsafe {
        let text = &mut *data.cast::<String>();
        append(diagnostic, text);
    }
    MlirLogicalResult { value: 1 }
}

/// Appends where a diagnostic is and what it says, and so its notes, a line each.
///
/// # Safety
///
/// `diagnostic` is live.
unsafe fn append(diagnostic: MlirDiagnostic, text: &mut String) {
    // SAFETY: the caller vouches for the diagnostic; the last two arguments belong together, and
    // there are as many notes as are asked for.
    unsafe {
        let place = mlirDiagnosticGetLocation(diagnostic);
        let place = collect(|callback, data| mlirLocationPrint(place, callback, data));
        let message = collect(|callback, data| mlirDiagnosticPrint(diagnostic, callback, data));
        text.push_str(&format!("at {place}: {message}"));
        for index in 0..mlirDiagnosticGetNumNotes(diagnostic) {
            text.push('\n');
            append(mlirDiagnosticGetNote(diagnostic, index), text);
        }
    }
}

/// Runs the script that begins with `transform_root` on what `payload_root` is; a `ValueError` with
/// the diagnostics if it fails. Other threads of Python go on meanwhile, but cannot use the context.
#[pyfunction]
#[pyo3(signature = (payload_root, transform_root, transform_module, transform_options = None),
       text_signature = "(payload_root, transform_root, transform_module, transform_options=...)")]
fn apply_named_sequence(
    payload_root: &Bound<'_, OperationBase>,
    transform_root: &Bound<'_, OperationBase>,
    transform_module: &Bound<'_, OperationBase>,
    transform_options: Option<&Bound<'_, TransformOptions>>,
) -> PyResult<()> {
    struct Job(Script, MlirOperation, RawOptions);
    // SAFETY: `run_alone` keeps every other thread away from what the pointers lead to.
    unsafe impl Send for Job {}

    let py = payload_root.py();
    let base = payload_root.get();
    let payload = base.get(py)?;
    let context = base.context_of(py)?;
    for (other, what) in [
        (transform_root, "transform root"),
        (transform_module, "transform module"),
    ] {
        require_same(&context, &other.get().context_of(py)?, what)?;
        reentrancy::refuse_run(context.get(), other.get().get(py)?)?;
    }
    reentrancy::refuse_run(context.get(), payload)?;
    base.tree(py)?.get().refuse_loose_uses()?;
    // SAFETY: the three are live.
    let script = unsafe {
        let start = transform_root.get().get(py)?;
        Script::new(payload, start, transform_module.get().get(py)?)?
    };
    let options = match transform_options {
        Some(options) => RawOptions::of(options.get()),
        None => RawOptions::new(),
    };
    // SAFETY: the function has no precondition. A script may call passes by their names.
    unsafe { mondoRegisterBundlePasses() };
    let job = Job(script, payload, options);
    let outcome = listen(py, context.get(), || {
        // The context is taken before the interpreter is let go, and given back after.
        context.get().run_alone(|| {
            reentrancy::run_outside_pass(|| {
                py.detach(|| {
                    let job = job;
                    let Job(script, payload, options) = &job;
                    // SAFETY: all are live: the arguments hold them for the time of the call, and no
                    // other thread gets at them.
                    wrapper::because(Cause::Transform, || unsafe {
                        mlirTransformApplyNamedSequence(
                            *payload,
                            script.start,
                            script.module,
                            options.0,
                        )
                    })
                })
            })
        })
    });
    wrapper::reclaim(py);
    let (done, text) = outcome?;
    if !succeeded(done) {
        return Err(PyValueError::new_err(format!(
            "Failed to apply named transform sequence.\nDiagnostic message {text}"
        )));
    }
    if !text.is_empty() {
        eprint!("Diagnostic generated while applying transform.named_sequence:\n{text}");
    }
    Ok(())
}

/// Copies the symbols of `other` into `target`; private ones get other names where they have to. A
/// `ValueError` with the diagnostics if both have a public symbol of one name.
#[pyfunction]
fn copy_symbols_and_merge_into(
    target: &Bound<'_, OperationBase>,
    other: &Bound<'_, OperationBase>,
) -> PyResult<()> {
    let py = target.py();
    let base = target.get();
    let context = base.context_of(py)?;
    require_same(&context, &other.get().context_of(py)?, "operation")?;
    let (target, other) = (base.get(py)?, other.get().get(py)?);
    reentrancy::refuse_run(context.get(), target)?;
    base.tree(py)?.get().refuse_loose_uses()?;
    for (op, what) in [(target, "target"), (other, "other")] {
        // SAFETY: the operation is live, and a table that was made is destroyed.
        unsafe {
            let table = mlirSymbolTableCreate(op);
            if table.ptr.is_null() {
                return Err(PyValueError::new_err(format!("{what} has no symbol table")));
            }
            mlirSymbolTableDestroy(table);
        }
    }
    let outcome = listen(py, context.get(), || {
        // SAFETY: both are live and have symbol tables.
        wrapper::because(Cause::Transform, || unsafe {
            mlirMergeSymbolsIntoFromClone(target, other)
        })
    });
    wrapper::reclaim(py);
    let (done, text) = outcome?;
    if succeeded(done) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "Failed to merge symbols.\nDiagnostic message {text}"
    )))
}

pub(crate) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_class(module, module.py().get_type::<TransformOptions>())?;
    module.setattr(
        "apply_named_sequence",
        wrap_pyfunction!(apply_named_sequence, module)?,
    )?;
    module.setattr(
        "copy_symbols_and_merge_into",
        wrap_pyfunction!(copy_symbols_and_merge_into, module)?,
    )
}
