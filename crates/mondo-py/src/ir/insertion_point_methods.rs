//! The methods of `InsertionPoint`.

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::two_phase::Late;
use crate::ir::context_stack;
use crate::ir::insertion_point::{InsertionPoint, Point};
use crate::ir::operation::attach;
use crate::ownership::block::Block;
use crate::ownership::operation::{OperationBase, operation_of};
use crate::ownership::tree::Tree;

/// The block of an operation, which has to be in one.
fn block_around(py: Python<'_>, operation: &OperationBase) -> PyResult<Py<Block>> {
    operation.enter(py, |at, op| match c::mlirOperationGetBlock(op) {
        Some(block) => at.block(block),
        None => Err(PyValueError::new_err("Detached operations have no parent")),
    })
}

// `context_manager_methods!` cannot define these, because PyO3's expansion of `__init__` within a declarative
// macro does not compile.
#[pymethods]
impl InsertionPoint {
    /// Makes the object the current one of this thread, until the `with` statement ends.
    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        context_stack::enter(slf)
    }

    /// Makes what was current before the `with` statement current again.
    fn __exit__(
        slf: &Bound<'_, Self>,
        exc_type: &Bound<'_, PyAny>,
        exc_value: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let _ = (exc_type, exc_value, traceback);
        context_stack::exit(slf)
    }

    /// `InsertionPoint(block)` is at the end of a block, `InsertionPoint(beforeOperation)` before an
    /// operation.
    #[new]
    #[pyo3(signature = (*_args, **_kwargs),
           text_signature = "(block=..., *, beforeOperation=...)")]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            point: Late::empty(),
        }
    }

    #[pyo3(signature = (block = None, *, beforeOperation = None))]
    #[expect(non_snake_case, reason = "upstream's name of the argument")]
    fn __init__(
        &self,
        block: Option<&Bound<'_, PyAny>>,
        beforeOperation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let given = block.or(beforeOperation).ok_or_else(|| {
            PyTypeError::new_err("__init__(): incompatible function arguments: InsertionPoint() takes a block or an operation")
        })?;
        if let Ok(block) = given.cast::<Block>() {
            block.get().get(given.py())?;
            return self.point.set(Point {
                block: block.clone().unbind(),
                before: None,
            });
        }
        let before = given.cast::<OperationBase>().map_err(|_| {
            PyTypeError::new_err(format!(
                "__init__(): incompatible function arguments: InsertionPoint() takes a block or an \
                 operation, not {}",
                given.get_type()
            ))
        })?;
        self.point.set(Point {
            block: block_around(given.py(), before.get())?,
            before: Some(operation_of(before)?),
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.point.known().map_or(Ok(()), |point| {
            visit.call(&point.block)?;
            visit.call(&point.before)
        })
    }

    /// The place at the beginning of a block.
    #[staticmethod]
    fn at_block_begin(block: &Bound<'_, Block>) -> PyResult<Self> {
        let py = block.py();
        Self::in_block(py, block.as_unbound(), |block| {
            Ok(c::mlirBlockGetFirstOperation(block))
        })
    }

    /// The place before the terminator of a block; raises `ValueError` if there is none.
    #[staticmethod]
    fn at_block_terminator(block: &Bound<'_, Block>) -> PyResult<Self> {
        let py = block.py();
        Self::in_block(py, block.as_unbound(), |block| {
            let terminator = c::mlirBlockGetTerminator(block);
            terminator
                .ok_or_else(|| PyValueError::new_err("Block has no terminator"))
                .map(Some)
        })
    }

    /// The place after an operation.
    #[staticmethod]
    fn after(operation: &Bound<'_, OperationBase>) -> PyResult<Self> {
        let py = operation.py();
        let block = block_around(py, operation.get())?;
        let before = operation.get().enter(py, |at, op| {
            op.next().map(|next| at.operation(next)).transpose()
        })?;
        Ok(Self {
            point: Late::of(Point { block, before }),
        })
    }

    /// Puts an operation there that is in no block.
    fn insert(&self, py: Python<'_>, operation: &Bound<'_, OperationBase>) -> PyResult<()> {
        let attached = |op: nodes::Op<'_>| c::mlirOperationGetBlock(op).is_some();
        if operation.get().read(py, attached)? {
            return Err(PyValueError::new_err(
                "Attempt to insert operation that is already attached",
            ));
        }
        let moved = Tree::enter(&self.own_tree(py)?, |at| {
            let place = self.resolve(py, at.ctx())?;
            attach(at, operation, &place.spot)
        })?;
        moved.settle();
        Ok(())
    }

    /// The block that operations are inserted into.
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Py<Block>> {
        self.block_of(py)
    }

    /// The operation that new ones go before; none at the end of a block.
    #[getter]
    fn ref_operation(&self, py: Python<'_>) -> PyResult<Option<Py<OperationBase>>> {
        match &self.point.get()?.before {
            None => Ok(None),
            Some(before) => {
                before.get().get(py)?;
                Ok(Some(before.clone_ref(py)))
            }
        }
    }
}
