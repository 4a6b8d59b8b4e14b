//! The list of a region's blocks with its iterator, and the functions that add a block to a region.

use std::sync::{Mutex, PoisonError};

use mondo_ir::declarations as c;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::missing_elements::out_of_range;
use crate::interop::operators::operand;
use crate::ir::arguments::Int;
use crate::ir::block_arguments::Arguments;
use crate::ir::operation::too_deep;
use crate::ownership::block::Block;
use crate::ownership::context::require_same;
use crate::ownership::conversions::Newcomer;
use crate::ownership::region::Region;
use crate::ownership::transfer;
use crate::ownership::traversal;
use crate::ownership::tree::Tree;
use crate::ownership::wrapper;

impl Region {
    /// The block at an index; None if there is none.
    fn block(&self, py: Python<'_>, index: usize) -> PyResult<Option<Py<Block>>> {
        self.enter(py, |at, region| {
            let block = region.blocks().nth(index);
            block.map(|block| at.block(block)).transpose()
        })
    }

    /// Creates a block at a position of the region.
    pub(crate) fn new_block(
        &self,
        py: Python<'_>,
        position: Option<usize>,
        types: &Bound<'_, PyAny>,
        locations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Block>> {
        let tree = self.tree(py)?;
        let arguments = Arguments::of(py, tree.get().context(), types, locations)?;
        Tree::enter(&tree, |at| {
            let region = self.within(at.ctx())?;
            let around = region.parent();
            at.tree().get().refuse_insertion(around, Newcomer::Copy)?;
            let block = arguments.block(at.ctx())?;
            let block = region.insert(position, block);
            at.tree().get().block_inserted(block);
            at.block(block)
        })
    }

    /// Moves a block into this region: before the block at an index, or to the end.
    pub(crate) fn put(&self, block: &Bound<'_, Block>, index: Option<usize>) -> PyResult<()> {
        let py = block.py();
        let block_object = block.get();
        let (from, target) = (block_object.tree(py)?, self.tree(py)?);
        if from.is(&target) {
            from.get().context().get().refuse_in_handlers()?;
        } else {
            from.get().refuse_change()?;
        }
        require_same(target.get().context(), from.get().context(), "block")?;
        let before = Tree::enter(&target, |at| {
            let (node, region) = (block_object.within(at.ctx())?, self.within(at.ctx())?);
            let mut around = region
                .parent()
                .into_iter()
                .flat_map(|op| op.with_ancestors());
            if around.any(|op| c::mlirOperationGetBlock(op) == Some(node)) {
                return Err(PyValueError::new_err("a block cannot be put into itself"));
            }
            if node.is_too_deep_in(region.parent()) {
                return Err(too_deep());
            }
            if from.is(&target) && target.get().move_block(node, region, index)? {
                return Ok(Vec::new());
            }
            let around = region.parent();
            target
                .get()
                .refuse_insertion(around, Newcomer::Block(node))?;
            region.insert(index, node.take_out());
            target.get().block_inserted(node);
            block_object.release_root(py);
            if from.is(&target) {
                return Ok(Vec::new());
            }
            if traversal::block_uses_others(node) {
                target.get().open();
                from.get().open();
            }
            Ok(transfer::block_to(py, node, Some(target.as_unbound())))
        })?;
        drop(before);
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
        let region = self.region.get();
        region.read(py, |region| region.blocks().count() as isize)
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

    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<Py<Block>> {
        let (py, list) = (slf.py(), slf.get());
        let Int(index) = operand::<Int<isize>, _>(slf, "__getitem__", index)?;
        let index = if index < 0 {
            index.wrapping_add(list.count(py)?)
        } else {
            index
        };
        let found = match usize::try_from(index) {
            Ok(index) => list.region.get().block(py, index)?,
            Err(_) => None,
        };
        let text = "attempt to access out of bounds block";
        found.map_or_else(|| Err(out_of_range(text, list.__len__(py)?)), Ok)
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
        self.region.get().new_block(py, None, args, arg_locs)
    }

    /// Inserts a block that is in no region before the one at an index.
    fn insert(&self, py: Python<'_>, index: isize, block: &Bound<'_, Block>) -> PyResult<()> {
        let count = self.count(py)?;
        // An index out of range is clamped, as by `list.insert`.
        let index = if index < 0 { index + count } else { index };
        let index = index.clamp(0, count).unsigned_abs();
        refuse_attached(py, block)?;
        let last = index == count.unsigned_abs();
        self.region.get().put(block, (!last).then_some(index))
    }
}

/// Fails if a block is in a region. `append` and `insert` take only blocks without a region; `append_to`
/// moves the others.
fn refuse_attached(py: Python<'_>, block: &Bound<'_, Block>) -> PyResult<()> {
    if !block.get().read(py, |block| block.region().is_some())? {
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
        Ok(Self {
            next: Mutex::new(region.block(py, 0)?),
        })
    }
}

#[pymethods]
impl BlockIterator {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // If the mutex is locked, its reference is not visited; the collector then frees less, never too
        // much.
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
        let after = block.get().enter(py, |at, block| {
            block.next().map(|after| at.block(after)).transpose()
        })?;
        *lock() = after;
        Ok(Some(block))
    }
}
