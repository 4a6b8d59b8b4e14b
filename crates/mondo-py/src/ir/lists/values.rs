//! Lists of values: operands, results, block arguments.

use mondo_ir::declarations as c;
use mondo_ir::nodes;
use pyo3::prelude::*;

use crate::ir::lists::sequence::{Span, list_class, list_methods, open_both, removed};
use crate::ownership::block::Block;
use crate::ownership::context::require_same;
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::value::{self, Value, dropped};
use crate::ownership::wrapper::{self, impl_transient};

list_class! {
    /// The operands of an operation.
    OpOperandList of OperationBase, c::mlirOperationGetNumOperands
}

/// The operand at an index; fails if it was removed or dropped.
fn operand(op: nodes::Op<'_>, index: isize) -> PyResult<nodes::Value<'_>> {
    let operand = op.operand(index.unsigned_abs());
    let operand = operand.ok_or_else(|| removed("operand"))?;
    operand.ok_or_else(dropped)
}

impl OpOperandList {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of
            .get()
            .enter(py, |at, op| at.value(operand(op, index)?))
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
        let index = self.span.index(index)?.unsigned_abs();
        self.of.get().enter(py, |at, op| {
            let other = value.get().tree(py)?;
            require_same(at.object(), other.get().context(), "value")?;
            other.get().refuse_user(Some(at.tree().get()))?;
            at.tree().get().modify(op)?;
            if !op.set_operand(index, value.get().within(at.ctx())?) {
                return Err(removed("operand"));
            }
            open_both(at.tree().bind(py), &other);
            Ok(())
        })
    }

    /// The types of the operands.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        // The node is entered for each type anew, because wrapping one may run a caster, which is Python
        // code.
        let type_at = |index| {
            let owner = self.of.get();
            owner.enter(py, |at, op| at.wrap(c::mlirValueGetType(operand(op, index)?)))
        };
        self.span.indices().map(type_at).collect()
    }
});

list_class! {
    /// The results of an operation.
    OpResultList of OperationBase, c::mlirOperationGetNumResults
}

impl OpResultList {
    /// The operation that has the results.
    pub(crate) fn operation<'py>(&self, py: Python<'py>) -> Bound<'py, OperationBase> {
        self.of.bind(py).clone()
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        // An operation's number of results never changes, so that the index need not be checked again.
        value::result_of(py, self.of.clone_ref(py), index)
    }
}

list_methods!(iterated OpResultList {
    /// The types of the results.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let type_at = |index: isize| {
            self.of.get().enter(py, |at, op| {
                let result = op.result(index.unsigned_abs());
                let result = result.ok_or_else(|| removed("result"))?;
                at.wrap(c::mlirValueGetType(result))
            })
        };
        self.span.indices().map(type_at).collect()
    }

    /// The operation that has these results.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        operation::view_of(py, &self.of)
    }
});

list_class! {
    /// The arguments of a block.
    BlockArgumentList of Block, c::mlirBlockGetNumArguments
}

/// The argument at an index; fails if it was removed.
fn argument(block: nodes::Block<'_>, index: isize) -> PyResult<nodes::Value<'_>> {
    let argument = block.argument(index.unsigned_abs());
    argument.ok_or_else(|| removed("block argument"))
}

impl BlockArgumentList {
    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        self.of
            .get()
            .enter(py, |at, block| at.value(argument(block, index)?))
    }
}

list_methods!(iterated BlockArgumentList {
    /// The types of the arguments.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let type_at = |index| {
            let owner = self.of.get();
            owner.enter(py, |at, block| {
                at.wrap(c::mlirValueGetType(argument(block, index)?))
            })
        };
        self.span.indices().map(type_at).collect()
    }
});
