//! Lists of values: operands, results, block arguments.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_class, list_methods, open_both, removed, types_at};
use crate::ownership::block::Block;
use crate::ownership::context::require_same;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::value::{self, Value};
use crate::ownership::wrapper::{self, impl_transient};

list_class! {
    /// The operands of an operation.
    OpOperandList of OperationBase, mlirOperationGetNumOperands
}

impl OpOperandList {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let op = self.of.get().get(py)?;
        // SAFETY: the operation is live, the index is checked against the count, and operands are
        // live, in the same tree unless trees are open.
        unsafe {
            if index >= mlirOperationGetNumOperands(op) {
                return Err(removed("operand"));
            }
            value::wrap(
                py,
                self.of.get().tree(py)?.as_unbound(),
                mlirOperationGetOperand(op, index),
            )
        }
    }
}

list_methods!(iterated OpOperandList {
    /// Makes the operation use another value.
    fn __setitem__(
        &self,
        py: Python<'_>,
        index: isize,
        value: &Bound<'_, Value>,
    ) -> PyResult<()> {
        let index = self.span.index(index)?;
        let op = self.of.get().get(py)?;
        let tree = self.of.get().tree(py)?;
        let other = value.get().tree(py)?;
        require_same(tree.get().context(), other.get().context(), "value")?;
        tree.get().refuse_change()?;
        let value = value.get().get(py)?;
        // SAFETY: both are live, and the index is checked against the count.
        unsafe {
            if index >= mlirOperationGetNumOperands(op) {
                return Err(removed("operand"));
            }
            mlirOperationSetOperand(op, index, value);
        }
        open_both(&tree, &other);
        Ok(())
    }

    /// The types of the operands.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let tree = self.of.get().tree(py)?;
        types_at(py, tree.get().context(), self.span, |index| {
            let op = self.of.get().get(py)?;
            // SAFETY: the operation is live (a caster may have run since the last one), and the index
            // is checked against the count.
            unsafe {
                if index >= mlirOperationGetNumOperands(op) {
                    return Err(removed("operand"));
                }
                Ok(mlirValueGetType(mlirOperationGetOperand(op, index)))
            }
        })
    }
});

list_class! {
    /// The results of an operation.
    OpResultList of OperationBase, mlirOperationGetNumResults
}

impl OpResultList {
    /// The operation that has the results.
    pub(crate) fn operation<'py>(&self, py: Python<'py>) -> Bound<'py, OperationBase> {
        self.of.bind(py).clone()
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // The number of results never changes.
        value::result_of(py, self.of.clone_ref(py), index)
    }
}

list_methods!(iterated OpResultList {
    /// The types of the results.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let tree = self.of.get().tree(py)?;
        types_at(py, tree.get().context(), self.span, |index| {
            let op = self.of.get().get(py)?;
            // SAFETY: the operation is live (a caster may have run since the last one), and the
            // number of its results never changes.
            Ok(unsafe { mlirValueGetType(mlirOperationGetResult(op, index)) })
        })
    }

    /// The operation that has these results.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        operation::view_of(py, &self.of)
    }
});

list_class! {
    /// The arguments of a block.
    BlockArgumentList of Block, mlirBlockGetNumArguments
}

impl BlockArgumentList {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        let block = self.of.get().get(py)?;
        // SAFETY: the block is live, and the index is checked against the count.
        unsafe {
            if index >= mlirBlockGetNumArguments(block) {
                return Err(removed("block argument"));
            }
            value::wrap(
                py,
                self.of.get().tree(py)?.as_unbound(),
                mlirBlockGetArgument(block, index),
            )
        }
    }
}

list_methods!(iterated BlockArgumentList {
    /// The types of the arguments.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let tree = self.of.get().tree(py)?;
        types_at(py, tree.get().context(), self.span, |index| {
            let block = self.of.get().get(py)?;
            // SAFETY: the block is live (a caster may have run since the last one), and the index is
            // checked against the count.
            unsafe {
                if index >= mlirBlockGetNumArguments(block) {
                    return Err(removed("block argument"));
                }
                Ok(mlirValueGetType(mlirBlockGetArgument(block, index)))
            }
        })
    }
});
