//! A context during one call, with the lifetime `'ctx` by which mondo-ir tells the handles of different
//! contexts apart (their *brand*).

use std::ffi::CStr;
use std::ops::Deref;

use mondo_ir::Uniquer;
use pyo3::prelude::*;

use super::Context;

/// A context that a call uses: the wrapper that keeps it alive, and the uniquer that makes its types and
/// attributes.
///
/// `'ctx` is unique to this context. A handle with this lifetime is of the context and alive, and is not
/// checked again.
#[derive(Clone, Copy)]
pub(crate) struct Entered<'a, 'ctx> {
    py: Python<'a>,
    object: &'a Py<Context>,
    uniquer: Uniquer<'ctx>,
}

impl<'a> Entered<'a, '_> {
    pub(crate) fn py(self) -> Python<'a> {
        self.py
    }

    /// The context's wrapper.
    pub(crate) fn object(self) -> &'a Py<Context> {
        self.object
    }
}

impl<'a> Entered<'a, '_> {
    /// Runs `work` with a context.
    ///
    /// # Safety
    ///
    /// `check_access` of the context has succeeded, or `any_is_running` was false, and no Python code has run
    /// since.
    #[inline]
    pub(in crate::ownership) unsafe fn checked<R>(
        py: Python<'a>,
        object: &'a Py<Context>,
        work: impl for<'ctx> FnOnce(Entered<'a, 'ctx>) -> R,
    ) -> R {
        // SAFETY: the wrapper is borrowed until this returns, and the context lives at least as long as its
        // wrapper. That this thread may use the context is this function's contract.
        unsafe {
            Uniquer::borrow(object.get().raw.address(), |uniquer| {
                work(Entered {
                    py,
                    object,
                    uniquer,
                })
            })
        }
    }
}

impl<'ctx> Entered<'_, 'ctx> {
    /// Emits an error at a location, with the thread detached from the interpreter.
    pub(crate) fn emit_error(
        self,
        location: mondo_ir::Location<'ctx>,
        message: &CStr,
    ) -> PyResult<()> {
        let context = self.object.get();
        context.emit_error(self.py, location, message)
    }

    /// The wrapper of a type, attribute or the like of this context.
    #[inline]
    pub(crate) fn wrap(self, thing: impl Wrap<'ctx>) -> PyResult<Py<PyAny>> {
        thing.wrap(self)
    }
}

impl<'ctx> Deref for Entered<'_, 'ctx> {
    type Target = Uniquer<'ctx>;

    #[inline]
    fn deref(&self) -> &Uniquer<'ctx> {
        &self.uniquer
    }
}

/// A handle that has a wrapper in Python.
pub(crate) trait Wrap<'ctx> {
    /// The wrapper, of the most specific class for it.
    fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>>;
}

impl Context {
    /// Runs `work` with the context. Its lifetime `'ctx` keeps handles from leaving `work`; they leave it
    /// only as wrappers.
    ///
    /// A handle must not be used after a call of Python code, during which another thread may have started a
    /// pipeline on the context. `within` and `read` of the wrapper check that, and return the handle again.
    #[inline]
    pub(crate) fn enter<'a, R>(
        py: Python<'a>,
        object: &'a Py<Self>,
        work: impl for<'ctx> FnOnce(Entered<'a, 'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        object.get().get(py)?;
        // SAFETY: `get` above has called `check_access`, and no Python code has run since.
        unsafe { Entered::checked(py, object, work) }
    }
}

impl<'a, 'ctx> Entered<'a, 'ctx> {
    /// The context of a callback from MLIR, whose wrapper the caller has.
    pub(crate) fn of(
        py: Python<'a>,
        object: &'a Py<Context>,
        uniquer: Uniquer<'ctx>,
    ) -> PyResult<Self> {
        if object.get().get(py)? != uniquer.address() {
            return Err(super::of_another("object"));
        }
        Ok(Self {
            py,
            object,
            uniquer,
        })
    }
}
