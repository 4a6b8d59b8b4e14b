//! A thing that MLIR uniques, as a Python object keeps it: beside the object of its context.

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

/// A thing of the sort `S`, of a context that is kept alive. It becomes a handle again where that context
/// is entered.
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
    /// Keeps a thing of the context.
    #[inline]
    pub(crate) fn of<'ctx>(ctx: Entered<'_, 'ctx>, thing: S::Of<'ctx>) -> Self {
        Self {
            address: S::address(thing),
            context: ctx.object().clone_ref(ctx.py()),
            sort: PhantomData,
        }
    }

    /// The thing in a capsule that an extension made.
    pub(crate) fn from_capsule(capsule: &Bound<'_, PyAny>, name: &'static str) -> PyResult<Self> {
        let address = NonNull::new(capsule::unwrap(capsule, name)?)
            .ok_or_else(|| PyValueError::new_err(format!("the capsule `{name}` is empty")))?;
        // SAFETY: by the protocol of capsules, the code that made this one put a live type, attribute or
        // the like into it, which knows its context.
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

    /// One that is good for nothing but to be measured.
    pub(crate) fn sample(py: Python<'_>) -> Self {
        Self {
            address: NonNull::dangling(),
            context: wrapper::nothing(py),
            sort: PhantomData,
        }
    }

    /// Drops what it keeps, in an attached thread.
    pub(crate) fn release(self, py: Python<'_>) {
        self.context.drop_ref(py);
    }

    /// The same thing.
    pub(crate) fn duplicate(&self, py: Python<'_>) -> Self {
        Self {
            address: self.address,
            context: self.context.clone_ref(py),
            sort: PhantomData,
        }
    }

    /// The handle, in its context; `what` is the noun in the exception for another context.
    #[inline]
    pub(crate) fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>, what: &str) -> PyResult<S::Of<'ctx>> {
        require_same(ctx.object(), &self.context, what)?;
        self.context.get().check_access(ctx.py())?;
        // SAFETY: the thing is of the context of the object, which is the brand's.
        Ok(unsafe { S::at(self.address) })
    }

    /// Runs `look` with the thing in its context.
    #[inline]
    pub(crate) fn with<R>(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, S::Of<'ctx>) -> PyResult<R>,
    ) -> PyResult<R> {
        Context::enter(py, &self.context, |ctx| {
            // SAFETY: the thing is of the context of the object, which is the one that was entered.
            look(ctx, unsafe { S::at(self.address) })
        })
    }

    /// Runs `look` with the thing.
    #[inline]
    pub(crate) fn read<R>(
        &self,
        py: Python<'_>,
        look: impl for<'ctx> FnOnce(S::Of<'ctx>) -> R,
    ) -> PyResult<R> {
        self.with(py, |_, thing| Ok(look(thing)))
    }

    /// The text of the thing.
    pub(crate) fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |thing| S::to_text(thing))
    }

    /// The context that it lives in.
    pub(crate) fn context(&self) -> &Py<Context> {
        &self.context
    }

    /// The address by which it is compared.
    pub(crate) fn address(&self) -> NonNull<c_void> {
        self.address
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)
    }
}

/// Bytes that a context has, which is kept alive.
pub(crate) struct ContextBytes {
    bytes: NonNull<[u8]>,
    _context: Py<Context>,
}

impl ContextBytes {
    /// Keeps what lives as long as the context.
    pub(crate) fn of<'ctx>(ctx: Entered<'_, 'ctx>, bytes: &'ctx [u8]) -> Self {
        Self {
            bytes: NonNull::from(bytes),
            _context: ctx.object().clone_ref(ctx.py()),
        }
    }
}

impl Memory for ContextBytes {
    fn bytes(&self) -> &[u8] {
        // SAFETY: what has the brand of a context lives as long as it, and this keeps the context.
        unsafe { self.bytes.as_ref() }
    }
}
