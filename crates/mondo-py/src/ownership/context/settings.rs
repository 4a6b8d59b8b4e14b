//! The threads, registries and dialects of a context.

use std::ffi::c_void;
use std::ptr::NonNull;

use mondo_ir::{Registry, ThreadPool, declarations as c};
use pyo3::prelude::*;

use super::{Context, Entered};

impl Context {
    /// The address by which the C API knows it.
    pub(crate) fn address(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        self.get(py)
    }

    /// Runs `change` with the context, which runs no pipeline.
    fn change(object: &Bound<'_, Self>, change: impl FnOnce(Entered<'_, '_>)) -> PyResult<()> {
        Self::enter(object.py(), object.as_unbound(), |ctx| {
            object.get().refuse_while_running()?;
            change(ctx);
            Ok(())
        })
    }

    /// Switches its threads on or off: those that it was given, or those that all contexts share.
    pub(crate) fn set_threads(object: &Bound<'_, Self>, enable: bool) -> PyResult<()> {
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

    /// Gives it threads of its own; `owner` is the object that has them, which it keeps alive.
    pub(crate) fn give_threads(
        object: &Bound<'_, Self>,
        pool: &ThreadPool,
        owner: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
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
