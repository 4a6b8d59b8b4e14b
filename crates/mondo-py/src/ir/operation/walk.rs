//! `walk`: calls of a Python function for every operation below one.

use mondo_sys::*;
use pyo3::prelude::*;

use crate::interop::callback::raised_in;
use crate::interop::enums;
use crate::ownership::operation::{OperationBase, wrap};
use crate::ownership::traversal::for_each_block;
use crate::ownership::tree::Tree;

/// An operation that a walk is to visit.
struct Step {
    object: Py<OperationBase>,
    /// The number of the first step that is not below it; only where parents come first.
    end: usize,
}

/// The operations that are there when the walk begins, in order. The callback may do what it likes
/// with the tree: the walk goes on with those that are still alive.
struct Steps<'a, 'py> {
    py: Python<'py>,
    tree: &'a Py<Tree>,
    parents_first: bool,
    steps: Vec<Step>,
}

impl Steps<'_, '_> {
    fn add(&mut self, op: MlirOperation) -> PyResult<()> {
        let at = self.steps.len();
        if self.parents_first {
            self.push(op)?;
        }
        let mut blocks = Vec::new();
        for_each_block(op, &mut |block| blocks.push(block));
        for block in blocks {
            // SAFETY: nothing runs in between that could change the tree, so that the block and its
            // operations are live.
            let mut next = unsafe { mlirBlockGetFirstOperation(block) };
            while !next.ptr.is_null() {
                self.add(next)?;
                // SAFETY: as above.
                next = unsafe { mlirOperationGetNextInBlock(next) };
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
    fn push(&mut self, op: MlirOperation) -> PyResult<()> {
        // SAFETY: the operation is live and in the tree.
        let object = unsafe { wrap(self.py, self.tree, op)? };
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
        order: MlirWalkOrder,
    ) -> PyResult<()> {
        let op = self.get(py)?;
        let tree = self.tree(py)?;
        let mut steps = Steps {
            py,
            tree: tree.as_unbound(),
            parents_first: order == MlirWalkPreOrder,
            steps: Vec::new(),
        };
        steps.add(op)?;
        let steps = steps.steps;
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
            if result == MlirWalkResultInterrupt {
                break;
            }
            if result == MlirWalkResultSkip && order == MlirWalkPreOrder {
                next = step.end;
            }
        }
        Ok(())
    }
}
