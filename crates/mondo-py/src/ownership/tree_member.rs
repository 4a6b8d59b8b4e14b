//! What the wrappers of operations and blocks share: the observed node, and the reference to its tree.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::offset_of;
use std::ptr::NonNull;
use std::sync::Arc;

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::interop::attached_cell::Slot;
use crate::ownership::context;
use crate::ownership::tree::{self, Root, Tree};
use crate::ownership::wrapper::{Disposal, ObservedNode, RetainedObjects, Wrapper};

/// A wrapper class whose objects are members of a tree.
pub(crate) trait Member: Wrapper {
    /// What error messages call a member.
    const NOUN: &'static str;

    /// Fails if the Python pass that this thread runs must not use the member at `address`.
    ///
    /// # Safety
    ///
    /// A live node of this class is at the address.
    unsafe fn check_pass_access(address: NonNull<c_void>) -> PyResult<()>;
}

/// The node of a wrapper of the class `W`, and the wrapper's reference to the tree that has the node.
#[repr(C)]
pub(crate) struct TreeMember<W> {
    /// First, because the runtime has the wrapper's address as the node's observer, and reads this field
    /// there.
    pub(crate) node: ObservedNode,
    /// None while the wrapper is dormant, and once the node was destroyed.
    pub(crate) tree: Slot<Py<Tree>>,
    class: PhantomData<fn() -> W>,
}

const _: () = assert!(offset_of!(TreeMember<()>, node) == 0);

impl<W: Member> TreeMember<W> {
    pub(crate) fn new(address: *mut c_void, tree: Option<Py<Tree>>) -> Self {
        Self {
            node: ObservedNode::new::<W>(address),
            tree: Slot::new(tree),
            class: PhantomData,
        }
    }

    /// The node's address. The node stays live at least until other Python code runs.
    #[inline]
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        let Some(address) = NonNull::new(self.node.raw()) else {
            return Err(self.gone(py));
        };
        if context::any_is_running() {
            self.check_access(py)?;
        }
        Ok(address)
    }

    /// The exception for a node that was destroyed.
    #[cold]
    fn gone(&self, py: Python<'_>) -> PyErr {
        // The wrapper of a destroyed node has no need of its tree, and must not keep the tree alive.
        drop(self.tree.put(py, None));
        self.node.gone(py, W::NOUN)
    }

    /// Fails if a pipeline runs that keeps this thread from the node.
    #[cold]
    fn check_access(&self, py: Python<'_>) -> PyResult<()> {
        let address = NonNull::new(self.node.raw()).ok_or_else(|| self.gone(py))?;
        let tree = self.tree(py)?;
        tree.get().context().get().check_access(py)?;
        // SAFETY: the address was read from the node in this call, and the death hook sets it to null when
        // the node is destroyed, so that the node is live.
        unsafe { W::check_pass_access(address) }
    }

    /// The tree that has the node.
    #[inline]
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.tree.get(py).ok_or_else(|| self.node.gone(py, W::NOUN))
    }

    /// Gives a wrapper that is becoming active its reference to `tree`.
    #[inline]
    pub(crate) fn wake(&self, py: Python<'_>, tree: &Py<Tree>) {
        drop(self.tree.put(py, Some(tree.bind(py))));
    }

    /// Makes the node a root of `tree`, which owns it.
    pub(crate) fn become_root(&self, py: Python<'_>, tree: &Py<Tree>, root: Arc<Root>) {
        tree::set_root(&self.node, Some(root));
        self.wake(py, tree);
    }

    /// Replaces the reference of an active wrapper to its tree, and returns the previous one. A dormant
    /// wrapper stays without.
    pub(crate) fn retarget(&self, py: Python<'_>, tree: Option<&Py<Tree>>) -> Option<Py<Tree>> {
        self.tree.with(py, |held| {
            let before = held.take()?;
            *held = tree.map(|tree| tree.clone_ref(py));
            Some(before)
        })
    }

    /// Implements [`Wrapper::dispose`].
    pub(crate) fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        let tree = self.tree.put(py, None);
        if self.node.raw().is_null() {
            return then(Disposal::Free);
        }
        make_dormant(tree.as_ref(), then);
    }

    /// Implements `__traverse__`.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.tree.look(|tree| visit.call(tree)).unwrap_or(Ok(()))
    }
}

/// Makes a wrapper of `tree` dormant, or retained. If the tree has ended, an empty table takes the place of
/// the tree's table.
pub(crate) fn make_dormant(tree: Option<&Bound<'_, Tree>>, then: &mut dyn FnMut(Disposal<'_>)) {
    match tree {
        Some(tree) => then(Disposal::Dormant(tree.get().retained())),
        None => then(Disposal::Dormant(&RetainedObjects::default())),
    }
}
