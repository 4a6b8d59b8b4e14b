//! References from Python objects to what MLIR uniques in a context (types, attributes, locations, affine
//! maps): an address, with a reference to the context's wrapper.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use mondo_ir::Sort;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::interop::buffer_export::Memory;
use crate::interop::capsule;
use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::wrapper;

/// A uniqued object of the sort `S`, with a reference to its context. [`Self::within`] and [`Self::with`]
/// turn it into a handle again.
pub(crate) struct UniquedRef<S> {
    address: NonNull<c_void>,
    context: Py<Context>,
    sort: PhantomData<fn() -> S>,
}

// SAFETY: what MLIR uniques is immutable, and the reference in `context` keeps its context alive.
unsafe impl<S> Send for UniquedRef<S> {}
// SAFETY: what MLIR uniques is immutable, and the reference in `context` keeps its context alive.
unsafe impl<S> Sync for UniquedRef<S> {}

impl<S: Sort> UniquedRef<S> {
    /// Keeps a uniqued object of the context.
    #[inline]
    pub(crate) fn of<'ctx>(ctx: Entered<'_, 'ctx>, thing: S::Of<'ctx>) -> Self {
        Self {
            address: S::address(thing),
            context: ctx.object().clone_ref(ctx.py()),
            sort: PhantomData,
        }
    }

    /// The uniqued object in a capsule that another extension made.
    pub(crate) fn from_capsule(capsule: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let address = NonNull::new(capsule::unwrap(capsule, name)?)
            .ok_or_else(|| PyValueError::new_err(format!("the capsule `{name}` is empty")))?;
        // SAFETY: by the protocol of capsules, the code that made this one put a live object of the sort `S`
        // into it.
        let ctx = S::uniquer(unsafe { S::at(address) });
        let context = Context::calling(capsule.py(), ctx)?;
        Ok(Self {
            address,
            context,
            sort: PhantomData,
        })
    }

    /// A capsule for extensions that use the C API.
    pub(crate) fn to_capsule<'py>(
        &self,
        py: Python<'py>,
        name: &'static str,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.context.get().get(py)?;
        capsule::wrap(py, name, self.address.as_ptr())
    }

    /// A value for [`Transient::sample`](wrapper::Transient::sample), which must not be used as a handle.
    pub(crate) fn sample(py: Python<'_>) -> Self {
        Self {
            address: NonNull::dangling(),
            context: wrapper::nothing(py),
            sort: PhantomData,
        }
    }

    /// Drops the reference to the context. The token spares PyO3 the question whether the thread is attached.
    pub(crate) fn release(self, py: Python<'_>) {
        self.context.drop_ref(py);
    }

    /// A second reference to the same object.
    pub(crate) fn duplicate(&self, py: Python<'_>) -> Self {
        Self {
            address: self.address,
            context: self.context.clone_ref(py),
            sort: PhantomData,
        }
    }

    /// The handle, in the context that was entered; `what` is the noun in the exception for another context.
    #[inline]
    pub(crate) fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>, what: &str) -> PyResult<S::Of<'ctx>> {
        require_same(ctx.object(), &self.context, what)?;
        self.context.get().check_access(ctx.py())?;
        // SAFETY: `of` and `from_capsule` stored an address of the sort `S` in this context, and
        // `require_same` has found that it is the context of `ctx`.
        Ok(unsafe { S::at(self.address) })
    }

    /// Runs `look` with the handle, in its context.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, S::Of<'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        Context::enter(py, &self.context, |ctx| {
            // SAFETY: `of` and `from_capsule` stored an address of the sort `S` in this context, which was
            // entered.
            look(ctx, unsafe { S::at(self.address) })
        })
    }

    /// Runs `look` with the handle.
    #[inline]
    pub(crate) fn read<R>(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(S::Of<'ctx>) -> R,
    ) -> PyResult<R> {
        self.with(py, |_, thing| Ok(look(thing)))
    }

    /// The textual form.
    pub(crate) fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |thing| S::to_text(thing))
    }

    /// The context of the uniqued object.
    pub(crate) fn context(&self) -> &Py<Context> {
        &self.context
    }

    /// The address, by which uniqued objects are compared.
    pub(crate) fn address(&self) -> NonNull<c_void> {
        self.address
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }
}

/// Bytes that a context owns, with a reference to the context.
pub(crate) struct ContextBytes {
    bytes: NonNull<[u8]>,
    _context: Py<Context>,
}

impl ContextBytes {
    /// Keeps bytes that live as long as the context.
    pub(crate) fn of<'ctx>(ctx: Entered<'_, 'ctx>, bytes: &'ctx [u8]) -> Self {
        Self {
            bytes: NonNull::from(bytes),
            _context: ctx.object().clone_ref(ctx.py()),
        }
    }
}

impl Memory for ContextBytes {
    fn bytes(&self) -> &[u8] {
        // SAFETY: `of` took bytes that live as long as the context, by their lifetime, and `_context` keeps
        // the context alive.
        unsafe { self.bytes.as_ref() }
    }
}
