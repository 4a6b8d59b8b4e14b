//! The wrapper of a block.

use std::mem::offset_of;
use std::ptr;

use mondo_ir::nodes;
use mondo_sys::*;
use pyo3::prelude::*;

use crate::interop::guarded::Slot;
use crate::ownership::context::{self, Context, require_same};
use crate::ownership::reentrancy;
use crate::ownership::tree::{self, RootKind, Tree};
use crate::ownership::wrapper::{
    self, Disposal, Header, Layout, ObservedNode, RetainedObjects, Wrapper,
};

/// A block.
#[pyclass(frozen, subclass, dict, weakref)]
#[repr(C)]
pub(crate) struct Block {
    /// First, so that MLIR's side finds it.
    pub(crate) node: ObservedNode,
    /// None while the object is dormant, and once the block was destroyed.
    pub(crate) tree: Slot<Py<Tree>>,
}

// MLIR's side knows the address of the first field.
const _: () = assert!(offset_of!(Block, node) == 0);

impl Drop for Block {
    fn drop(&mut self) {
        tree::set_root(&self.node, None);
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
            // The table of retained objects that had it has ended.
            None => then(Disposal::Dormant(&RetainedObjects::default())),
        }
    }
}

impl Block {
    fn blank() -> Self {
        Self::new(
            MlirBlock {
                ptr: ptr::null_mut(),
            },
            None,
        )
    }

    fn new(block: MlirBlock, tree: Option<Py<Tree>>) -> Self {
        Self {
            node: ObservedNode::new::<Self>(block.ptr),
            tree: Slot::new(tree),
        }
    }

    /// # Safety
    ///
    /// `block` is live.
    pub(crate) unsafe fn of<'a>(block: MlirBlock) -> Option<&'a Self> {
        // SAFETY: the caller vouches for the block; its observer is the first field of a `Block` in
        // an object that lives at least as long as the block.
        unsafe { mondoBlockGetObserver(block).cast::<Self>().as_ref() }
    }

    /// The block, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirBlock> {
        let ptr = self.node.raw();
        if ptr.is_null() {
            return Err(self.gone(py));
        }
        let block = MlirBlock { ptr };
        if context::any_is_running() {
            self.check_access(py, block)?;
        }
        Ok(block)
    }

    #[cold]
    fn gone(&self, py: Python<'_>) -> PyErr {
        // A wrapper whose node was destroyed keeps nothing alive.
        drop(self.tree.put(py, None));
        self.node.gone(py, "block")
    }

    #[cold]
    fn check_access(&self, py: Python<'_>, block: MlirBlock) -> PyResult<()> {
        let tree = self.tree(py)?;
        tree.get().context().get().check_access(py)?;
        // SAFETY: the block is live, and so is what is around it.
        let around = unsafe { nodes::Op::from_raw(mlirBlockGetParentOperation(block)) };
        around.map_or(Ok(()), reentrancy::check_pass_access)
    }

    /// The block and the tree that it is in.
    #[inline]
    pub(crate) fn look<'py>(&self, py: Python<'py>) -> PyResult<(MlirBlock, Bound<'py, Tree>)> {
        Ok((self.get(py)?, self.tree(py)?))
    }

    /// The block, for something that is to be of `context`.
    pub(crate) fn get_in(&self, py: Python<'_>, context: &Py<Context>) -> PyResult<MlirBlock> {
        require_same(context, self.tree(py)?.get().context(), "block")?;
        self.get(py)
    }

    /// The tree that it is in.
    #[inline]
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        self.tree.get(py).ok_or_else(|| self.node.gone(py, "block"))
    }

    /// Makes the block a root no more: it has found a region.
    pub(crate) fn release_root(&self, py: Python<'_>) {
        if let Some(root) = tree::root(&self.node) {
            tree::set_root(&self.node, None);
            if let Some(tree) = root.tree(py) {
                tree.get().release(&root);
            }
        }
    }
}

/// The object for a block.
///
/// # Safety
///
/// `block` is a live block in `tree`.
pub(crate) unsafe fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: MlirBlock,
) -> PyResult<Py<Block>> {
    // SAFETY: the block is live.
    let observer = unsafe { mondoBlockGetObserver(block) };
    if observer.is_null() {
        let object = wrapper::create_plain(py, Block::new(block, Some(tree.clone_ref(py))))?;
        // SAFETY: the block is live, and the object lives as long as it.
        unsafe { mondoBlockSetObserver(block, object.get().node.observer()) };
        return Ok(object);
    }
    let wake = |it: &Block| drop(it.tree.put(py, Some(tree.bind(py))));
    // SAFETY: the block is live, and only this module sets observers of blocks.
    unsafe { wrapper::fetch::<Block>(py, ObservedNode::object(observer), wake) }
        .ok_or_else(wrapper::being_freed)
}

/// Takes ownership of a block that is in no region.
///
/// # Safety
///
/// `block` is a live block whose types are of `context`, in no region, and nobody else destroys it.
pub(crate) unsafe fn adopt(
    py: Python<'_>,
    context: &Py<Context>,
    block: MlirBlock,
) -> PyResult<Py<Block>> {
    // SAFETY: the caller vouches for it.
    unsafe {
        let (tree, root) = Tree::adopt(py, context, RootKind::Block, block.ptr, true)?;
        let object = wrap(py, &tree, block)?;
        let it = object.get();
        tree::set_root(&it.node, Some(root));
        drop(it.tree.put(py, Some(tree.bind(py))));
        Ok(object)
    }
}
