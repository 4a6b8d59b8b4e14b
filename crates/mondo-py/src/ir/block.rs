//! The methods of `Block`.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::capsule;
use crate::interop::string::collect;
use crate::ir::block_arguments::Arguments;
use crate::ir::lists::block_operations::{OperationIterator, OperationList};
use crate::ir::lists::blocks::{BlockPredecessors, BlockSuccessors};
use crate::ir::lists::values::BlockArgumentList;
use crate::ir::location::Location;
use crate::ir::operation::attach;
use crate::ir::types::Type;
use crate::ownership::block::{Block, wrap};
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::{OperationBase, view};
use crate::ownership::owner::tree_of_block;
use crate::ownership::reentrancy;
use crate::ownership::region::{self, Region};
use crate::ownership::transfer;
use crate::ownership::tree::{self, RootKind, Tree};
use crate::ownership::value;
use crate::ownership::wrapper::{Cause, because, reclaim};

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
        unsafe { wrap(py, tree_of_block(py, block)?.as_unbound(), block) }
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
            view(py, tree.as_unbound(), op).map(Some)
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

    /// The arguments of the block, as a sequence.
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
        reclaim(py);
        Ok(())
    }

    /// The operations of the block, as a sequence that follows changes of the block.
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
        attach(operation, self.tree(py)?.as_unbound(), around, |op| {
            // SAFETY: both are live, and the operation has been taken out of where it was.
            unsafe { mlirBlockAppendOwnedOperation(block, op) };
        })
    }

    /// The blocks that the last operation can branch to, as a sequence.
    #[getter]
    fn successors<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, BlockSuccessors>> {
        BlockSuccessors::new(slf.py(), slf.clone().unbind())
    }

    /// The blocks that can branch to this one, as a sequence.
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
        tree::set_root(&it.node, Some(root));
        drop(transfer::move_block(py, block, Some(&tree)));
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
        let before = transfer::move_block(py, block, None);
        because(Cause::Erased, || {
            // SAFETY: the block is live and unused, and then in no region.
            unsafe {
                if !mondoBlockGetParentRegionOrNull(block).ptr.is_null() {
                    mlirBlockDetach(block);
                }
                mlirBlockDestroy(block);
            }
        });
        reclaim(py);
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
