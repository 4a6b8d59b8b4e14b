//! `walk`: calls of a Python function for every operation below one.

use mondo_ir::nodes::Op;
use mondo_ir::{Walk, WalkOrder};
use pyo3::prelude::*;

use crate::interop::callback::raised_in;
use crate::interop::enums;
use crate::ownership::node_access::InTree;
use crate::ownership::operation::OperationBase;

/// An operation that a walk is to visit.
struct Step<'py> {
    /// Bound, since dropping a `Py` asks whether the thread is attached.
    object: Bound<'py, OperationBase>,
    /// The number of the first step that is not below it; only where parents come first.
    end: usize,
}

/// The operations that are there when the walk begins, in order. The callback may do what it likes
/// with the tree: the walk goes on with those that are still alive.
struct Steps<'py, 'a, 'ctx> {
    py: Python<'py>,
    at: InTree<'a, 'ctx>,
    parents_first: bool,
    steps: Vec<Step<'py>>,
}

impl<'ctx> Steps<'_, '_, 'ctx> {
    /// Adds an operation and those below it. Making objects runs no code that could change the tree.
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
    /// Calls `callback` with the operation and every one below it, in `order`.
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
                // It was destroyed meanwhile, or a pipeline runs that the callback started elsewhere.
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
