//! The setters of a context's threads, registries and dialects, which fail while a pass pipeline runs on it.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use mondo_ir::{Registry, ThreadPool, declarations as c};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::{Context, Entered};

impl Context {
    /// The context's address, for a capsule.
    pub(crate) fn address(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.get(py)
    }

    /// Runs `change` with the context; fails while a pipeline runs on it.
    fn change(object: &Bound<'_, Self>, change: impl FnOnce(Entered<'_, '_>)) -> PyResult<()> {
        Self::enter(object.py(), object.as_unbound(), |ctx| {
            object.get().refuse_while_running()?;
            change(ctx);
            Ok(())
        })
    }

    /// Switches multithreading on or off: with the thread pool that the context was given or, if there is
    /// none, with the one that all contexts share.
    pub(crate) fn set_threads(object: &Bound<'_, Self>, enable: bool) -> PyResult<()> {
        if enable {
            object.get().refuse_threads()?;
        }
        Self::change(object, |ctx| {
            let own = object.get().pool().is_some();
            // SAFETY: `change` has refused a context on which a pipeline runs.
            unsafe {
                if !enable || own {
                    c::mlirContextEnableMultithreading(*ctx, enable);
                } else if !object.get().is_multithreaded() {
                    ctx.share_threads();
                }
            }
        })
    }

    /// Switches the threads off for good, because verifiers written in Python are called in the thread that has the
    /// interpreter: MLIR's threads would wait for it, and it for them.
    pub(crate) fn verify_in_python(object: &Bound<'_, Self>) -> PyResult<()> {
        Self::set_threads(object, false)?;
        object
            .get()
            .verifies_in_python
            .store(true, Ordering::Release);
        Ok(())
    }

    /// Fails if the context has a verifier written in Python.
    fn refuse_threads(&self) -> PyResult<()> {
        if self.verifies_in_python.load(Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "the context has a verifier written in Python, which cannot run in several threads",
            ));
        }
        Ok(())
    }

    /// Gives the context a thread pool of its own. The context's wrapper keeps `owner`, the pool's Python
    /// object, alive.
    pub(crate) fn give_threads(
        object: &Bound<'_, Self>,
        pool: &ThreadPool,
        owner: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        object.get().refuse_threads()?;
        // SAFETY: `change` has refused a context on which a pipeline runs, and the context's object holds
        // the owner of the threads from here on.
        Self::change(object, |ctx| unsafe { ctx.give_threads(pool) })?;
        let before = object.get().pool().replace(owner.clone().unbind());
        drop(before);
        Ok(())
    }

    /// Makes the dialects of a registry available.
    pub(crate) fn append_registry(object: &Bound<'_, Self>, registry: &Registry) -> PyResult<()> {
        Self::change(object, |ctx| registry.append_to(*ctx))
    }

    /// Loads every dialect that a registry made available.
    pub(crate) fn load_all(object: &Bound<'_, Self>) -> PyResult<()> {
        // SAFETY: `change` has refused a context on which a pipeline runs.
        Self::change(object, |ctx| unsafe {
            c::mlirContextLoadAllAvailableDialects(*ctx);
        })
    }
}
