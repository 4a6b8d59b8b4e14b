//! The scope of a context: its state, and the token that says when handles may be kept.
//!
//! Nothing of a tree is freed while a handle can exist. What is erased, or loses its owner, is cut out
//! of its tree at once and put on a list; the list is freed by calls that take the token exclusively.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use mondo_sys::{
    MlirBlock, MlirContext, MlirOperation, mlirBlockCreate, mlirContextEnableMultithreading,
    mlirContextGetNumThreads, mlirOperationGetNumRegions, mlirOperationGetRegion,
    mlirRegionAppendOwnedBlock, mondoContextUseSharedThreadPool,
};

use crate::brand::Brand;
use crate::fence::{Crossings, Fence};
use crate::objects::Nesting;
use crate::shapes::Shapes;
use crate::tree;

/// The state that the handles of a scope share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) context: MlirContext,
    /// Roots without an owner.
    dead: RefCell<Vec<MlirOperation>>,
    /// The changes that are refused now.
    fence: Cell<Fence>,
    /// The operations that may use the tree that MLIR works on from outside.
    pub(crate) crossings: Crossings,
    /// An operation with one block, which takes the place of the successors of what is erased.
    placeholder: Cell<Option<(MlirOperation, MlirBlock)>>,
    /// The shapes of operations that were made and found to be possible.
    pub(crate) shapes: Shapes,
    /// What the context's owner knows of the depth of its structures; none in a call of a dialect or a pass from C++.
    pub(crate) nesting: Option<Arc<Mutex<Nesting>>>,
    /// The operation from which no handle leads outside, since other threads may be working there, or null if there is none.
    top: Cell<*mut c_void>,
}

impl State {
    pub(crate) fn new(context: MlirContext) -> Self {
        Self {
            context,
            dead: RefCell::default(),
            fence: Cell::default(),
            crossings: Crossings::default(),
            placeholder: Cell::default(),
            shapes: Shapes::default(),
            nesting: None,
            top: Cell::new(std::ptr::null_mut()),
        }
    }

    /// The state of a scope of the program that owns the context, and its structures' depths.
    pub(crate) fn owned(context: MlirContext, nesting: Arc<Mutex<Nesting>>) -> Self {
        let mut state = Self::new(context);
        state.nesting = Some(nesting);
        state
    }

    /// The state of a call in which no handle leads out of `top`.
    #[cfg(feature = "sdk")]
    pub(crate) fn within(context: MlirContext, top: MlirOperation) -> Self {
        let state = Self::new(context);
        state.top.set(top.ptr);
        state
    }

    /// Returns true if no handle leads out of this operation.
    pub(crate) fn is_top(&self, op: MlirOperation) -> bool {
        op.ptr == self.top.get()
    }

    /// Takes over a root that nothing owns any more. It is freed later.
    ///
    /// # Safety
    ///
    /// The operation is live and of this context, is in no block, and nothing else will destroy it.
    pub(crate) unsafe fn retire(&self, root: MlirOperation) {
        // SAFETY: the caller vouches for the root; the placeholder block lives as long as this.
        unsafe { tree::cut(root, || self.placeholder()) };
        self.dead.borrow_mut().push(root);
    }

    fn placeholder(&self) -> MlirBlock {
        if let Some((_, block)) = self.placeholder.get() {
            return block;
        }
        // SAFETY: the context is live; the new operation has one region, which owns the block.
        unsafe {
            let holder = tree::holder(self.context);
            let block = mlirBlockCreate(0, std::ptr::null(), std::ptr::null());
            mlirRegionAppendOwnedBlock(mlirOperationGetRegion(holder, 0), block);
            debug_assert_eq!(mlirOperationGetNumRegions(holder), 1);
            self.placeholder.set(Some((holder, block)));
            block
        }
    }

    /// Returns true if that is the block in place of the successors of what was erased.
    pub(crate) fn is_placeholder(&self, block: MlirBlock) -> bool {
        let placeholder = self.placeholder.get();
        placeholder.is_some_and(|(_, placeholder)| placeholder.ptr == block.ptr)
    }

    /// Lets an operation use nothing, as if it were erased.
    ///
    /// # Safety
    ///
    /// The operation is live and of this context.
    pub(crate) unsafe fn cut_one(&self, op: MlirOperation) {
        // SAFETY: the caller vouches for the operation; the placeholder block outlives all trees of the scope.
        unsafe { tree::cut_one(op, || self.placeholder()) };
    }

    /// Frees what is dead and not used by anything that lives.
    ///
    /// # Safety
    ///
    /// No handle of this scope exists.
    pub(crate) unsafe fn flush(&self) {
        // SAFETY: this function has the contract of `flush_since`.
        unsafe { self.flush_since(0) };
    }

    /// Frees what has died since the list of the dead was so long, and is not used by anything that lives. So a
    /// closure that is called often does not look at what died before.
    ///
    /// # Safety
    ///
    /// No handle exists but such as lead to nothing that has died since.
    pub(crate) unsafe fn flush_since(&self, length: usize) {
        let dead = self.dead.borrow_mut().split_off(length);
        for root in &dead {
            // The tree is cut again, as something may have been put into it since `retire` cut it.
            // SAFETY: a dead root is live until this destroys it.
            unsafe { tree::cut(*root, || self.placeholder()) };
        }
        // SAFETY: each root on the list is live until this function destroys it below, and was cut.
        let (used, free): (Vec<_>, Vec<_>) = dead
            .into_iter()
            .partition(|root| unsafe { tree::is_used(*root) });
        for root in free {
            // SAFETY: the root has no owner and no parent, no other tree uses its values or blocks, and
            // by the caller's word there is no handle of it.
            unsafe { tree::destroy(root) };
        }
        self.dead.borrow_mut().extend(used);
    }

    /// The number of roots that wait to be freed.
    pub(crate) fn dead_count(&self) -> usize {
        self.dead.borrow().len()
    }

    /// Runs `work` with some changes refused.
    pub(crate) fn fenced<R>(&self, fence: Fence, work: impl FnOnce() -> R) -> R {
        struct Restore<'a>(&'a State, Fence);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                self.0.fence.set(self.1);
            }
        }
        let _restore = Restore(self, self.fence.replace(fence));
        work()
    }

    /// Runs `work`, which calls closures if `calls_closures` is set: these belong to this thread, so that the context's threads
    /// are off meanwhile.
    ///
    /// # Safety
    ///
    /// Nothing runs in the context's threads.
    pub(crate) unsafe fn without_threads<R>(
        &self,
        calls_closures: bool,
        work: impl FnOnce() -> R,
    ) -> R {
        // SAFETY: the context is live as long as its scope, which has this state.
        let off = calls_closures && unsafe { mlirContextGetNumThreads(self.context) } > 1;
        if off {
            // SAFETY: the context is live, and nothing runs in its threads, by this function's contract.
            unsafe { mlirContextEnableMultithreading(self.context, false) };
        }
        let result = work();
        if off {
            // SAFETY: the context is live, and its threading was switched off above.
            unsafe { mondoContextUseSharedThreadPool(self.context) };
        }
        result
    }

    pub(crate) fn fence(&self) -> Fence {
        self.fence.get()
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // The scope's closure has returned, so that no handle exists. What still uses a value of these is
        // a tree that was forgotten, which nothing reads again.
        for root in self.dead.take() {
            // SAFETY: `cut` removes each use that one dead tree has of another; the roots have no owner.
            unsafe { tree::cut(root, || self.placeholder()) };
            self.dead.borrow_mut().push(root);
        }
        for root in self.dead.take() {
            // SAFETY: the loop above has cut each root out of all others, and nothing owns a root on the
            // list.
            unsafe { tree::destroy(root) };
        }
        if let Some((holder, _)) = self.placeholder.take() {
            // SAFETY: what had it as a successor is destroyed.
            unsafe { tree::destroy(holder) };
        }
    }
}

/// The right to look at the trees of a scope: there is one for each scope.
///
/// A handle of an operation, block, region or value borrows this. A call after which a handle could
/// dangle (a pass pipeline, a pattern, [`collect`](Self::collect)) borrows it exclusively, so that no
/// handle can be kept across such a call:
///
/// ```compile_fail,E0502
/// # use mondo_ir::{Context, Module};
/// let mut context = Context::new();
/// context.enter(|ctx, ir| {
///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
///     let function = module.body(ir).first().unwrap();
///     ir.collect();
///     println!("{}", function.name());
/// });
/// ```
///
/// [`Retained`](crate::Retained) keeps an operation across such calls, and says whether it still lives.
#[derive(Debug)]
pub struct Ir<'ctx> {
    pub(crate) state: &'ctx State,
    pub(crate) brand: Brand<'ctx>,
}

impl<'ctx> Ir<'ctx> {
    /// The token of the scope with this state. Only the scope lends it exclusively; closures that MLIR
    /// calls get it shared.
    pub(crate) fn of(state: &'ctx State) -> Self {
        Self {
            state,
            brand: PhantomData,
        }
    }

    /// Frees what was erased, or lost its owner, since the last exclusive call, and returns the number of
    /// trees that something alive still uses.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module};
    /// let mut context = Context::new();
    /// context.enter(|ctx, ir| {
    ///     let module = Module::parse(ctx, "func.func private @f()").unwrap();
    ///     module.body(ir).first().unwrap().erase().unwrap();
    ///     assert_eq!(ir.collect(), 0);
    /// });
    /// ```
    pub fn collect(&mut self) -> usize {
        // SAFETY: handles borrow the token, which is borrowed exclusively here.
        unsafe { self.state.flush() };
        self.state.dead_count()
    }
}
