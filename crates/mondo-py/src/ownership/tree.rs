//! Trees of operations: who keeps what alive.
//!
//! A [`Tree`] owns what has no parent (a module, a clone, what was detached, a block or a region made
//! from scratch) and keeps its context alive. It destroys them when the last reference to it goes.
//! Every Python object for an operation or a block has a reference to the tree that this is in, as
//! long as Python refers to the object; values, regions and views refer to their operation or block.
//! So the garbage collector sees every edge.
//!
//! Where a tree ends while operations of another one use its values (something was detached or
//! cloned), that other tree takes over what is still used. Memory safety does not rest on any of
//! this: every death of an operation or block is seen by the hooks of the mondo library ([`wrapper`]).
//!
//! Locks: the roots are behind a mutex that is never held while Python code can run.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::ir::block;
use crate::ir::context::Context;
use crate::ir::operation;
use crate::ir::region::{self, Region};
use crate::ownership::cross_tree_uses;
use crate::ownership::reentrancy;
use crate::ownership::wrapper::{self, Cause, Keep, Mortal, because, bury};

/// What has no parent, and which tree owns it. Known to the tree and to the object of the root.
#[repr(C)]
pub(crate) struct Root {
    /// Null once it has died, or belongs to nobody here any more. First, for [`set_root`].
    raw: AtomicPtr<c_void>,
    kind: RootKind,
    /// The Python object of its tree, not a reference; null once the tree has ended.
    tree: AtomicPtr<ffi::PyObject>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RootKind {
    Operation,
    Block,
    Region,
}

const _: () = assert!(offset_of!(Root, raw) == 0);

impl Root {
    /// Says that it has died, or that it has got a parent.
    pub(crate) fn forget(&self) {
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    /// What it is, unless it died.
    pub(crate) fn raw(&self) -> *mut c_void {
        self.raw.load(Ordering::Acquire)
    }

    /// Its tree, if that has not ended.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Tree>> {
        let object = self.tree.load(Ordering::Acquire);
        // SAFETY: `Tree::drop` takes the pointer away before the object is freed; its count is 0
        // from a moment before that.
        unsafe {
            (!object.is_null() && ffi::Py_REFCNT(object) > 0)
                .then(|| wrapper::borrowed(py, object).into_bound(py))
        }
    }
}

/// Which root something is, if it is one.
pub(crate) fn root(mortal: &Mortal) -> Option<Arc<Root>> {
    let root = mortal.also().cast::<Root>();
    // SAFETY: the pointer came from `Arc::into_raw`, and its reference is given back by `set_root`,
    // with the interpreter attached as here.
    (!root.is_null()).then(|| unsafe {
        Arc::increment_strong_count(root);
        Arc::from_raw(root)
    })
}

/// Says which root something is. Who drops what is mortal says that it is none.
pub(crate) fn set_root(mortal: &Mortal, root: Option<Arc<Root>>) {
    let new = root.map_or(ptr::null(), Arc::into_raw);
    // SAFETY: the first field of the root is that pointer, and the root lives until its reference is
    // given back, here, in a later call.
    let old = unsafe { mortal.set_also(new.cast()) };
    if !old.is_null() {
        // SAFETY: as in `root`.
        drop(unsafe { Arc::from_raw(old.cast::<Root>()) });
    }
}

/// Operations, blocks and regions without a parent that live and die together.
#[pyclass(frozen, name = "_Tree")]
pub(crate) struct Tree {
    roots: Mutex<Vec<Arc<Root>>>,
    /// Objects of the tree with attributes of their own that nobody refers to.
    keep: Keep,
    /// Whether operations in it may use values of other trees, or the other way round.
    open: AtomicBool,
    // Dropped after `Drop::drop` has destroyed the roots: the context goes last.
    context: Py<Context>,
}

impl Tree {
    fn new(py: Python<'_>, context: &Py<Context>, open: bool) -> PyResult<Py<Self>> {
        if open {
            context.get().count_open_trees(true);
        }
        let tree = Self {
            roots: Mutex::default(),
            keep: Keep::default(),
            open: AtomicBool::new(open),
            context: context.clone_ref(py),
        };
        wrapper::uncollected(py, || Py::new(py, tree))
    }

    /// A tree that owns `raw`. `open` says whether something in it may use what is in other trees.
    ///
    /// # Safety
    ///
    /// `raw` is live, of the kind, of `context`, without a parent, and nobody else destroys it.
    pub(crate) unsafe fn adopt(
        py: Python<'_>,
        context: &Py<Context>,
        kind: RootKind,
        raw: *mut c_void,
        open: bool,
    ) -> PyResult<(Py<Self>, Arc<Root>)> {
        let tree = Self::new(py, context, open)?;
        let root = Arc::new(Root {
            kind,
            raw: AtomicPtr::new(raw),
            tree: AtomicPtr::new(tree.as_ptr()),
        });
        tree.get().roots().push(Arc::clone(&root));
        Ok((tree, root))
    }

    /// A tree for something that somebody else owns: it keeps the context alive and destroys nothing.
    pub(crate) fn borrowed<'py>(
        py: Python<'py>,
        context: &Py<Context>,
    ) -> PyResult<Bound<'py, Self>> {
        Ok(Self::new(py, context, false)?.into_bound(py))
    }

    fn roots(&self) -> MutexGuard<'_, Vec<Arc<Root>>> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context of everything in the tree.
    pub(crate) fn context(&self) -> &Py<Context> {
        &self.context
    }

    /// Fails while a diagnostic handler forbids all changes of the context.
    pub(crate) fn refuse_change(&self) -> PyResult<()> {
        reentrancy::refuse_change(self.context.get())
    }

    /// What holds the tree's objects that have attributes of their own.
    pub(crate) fn keep(&self) -> &Keep {
        &self.keep
    }

    /// Gives up a root, which has found a parent.
    pub(crate) fn release(&self, root: &Arc<Root>) {
        root.forget();
        let mut roots = self.roots();
        roots.retain(|it| !Arc::ptr_eq(it, root));
        let empty = roots.is_empty();
        drop(roots);
        if empty {
            self.close();
        }
    }

    /// Says that something in it uses what is in other trees, or the other way round.
    pub(crate) fn open(&self) {
        if !self.open.swap(true, Ordering::AcqRel) {
            self.context.get().count_open_trees(true);
        }
    }

    fn close(&self) {
        if self.open.swap(false, Ordering::AcqRel) {
            self.context.get().count_open_trees(false);
        }
    }

    /// Fails if something outside of the tree uses values or blocks in it: passes know nothing of
    /// such a use, and what they destroy would be written to when it ends.
    pub(crate) fn refuse_loose_uses(&self) -> PyResult<()> {
        if !self.context.get().has_open_trees() {
            return Ok(());
        }
        let roots = self.roots();
        let used = roots.iter().any(|root| {
            let ptr = root.raw();
            root.kind == RootKind::Operation
                && !ptr.is_null()
                && cross_tree_uses::is_used_outside(MlirOperation { ptr })
        });
        if used {
            return Err(PyRuntimeError::new_err(
                "an operation that was detached or cloned uses values or blocks of this tree; erase \
                 it before passes run",
            ));
        }
        Ok(())
    }

    /// Hands what other trees use over to them, until nothing that is left is used from outside.
    fn hand_over(py: Python<'_>, roots: &mut Vec<Arc<Root>>) {
        loop {
            let family: Vec<_> = roots.iter().map(|root| root.raw()).collect();
            let found = roots.iter().enumerate().find_map(|(index, root)| {
                let user = cross_tree_uses::find_user_outside(root.kind, root.raw(), &family)?;
                let tree = operation::root_of(user)?.tree(py)?;
                Some((index, tree))
            });
            let Some((index, tree)) = found else { return };
            let root = roots.swap_remove(index);
            root.tree.store(tree.as_ptr(), Ordering::Release);
            tree.get().open();
            tree.get().roots().push(root);
        }
    }
}

#[pymethods]
impl Tree {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.context)?;
        self.keep.traverse(&visit)
    }

    fn __clear__(&self) {
        self.keep.close();
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let mut roots = std::mem::take(&mut *self.roots());
        roots.retain(|root| {
            root.tree.store(ptr::null_mut(), Ordering::Release);
            // SAFETY: a root that has died is null; the others are live.
            !root.raw().is_null() && !unsafe { has_parent(root.kind, root.raw()) }
        });
        self.keep.close();
        let used_elsewhere = self.context.get().has_open_trees();
        self.close();
        if roots.is_empty() {
            return;
        }
        wrapper::attached(|py| {
            let nowhere = used_elsewhere.then(|| {
                Self::hand_over(py, &mut roots);
                cross_tree_uses::drop_all(roots.iter().map(|it| (it.kind, it.raw())))
            });
            because(Cause::Dropped, || {
                for root in roots.drain(..).rev() {
                    let ptr = root.raw();
                    // SAFETY: the tree owns the root, which is live and has no parent, and nothing
                    // outside uses what is in it.
                    unsafe {
                        match root.kind {
                            RootKind::Operation => {
                                let op = MlirOperation { ptr };
                                let apart = cross_tree_uses::part_regions(op);
                                mlirOperationDestroy(op);
                                drop(apart);
                            }
                            RootKind::Block => mlirBlockDestroy(MlirBlock { ptr }),
                            RootKind::Region => {
                                wrapper::abandon::<Region>(region::forget(ptr));
                                mlirRegionDestroy(MlirRegion { ptr });
                            }
                        }
                    }
                    root.forget();
                }
            });
            drop(nowhere);
            bury(py);
        });
    }
}

/// Whether somebody gave a root a parent behind our back, and so owns it now.
///
/// # Safety
///
/// `ptr` is live and of the kind.
unsafe fn has_parent(kind: RootKind, ptr: *mut c_void) -> bool {
    // SAFETY: the caller vouches for it.
    unsafe {
        match kind {
            RootKind::Operation => !mlirOperationGetBlock(MlirOperation { ptr }).ptr.is_null(),
            RootKind::Block => !mondoBlockGetParentRegionOrNull(MlirBlock { ptr })
                .ptr
                .is_null(),
            RootKind::Region => !mondoRegionGetParentOperation(MlirRegion { ptr })
                .ptr
                .is_null(),
        }
    }
}

/// Calls `visit` for `root` and every operation below it, parents first.
pub(crate) fn for_each_op(root: MlirOperation, visit: &mut dyn FnMut(MlirOperation)) {
    unsafe extern "C" fn step(op: MlirOperation, visit: *mut c_void) -> MlirWalkResult {
        // SAFETY: `visit` is the reference below, which only this walk uses.
        unsafe { (*visit.cast::<&mut dyn FnMut(MlirOperation)>())(op) };
        MlirWalkResultAdvance
    }
    let mut visit = visit;
    let data = (&raw mut visit).cast();
    // SAFETY: the callers pass live roots, and their closures do not change the structure.
    unsafe { mlirOperationWalk(root, Some(step), data, MlirWalkPreOrder) };
}

/// Calls `visit` for every block of `op`'s own regions.
#[inline]
pub(crate) fn for_each_block(op: MlirOperation, visit: &mut dyn FnMut(MlirBlock)) {
    // SAFETY: the callers pass live operations, and the indices are below the counts.
    unsafe {
        for index in 0..mlirOperationGetNumRegions(op) {
            for_each_block_of(mlirOperationGetRegion(op, index), visit);
        }
    }
}

/// Calls `visit` for every block of a live region.
pub(crate) fn for_each_block_of(region: MlirRegion, visit: &mut dyn FnMut(MlirBlock)) {
    // SAFETY: the callers pass live regions.
    unsafe {
        let mut block = mlirRegionGetFirstBlock(region);
        while !block.ptr.is_null() {
            visit(block);
            block = mlirBlockGetNextInRegion(block);
        }
    }
}

/// Calls `visit` for every operation of a live block, with all below it.
pub(crate) fn for_each_op_of(block: MlirBlock, visit: &mut dyn FnMut(MlirOperation)) {
    // SAFETY: the callers pass live blocks.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            for_each_op(op, visit);
            op = mlirOperationGetNextInBlock(op);
        }
    }
}

/// Makes everything from `op` on belong to `tree`, or to none if it is about to die. What the objects
/// referred to before is returned, to be dropped when all is done.
pub(crate) fn move_operation(
    py: Python<'_>,
    op: MlirOperation,
    tree: Option<&Py<Tree>>,
) -> Vec<Py<Tree>> {
    let mut before = Vec::new();
    for_each_op(op, &mut |op| {
        operation::retarget(py, op, tree, &mut before);
        for_each_block(op, &mut |block| {
            block::retarget(py, block, tree, &mut before);
        });
    });
    before
}

/// The same for a block and everything in it.
pub(crate) fn move_block(
    py: Python<'_>,
    block: MlirBlock,
    tree: Option<&Py<Tree>>,
) -> Vec<Py<Tree>> {
    let mut before = Vec::new();
    block::retarget(py, block, tree, &mut before);
    // SAFETY: the block is live.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            before.append(&mut move_operation(py, op, tree));
            op = mlirOperationGetNextInBlock(op);
        }
    }
    before
}

/// Whether something in `op` or below it uses a value or a block that is defined in another tree than
/// `root` is the top of.
pub(crate) fn uses_other_trees(op: MlirOperation, root: *mut c_void) -> bool {
    let mut found = false;
    for_each_op(op, &mut |op| {
        // SAFETY: the walk stays within live operations, whose operands and successors are live, and
        // the indices are below the counts.
        unsafe {
            found = found
                || (0..mlirOperationGetNumOperands(op))
                    .any(|index| top_of(mlirOperationGetOperand(op, index)) != root)
                || (0..mlirOperationGetNumSuccessors(op))
                    .any(|index| top_of_block(mlirOperationGetSuccessor(op, index)) != root);
        }
    });
    found
}

/// Whether something in a live block uses a value or a block that is defined in another tree.
pub(crate) fn block_uses_other_trees(block: MlirBlock) -> bool {
    // SAFETY: the callers pass live blocks.
    let root = unsafe { top_of_block(block) };
    let mut found = false;
    // SAFETY: as above; the operations are live.
    unsafe {
        let mut op = mlirBlockGetFirstOperation(block);
        while !op.ptr.is_null() {
            found = found || uses_other_trees(op, root);
            op = mlirOperationGetNextInBlock(op);
        }
    }
    found
}

/// The address of the topmost thing around a live value.
unsafe fn top_of(value: MlirValue) -> *mut c_void {
    // SAFETY: the caller vouches for the value, and what is around it is live.
    unsafe {
        if value.ptr.is_null() {
            return ptr::null_mut();
        }
        if mlirValueIsABlockArgument(value) {
            top_of_block(mlirBlockArgumentGetOwner(value))
        } else {
            top_of_operation(mlirOpResultGetOwner(value))
        }
    }
}

/// The address of the topmost thing around a live operation: an operation, a block or a region.
///
/// # Safety
///
/// `op` is live.
pub(crate) unsafe fn top_of_operation(op: MlirOperation) -> *mut c_void {
    // SAFETY: the caller vouches for the operation, and what is around it is live.
    unsafe {
        let top = mondoOperationGetRoot(op);
        let block = mlirOperationGetBlock(top);
        if block.ptr.is_null() {
            return top.ptr;
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            block.ptr
        } else {
            region.ptr
        }
    }
}

/// The same for a live block.
///
/// # Safety
///
/// `block` is live.
pub(crate) unsafe fn top_of_block(block: MlirBlock) -> *mut c_void {
    // SAFETY: the caller vouches for the block, and what is around it is live.
    unsafe {
        let op = mlirBlockGetParentOperation(block);
        if !op.ptr.is_null() {
            return top_of_operation(op);
        }
        let region = mondoBlockGetParentRegionOrNull(block);
        if region.ptr.is_null() {
            block.ptr
        } else {
            region.ptr
        }
    }
}
