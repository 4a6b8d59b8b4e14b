//! Guards against changes of IR by Python code that a running pass, rewrite, or diagnostic handler
//! calls.
//!
//! After Python code returns, a pass uses the operation that it runs on, a pattern rewrite driver uses
//! everything below the operation that it was started on, and the code that emitted a diagnostic may use any
//! of the IR. If Python destroyed such an operation, C++ would use a dangling pointer, so that this is
//! refused. Every other destruction is allowed, because the hooks report it.
//!
//! Locks: [`DRIVEN`] is never held while anything else is done.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use mondo_ir::nodes::Op;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::ownership::context::Context;

/// The operation that a Python pass of this thread runs on.
#[derive(Clone, Copy)]
struct PassOn {
    /// The operation that the pass runs on; null if no Python pass runs.
    op: *mut c_void,
    /// The operation that this thread has to stay within, because threads of the pipeline may work on its
    /// siblings; null if there are no such threads.
    own: *mut c_void,
}

const NOTHING: PassOn = PassOn {
    op: ptr::null_mut(),
    own: ptr::null_mut(),
};

thread_local! {
    static PASS_ON: Cell<PassOn> = const { Cell::new(NOTHING) };
}

/// The addresses of the operations that pattern rewrite drivers run on, each with the thread that started the
/// driver.
static DRIVEN: Mutex<Vec<(usize, ThreadId)>> = Mutex::new(Vec::new());
/// The number of running drivers. The lock is taken only if it is not zero.
static DRIVERS: AtomicUsize = AtomicUsize::new(0);

fn driven() -> MutexGuard<'static, Vec<(usize, ThreadId)>> {
    DRIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work`, a Python pass on `op`, in a pipeline that was started on the operation at the address
/// `start`. If the two differ, other threads of the context may work on siblings of `op`.
pub(crate) fn run_pass_on<T>(
    context: &Context,
    op: Op<'_>,
    start: usize,
    work: impl FnOnce() -> T,
) -> T {
    let before = PASS_ON.get();
    let op = op.address().as_ptr();
    let in_parallel = op as usize != start && context.is_multithreaded();
    PASS_ON.set(PassOn {
        op,
        own: if in_parallel { op } else { before.own },
    });
    let result = work();
    PASS_ON.set(before);
    result
}

/// Runs `work`, a pipeline that a Python pass of this thread may have started. Until it ends, no operation
/// counts as the one that the outer pass runs on.
pub(crate) fn run_outside_pass<T>(work: impl FnOnce() -> T) -> T {
    let before = PASS_ON.get();
    PASS_ON.set(PassOn {
        op: ptr::null_mut(),
        own: before.own,
    });
    let result = work();
    PASS_ON.set(before);
    result
}

/// Runs `work`, a pattern rewrite driver on `op`.
pub(crate) fn drive<T>(op: Op<'_>, work: impl FnOnce() -> T) -> T {
    let entry = (op.address().as_ptr() as usize, thread::current().id());
    driven().push(entry);
    DRIVERS.fetch_add(1, Ordering::AcqRel);
    let result = work();
    let mut driven = driven();
    if let Some(index) = driven.iter().rposition(|item| *item == entry) {
        driven.remove(index);
    }
    DRIVERS.fetch_sub(1, Ordering::AcqRel);
    result
}

/// Fails if a pass in another thread may be changing `op`, which is live. On a multithreaded context, a
/// nested Python pass may use only the operation that it runs on with everything below it, and other trees.
///
/// Callers save this call if [`crate::ownership::context::any_is_running`] returns false.
pub(crate) fn check_pass_access(op: Op<'_>) -> PyResult<()> {
    let pass_op = PASS_ON.get().own;
    if pass_op.is_null() || op.address().as_ptr() == pass_op {
        return Ok(());
    }
    let above = with_ancestors(op);
    if above.contains(&pass_op) || !is_same_tree(&above, pass_op) {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(
        "the operation is outside of the one that this pass runs on, and another thread may be \
         changing it: a pass that is nested in a pipeline can only use what is in its own operation, \
         unless the context's threads are switched off (context.enable_multithreading(False))",
    ))
}

/// Fails if `op`, which is of `context`, can be neither moved nor erased now, because a pass, a rewrite or
/// the code that emitted a diagnostic still uses it in its place.
pub(crate) fn refuse_move(context: &Context, op: Op<'_>) -> PyResult<()> {
    context.refuse_in_handlers()?;
    refuse_in_drivers(op)?;
    let above = with_ancestors(op);
    if !context.is_running() {
        return Ok(());
    }
    let pass = PASS_ON.get();
    if pass.op.is_null() {
        // No Python pass runs in this thread. A driver or a diagnostic handler of the pipeline called the
        // Python code; the checks above have dealt with both.
        return Ok(());
    }
    if above[1..].contains(&pass.op) || !is_same_tree(&above, pass.op) {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(
        "a pass can only take out what is below the operation that it runs on",
    ))
}

/// Fails if a pipeline or a driver must not be started on `op`, which is live and of `context`, because it
/// could destroy an operation that a running pass, rewrite or diagnostic handler still uses.
pub(crate) fn refuse_run(context: &Context, op: Op<'_>) -> PyResult<()> {
    context.refuse_in_handlers()?;
    refuse_in_drivers(op)?;
    let above = with_ancestors(op);
    // A driver has to be refused on all of its tree: folding inserts constants outside of the operation that
    // the driver was started on, and the driver keeps pointers to them.
    let me = thread::current().id();
    let mine: Vec<usize> = driven()
        .iter()
        .filter(|op_driven| op_driven.1 == me)
        .map(|op_driven| op_driven.0)
        .collect();
    if mine
        .into_iter()
        .any(|root| is_same_tree(&above, root as *mut c_void))
    {
        return Err(PyRuntimeError::new_err(
            "a pattern can run passes and rewrites only on other trees than the one it is applied to",
        ));
    }
    let pass = PASS_ON.get();
    if pass.op.is_null() || op.address().as_ptr() == pass.op {
        return Ok(());
    }
    if above.contains(&pass.op) || !is_same_tree(&above, pass.op) {
        return Ok(());
    }
    Err(PyRuntimeError::new_err(
        "a pass can run other passes and rewrites only on the operation that it runs on, on what is \
         below that, and on other trees",
    ))
}

/// Fails while a diagnostic handler of the context runs. The code that emitted the diagnostic goes on with
/// the IR afterwards, so that nothing of the context may be changed.
#[inline]
pub(crate) fn refuse_change(context: &Context) -> PyResult<()> {
    context.refuse_in_handlers()
}

/// Fails if a rewriter must not destroy `op`, which is live and of `context`. `root` is the operation that
/// the rewriter's driver was started on, or null.
pub(crate) fn refuse_rewrite(context: &Context, op: Op<'_>, root: *mut c_void) -> PyResult<()> {
    if !is_below(op, root) {
        return refuse_move(context, op);
    }
    context.refuse_in_handlers()?;
    if needed_by_driver(op, &with_ancestors(op), Some(root)) {
        return Err(in_driver());
    }
    Ok(())
}

/// Returns whether `op` is inside of the operation at the address `around`, which may be null.
pub(crate) fn is_below(op: Op<'_>, around: *mut c_void) -> bool {
    !around.is_null() && with_ancestors(op)[1..].contains(&around)
}

/// Fails if a driver works on `op`, on an ancestor of it, or on an operation in it.
fn refuse_in_drivers(op: Op<'_>) -> PyResult<()> {
    if DRIVERS.load(Ordering::Acquire) != 0 && needed_by_driver(op, &with_ancestors(op), None) {
        return Err(in_driver());
    }
    Ok(())
}

/// Returns whether a driver uses `op`, whose ancestors are `above`. Drivers that were started on `mine` do
/// not count.
fn needed_by_driver(op: Op<'_>, above: &[*mut c_void], mine: Option<*mut c_void>) -> bool {
    let driven = driven().clone();
    driven.into_iter().any(|(root, _)| {
        let root = root as *mut c_void;
        if mine == Some(root) {
            return false;
        }
        above.contains(&root)
            || working_on(root, with_ancestors)
                .is_some_and(|around| around.contains(&op.address().as_ptr()))
    })
}

fn in_driver() -> PyErr {
    PyRuntimeError::new_err(
        "a pattern rewrite is under way on this operation: what is in it can only be erased or \
         replaced through the rewriter (erase_op, replace_op)",
    )
}

/// Returns whether `op` has the same topmost ancestor as a node whose ancestors are `above`.
fn is_same_tree(above: &[*mut c_void], op: *mut c_void) -> bool {
    above.last().copied() == working_on(op, |op| op.root().address().as_ptr())
}

/// Runs `look` with the operation at an address; returns None unless a pass of this thread or a driver works
/// on that operation.
fn working_on<R>(address: *mut c_void, look: impl FnOnce(Op<'_>) -> R) -> Option<R> {
    let pass = PASS_ON.get();
    let is_worked_on = [pass.op, pass.own].contains(&address)
        || driven()
            .iter()
            .any(|op_driven| op_driven.0 == address as usize);
    let at = NonNull::new(address).filter(|_| is_worked_on)?;
    // SAFETY: `PASS_ON` or `DRIVEN` has the address, so that `run_pass_on` or `drive` has not returned. They
    // were given a live operation, and the guards of this file refuse to destroy it until they return.
    Some(look(unsafe { Op::at(at) }))
}

/// The addresses of `op` and its ancestors, from the inside out.
fn with_ancestors(op: Op<'_>) -> Vec<*mut c_void> {
    op.with_ancestors()
        .map(|op| op.address().as_ptr())
        .collect()
}
