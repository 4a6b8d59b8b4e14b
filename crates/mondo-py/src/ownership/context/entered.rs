//! A context for the length of a call, with the brand of the Rust API of MLIR.

use std::ffi::CStr;
use std::ops::Deref;

use mondo_ir::Uniquer;
use pyo3::prelude::*;

use super::Context;

/// A context that a call uses: the object that keeps it alive, and the maker of its types and
/// attributes.
///
/// `'ctx` stands for this one context, so that what has it needs no further check: it is of the
/// context, and the object keeps it alive.
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

    /// The context's object.
    pub(crate) fn object(self) -> &'a Py<Context> {
        self.object
    }
}

impl<'a> Entered<'a, '_> {
    /// Runs `work` with a context.
    ///
    /// # Safety
    ///
    /// `check_access` of the context has succeeded, or no pipeline runs anywhere, and Python code has not run since.
    #[inline]
    pub(in crate::ownership) unsafe fn checked<R>(
        py: Python<'a>,
        object: &'a Py<Context>,
        work: impl for<'ctx> FnOnce(Entered<'a, 'ctx>) -> R,
    ) -> R {
        // SAFETY: the object, which is borrowed until this returns, destroys the context when it is freed and not
        // before; the caller vouches for the access.
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
    /// Emits an error at a location, without holding the interpreter.
    pub(crate) fn emit_error(
        self,
        location: mondo_ir::Location<'ctx>,
        message: &CStr,
    ) -> PyResult<()> {
        let context = self.object.get();
        context.emit_error(self.py, location, message)
    }

    /// The object for something of this context.
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

/// A handle that Python has objects for.
pub(crate) trait Wrap<'ctx> {
    /// The object for it, as the class that fits it best.
    fn wrap(self, ctx: Entered<'_, 'ctx>) -> PyResult<Py<PyAny>>;
}

impl Context {
    /// Runs `work` with the context, which nothing of it leaves but as an object.
    ///
    /// A handle is not to be used after a call of Python code, which may let another thread run a
    /// pipeline on the context: `within` and `read` check the access of each object.
    #[inline]
    pub(crate) fn enter<'a, R>(
        py: Python<'a>,
        object: &'a Py<Self>,
        work: impl for<'ctx> FnOnce(Entered<'a, 'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        object.get().get(py)?;
        // SAFETY: `get` has checked that this thread may use the context now, which `checked` asks for.
        unsafe { Entered::checked(py, object, work) }
    }
}

impl<'a, 'ctx> Entered<'a, 'ctx> {
    /// The context that MLIR calls with, whose object the caller has.
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
