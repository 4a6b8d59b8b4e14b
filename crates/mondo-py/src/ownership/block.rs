//! The wrapper of a block.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{self, NonNull};

use mondo_ir::declarations as c;
use mondo_ir::nodes::{self, Loose};
use pyo3::prelude::*;

use crate::interop::attached_cell::Slot;
use crate::ownership::context::{self, Entered};
use crate::ownership::reentrancy;
use crate::ownership::tree::{self, Tree};
use crate::ownership::wrapper::{
    self, Disposal, Header, Layout, ObservedHandle, ObservedNode, RetainedObjects, Wrapper,
};

/// A block.
#[pyclass(frozen, subclass, dict, weakref)]
#[repr(C)]
pub(crate) struct Block {
    /// First, because the runtime has the wrapper's address as the block's observer, and reads this field
    /// there.
    pub(crate) node: ObservedNode,
    /// None while the object is dormant, and once the block was destroyed.
    pub(crate) tree: Slot<Py<Tree>>,
}

// The runtime stores the address of the first field as the block's observer.
const _: () = assert!(offset_of!(Block, node) == 0);

impl Drop for Block {
    fn drop(&mut self) {
        tree::set_root(&self.node, None);
    }
}

impl ObservedHandle for nodes::Block<'_> {
    type Object = Block;

    #[inline]
    fn node(object: &Block) -> &ObservedNode {
        &object.node
    }
}

impl Wrapper for Block {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn header(&self) -> &Header {
        self.node.header()
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        let tree = self.tree.put(py, None);
        if self.node.raw().is_null() {
            return then(Disposal::Free);
        }
        match &tree {
            Some(tree) => then(Disposal::Dormant(tree.get().retained())),
            // The tree, whose table would retain the object, has ended; an empty table takes its place.
            None => then(Disposal::Dormant(&RetainedObjects::default())),
        }
    }
}

impl Block {
    fn blank() -> Self {
        Self::new(ptr::null_mut(), None)
    }

    fn new(block: *mut c_void, tree: Option<Py<Tree>>) -> Self {
        Self {
            node: ObservedNode::new::<Self>(block),
            tree: Slot::new(tree),
        }
    }

    /// The contents of a block's wrapper, if it has one.
    pub(crate) fn of<'ctx>(block: nodes::Block<'ctx>) -> Option<&'ctx Self> {
        // SAFETY: the block is live, by its brand. Its observer, which only `wrap` sets, is the first field of a
        // `Block` in an object that lives at least as long as the block.
        unsafe { block.observer().cast::<Self>().as_ref() }
    }

    /// The block's address. The block stays live at least until other Python code runs.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<NonNull<c_void>> {
        let address = NonNull::new(self.node.raw()).ok_or_else(|| self.gone(py))?;
        if context::any_is_running() {
            self.check_access(py)?;
        }
        Ok(address)
    }

    #[cold]
    fn gone(&self, py: Python<'_>) -> PyErr {
        // The wrapper of a destroyed block has no need of its tree, and must not keep it alive.
        drop(self.tree.put(py, None));
        self.node.gone(py, "block")
    }

    #[cold]
    fn check_access(&self, py: Python<'_>) -> PyResult<()> {
        let address = NonNull::new(self.node.raw()).ok_or_else(|| self.gone(py))?;
        let tree = self.tree(py)?;
        tree.get().context().get().check_access(py)?;
        // SAFETY: the address was read from the node in this call, and the death hook sets it to null when
        // the block is destroyed, so that the block is live.
        let block = unsafe { nodes::Block::at(address) };
        c::mlirBlockGetParentOperation(block).map_or(Ok(()), reentrancy::check_pass_access)
    }

    /// The tree that the block is in.
    #[inline]
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.tree.get(py).ok_or_else(|| self.node.gone(py, "block"))
    }

    /// Ends the block's time as a root of its tree, because it was inserted into a region.
    pub(crate) fn release_root(&self, py: Python<'_>) {
        if let Some(root) = tree::root(&self.node) {
            tree::set_root(&self.node, None);
            if let Some(tree) = root.tree(py) {
                tree.get().release(&root);
            }
        }
    }
}

/// The wrapper of a block of `tree`.
pub(crate) fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: nodes::Block<'_>,
) -> PyResult<Py<Block>> {
    let wake = |it: &Block| drop(it.tree.put(py, Some(tree.bind(py))));
    if let Some(known) = wrapper::fetch_observed(py, block, wake) {
        return known;
    }
    let contents = Block::new(block.address().as_ptr(), Some(tree.clone_ref(py)));
    let object = wrapper::create_plain(py, contents)?;
    wrapper::observe(block, &object);
    Ok(object)
}

/// The wrapper of a block that is in no region; a new tree takes ownership of the block.
pub(crate) fn adopt<'ctx>(
    ctx: Entered<'_, 'ctx>,
    block: Loose<nodes::Block<'ctx>>,
) -> PyResult<Py<Block>> {
    let (py, node) = (ctx.py(), block.node());
    let (tree, root) = Tree::adopt(ctx, block, true)?;
    let object = wrap(py, &tree, node)?;
    let it = object.get();
    tree::set_root(&it.node, Some(root));
    drop(it.tree.put(py, Some(tree.bind(py))));
    Ok(object)
}
