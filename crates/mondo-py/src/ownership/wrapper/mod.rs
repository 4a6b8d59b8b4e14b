//! Wrappers and their identity map: one Python object for each operation, block, region, value, type,
//! attribute and module of MLIR's, the same one as long as that lives.
//!
//! A wrapper has one of four states (`header`). It is *active* while Python has a reference to it.
//! When the last one goes while the node lives, the wrapper is not freed: it becomes *dormant*, and
//! its memory stays where the identity map finds it (the operation's observer, the tables of its
//! operation or context). The next access to the same node brings the very object back, with its
//! `id()` and its class. A wrapper with attributes of its own (a `__dict__` that is not empty) is
//! *retained* instead, by [`RetainedObjects`] that the garbage collector can see through. It is
//! *dead* when its node was destroyed; then the dead list has it until [`reclaim`] frees it.
//!
//! Transient wrappers (`transient`) have no identity: lists, iterators, and locations.
//!
//! It works on the stable ABI: each wrapper class is a type made with `PyType_FromSpec` over a class
//! of PyO3's, whose `tp_dealloc` is ours. A class written in Python has a `tp_dealloc` of its own,
//! which ends in a call of ours. Its `__dict__` and weak references lie in the base, so that it frees
//! neither. (`__slots__` of such a class do not survive.)
//!
//! Locks: everything here is called with the interpreter attached, but for `ObservedNode::on_death`,
//! which any thread may be in. Both touch only what is atomic: the pointer and the state of an
//! [`ObservedNode`]. The list of retained objects whose nodes were destroyed, and the map of
//! [`RetainedObjects`], are behind mutexes of their own, which are never locked while Python code can
//! run.

mod class;
mod class_trait;
mod getter;
mod header;
mod initialiser;
mod layout;
mod lifecycle;
mod observed;
mod observed_handle;
mod place;
mod retained;
mod transient;

pub(crate) use class::{has_own_init, leaf, leaf_with, publish, publish_with};
pub(crate) use class_trait::{Disposal, Getters, Wrapper};
pub(crate) use getter::{Getter, getter};
pub(crate) use header::Header;
pub(crate) use initialiser::{Initialised, publish_initialised};
pub(crate) use layout::{Layout, published};
pub(crate) use lifecycle::{
    abandon, attached, being_freed, borrowed, contents, create, create_plain, fetch, fetch_active,
    share_active, uncollected,
};
pub(crate) use observed::{Cause, ObservedNode, because, install, reclaim};
pub(crate) use observed_handle::{ObservedHandle, fetch_observed, observe};
pub(crate) use place::{AnyPlace, Place};
pub(crate) use retained::{RetainedObjects, some_are_retained};
pub(crate) use transient::{Pool, Transient, impl_transient, new, nothing, publish_transient};
