//! The script that the interpreter runs: the module that it is in, and its first operation.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A module with a script, and the operation that the script begins with.
pub(super) struct Script {
    pub(super) module: MlirOperation,
    pub(super) start: MlirOperation,
    /// True if the module is a copy, to be destroyed.
    is_copy: bool,
}

impl Script {
    /// The script that begins with `start`, for a run on `payload`. A script that is of the tree that
    /// it transforms could take itself away while it runs, so that then a copy is run.
    ///
    /// # Safety
    ///
    /// All three are live.
    pub(super) unsafe fn new(
        payload: MlirOperation,
        start: MlirOperation,
        module: MlirOperation,
    ) -> PyResult<Self> {
        // SAFETY: the caller vouches for the operations.
        unsafe {
            let tree = mondoOperationGetRoot(payload).ptr;
            let is_apart = |op| mondoOperationGetRoot(op).ptr != tree;
            if is_apart(start) && is_apart(module) {
                return Ok(Self {
                    module,
                    start,
                    is_copy: false,
                });
            }
            let Some(path) = path(module, start) else {
                return Err(PyValueError::new_err(
                    "a script that is part of what it transforms must begin in the module that is \
                     given for it",
                ));
            };
            let copy = mlirOperationClone(module);
            Ok(Self {
                module: copy,
                start: follow(copy, &path),
                is_copy: true,
            })
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        if self.is_copy {
            // SAFETY: the copy is of this script alone, and nothing outside uses it.
            unsafe { mlirOperationDestroy(self.module) };
        }
    }
}

/// A region of an operation, a block of that, and an operation of that, by their places.
type Step = (isize, usize, usize);

/// The path from `module` to `op`, which are live; none if `op` is elsewhere.
unsafe fn path(module: MlirOperation, op: MlirOperation) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut inner = op;
    // SAFETY: the caller vouches for the two, and what is around a live operation is live.
    unsafe {
        while inner.ptr != module.ptr {
            let block = mlirOperationGetBlock(inner);
            if block.ptr.is_null() {
                return None;
            }
            let outer = mlirOperationGetParentOperation(inner);
            if outer.ptr.is_null() {
                return None;
            }
            let region = mlirBlockGetParentRegion(block);
            let region_at = (0..mlirOperationGetNumRegions(outer))
                .find(|at| mlirOperationGetRegion(outer, *at).ptr == region.ptr)?;
            let mut block_at = 0;
            let mut before = mlirRegionGetFirstBlock(region);
            while before.ptr != block.ptr {
                block_at += 1;
                before = mlirBlockGetNextInRegion(before);
            }
            let mut op_at = 0;
            let mut before = mlirBlockGetFirstOperation(block);
            while before.ptr != inner.ptr {
                op_at += 1;
                before = mlirOperationGetNextInBlock(before);
            }
            steps.push((region_at, block_at, op_at));
            inner = outer;
        }
    }
    steps.reverse();
    Some(steps)
}

/// The operation at `path` from `module`, which is live and has one there.
unsafe fn follow(module: MlirOperation, path: &[Step]) -> MlirOperation {
    let mut op = module;
    for (region, block, place) in path {
        // SAFETY: the path is one of an operation that looks the same.
        unsafe {
            let mut inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, *region));
            for _ in 0..*block {
                inner = mlirBlockGetNextInRegion(inner);
            }
            op = mlirBlockGetFirstOperation(inner);
            for _ in 0..*place {
                op = mlirOperationGetNextInBlock(op);
            }
        }
    }
    op
}
