//! The blocks of a region, and the ways to add one.

use std::sync::{Mutex, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::ir::block_arguments::Arguments;
use crate::ownership::block::{self, Block};
use crate::ownership::context::require_same;
use crate::ownership::region::Region;
use crate::ownership::transfer;
use crate::ownership::traversal;
use crate::ownership::wrapper;

impl Region {
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
            !from.is(&target) && traversal::block_uses_other_trees(raw)
        };
        it.release_root(py);
        if leaves_other {
            target.get().open();
            from.get().open();
        }
        if !from.is(&target) {
            drop(transfer::move_block(py, raw, Some(target.as_unbound())));
        }
        drop(from);
        wrapper::reclaim(py);
        Ok(())
    }
}

/// The blocks of a region.
#[pyclass(frozen, sequence, subclass)]
pub(crate) struct BlockList {
    region: Py<Region>,
}

impl BlockList {
    pub(crate) fn new(region: Py<Region>) -> Self {
        Self { region }
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        let mut count = 0;
        traversal::for_each_block_of(self.region.get().get(py)?, &mut |_| count += 1);
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
        traversal::for_each_block_of(self.region.get().get(py)?, &mut |block| blocks.push(block));
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
#[pyclass(frozen, subclass)]
pub(crate) struct BlockIterator {
    next: Mutex<Option<Py<Block>>>,
}

impl BlockIterator {
    pub(crate) fn of(py: Python<'_>, region: &Region) -> PyResult<Self> {
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
        // If the lock is taken, the edge is not shown, and the collector frees less.
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
