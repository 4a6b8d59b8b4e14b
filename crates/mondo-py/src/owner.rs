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

pub(crate) use edit::run_pass_on;

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
    /// Addresses of operations and blocks that Python erased, with the time.
    erased: HashMap<usize, u64>,
    /// Handles up to this time need a look into `live`: a pass pipeline ran.
    doubtful: u64,
    /// Every address of the tree, found when first needed after a pipeline ran.
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
        OpRef(Handle::new(&tree, root.ptr))
    }

    /// Takes ownership of one more operation, which may use values of this tree.
    ///
    /// # Safety
    ///
    /// `root` is a live operation of this tree's context without a parent, and nobody else destroys
    /// it.
    pub(crate) unsafe fn adopt_beside(self: &Arc<Self>, root: MlirOperation) -> OpRef {
        self.state().roots.push(root);
        OpRef(Handle::new(self, root.ptr))
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
        OpRef(Handle::new(self, op.ptr))
    }

    /// A handle to `block`, which MLIR just returned.
    ///
    /// # Safety
    ///
    /// `block` is a live block of this tree.
    pub(crate) unsafe fn block(self: &Arc<Self>, block: MlirBlock) -> BlockRef {
        BlockRef(Handle::new(self, block.ptr))
    }

    /// Says that operations of this tree may have died without a word: a pass pipeline ran.
    pub(crate) fn doubt(&self) {
        let mut state = self.state();
        state.doubtful = tick();
        state.live = None;
    }

    /// Fails if a walk is under way: a pipeline may destroy what it needs.
    pub(crate) fn begin_pipeline(&self) -> PyResult<()> {
        if self.state().walks.is_empty() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "a pass pipeline cannot be run during a walk",
        ))
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
        if state.roots.len() > 1 {
            // One root may use values of another (it was detached from it). Dropping every use first
            // makes the order in which they are destroyed irrelevant.
            for &root in &state.roots {
                for_each_op(root, |op| {
                    // SAFETY: `op` is live; no operands need no array.
                    unsafe { mlirOperationSetOperands(op, 0, std::ptr::null()) };
                });
            }
        }
        for root in state.roots.drain(..).rev() {
            // SAFETY: the tree owns `root`, which is live and has no parent, and no handle is left.
            unsafe { mlirOperationDestroy(root) };
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

/// The addresses of `root`, of every operation below it and of all their blocks.
fn addresses(root: MlirOperation, out: &mut impl FnMut(usize)) {
    for_each_op(root, |op| {
        out(op.ptr as usize);
        // SAFETY: `op` is live, and the indices are below the counts.
        unsafe {
            for index in 0..mlirOperationGetNumRegions(op) {
                let mut block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, index));
                while !block.ptr.is_null() {
                    out(block.ptr as usize);
                    block = mlirBlockGetNextInRegion(block);
                }
            }
        }
    });
}

/// A pointer into a tree.
struct Handle {
    tree: Arc<Tree>,
    address: *mut c_void,
    /// When the pointer was last known to be good, or [`NEVER`].
    known_good: AtomicU64,
}

// SAFETY: as for `Tree`: the address is followed only with the interpreter attached.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    fn new(tree: &Arc<Tree>, address: *mut c_void) -> Self {
        Self {
            tree: Arc::clone(tree),
            address,
            known_good: AtomicU64::new(now()),
        }
    }

    fn share(&self) -> Self {
        let known_good = AtomicU64::new(self.known_good.load(Ordering::Relaxed));
        Self {
            tree: Arc::clone(&self.tree),
            address: self.address,
            known_good,
        }
    }

    /// Whether Python erased what it points to.
    fn is_erased(&self) -> bool {
        let known_good = self.known_good.load(Ordering::Relaxed);
        let state = self.tree.state();
        let erased = state.erased.get(&(self.address as usize));
        known_good == NEVER || erased.is_some_and(|time| *time >= known_good)
    }

    /// The pointer, if what it points to still lives.
    fn get(&self, py: Python<'_>, what: &str) -> PyResult<*mut c_void> {
        let context = self.tree.context.get();
        context.check_access(py)?;
        let key = self.address as usize;
        let known_good = self.known_good.load(Ordering::Relaxed);
        let mut state = self.tree.state();
        let erased = state
            .erased
            .get(&key)
            .is_some_and(|time| *time >= known_good);
        let alive = if known_good == NEVER || erased {
            false
        } else if known_good > state.doubtful {
            true
        } else if context.is_running() {
            // A Python pass asks for something from before: the tree cannot be searched while other
            // threads work on it.
            return Err(PyRuntimeError::new_err(format!(
                "this {what} was taken before the pass pipeline started, and cannot be used while \
                 it runs"
            )));
        } else {
            let state = &mut *state;
            let roots = &state.roots;
            let live = state.live.get_or_insert_with(|| {
                let mut found = HashSet::new();
                for &root in roots {
                    addresses(root, &mut |address| {
                        found.insert(address);
                    });
                }
                found
            });
            live.contains(&key)
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
