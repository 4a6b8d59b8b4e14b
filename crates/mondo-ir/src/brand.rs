//! The brand: the lifetime parameter that ties each handle to one scope of one context.

use std::marker::PhantomData;

/// An invariant, generative lifetime.
///
/// [`Context::enter`](crate::Context::enter) calls a closure that is generic over `'ctx`, so each call
/// has a lifetime of its own, and invariance keeps the compiler from making two of them the same. A
/// plain borrow of the context would not do: MLIR keeps a type that is made of others in its context,
/// and with a covariant lifetime the part could belong to another context, which may be destroyed first.
///
/// A handle stays in the thread of its scope (the raw pointer makes it neither `Send` nor `Sync`):
/// MLIR's tables of types are not locked while a context's threads are off.
pub(crate) type Brand<'ctx> = PhantomData<(fn(&'ctx ()) -> &'ctx (), *const ())>;
