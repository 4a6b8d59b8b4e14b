//! `Block`.

mod arguments;

use std::mem::offset_of;
use std::ptr;
use std::sync::Arc;

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::context::{self, Context, require_same};
use crate::ir::lists::blocks::{BlockPredecessors, BlockSuccessors};
use crate::ir::lists::operations::{OperationIterator, OperationList};
use crate::ir::lists::values::BlockArgumentList;
use crate::ir::location::Location;
use crate::ir::operation::{self, OperationBase};
use crate::ir::region::{self, Region};
use crate::ir::types::Type;
use crate::ir::value;
use crate::ownership::cross_tree_uses;
use crate::ownership::guarded::Slot;
use crate::ownership::reentrancy;
use crate::ownership::tree::{self, Root, RootKind, Tree};
use crate::ownership::wrapper::{
    self, Cause, Keep, Layout, Mortal, Rest, Tie, Tied, because, bury,
};

pub(crate) use arguments::Arguments;

/// A block.
#[pyclass(frozen, subclass, dict, weakref)]
#[repr(C)]
pub(crate) struct Block {
    /// First, so that MLIR's side finds it.
    mortal: Mortal,
    /// None while the object is parked, and once the block has died.
    tree: Slot<Py<Tree>>,
}

// MLIR's side knows the address of the first field.
const _: () = assert!(offset_of!(Block, mortal) == 0);

impl Drop for Block {
    fn drop(&mut self) {
        tree::set_root(&self.mortal, None);
    }
}

impl Tied for Block {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn tie(&self) -> &Tie {
        self.mortal.tie()
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn rest(&self, py: Python<'_>, then: &mut dyn FnMut(Rest<'_>)) {
        let tree = self.tree.put(py, None);
        if self.mortal.raw().is_null() {
            return then(Rest::Free);
        }
        match &tree {
            Some(tree) => then(Rest::Park(tree.get().keep())),
            // A keep let it go that ends.
            None => then(Rest::Park(&Keep::default())),
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
            mortal: Mortal::new::<Self>(block.ptr),
            tree: Slot::new(tree),
        }
    }

    /// # Safety
    ///
    /// `block` is live.
    unsafe fn of<'a>(block: MlirBlock) -> Option<&'a Self> {
        // SAFETY: the caller vouches for the block; its observer is the first field of a `Block` in an
        // object that lives at least as long as the block.
        unsafe { mondoBlockGetObserver(block).cast::<Self>().as_ref() }
    }

    /// The block, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirBlock> {
        let ptr = self.mortal.raw();
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
        // What has died keeps nothing alive.
        drop(self.tree.put(py, None));
        self.mortal.gone(py, "block")
    }

    #[cold]
    fn check_access(&self, py: Python<'_>, block: MlirBlock) -> PyResult<()> {
        let tree = self.tree(py)?;
        tree.get().context().get().check_access(py)?;
        // SAFETY: the block is live.
        let around = unsafe { mlirBlockGetParentOperation(block) };
        if !around.ptr.is_null() {
            reentrancy::check_pass_access(around)?;
        }
        Ok(())
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
        self.tree
            .get(py)
            .ok_or_else(|| self.mortal.gone(py, "block"))
    }

    /// Makes the block a root no more: it has found a region.
    pub(crate) fn release_root(&self, py: Python<'_>) {
        if let Some(root) = tree::root(&self.mortal) {
            tree::set_root(&self.mortal, None);
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
        unsafe { mondoBlockSetObserver(block, object.get().mortal.observer()) };
        return Ok(object);
    }
    let wake = |it: &Block| drop(it.tree.put(py, Some(tree.bind(py))));
    // SAFETY: the block is live, and only this module sets observers of blocks.
    unsafe { wrapper::fetch::<Block>(py, Mortal::object(observer), wake) }
        .ok_or_else(wrapper::being_freed)
}

/// The same for a block that may be in another tree if trees are open.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn wrap_in(
    py: Python<'_>,
    tree: &Py<Tree>,
    block: MlirBlock,
) -> PyResult<Py<PyAny>> {
    // SAFETY: the caller vouches for the block.
    unsafe {
        let object = if tree.get().context().get().has_open_trees() {
            wrap(py, tree_of(py, block)?.as_unbound(), block)?
        } else {
            wrap(py, tree, block)?
        };
        Ok(object.into_any())
    }
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
        tree::set_root(&it.mortal, Some(root));
        drop(it.tree.put(py, Some(tree.bind(py))));
        Ok(object)
    }
}

/// Which root the topmost thing around a live block is, if it is one of ours.
pub(crate) fn root_of(block: MlirBlock) -> Option<Arc<Root>> {
    // SAFETY: the callers pass live blocks; so is what is around them.
    unsafe {
        let op = mlirBlockGetParentOperation(block);
        if !op.ptr.is_null() {
            return operation::root_of(op);
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            tree::root(&Block::of(block)?.mortal)
        } else {
            region::root_of(region)
        }
    }
}

/// The tree of a block that MLIR or an extension speaks of.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn tree_of<'py>(py: Python<'py>, block: MlirBlock) -> PyResult<Bound<'py, Tree>> {
    if let Some(tree) = root_of(block).and_then(|root| root.tree(py)) {
        return Ok(tree);
    }
    // SAFETY: the block is live; so is the operation around it.
    let op = unsafe { mlirBlockGetParentOperation(block) };
    if op.ptr.is_null() {
        return Err(capsule::unknown_context());
    }
    // SAFETY: as above.
    unsafe { operation::tree_of(py, op) }
}

/// Makes what belongs to `block` belong to `tree`; what it referred to goes to `before`.
pub(crate) fn retarget(
    py: Python<'_>,
    block: MlirBlock,
    tree: Option<&Py<Tree>>,
    before: &mut Vec<Py<Tree>>,
) {
    // SAFETY: the callers pass live blocks.
    if let Some(it) = unsafe { Block::of(block) } {
        it.tree.with(py, |held| {
            if let Some(old) = held.take() {
                *held = tree.map(|tree| tree.clone_ref(py));
                before.push(old);
            }
        });
        if let Some(tree) = tree {
            tree.get().keep().take_over(it.mortal.tie().object());
        }
    }
    let Some(tree) = tree.filter(|_| wrapper::some_are_held()) else {
        return;
    };
    // SAFETY: the block is live, the indices are below the count, and observers are ours.
    unsafe {
        for index in 0..mlirBlockGetNumArguments(block) {
            let observer = mondoBlockArgumentGetObserver(mlirBlockGetArgument(block, index));
            if !observer.is_null() {
                tree.get().keep().take_over(Mortal::object(observer));
            }
        }
    }
}

#[pymethods]
impl Block {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.tree.look(|tree| visit.call(tree)).unwrap_or(Ok(()))
    }

    /// A capsule with the `MlirBlock`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Block", self.get(py)?.ptr)
    }

    /// The object for the `MlirBlock` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let py = capsule.py();
        let ptr = capsule::unwrap(capsule, "ir.Block")?;
        let block = MlirBlock { ptr };
        // SAFETY: whoever made the capsule put a live block into it.
        unsafe { wrap(py, tree_of(py, block)?.as_unbound(), block) }
    }

    /// The operation that the block is in.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let tree = self.tree(py)?;
        // SAFETY: the block is live, and the operation around it is of the same tree.
        unsafe {
            let op = mlirBlockGetParentOperation(self.get(py)?);
            if op.ptr.is_null() {
                return Ok(None);
            }
            operation::view(py, tree.as_unbound(), op).map(Some)
        }
    }

    /// The region that the block is in.
    #[getter]
    fn region(&self, py: Python<'_>) -> PyResult<Option<Py<Region>>> {
        let block = self.get(py)?;
        // SAFETY: the block is live, and so is the region around it, which is of the same tree.
        unsafe {
            let region = mondoBlockGetParentRegionOrNull(block);
            if region.ptr.is_null() {
                return Ok(None);
            }
            region::wrap(py, self.tree(py)?.as_unbound(), region).map(Some)
        }
    }

    #[getter]
    fn arguments<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, BlockArgumentList>> {
        BlockArgumentList::new(slf.py(), slf.clone().unbind())
    }

    /// Adds an argument after the others.
    fn add_argument(
        &self,
        py: Python<'_>,
        r#type: &Bound<'_, Type>,
        loc: &Bound<'_, Location>,
    ) -> PyResult<Py<PyAny>> {
        self.tree(py)?.get().refuse_change()?;
        let tree = self.tree(py)?;
        let r#type = r#type.get().get_in(py, tree.get().context())?;
        let loc = loc.get().get_in(py, tree.get().context())?;
        // SAFETY: all are live, and the argument is in the same tree.
        unsafe {
            value::wrap(
                py,
                tree.as_unbound(),
                mlirBlockAddArgument(self.get(py)?, r#type, loc),
            )
        }
    }

    /// Removes an argument, which must not be used.
    fn erase_argument(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        self.tree(py)?.get().refuse_change()?;
        let block = self.get(py)?;
        let position = isize::try_from(index).unwrap_or(isize::MAX);
        // SAFETY: the block is live, and the index is checked against the count.
        unsafe {
            if position >= mlirBlockGetNumArguments(block) {
                return Err(pyo3::exceptions::PyIndexError::new_err(
                    "index out of range",
                ));
            }
            let argument = mlirBlockGetArgument(block, position);
            if !mlirValueGetFirstUse(argument).ptr.is_null() {
                return Err(PyRuntimeError::new_err(
                    "cannot erase a block argument while it has uses",
                ));
            }
            // The count fits 32 bits in MLIR.
            let index = u32::try_from(index)
                .map_err(|_| pyo3::exceptions::PyIndexError::new_err("index out of range"))?;
            because(Cause::Erased, || mlirBlockEraseArgument(block, index));
        }
        bury(py);
        Ok(())
    }

    #[getter]
    fn operations<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OperationList>> {
        OperationList::new(slf.py(), slf.clone().unbind())
    }

    /// Makes a block at the beginning of a region.
    #[staticmethod]
    #[pyo3(signature = (parent, arg_types = None, arg_locs = None),
           text_signature = "(parent, arg_types=[], arg_locs=None)")]
    fn create_at_start(
        py: Python<'_>,
        parent: &Bound<'_, Region>,
        arg_types: Option<&Bound<'_, PyAny>>,
        arg_locs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let nothing = PyTuple::empty(py).into_any();
        parent
            .get()
            .new_block(py, 0, arg_types.unwrap_or(&nothing), arg_locs)
    }

    /// Moves the block to the end of a region.
    fn append_to(slf: &Bound<'_, Self>, region: &Bound<'_, Region>) -> PyResult<()> {
        region.get().put(slf, None)
    }

    /// Makes a block before this one.
    #[pyo3(signature = (*arg_types, arg_locs = None))]
    fn create_before(
        &self,
        py: Python<'_>,
        arg_types: &Bound<'_, PyTuple>,
        arg_locs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        self.create_beside(py, arg_types, arg_locs, mlirRegionInsertOwnedBlockBefore)
    }

    /// Makes a block after this one.
    #[pyo3(signature = (*arg_types, arg_locs = None))]
    fn create_after(
        &self,
        py: Python<'_>,
        arg_types: &Bound<'_, PyTuple>,
        arg_locs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        self.create_beside(py, arg_types, arg_locs, mlirRegionInsertOwnedBlockAfter)
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, OperationIterator>> {
        OperationIterator::of(slf.py(), slf.get())
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        slf.is(other)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        slf.as_ptr() as usize >> 4
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.tree(py)?.get().context().get().get_for_printing(py)?;
        let raw = self.get(py)?;
        Ok(collect(|callback, data| {
            // SAFETY: the block is live; the last two arguments belong together.
            unsafe { mlirBlockPrint(raw, callback, data) };
        }))
    }

    /// Moves an operation to the end of the block.
    fn append(&self, py: Python<'_>, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let block = self.get(py)?;
        // SAFETY: the block is live.
        let around = unsafe { mlirBlockGetParentOperation(block) };
        operation::attach(operation, self.tree(py)?.as_unbound(), around, |op| {
            // SAFETY: both are live, and the operation has been taken out of where it was.
            unsafe { mlirBlockAppendOwnedOperation(block, op) };
        })
    }

    #[getter]
    fn successors<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, BlockSuccessors>> {
        BlockSuccessors::new(slf.py(), slf.clone().unbind())
    }

    #[getter]
    fn predecessors<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, BlockPredecessors>> {
        BlockPredecessors::new(slf.py(), slf.clone().unbind())
    }

    /// Takes the block out of its region; it becomes a tree of its own.
    fn detach(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let (py, it) = (slf.py(), slf.get());
        it.tree(py)?.get().refuse_change()?;
        let block = it.get(py)?;
        let from = it.tree(py)?;
        // SAFETY: the block is live, and then in no region.
        let (tree, root) = unsafe {
            if mondoBlockGetParentRegionOrNull(block).ptr.is_null() {
                return Err(PyValueError::new_err("Detached block has no parent."));
            }
            refuse_in_pass(py, it, block)?;
            mlirBlockDetach(block);
            Tree::adopt(py, from.get().context(), RootKind::Block, block.ptr, true)?
        };
        tree::set_root(&it.mortal, Some(root));
        drop(tree::move_block(py, block, Some(&tree)));
        Ok(slf)
    }

    /// Destroys the block and all operations in it, none of which may be used from outside.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        self.tree(py)?.get().refuse_change()?;
        let block = self.get(py)?;
        let tree = self.tree(py)?;
        refuse_in_pass(py, self, block)?;
        if cross_tree_uses::block_is_used_outside(block) {
            return Err(PyRuntimeError::new_err(
                "cannot erase a block while something outside of it uses it or a value in it",
            ));
        }
        let before = tree::move_block(py, block, None);
        because(Cause::Erased, || {
            // SAFETY: the block is live and unused, and then in no region.
            unsafe {
                if !mondoBlockGetParentRegionOrNull(block).ptr.is_null() {
                    mlirBlockDetach(block);
                }
                mlirBlockDestroy(block);
            }
        });
        bury(py);
        drop((before, tree));
        Ok(())
    }
}

/// Fails if a pass or a rewrite needs one of the operations of a live block where it is.
fn refuse_in_pass(py: Python<'_>, it: &Block, block: MlirBlock) -> PyResult<()> {
    let tree = it.tree(py)?;
    // SAFETY: the block is live, and so are its operations.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            reentrancy::refuse_edit(py, tree.get().context().get(), op)?;
            op = mlirOperationGetNextInBlock(op);
        }
    }
    Ok(())
}

impl Block {
    fn create_beside(
        &self,
        py: Python<'_>,
        arg_types: &Bound<'_, PyTuple>,
        arg_locs: Option<&Bound<'_, PyAny>>,
        place: unsafe extern "C" fn(MlirRegion, MlirBlock, MlirBlock),
    ) -> PyResult<Py<Self>> {
        self.tree(py)?.get().refuse_change()?;
        let tree = self.tree(py)?;
        let arguments = Arguments::of(py, tree.get().context(), arg_types, arg_locs)?;
        let here = self.get(py)?;
        // SAFETY: the block is live, and so is its region; the new block goes to it.
        unsafe {
            let region = mondoBlockGetParentRegionOrNull(here);
            if region.ptr.is_null() {
                return Err(PyValueError::new_err("the block is in no region"));
            }
            let block = arguments.block();
            place(region, here, block);
            wrap(py, tree.as_unbound(), block)
        }
    }
}
