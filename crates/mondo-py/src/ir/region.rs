//! `Region`, the regions of an operation, and the blocks of a region.

use std::collections::HashMap;
use std::ptr;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::ffi;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::sequence::{Span, list_methods};
use crate::ir::block::{self, Arguments, Block};
use crate::ir::context::{Context, require_same};
use crate::ir::operation::{self, OperationBase, Other};
use crate::ownership::tree::{self, Root, RootKind, Tree};
use crate::ownership::wrapper::{self, Layout, Rest, Tie, Tied, light};

/// A region: the operation that has it and its position there, or one that has no operation yet.
#[pyclass(frozen, subclass, dict, weakref)]
pub(crate) struct Region {
    tie: Tie,
    /// None while the object is parked, and once a region without an operation is gone.
    holder: Mutex<Option<Holder>>,
    index: AtomicIsize,
}

enum Holder {
    Operation(Py<OperationBase>),
    /// A region without an operation; the tree owns it.
    Free(Py<Tree>, Arc<Root>),
}

impl Holder {
    fn share(&self, py: Python<'_>) -> Self {
        match self {
            Self::Operation(op) => Self::Operation(op.clone_ref(py)),
            Self::Free(tree, root) => Self::Free(tree.clone_ref(py), Arc::clone(root)),
        }
    }
}

/// A region without an operation, and its object, which is no reference.
struct FreeRegion {
    root: Arc<Root>,
    object: usize,
}

/// Regions without an operation, by address.
static FREE: Mutex<Option<HashMap<usize, FreeRegion>>> = Mutex::new(None);

fn free() -> MutexGuard<'static, Option<HashMap<usize, FreeRegion>>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which root a region without an operation is.
pub(crate) fn root_of(region: MlirRegion) -> Option<Arc<Root>> {
    let free = free();
    Some(Arc::clone(
        &free.as_ref()?.get(&(region.ptr as usize))?.root,
    ))
}

/// Forgets a region without an operation, which has been destroyed or has found one.
pub(crate) fn forget(region: *mut std::ffi::c_void) -> *mut ffi::PyObject {
    let known = free()
        .as_mut()
        .and_then(|free| free.remove(&(region as usize)));
    known.map_or(ptr::null_mut(), |known| known.object as *mut ffi::PyObject)
}

impl Tied for Region {
    fn layout() -> &'static Layout {
        static LAYOUT: Layout = Layout::new();
        &LAYOUT
    }

    fn tie(&self) -> &Tie {
        &self.tie
    }

    fn sample(py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, Self::blank())
    }

    fn rest(&self, py: Python<'_>, then: &mut dyn FnMut(Rest<'_>)) {
        let held = self.holder().take();
        match &held {
            Some(Holder::Operation(op)) => {
                let which = Other::Region(self.index.load(Ordering::Relaxed));
                op.get().rest_other(py, which, self.tie.object(), then);
            }
            Some(Holder::Free(tree, root)) if !root.raw().is_null() => {
                then(Rest::Park(tree.get().keep()));
            }
            _ => then(Rest::Free),
        }
        match held {
            Some(Holder::Operation(op)) => op.drop_ref(py),
            Some(Holder::Free(tree, _)) => tree.drop_ref(py),
            None => {}
        }
    }
}

/// The region of an `Operation` at an index that the caller has checked.
pub(crate) fn of(py: Python<'_>, op: &Py<OperationBase>, index: isize) -> PyResult<Py<Region>> {
    let known = op.get().other(py, Other::Region(index));
    if known.is_null() {
        let region = Region::new(index, Some(Holder::Operation(op.clone_ref(py))));
        let region = wrapper::create_plain(py, region)?;
        op.get()
            .set_other(py, Other::Region(index), region.get().tie.object());
        return Ok(region);
    }
    let wake = |it: &Region| *it.holder() = Some(Holder::Operation(op.clone_ref(py)));
    // SAFETY: the operation has its region's object, and lives: the callers have looked.
    unsafe { wrapper::fetch::<Region>(py, known, wake) }.ok_or_else(wrapper::being_freed)
}

/// The object for a region.
///
/// # Safety
///
/// `region` is live and in `tree`.
pub(crate) unsafe fn wrap(
    py: Python<'_>,
    tree: &Py<Tree>,
    region: MlirRegion,
) -> PyResult<Py<Region>> {
    // SAFETY: the caller vouches for the region, and what is around it is of the same tree.
    unsafe {
        let op = mondoRegionGetParentOperation(region);
        if !op.ptr.is_null() {
            let op = operation::wrap(py, tree, op)?;
            return of(py, &op, mondoRegionGetNumber(region));
        }
        let known = free()
            .as_ref()
            .and_then(|free| free.get(&(region.ptr as usize)))
            .map(|known| (known.object, Arc::clone(&known.root)));
        let Some((object, root)) = known else {
            return Err(PyRuntimeError::new_err(
                "the region belongs to no operation, and was not made by this package",
            ));
        };
        let wake = |it: &Region| {
            *it.holder() = Some(Holder::Free(tree.clone_ref(py), root));
        };
        wrapper::fetch::<Region>(py, object as *mut ffi::PyObject, wake)
            .ok_or_else(wrapper::being_freed)
    }
}

/// A new region without an operation.
pub(crate) fn create(py: Python<'_>, context: &Py<Context>) -> PyResult<Py<Region>> {
    context.get().get(py)?;
    // SAFETY: there is no precondition, and the region is ours.
    let (raw, tree, root) = unsafe {
        let raw = mlirRegionCreate();
        let (tree, root) = Tree::adopt(py, context, RootKind::Region, raw.ptr, true)?;
        (raw, tree, root)
    };
    let region = Region::new(0, Some(Holder::Free(tree, Arc::clone(&root))));
    let region = wrapper::create_plain(py, region)?;
    let object = region.get().tie.object() as usize;
    free()
        .get_or_insert_default()
        .insert(raw.ptr as usize, FreeRegion { root, object });
    Ok(region)
}

/// The regions for a new operation of `context`: each without an operation, and none twice.
pub(crate) fn check_free(
    py: Python<'_>,
    regions: &[Bound<'_, Region>],
    context: &Py<Context>,
) -> PyResult<Vec<MlirRegion>> {
    let mut found: Vec<MlirRegion> = Vec::with_capacity(regions.len());
    for region in regions {
        let Holder::Free(tree, _) = region.get().held(py)? else {
            return Err(PyValueError::new_err(
                "the region belongs to an operation already",
            ));
        };
        require_same(context, tree.get().context(), "region")?;
        let raw = region.get().get(py)?;
        if found.iter().any(|other| other.ptr == raw.ptr) {
            return Err(PyValueError::new_err("the region is given twice"));
        }
        found.push(raw);
    }
    Ok(found)
}

/// Says that regions have become those of a new operation, in this order.
pub(crate) fn bind_all(
    py: Python<'_>,
    regions: &[Bound<'_, Region>],
    operation: &Py<OperationBase>,
) {
    for (index, region) in (0..).zip(regions) {
        let it = region.get();
        let before = it
            .holder()
            .replace(Holder::Operation(operation.clone_ref(py)));
        it.index.store(index, Ordering::Relaxed);
        operation
            .get()
            .set_other(py, Other::Region(index), it.tie.object());
        if let Some(Holder::Free(tree, root)) = before {
            forget(root.raw());
            tree.get().release(&root);
        }
    }
}

/// Says that regions were destroyed: the operation that was to have them could not be made.
pub(crate) fn lost(regions: &[Bound<'_, Region>]) {
    for region in regions {
        let before = region.get().holder().take();
        if let Some(Holder::Free(tree, root)) = before {
            forget(root.raw());
            tree.get().release(&root);
        }
    }
}

impl Region {
    fn blank() -> Self {
        Self::new(0, None)
    }

    fn new(index: isize, holder: Option<Holder>) -> Self {
        Self {
            tie: Tie::new(),
            holder: Mutex::new(holder),
            index: AtomicIsize::new(index),
        }
    }

    fn holder(&self) -> MutexGuard<'_, Option<Holder>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self, py: Python<'_>) -> PyResult<Holder> {
        let held = self.holder().as_ref().map(|holder| holder.share(py));
        held.ok_or_else(|| {
            PyRuntimeError::new_err("the region has been invalidated: it was destroyed")
        })
    }

    /// The region, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirRegion> {
        match self.held(py)? {
            Holder::Operation(op) => {
                let op = op.get().get(py)?;
                let index = self.index.load(Ordering::Relaxed);
                // SAFETY: the operation is live, and the index is checked against the count.
                unsafe {
                    if index >= mlirOperationGetNumRegions(op) {
                        return Err(PyValueError::new_err("the region has been removed"));
                    }
                    Ok(mlirOperationGetRegion(op, index))
                }
            }
            Holder::Free(tree, root) => {
                tree.get().context().get().check_access(py)?;
                Ok(MlirRegion { ptr: root.raw() })
            }
        }
    }

    /// The tree that it is in.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Tree>> {
        match self.held(py)? {
            Holder::Operation(op) => op.get().tree(py),
            Holder::Free(tree, _) => Ok(tree.into_bound(py)),
        }
    }

    fn block(&self, py: Python<'_>, block: MlirBlock) -> PyResult<Option<Py<Block>>> {
        if block.ptr.is_null() {
            return Ok(None);
        }
        // SAFETY: the callers pass live blocks of the region.
        unsafe { block::wrap(py, self.tree(py)?.as_unbound(), block).map(Some) }
    }

    /// A new block at a position of the region.
    pub(crate) fn new_block(
        &self,
        py: Python<'_>,
        position: isize,
        types: &Bound<'_, PyAny>,
        locations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Block>> {
        let tree = self.tree(py)?;
        tree.get().refuse_change()?;
        let arguments = Arguments::of(py, tree.get().context(), types, locations)?;
        let region = self.get(py)?;
        let block = arguments.block();
        // SAFETY: the region is live, takes the block, and is as long as the callers say.
        unsafe {
            if position < 0 {
                mlirRegionAppendOwnedBlock(region, block);
            } else {
                mlirRegionInsertOwnedBlock(region, position, block);
            }
            block::wrap(py, tree.as_unbound(), block)
        }
    }

    /// Moves a block here: before the block at an index, or to the end.
    pub(crate) fn put(&self, block: &Bound<'_, Block>, index: Option<isize>) -> PyResult<()> {
        let py = block.py();
        let it = block.get();
        it.tree(py)?.get().refuse_change()?;
        let (from, target) = (it.tree(py)?, self.tree(py)?);
        require_same(target.get().context(), from.get().context(), "block")?;
        let (raw, region) = (it.get(py)?, self.get(py)?);
        // SAFETY: the region and the block are live, and so is what is around them.
        let leaves_other = unsafe {
            let mut around = mondoRegionGetParentOperation(region);
            while !around.ptr.is_null() {
                if mlirOperationGetBlock(around).ptr == raw.ptr {
                    return Err(PyValueError::new_err("a block cannot be put into itself"));
                }
                around = mlirOperationGetParentOperation(around);
            }
            if !mondoBlockGetParentRegionOrNull(raw).ptr.is_null() {
                mlirBlockDetach(raw);
            }
            match index {
                None => mlirRegionAppendOwnedBlock(region, raw),
                Some(index) => mlirRegionInsertOwnedBlock(region, index, raw),
            }
            !from.is(&target) && tree::block_uses_other_trees(raw)
        };
        it.release_root(py);
        if leaves_other {
            target.get().open();
            from.get().open();
        }
        if !from.is(&target) {
            drop(tree::move_block(py, raw, Some(target.as_unbound())));
        }
        drop(from);
        wrapper::bury(py);
        Ok(())
    }
}

#[pymethods]
impl Region {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Where the lock is taken, an edge that is not shown makes the collector keep more.
        self.holder
            .try_lock()
            .map_or(Ok(()), |holder| match &*holder {
                Some(Holder::Operation(op)) => visit.call(op),
                Some(Holder::Free(tree, _)) => visit.call(tree),
                None => Ok(()),
            })
    }

    #[getter]
    fn blocks(slf: &Bound<'_, Self>) -> PyResult<BlockList> {
        slf.get().get(slf.py())?;
        Ok(BlockList {
            region: slf.clone().unbind(),
        })
    }

    /// The operation that has the region; none if it was made by itself.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.get(py)?;
        match self.held(py)? {
            Holder::Operation(op) => operation::view_of(py, &op).map(Some),
            Holder::Free(..) => Ok(None),
        }
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BlockIterator> {
        BlockIterator::of(py, self)
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        slf.is(other)
    }

    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        slf.as_ptr() as usize >> 4
    }
}

/// The regions of an operation.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct RegionSequence {
    of: Py<OperationBase>,
    span: Span,
}

light!(RegionSequence { of } { span: Span::all(0) });

impl RegionSequence {
    pub(crate) fn new<'py>(py: Python<'py>, of: Py<OperationBase>) -> PyResult<Bound<'py, Self>> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumRegions(of.get().get(py)?) };
        let span = Span::all(count);
        wrapper::new(py, Self { of, span })
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // The number of regions never changes.
        self.of.get().get(py)?;
        Ok(of(py, &self.of, index)?.into_any())
    }
}

list_methods!(RegionSequence {
    fn __iter__(&self, py: Python<'_>) -> RegionIterator {
        RegionIterator {
            of: self.of.clone_ref(py),
            span: self.span,
            next: AtomicUsize::new(0),
        }
    }
});

/// Goes through the regions of an operation.
#[pyclass(frozen)]
pub(crate) struct RegionIterator {
    of: Py<OperationBase>,
    span: Span,
    next: AtomicUsize,
}

#[pymethods]
impl RegionIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.of)
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Region>>> {
        let index = self.next.load(Ordering::Relaxed);
        if index >= self.span.len() {
            return Ok(None);
        }
        self.next.store(index + 1, Ordering::Relaxed);
        self.of.get().get(py)?;
        // The number of regions never changes.
        of(py, &self.of, self.span.index(index as isize)?).map(Some)
    }
}

/// The blocks of a region.
#[pyclass(frozen, sequence)]
pub(crate) struct BlockList {
    region: Py<Region>,
}

impl BlockList {
    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        let mut count = 0;
        tree::for_each_block_of(self.region.get().get(py)?, &mut |_| count += 1);
        Ok(count)
    }
}

#[pymethods]
impl BlockList {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.region)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<Block>> {
        let out = || PyIndexError::new_err("attempt to access out of bounds block");
        let index = if index < 0 {
            index.wrapping_add(self.count(py)?)
        } else {
            index
        };
        let index = usize::try_from(index).map_err(|_| out())?;
        let mut blocks = Vec::new();
        tree::for_each_block_of(self.region.get().get(py)?, &mut |block| blocks.push(block));
        let block = *blocks.get(index).ok_or_else(out)?;
        self.region.get().block(py, block)?.ok_or_else(out)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<BlockIterator> {
        BlockIterator::of(py, self.region.get())
    }

    /// Appends a new block, with its arguments' types; or one that exists and is in no region.
    #[pyo3(signature = (*args, arg_locs = None))]
    fn append(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        arg_locs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Block>> {
        if args.len() == 1
            && arg_locs.is_none()
            && let Ok(block) = args.get_item(0)?.cast_into::<Block>()
        {
            refuse_attached(py, &block)?;
            self.region.get().put(&block, None)?;
            return Ok(block.unbind());
        }
        self.region.get().new_block(py, -1, args, arg_locs)
    }

    /// Inserts a block that is in no region before the one at an index.
    fn insert(&self, py: Python<'_>, index: isize, block: &Bound<'_, Block>) -> PyResult<()> {
        let count = self.count(py)?;
        // As for lists, whose `insert` takes any number.
        let index = if index < 0 { index + count } else { index };
        let index = index.clamp(0, count);
        refuse_attached(py, block)?;
        let last = index == count;
        self.region.get().put(block, (!last).then_some(index))
    }
}

/// Fails if a block is in a region: what takes it in as new is no way to move it.
fn refuse_attached(py: Python<'_>, block: &Bound<'_, Block>) -> PyResult<()> {
    // SAFETY: the block is live.
    let region = unsafe { mondoBlockGetParentRegionOrNull(block.get().get(py)?) };
    if region.ptr.is_null() {
        return Ok(());
    }
    Err(PyValueError::new_err(
        "the block is in a region already; `Block.append_to` moves one",
    ))
}

/// Goes through the blocks of a region. The one that it gave last may be erased or moved; if that
/// happens to the next one, it raises.
#[pyclass(frozen)]
pub(crate) struct BlockIterator {
    next: Mutex<Option<Py<Block>>>,
}

impl BlockIterator {
    fn of(py: Python<'_>, region: &Region) -> PyResult<Self> {
        // SAFETY: the region is live.
        let first = unsafe { mlirRegionGetFirstBlock(region.get(py)?) };
        Ok(Self {
            next: Mutex::new(region.block(py, first)?),
        })
    }
}

#[pymethods]
impl BlockIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // Where the lock is taken, an edge that is not shown makes the collector keep more.
        self.next
            .try_lock()
            .map_or(Ok(()), |next| visit.call(&*next))
    }

    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Block>>> {
        let lock = || self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(block) = lock().take() else {
            return Ok(None);
        };
        let raw = block.get().get(py)?;
        // SAFETY: the block is live, and so is the one after it, which is of the same tree.
        let after = unsafe {
            let after = mlirBlockGetNextInRegion(raw);
            if after.ptr.is_null() {
                None
            } else {
                Some(block::wrap(py, block.get().tree(py)?.as_unbound(), after)?)
            }
        };
        *lock() = after;
        Ok(Some(block))
    }
}
