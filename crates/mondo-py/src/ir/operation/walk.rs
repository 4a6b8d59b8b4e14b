//! `walk`: calling a Python function for an operation and each one below it.

use mondo_ir::nodes::Op;
use mondo_ir::{Walk, WalkOrder};
use pyo3::prelude::*;

use crate::interop::callback::raised_in;
use crate::interop::enums;
use crate::ownership::node_access::InTree;
use crate::ownership::operation::OperationBase;

/// An operation that a walk is to visit.
struct Step<'py> {
    /// As a `Bound`, it is dropped without asking PyO3 whether the thread is attached.
    object: Bound<'py, OperationBase>,
    /// The index of the first step that is not below this operation, for `WalkResult.SKIP`; set in pre-order
    /// only.
    end: usize,
}

/// The operations that exist when the walk begins, in order. The callback may change the tree in any way; the
/// walk skips operations that were destroyed since.
struct Steps<'py, 'a, 'ctx> {
    py: Python<'py>,
    at: InTree<'a, 'ctx>,
    parents_first: bool,
    steps: Vec<Step<'py>>,
}

impl<'ctx> Steps<'_, '_, 'ctx> {
    /// Adds an operation and those below it. Making wrappers of operations runs no Python code, so that the
    /// tree does not change meanwhile.
    fn add(&mut self, op: Op<'ctx>) -> PyResult<()> {
        let at = self.steps.len();
        if self.parents_first {
            self.push(op)?;
        }
        for block in op.blocks() {
            for inner in block.operations() {
                self.add(inner)?;
            }
        }
        if self.parents_first {
            self.steps[at].end = self.steps.len();
        } else {
            self.push(op)?;
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, op: Op<'ctx>) -> PyResult<()> {
        let object = self.at.operation(op)?.into_bound(self.py);
        self.steps.push(Step { object, end: 0 });
        Ok(())
    }
}

impl OperationBase {
    /// Calls `callback` with the operation and each one below it, in `order`.
    pub(super) fn visit(
        &self,
        py: Python<'_>,
        callback: &Bound<'_, PyAny>,
        order: WalkOrder,
    ) -> PyResult<()> {
        let parents_first = order == WalkOrder::Pre;
        let steps = self.enter(py, |at, op| {
            let mut steps = Steps {
                py,
                at,
                parents_first,
                steps: Vec::new(),
            };
            steps.add(op)?;
            Ok(steps.steps)
        })?;
        let mut next = 0;
        while let Some(step) = steps.get(next) {
            next += 1;
            if step.object.get().get(py).is_err() {
                // The operation was destroyed meanwhile, or another thread started a pipeline on the context.
                continue;
            }
            let result = callback
                .call1((&step.object,))
                .and_then(|result| enums::walk_result(&result))
                .map_err(|cause| raised_in(py, cause))?;
            if result == Walk::Stop {
                break;
            }
            if result == Walk::Skip && parents_first {
                next = step.end;
            }
        }
        Ok(())
    }
}
