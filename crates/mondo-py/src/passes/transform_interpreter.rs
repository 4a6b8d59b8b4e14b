//! `_mlirTransformInterpreter`: running scripts of the `transform` dialect on a payload operation.

use std::sync::atomic::{AtomicBool, Ordering};

use mondo_ir::nodes::Op;
use mondo_ir::objects::Pipeline;
use mondo_ir::objects::transform::{self, ScriptRun};
use mondo_ir::transcribed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyTuple};

use crate::interop::standard_error;
use crate::interop::submodules::add_class;
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

impl TransformOptions {
    /// The options as mondo-ir's `TransformOptions`.
    fn copy(&self) -> transform::TransformOptions {
        let mut options = transform::TransformOptions::default();
        options.set_expensive_checks(self.get_expensive_checks());
        options.set_single_top_level(self.get_enforce_single_top_level_transform_op());
        options
    }
}

#[pymethods]
impl TransformOptions {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs), text_signature = "()")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        let defaults = transform::TransformOptions::default();
        Self {
            expensive_checks: defaults.expensive_checks().into(),
            enforce_single_top_level_transform_op: defaults.single_top_level().into(),
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

/// Runs `work`, and returns its result with the text of all diagnostics of the context meanwhile, of whatever
/// severity.
fn listen<T>(
    py: Python<'_>,
    context: &Py<Context>,
    work: impl FnOnce() -> T,
) -> PyResult<(T, String)> {
    context.get().refuse_in_handlers()?;
    Context::enter(py, context, |ctx| Ok(transcribed(*ctx, work)))
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
    let py = payload_root.py();
    let base = payload_root.get();
    base.read(py, |_| ())?;
    let context = base.context_of(py)?;
    for (other, what) in [
        (transform_root, "transform root"),
        (transform_module, "transform module"),
    ] {
        let other = other.get();
        require_same(&context, &other.context_of(py)?, what)?;
        other.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
    }
    base.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
    base.tree(py)?.get().refuse_loose_uses()?;
    let options = transform_options.map(|options| options.get().copy());
    let options = options.unwrap_or_default();
    let run = Context::enter(py, &context, |ctx| {
        let payload = base.within(ctx)?;
        let start = transform_root.get().within(ctx)?;
        let module = transform_module.get().within(ctx)?;
        let is_apart = |op: Op<'_>| op.root().address() != payload.root().address();
        if is_apart(start) && is_apart(module) {
            return Ok(ScriptRun::new(payload, start, module, &options));
        }
        // A script in the same tree as its payload could erase itself while it runs, so that a copy of it is
        // run.
        let path = transform::path(module, start);
        let copied =
            path.and_then(|path| ScriptRun::of_copy(payload, module.duplicate(), &path, &options));
        copied.ok_or_else(|| {
            PyValueError::new_err(
                "a script that is part of what it transforms must begin in the module that is \
                 given for it",
            )
        })
    })?;
    // A script may call passes by name (`transform.apply_registered_pass`), so that they have to be
    // registered.
    Pipeline::register_passes();
    let outcome = listen(py, &context, || {
        // `run_alone` is entered before the thread detaches from the interpreter, and left after it has
        // attached again, so that no other thread uses the context in between.
        context.get().run_alone(|| {
            reentrancy::run_outside_pass(|| {
                py.detach(|| {
                    // SAFETY: the operations were found live above, no Python code has run since, and the
                    // arguments keep their trees alive during the call. `run_alone` keeps all other threads
                    // from the context.
                    wrapper::because(Cause::Transform, || unsafe { run.start() })
                })
            })
        })
    });
    wrapper::reclaim(py);
    let (done, text) = outcome?;
    if !done {
        return Err(PyValueError::new_err(format!(
            "Failed to apply named transform sequence.\nDiagnostic message {text}"
        )));
    }
    if !text.is_empty() {
        let text = text.trim_end_matches('\n');
        standard_error::write(
            py,
            &format!("Diagnostic generated while applying transform.named_sequence:\n{text}"),
        );
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
    base.read(py, |_| ())?;
    other.get().read(py, |_| ())?;
    base.read(py, |op| reentrancy::refuse_run(context.get(), op))??;
    base.tree(py)?.get().refuse_loose_uses()?;
    for (op, what) in [(base, "target"), (other.get(), "other")] {
        if !op.read(py, transform::has_symbols)? {
            return Err(PyValueError::new_err(format!("{what} has no symbol table")));
        }
    }
    let outcome = listen(py, &context, || {
        Context::enter(py, &context, |ctx| {
            let (target, other) = (base.within(ctx)?, other.get().within(ctx)?);
            // SAFETY: both are of the context, and the closure ends.
            Ok(wrapper::because(Cause::Transform, || unsafe {
                transform::merge_symbols(target, other)
            }))
        })
    });
    wrapper::reclaim(py);
    let (done, text) = outcome?;
    if done? {
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
