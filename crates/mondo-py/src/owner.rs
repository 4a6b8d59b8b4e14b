//! Who keeps what alive, and which pointers are still good. All of it is in this module.
//!
//! A [`Tree`] owns operations that have no parent (a module, a clone, what was detached) and keeps
//! their context alive; it destroys them when the last handle to any part of it goes. A handle
//! ([`OpRef`], [`BlockRef`]) is a pointer with its tree and the time at which it was taken. Before a
//! pointer is used, [`OpRef::get`] makes sure that
//!
//! - no other thread runs a pass pipeline on the context ([`Context::check_access`]);
//! - nobody erased the operation through Python after the handle was taken;
//! - if a pass pipeline ran since, the address still belongs to the tree.
//!
//! A handle that fails the second or third test raises, for ever after.

mod edit;
mod uses;

pub(crate) use edit::{run_outside_pass, run_pass_on};

use std::collections::{HashMap, HashSet};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mondo_sys::*;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::context::Context;

/// The time: it grows with every event that may end the life of an operation.
static CLOCK: AtomicU64 = AtomicU64::new(1);

/// The time at which a handle counts as dead whatever happens.
const NEVER: u64 = 0;

fn now() -> u64 {
    CLOCK.load(Ordering::Relaxed)
}

fn tick() -> u64 {
    CLOCK.fetch_add(1, Ordering::Relaxed)
}

/// Operations without a parent that live and die together.
pub(crate) struct Tree {
    state: Mutex<State>,
    // Dropped after `Drop::drop` has destroyed the operations: the context goes last.
    context: Py<Context>,
}

#[derive(Default)]
struct State {
    /// What this tree destroys, in order of arrival.
    roots: Vec<MlirOperation>,
    /// Keys of operations and blocks that Python erased, with the time.
    erased: HashMap<usize, u64>,
    /// Handles up to this time need a look into `live`: a pass pipeline ran.
    doubtful: u64,
    /// Every key of the tree, found when first needed after a pipeline ran.
    live: Option<HashSet<usize>>,
    /// The walks that are under way, in any thread: each one's number and the address of the
    /// operation that it has reached.
    walks: Vec<(u64, usize)>,
}

// SAFETY: the pointers in `State` are followed only with the interpreter attached (one thread at a
// time; the extension does not declare itself free-threaded) and after `Context::check_access`.
unsafe impl Send for Tree {}
// SAFETY: as above.
unsafe impl Sync for Tree {}

impl Tree {
    /// Takes ownership of `root` and returns a handle to it.
    ///
    /// # Safety
    ///
    /// `root` is a live operation of `context` without a parent, and nobody else destroys it.
    pub(crate) unsafe fn adopt(context: Py<Context>, root: MlirOperation) -> OpRef {
        let state = State {
            roots: vec![root],
            ..State::default()
        };
        let tree = Arc::new(Self {
            state: Mutex::new(state),
            context,
        });
        OpRef(Handle::new(&tree, root.ptr, op_key(root)))
    }

    /// Takes ownership of one more operation, which may use values of this tree.
    ///
    /// # Safety
    ///
    /// `root` is a live operation of this tree's context without a parent, and nobody else destroys
    /// it.
    pub(crate) unsafe fn adopt_beside(self: &Arc<Self>, root: MlirOperation) -> OpRef {
        self.state().roots.push(root);
        OpRef(Handle::new(self, root.ptr, op_key(root)))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is consistent between statements, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The context of every operation in the tree.
    pub(crate) fn context(&self) -> &Py<Context> {
        &self.context
    }

    /// A handle to `op`, which MLIR just returned.
    ///
    /// # Safety
    ///
    /// `op` is a live operation of this tree.
    pub(crate) unsafe fn op(self: &Arc<Self>, op: MlirOperation) -> OpRef {
        OpRef(Handle::new(self, op.ptr, op_key(op)))
    }

    /// A handle to `block`, which MLIR just returned.
    ///
    /// # Safety
    ///
    /// `block` is a live block of this tree.
    pub(crate) unsafe fn block(self: &Arc<Self>, block: MlirBlock) -> BlockRef {
        BlockRef(Handle::new(self, block.ptr, block_key(block)))
    }

    /// Says that operations of this tree may have died without a word: a pass pipeline ran.
    pub(crate) fn doubt(&self) {
        let mut state = self.state();
        state.doubtful = tick();
        state.live = None;
    }

    /// Gets ready for a pipeline, which may destroy anything in the tree without a word. Fails if a
    /// walk is under way, or if something would be left that uses what the pipeline destroys.
    pub(crate) fn begin_pipeline(&self) -> PyResult<()> {
        if !self.state().walks.is_empty() {
            return Err(PyRuntimeError::new_err(
                "a pass pipeline cannot be run during a walk",
            ));
        }
        self.refuse_loose_uses()?;
        // A diagnostic handler may use a handle before the pipeline has ended.
        self.doubt();
        Ok(())
    }

    /// Fails if an operation without a parent uses a value or a block of another one: passes know
    /// nothing of such a use, and what they destroy would be written to when it ends.
    pub(crate) fn refuse_loose_uses(&self) -> PyResult<()> {
        let state = self.state();
        if state.roots.len() > 1 && state.roots.iter().any(|root| uses::is_used_outside(*root)) {
            return Err(PyRuntimeError::new_err(
                "an operation that was detached or cloned uses values or blocks of another tree (or \
                 defines what that uses); erase it before passes run",
            ));
        }
        Ok(())
    }

    /// Says that the walk of this number has reached `op`.
    fn walk_reaches(&self, number: u64, op: MlirOperation) {
        if let Some(walk) = self.state().walks.iter_mut().find(|walk| walk.0 == number) {
            walk.1 = op.ptr as usize;
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(PoisonError::into_inner);
        // One root may use values and blocks of another (it was detached from it). Dropping every
        // use first makes the order in which they are destroyed irrelevant. MLIR has no successor
        // that is nothing, so that a block of our own stands in.
        let nowhere = (state.roots.len() > 1).then(|| {
            // SAFETY: no arguments need no arrays.
            let nowhere = unsafe { mlirBlockCreate(0, std::ptr::null(), std::ptr::null()) };
            for &root in &state.roots {
                for_each_op(root, |op| uses::drop_uses(op, nowhere));
            }
            nowhere
        });
        for root in state.roots.drain(..).rev() {
            // SAFETY: the tree owns `root`, which is live and has no parent, and no handle is left.
            unsafe { mlirOperationDestroy(root) };
        }
        if let Some(nowhere) = nowhere {
            // SAFETY: the block is ours, and whatever had it as a successor is gone.
            unsafe { mlirBlockDestroy(nowhere) };
        }
    }
}

/// Calls `visit` for `root` and every operation below it, parents first.
fn for_each_op(root: MlirOperation, mut visit: impl FnMut(MlirOperation)) {
    unsafe extern "C" fn step<F: FnMut(MlirOperation)>(
        op: MlirOperation,
        visit: *mut c_void,
    ) -> MlirWalkResult {
        // SAFETY: `visit` is the closure below, which only this walk uses.
        unsafe { (*visit.cast::<F>())(op) };
        MlirWalkResultAdvance
    }
    fn walk<F: FnMut(MlirOperation)>(root: MlirOperation, visit: &mut F) {
        let data = (&raw mut *visit).cast();
        // SAFETY: the callers pass live roots, and their closures do not change the structure.
        unsafe { mlirOperationWalk(root, Some(step::<F>), data, MlirWalkPreOrder) };
    }
    walk(root, &mut visit);
}

/// What `State` knows an operation by. A block may come to lie where an operation lay and the other
/// way round, so that the address alone does not do.
fn op_key(op: MlirOperation) -> usize {
    op.ptr as usize
}

/// What `State` knows a block by: its address and a bit that no aligned address has.
fn block_key(block: MlirBlock) -> usize {
    block.ptr as usize | 1
}

/// The keys of `root`, of every operation below it and of all their blocks.
fn keys(root: MlirOperation, out: &mut impl FnMut(usize)) {
    for_each_op(root, |op| {
        out(op_key(op));
        for_each_block(op, |block| out(block_key(block)));
    });
}

/// Calls `visit` for every block of `op`'s own regions.
fn for_each_block(op: MlirOperation, mut visit: impl FnMut(MlirBlock)) {
    // SAFETY: the callers pass live operations, and the indices are below the counts.
    unsafe {
        for index in 0..mlirOperationGetNumRegions(op) {
            let mut block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
            while !block.ptr.is_null() {
                visit(block);
                block = mlirBlockGetNextInRegion(block);
            }
        }
    }
}

/// A pointer into a tree.
struct Handle {
    tree: Arc<Tree>,
    address: *mut c_void,
    /// What the tree's state knows it by.
    key: usize,
    /// When the pointer was last known to be good, or [`NEVER`].
    known_good: AtomicU64,
}

// SAFETY: as for `Tree`: the address is followed only with the interpreter attached.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    fn new(tree: &Arc<Tree>, address: *mut c_void, key: usize) -> Self {
        Self {
            tree: Arc::clone(tree),
            address,
            key,
            known_good: AtomicU64::new(now()),
        }
    }

    fn share(&self) -> Self {
        let known_good = AtomicU64::new(self.known_good.load(Ordering::Relaxed));
        Self {
            tree: Arc::clone(&self.tree),
            address: self.address,
            key: self.key,
            known_good,
        }
    }

    /// Whether Python erased what it points to.
    fn is_erased(&self) -> bool {
        let known_good = self.known_good.load(Ordering::Relaxed);
        let state = self.tree.state();
        let erased = state.erased.get(&self.key);
        known_good == NEVER || erased.is_some_and(|time| *time >= known_good)
    }

    /// The pointer, if what it points to still lives.
    fn get(&self, py: Python<'_>, what: &str) -> PyResult<*mut c_void> {
        let context = self.tree.context.get();
        context.check_access(py)?;
        let known_good = self.known_good.load(Ordering::Relaxed);
        let mut state = self.tree.state();
        let erased = state
            .erased
            .get(&self.key)
            .is_some_and(|time| *time >= known_good);
        let alive = if known_good == NEVER || erased {
            false
        } else if known_good > state.doubtful {
            true
        } else if context.is_running() {
            // A Python pass or a diagnostic handler asks for something from before. Other threads may
            // work on the tree, but not on what the pass of this thread runs on.
            if !edit::is_in_pass(self.key) {
                return Err(PyRuntimeError::new_err(format!(
                    "this {what} was taken before the pass that runs now (or a pipeline within it), \
                     and is not what the pass runs on or below that; it cannot be used until the \
                     whole pipeline has run"
                )));
            }
            true
        } else {
            let state = &mut *state;
            let roots = &state.roots;
            let live = state.live.get_or_insert_with(|| {
                let mut found = HashSet::new();
                for &root in roots {
                    keys(root, &mut |key| {
                        found.insert(key);
                    });
                }
                found
            });
            live.contains(&self.key)
        };
        self.known_good
            .store(if alive { now() } else { NEVER }, Ordering::Relaxed);
        if alive {
            Ok(self.address)
        } else {
            Err(PyRuntimeError::new_err(format!(
                "the {what} has been invalidated"
            )))
        }
    }
}

/// A handle to an operation.
pub(crate) struct OpRef(Handle);

impl OpRef {
    /// Another handle to the same operation, as good as this one.
    pub(crate) fn share(&self) -> Self {
        Self(self.0.share())
    }

    /// The operation, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirOperation> {
        self.0.get(py, "operation").map(|ptr| MlirOperation { ptr })
    }

    /// The tree it is in.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.0.tree
    }

    /// A number that tells operations apart as long as they live.
    pub(crate) fn address(&self) -> usize {
        self.0.address as usize
    }
}

/// A handle to a block.
pub(crate) struct BlockRef(Handle);

impl BlockRef {
    /// Another handle to the same block, as good as this one.
    pub(crate) fn share(&self) -> Self {
        Self(self.0.share())
    }

    /// The block, which is live at least until the interpreter runs other code.
    pub(crate) fn get(&self, py: Python<'_>) -> PyResult<MlirBlock> {
        self.0.get(py, "block").map(|ptr| MlirBlock { ptr })
    }

    /// The tree it is in.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.0.tree
    }

    /// A number that tells blocks apart as long as they live.
    pub(crate) fn address(&self) -> usize {
        self.0.address as usize
    }
}
