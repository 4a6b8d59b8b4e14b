//! The methods of `Block`.

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use crate::interop::capsule;
use crate::ir::block_arguments::Arguments;
use crate::ir::lists::block_operations::{OperationIterator, OperationList};
use crate::ir::lists::blocks::{BlockPredecessors, BlockSuccessors};
use crate::ir::lists::values::BlockArgumentList;
use crate::ir::location::Location;
use crate::ir::operation::{Spot, attach};
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::capsules;
use crate::ownership::conversions::Newcomer;
use crate::ownership::erasure::{self, refuse_in_pass};
use crate::ownership::operation::OperationBase;
use crate::ownership::region::Region;
use crate::ownership::transfer;
use crate::ownership::tree::{self, Tree};

#[pymethods]
impl Block {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.member.traverse(&visit)
    }

    /// A capsule with the `MlirBlock`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let address = self.read(py, |block| block.address())?;
        capsule::wrap(py, "ir.Block", address.as_ptr())
    }

    /// The object for the `MlirBlock` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        capsules::block(capsule)
    }

    /// The operation that the block is in.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.enter(py, |at, block| {
            let op = c::mlirBlockGetParentOperation(block);
            op.map(|op| at.view(op)).transpose()
        })
    }

    /// The region that the block is in.
    #[getter]
    fn region(&self, py: Python<'_>) -> PyResult<Option<Py<Region>>> {
        self.enter(py, |at, block| {
            block.region().map(|region| at.region(region)).transpose()
        })
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
        Tree::enter(&self.tree(py)?, |at| {
            let block = self.within(at.ctx())?;
            at.tree().get().refuse_change_of(block)?;
            let r#type = r#type.get().within(at.ctx())?;
            let loc = loc.get().within(at.ctx())?;
            at.value(c::mlirBlockAddArgument(block, r#type, loc))
        })
    }

    /// Removes an argument, which must not be used.
    fn erase_argument(&self, py: Python<'_>, index: usize) -> PyResult<()> {
        erasure::argument(py, self, index)
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
            .new_block(py, Some(0), arg_types.unwrap_or(&nothing), arg_locs)
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
        self.create_beside(py, arg_types, arg_locs, |here, new| here.insert_before(new))
    }

    /// Makes a block after this one.
    #[pyo3(signature = (*arg_types, arg_locs = None))]
    fn create_after(
        &self,
        py: Python<'_>,
        arg_types: &Bound<'_, PyTuple>,
        arg_locs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        self.create_beside(py, arg_types, arg_locs, |here, new| here.insert_after(new))
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
        self.read(py, |block| block.to_text())
    }

    /// Moves an operation to the end of the block.
    fn append(&self, py: Python<'_>, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let moved = self.enter(py, |at, block| attach(at, operation, &Spot::End(block)))?;
        moved.settle();
        Ok(())
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
        let (py, block_object) = (slf.py(), slf.get());
        block_object.tree(py)?.get().refuse_change()?;
        let before = block_object.enter(py, |at, block| {
            if block.region().is_none() {
                return Err(PyValueError::new_err("Detached block has no parent."));
            }
            refuse_in_pass(at.object().get(), block)?;
            let (tree, root) = Tree::adopt(at.ctx(), block.take_out(), true)?;
            tree::set_root(&block_object.member.node, Some(root));
            Ok(transfer::block_to(py, block, Some(&tree)))
        })?;
        drop(before);
        Ok(slf)
    }

    /// Destroys the block and all operations in it, none of which may be used from outside.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        erasure::block(py, self)
    }
}

impl Block {
    fn create_beside<'py>(
        &self,
        py: Python<'py>,
        arg_types: &Bound<'py, PyTuple>,
        arg_locs: Option<&Bound<'py, PyAny>>,
        place: impl for<'ctx> FnOnce(
            nodes::Block<'ctx>,
            nodes::Loose<nodes::Block<'ctx>>,
        ) -> Option<nodes::Block<'ctx>>,
    ) -> PyResult<Py<Self>> {
        let tree = self.tree(py)?;
        let arguments = Arguments::of(py, tree.get().context(), arg_types, arg_locs)?;
        self.enter(py, |at, here| {
            let without = || PyValueError::new_err("the block is in no region");
            let region = here.region().ok_or_else(without)?;
            at.tree()
                .get()
                .refuse_insertion(region.parent(), Newcomer::Copy)?;
            let block = arguments.block(at.ctx())?;
            let block = place(here, block).ok_or_else(without)?;
            at.tree().get().block_inserted(block);
            at.block(block)
        })
    }
}
