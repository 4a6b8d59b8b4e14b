//! The wrapper of a block.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::{self, NonNull};

use mondo_ir::declarations as c;
use mondo_ir::nodes::{self, Loose};
use pyo3::prelude::*;

use crate::ownership::context::Entered;
use crate::ownership::reentrancy;
use crate::ownership::tree::{self, Tree};
use crate::ownership::tree_member::{Member, TreeMember};
use crate::ownership::wrapper::{
    self, Disposal, Header, Layout, ObservedHandle, ObservedNode, Wrapper,
};

/// A block.
#[pyclass(frozen, subclass, dict, weakref)]
#[repr(C)]
pub(crate) struct Block {
    pub(crate) member: TreeMember<Self>,
}

// The runtime stores the address of the first field as the block's observer.
const _: () = assert!(offset_of!(Block, member) == 0);

impl Drop for Block {
    fn drop(&mut self) {
        tree::set_root(&self.member.node, None);
    }
}

impl ObservedHandle for nodes::Block<'_> {
    type Object = Block;

    #[inline]
    fn node(object: &Block) -> &ObservedNode {
        &object.member.node
    }
}

impl Wrapper for Block {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn header(&self) -> &Header {
        self.member.node.header()
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn dispose(&self, py: Python<'_>, then: &mut dyn FnMut(Disposal<'_>)) {
        self.member.dispose(py, then);
    }
}

impl Member for Block {
    const NOUN: &'static str = "block";

    unsafe fn check_pass_access(address: NonNull<c_void>) -> PyResult<()> {
        // SAFETY: a live block is at the address, by this function's contract.
        let block = unsafe { nodes::Block::at(address) };
        c::mlirBlockGetParentOperation(block).map_or(Ok(()), reentrancy::check_pass_access)
    }
}

impl Block {
    fn blank() -> Self {
        Self::new(ptr::null_mut(), None)
    }

    fn new(block: *mut c_void, tree: Option<Py<Tree>>) -> Self {
        Self {
            member: TreeMember::new(block, tree),
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
        self.member.get(py)
    }

    /// The tree that the block is in.
    #[inline]
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.member.tree(py)
    }

    /// Ends the block's time as a root of its tree, because it was inserted into a region.
    pub(crate) fn release_root(&self, py: Python<'_>) {
        if let Some(root) = tree::root(&self.member.node) {
            tree::set_root(&self.member.node, None);
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
    let wake = |object: &Block| object.member.wake(py, tree);
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
    object.get().member.become_root(py, &tree, root);
    Ok(object)
}
