//! The objects of observed nodes, by the nodes' handles.

use mondo_ir::nodes::Observable;
use pyo3::prelude::*;

use super::class_trait::Wrapper;
use super::lifecycle::{being_freed, fetch};
use super::observed::ObservedNode;

/// A handle of nodes that know their object. A kind of handles has one implementation, and so one class of objects:
/// what is behind an observer follows from the handle.
pub(crate) trait ObservedHandle: Observable {
    type Object: Wrapper;

    /// The part of an object that is the observer.
    fn node(object: &Self::Object) -> &ObservedNode;
}

/// The object of a node, if it has one.
#[inline]
pub(crate) fn fetch_observed<H: ObservedHandle>(
    py: Python<'_>,
    node: H,
    wake: impl FnOnce(&H::Object),
) -> Option<PyResult<Py<H::Object>>> {
    let known = ObservedNode::object_of(node)?;
    // SAFETY: the node lives, by its brand, and has an observer, which only `observe` sets: its object is one of the
    // handle's class, and has a place until the death hook reports the node's end.
    Some(unsafe { fetch::<H::Object>(py, known, wake) }.ok_or_else(being_freed))
}

/// Makes an object known to its node. It does nothing if the object's observer is not its own.
#[inline]
pub(crate) fn observe<H: ObservedHandle>(node: H, object: &Py<H::Object>) {
    let observer = H::node(object.get());
    if observer.header().object() != object.as_ptr() {
        return;
    }
    observer.header().enter_place();
    // SAFETY: the node lives, by its brand. The object, which is the observer, has a place now, and so stays in memory,
    // perhaps dormant, until the death hook has reported the node's end.
    unsafe { node.observe(observer.observer()) };
}
