//! Wrappers and their identity map: each operation, block, region, value, type, attribute and module of MLIR
//! has one Python object, which stays the same as long as the MLIR object lives.
//!
//! A wrapper has one of four states (`header`). It is *active* while Python has a reference to it. When the
//! last one goes while the node lives, the wrapper is not freed: it becomes *dormant*, and its memory stays
//! where the identity map finds it (the operation's observer, the tables of its operation or context). The
//! next access to the same node returns this object, with its `id()` and its class. A wrapper with attributes
//! of its own (a `__dict__` that is not empty) is *retained* instead: a [`RetainedObjects`], which the
//! garbage collector visits, has a reference to it. A wrapper is *dead* when its node was destroyed; if it
//! was dormant, the dead list has it until [`reclaim`] frees it.
//!
//! Transient wrappers (`transient`) have no identity: lists, iterators, and locations.
//!
//! All of this uses the stable ABI: each wrapper class is a type with mondo's `tp_dealloc`, made with
//! `PyType_FromSpec` over a class of PyO3's. A class written in Python has CPython's `subtype_dealloc`, which
//! calls the base's `tp_dealloc` last. Its `__dict__` and weak references are in the base's layout, so that
//! it frees neither. (`__slots__` of such a class are lost when the wrapper becomes dormant.)
//!
//! Locks: everything here is called by attached threads, except `ObservedNode::on_death`, which any thread
//! may run. That function and attached threads share the pointer and the state of an [`ObservedNode`], which
//! are atomic. The list of retained objects whose nodes were destroyed, and the map of [`RetainedObjects`],
//! are behind mutexes of their own, which are never locked while Python code can run.

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
    abandon, being_freed, borrowed, contents, create, create_plain, fetch, fetch_active,
    share_active, uncollected,
};
pub(crate) use observed::{Cause, ObservedNode, because, install, reclaim};
pub(crate) use observed_handle::{ObservedHandle, fetch_observed, observe};
pub(crate) use place::{AnyPlace, Place};
pub(crate) use retained::{RetainedObjects, some_are_retained};
pub(crate) use transient::{
    Pool, Pooled, Transient, impl_transient, make, new, nothing, publish_derived, publish_transient,
};
