//! What changes or walks a tree, and so has to know of every handle and walk.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::{OpRef, State, Tree, keys, tick, uses};

thread_local! {
    /// The operation that the Python pass of this thread runs on, or null.
    static PASS_ON: Cell<*mut c_void> = const { Cell::new(ptr::null_mut()) };
}

/// Runs `work`, a Python pass on `op`.
pub(crate) fn run_pass_on<T>(op: MlirOperation, work: impl FnOnce() -> T) -> T {
    let before = PASS_ON.replace(op.ptr);
    let result = work();
    PASS_ON.set(before);
    result
}

/// Runs `work`, a pipeline that this thread's Python pass may have started: until it has ended, the
/// pass owns nothing.
pub(crate) fn run_outside_pass<T>(work: impl FnOnce() -> T) -> T {
    let nothing = MlirOperation {
        ptr: ptr::null_mut(),
    };
    run_pass_on(nothing, work)
}

/// Whether the key is of the operation that this thread's Python pass runs on, or of something below.
pub(super) fn is_in_pass(key: usize) -> bool {
    let op = MlirOperation { ptr: PASS_ON.get() };
    let mut found = false;
    if !op.ptr.is_null() {
        keys(op, &mut |candidate| found |= candidate == key);
    }
    found
}

impl OpRef {
    /// Unlinks the operation from its block; from now on the tree destroys it by itself.
    pub(crate) fn detach(&self, py: Python<'_>) -> PyResult<()> {
        let op = self.get(py)?;
        let mut state = self.0.tree.state();
        self.refuse_if_needed(&state, op)?;
        // SAFETY: `op` is live; unlinking leaves it and everything below it in place, and no walk
        // goes on from it.
        unsafe { mlirOperationRemoveFromParent(op) };
        state.roots.push(op);
        Ok(())
    }

    /// Moves the operation next to `other`, which must be of the same tree, in a block, and not
    /// below it.
    pub(crate) fn move_beside(
        &self,
        py: Python<'_>,
        other: &OpRef,
        place: unsafe extern "C" fn(MlirOperation, MlirOperation),
    ) -> PyResult<()> {
        let (op, target) = (self.get(py)?, other.get(py)?);
        if !Arc::ptr_eq(self.tree(), other.tree()) {
            return Err(PyRuntimeError::new_err(
                "moving an operation into another tree is not supported yet",
            ));
        }
        // SAFETY: both operations are live, and so are all ancestors.
        unsafe {
            if mlirOperationGetBlock(target).ptr.is_null() {
                return Err(PyRuntimeError::new_err(
                    "the other operation is in no block",
                ));
            }
            let mut above = target;
            while !above.ptr.is_null() {
                if above.ptr == op.ptr {
                    return Err(PyRuntimeError::new_err(
                        "an operation cannot be moved next to itself or into itself",
                    ));
                }
                above = mlirOperationGetParentOperation(above);
            }
        }
        let state = self.0.tree.state();
        if !state.walks.is_empty() {
            return Err(PyRuntimeError::new_err(
                "operations cannot be moved during a walk",
            ));
        }
        self.refuse_if_needed(&state, op)?;
        self.refuse_if_needed(&state, target)?;
        if state.roots.iter().any(|root| root.ptr == op.ptr) {
            // MLIR's move takes the operation out of a block, so it has to be in one.
            return Err(PyRuntimeError::new_err("the operation is in no block"));
        }
        // SAFETY: both are live, in blocks, and neither is below the other's place.
        unsafe { place(op, target) };
        Ok(())
    }

    /// Destroys the operation and everything below it.
    pub(crate) fn erase(&self, py: Python<'_>) -> PyResult<()> {
        let op = self.get(py)?;
        // SAFETY: `op` is live, and the indices are below the count.
        let used = unsafe {
            (0..mlirOperationGetNumResults(op)).any(|index| {
                !mlirValueGetFirstUse(mlirOperationGetResult(op, index))
                    .ptr
                    .is_null()
            })
        };
        if used {
            return Err(PyRuntimeError::new_err(
                "cannot erase an operation while its results have uses",
            ));
        }
        if uses::is_used_outside(op) {
            return Err(PyRuntimeError::new_err(
                "cannot erase an operation while something outside of it (perhaps detached or \
                 cloned) uses a value or a block that is inside; erase that first",
            ));
        }
        let mut state = self.0.tree.state();
        self.refuse_if_needed(&state, op)?;
        let time = tick();
        keys(op, &mut |key| {
            state.erased.insert(key, time);
        });
        state.roots.retain(|root| root.ptr != op.ptr);
        // SAFETY: `op` is live and unused; every handle to it or below it was told above.
        unsafe { mlirOperationDestroy(op) };
        Ok(())
    }

    /// Walks `self` and everything below it in `order`, until `visit` says otherwise.
    pub(crate) fn walk<'py>(
        &self,
        py: Python<'py>,
        order: MlirWalkOrder,
        visit: &mut dyn FnMut(Python<'py>, OpRef) -> MlirWalkResult,
    ) -> PyResult<()> {
        struct Walk<'a, 'py> {
            py: Python<'py>,
            tree: &'a Arc<Tree>,
            number: u64,
            order: MlirWalkOrder,
            visit: &'a mut dyn FnMut(Python<'py>, OpRef) -> MlirWalkResult,
        }
        unsafe extern "C" fn step(op: MlirOperation, data: *mut c_void) -> MlirWalkResult {
            // SAFETY: `data` is the `Walk` below, which only this walk uses.
            let walk = unsafe { &mut *data.cast::<Walk<'_, '_>>() };
            walk.tree.walk_reaches(walk.number, op);
            // SAFETY: the walk stays within the tree.
            let reached = unsafe { walk.tree.op(op) };
            let probe = reached.share();
            let result = (walk.visit)(walk.py, reached);
            // No pipeline runs on the tree during a walk, so that only `erase` can have ended it.
            let gone = probe.0.is_erased();
            if gone && walk.order == MlirWalkPreOrder && result == MlirWalkResultAdvance {
                // There is nothing left to go down into.
                return MlirWalkResultSkip;
            }
            result
        }
        let op = self.get(py)?;
        let tree = self.tree();
        let number = tick();
        let mut walk = Walk {
            py,
            tree,
            number,
            order,
            visit,
        };
        tree.state().walks.push((number, op.ptr as usize));
        // SAFETY: `op` is live; `erase` refuses to destroy what the walk still needs.
        unsafe { mlirOperationWalk(op, Some(step), (&raw mut walk).cast(), order) };
        tree.state().walks.retain(|walk| walk.0 != number);
        Ok(())
    }
}

impl OpRef {
    /// Fails if a walk, a pass or whatever emits a diagnostic still needs `op` where it is.
    ///
    /// A walk goes on from the operation that it has reached: that one and what is below it may be
    /// taken out, but nothing around or beside it. A pass may take out what is below the operation
    /// that it runs on, or what it has detached.
    fn refuse_if_needed(&self, state: &State, op: MlirOperation) -> PyResult<()> {
        self.tree().context().get().refuse_in_handlers()?;
        let above = with_ancestors(op);
        if !state
            .walks
            .iter()
            .all(|(_, reached)| above.iter().any(|a| *a as usize == *reached))
        {
            return Err(PyRuntimeError::new_err(
                "during a walk only the operation that the walk has reached, and what is below it, \
                 can be taken out",
            ));
        }
        if self.tree().context().get().is_running() {
            let around_pass = with_ancestors(MlirOperation { ptr: PASS_ON.get() });
            let below = above[1..].contains(&PASS_ON.get());
            let elsewhere = !around_pass.is_empty() && above.last() != around_pass.last();
            if below || elsewhere {
                return Ok(());
            }
            return Err(PyRuntimeError::new_err(
                "a pass can only take out what is below the operation that it runs on",
            ));
        }
        Ok(())
    }
}

/// The address of `op` and of everything around it, from the inside out; none for null.
fn with_ancestors(op: MlirOperation) -> Vec<*mut c_void> {
    let mut found = Vec::new();
    let mut next = op;
    while !next.ptr.is_null() {
        found.push(next.ptr);
        // SAFETY: the callers pass a live operation or null, and the ancestors live as well.
        next = unsafe { mlirOperationGetParentOperation(next) };
    }
    found
}
