//! The call of a Python function by a PDL pattern, and the class `PDLResultList`, through which the function
//! returns results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_ir::objects::{NativeCall, NativeValue, PdlFunction};
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList};

use crate::interop::callback::Callback;
use crate::ownership::context::{Context, Entered};
use crate::ownership::owner;
use crate::ownership::value;

use super::drive::Drive;
use super::native::{self, Kind, Place};
use super::rewriter::PatternRewriter;

/// A Python function that patterns call.
pub(super) struct Native {
    pub(super) callback: Arc<Callback>,
    pub(super) name: String,
    /// The kinds of the results that the patterns expect.
    pub(super) results: Vec<Kind>,
    pub(super) is_rewrite: bool,
}

impl Native {
    pub(super) fn callback(&self) -> &Callback {
        &self.callback
    }
}

/// The list in which a native function puts its results; valid until it returns.
#[pyclass(frozen, subclass)]
pub(super) struct PDLResultList {
    /// The results; None once the function has returned.
    objects: Mutex<Option<Vec<Py<PyAny>>>>,
    context: Py<Context>,
}

impl PDLResultList {
    fn objects(&self) -> MutexGuard<'_, Option<Vec<Py<PyAny>>>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PDLResultList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        // If the mutex is locked, its references are not visited; the collector then frees less, never too
        // much.
        let Ok(objects) = self.objects.try_lock() else {
            return Ok(());
        };
        let mut objects = objects.iter().flatten();
        objects.try_for_each(|object| visit.call(object))
    }

    /// Appends a value, an operation, a type or an attribute.
    fn append(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        Context::enter(value.py(), &self.context, |ctx| {
            native::given(ctx, value).map(drop)
        })?;
        let mut objects = self.objects();
        let objects = objects.as_mut().ok_or_else(|| {
            PyRuntimeError::new_err(
                "the result list is invalid (used outside of the function it was made for)",
            )
        })?;
        objects.push(value.clone().unbind());
        Ok(())
    }
}

impl PdlFunction for Native {
    fn call(&self, call: &NativeCall<'_, '_>) -> bool {
        let native = self;
        // MLIR sets the insertion point before it calls a rewrite function. When it calls a constraint, the
        // insertion point is an old one and may be destroyed.
        let mut place = Place::of(call, native.is_rewrite);
        let attached = catch_unwind(AssertUnwindSafe(|| {
            Python::try_attach(|py| {
                let block = place.block(py);
                let drive = Drive::current();
                let drive = drive.as_deref();
                if drive.is_some_and(Drive::has_raised) {
                    return native.fail(py, &place, call, drive);
                }
                let error = match native.run(py, call, drive) {
                    Ok(true) => return true,
                    Ok(false) if !native.is_rewrite => return false,
                    Ok(false) => PyRuntimeError::new_err(format!(
                        "the rewrite function {:?} failed, and what its pattern did cannot be undone",
                        native.name
                    )),
                    Err(error) => error,
                };
                match drive {
                    Some(drive) => drive.raise(error),
                    None => error.write_unraisable(py, None),
                }
                if block.is_none_or(|block| block.get().read(py, |_| ()).is_err()) {
                    place.forget_block();
                }
                native.fail(py, &place, call, drive)
            })
        }));
        match attached {
            Ok(Some(succeeded)) => succeeded,
            // `try_attach` failed, because the interpreter is shutting down.
            Ok(None) => native.fail_without_python(&place, call),
            Err(_) => {
                place.forget_block();
                native.fail_without_python(&place, call)
            }
        }
    }
}

impl Native {
    /// Reports a constraint as failed; passes placeholders for the results of a rewrite function, which must
    /// not fail. No results were passed before.
    fn fail<'ctx>(
        &self,
        py: Python<'_>,
        place: &Place<'ctx>,
        call: &NativeCall<'_, 'ctx>,
        drive: Option<&Drive>,
    ) -> bool {
        if self.is_rewrite {
            let given = place.give_placeholders(&self.results, call);
            if let Some(drive) = drive {
                for op in given {
                    drive.remember(owner::object(py, op).ok());
                }
            }
        }
        self.is_rewrite
    }

    fn fail_without_python<'ctx>(&self, place: &Place<'ctx>, call: &NativeCall<'_, 'ctx>) -> bool {
        if self.is_rewrite {
            place.give_placeholders(&self.results, call);
        }
        self.is_rewrite
    }

    /// Calls the function. Returns whether it succeeded; if so, its results were passed to MLIR.
    fn run(
        &self,
        py: Python<'_>,
        call: &NativeCall<'_, '_>,
        drive: Option<&Drive>,
    ) -> PyResult<bool> {
        let callable = self.callback.get(py).ok_or_else(|| {
            PyRuntimeError::new_err("the function was freed by the garbage collector")
        })?;
        let context = Context::calling(py, call.ctx())?;
        let ctx = Entered::of(py, &context, call.ctx())?;
        let tree = native::tree_of(call, drive);
        let values = call
            .values()
            .map(|value| object(ctx, value))
            .collect::<PyResult<Vec<_>>>()?;
        let list = Py::new(
            py,
            PDLResultList {
                objects: Mutex::new(Some(Vec::new())),
                context: context.clone_ref(py),
            },
        )?;
        let rewriter =
            PatternRewriter::open(py, call.rewriter(), context.clone_ref(py), None, drive)?;
        if !self.is_rewrite {
            rewriter.get().only_look();
        }
        let arguments = (
            rewriter.clone_ref(py),
            list.clone_ref(py),
            PyList::new(py, values)?,
        );
        let result = callable.call1(py, arguments);
        rewriter.get().close();
        let objects = list.get().objects().take().unwrap_or_default();
        if result?.bind(py).is_truthy()? {
            return Ok(false);
        }
        let objects: Vec<_> = objects
            .into_iter()
            .map(|object| object.into_bound(py))
            .collect();
        native::give(&self.name, &self.results, &objects, &context, call, tree)?;
        Ok(true)
    }
}

/// The wrapper of an argument of a native function.
fn object<'ctx>(ctx: Entered<'_, 'ctx>, value: Option<NativeValue<'ctx>>) -> PyResult<Py<PyAny>> {
    match value {
        Some(NativeValue::Value(value)) => value::object(ctx.py(), value),
        Some(NativeValue::Op(op)) => Ok(owner::object(ctx.py(), op)?.into_any()),
        Some(NativeValue::Attribute(attribute)) => ctx.wrap(attribute),
        Some(NativeValue::Type(ty)) => ctx.wrap(ty),
        None => Err(PyRuntimeError::new_err("unsupported PDL value type")),
    }
}
