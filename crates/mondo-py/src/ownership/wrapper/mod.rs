//! Python objects that are tied to something of MLIR's: one object for each operation, block,
//! region, value, type, attribute and module, the same one as long as that lives.
//!
//! An object whose last reference goes is not freed while what it stands for lives: its memory is
//! *dormant* where that is known (the operation's observer, the tables of its operation or context),
//! and the next look at the same thing brings the very object back, `id()`, class and all. An object
//! with attributes of its own (a `__dict__` that is not empty) is *held* instead, by a [`RetainedObjects`] that
//! the garbage collector can see through.
//!
//! It works on the stable ABI: each wrapper class is a type made with `PyType_FromSpec` over a class of
//! PyO3's, whose `tp_dealloc` is ours. A class written in Python has a `tp_dealloc` of its own, which
//! ends in a call of ours. Its `__dict__` and weak references lie in the base, so that it frees
//! neither. (`__slots__` of such a class do not survive.)
//!
//! Locks: everything here is called with the interpreter attached, but for [`ObservedNode::on_death`],
//! which any thread may be in. What both touch is atomic: the pointer and the state of a [`ObservedNode`].
//! [`RETAINED`] and the map of a [`RetainedObjects`] are behind mutexes of their own, which are never held while
//! Python code can run.

mod class;
mod class_trait;
mod header;
mod layout;
mod lifecycle;
mod observed;
mod retained;
mod transient;

pub(crate) use class::{has_own_init, leaf, leaf_with, publish, publish_over, publish_with};
pub(crate) use class_trait::{Disposal, Getters, Wrapper};
pub(crate) use header::Header;
pub(crate) use layout::{Layout, published};
pub(crate) use lifecycle::{
    abandon, answer, attached, being_freed, borrowed, contents, create, create_plain, fetch,
    fetch_active, share_active, uncollected,
};
pub(crate) use observed::{Cause, ObservedNode, because, install, reclaim};
pub(crate) use retained::{RetainedObjects, some_are_retained};
pub(crate) use transient::{Pool, Transient, impl_transient, new, nothing, publish_transient};
