//! Pattern rewriters that a program may keep: after the callback they are closed, and do nothing.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use mondo_sys::*;

use crate::nodes::{Block, Op, Value};
use crate::uniquer::Uniquer;

/// A pattern rewriter, of use until the call that it is for returns.
#[derive(Debug)]
pub struct OpenRewriter {
    /// The pattern rewriter; null once the callback that it was handed to has returned.
    pointer: AtomicPtr<c_void>,
}

/// The place where a rewriter puts new operations.
#[derive(Debug, Clone, Copy)]
pub enum Insertion<'ctx> {
    /// There is none.
    Nowhere,
    /// Before this operation of the block.
    Before(Block<'ctx>, Op<'ctx>),
    /// At the end of the block.
    End(Block<'ctx>),
    /// Before an operation that is not in the block any more.
    Lost(Block<'ctx>),
}

impl OpenRewriter {
    /// Runs `work` with the rewriter and its context, and closes the rewriter.
    ///
    /// # Safety
    ///
    /// The rewriter is live until `work` returns.
    pub(super) unsafe fn during<R>(
        raw: MlirPatternRewriter,
        work: impl for<'ctx> FnOnce(Uniquer<'ctx>, &Arc<Self>) -> R,
    ) -> R {
        /// Closes the rewriter, also where the work panics.
        struct Closing(Arc<OpenRewriter>);
        impl Drop for Closing {
            fn drop(&mut self) {
                self.0.close();
            }
        }

        let open = Closing(Arc::new(Self {
            pointer: AtomicPtr::new(raw.ptr),
        }));
        // SAFETY: MLIR keeps the rewriter and its context alive until the callback returns that this is
        // called from; the brand is the closure's own.
        unsafe {
            let context = mlirRewriterBaseGetContext(mlirPatternRewriterAsBase(raw));
            let address = Uniquer::expect(context).address();
            Uniquer::borrow(address, |ctx| work(ctx, &open.0))
        }
    }

    fn open(&self) -> Option<MlirPatternRewriter> {
        let ptr = self.pointer.load(Ordering::Acquire);
        (!ptr.is_null()).then_some(MlirPatternRewriter { ptr })
    }

    fn base(&self) -> Option<MlirRewriterBase> {
        // SAFETY: the pointer is null as soon as the callback has returned, until which MLIR keeps the
        // rewriter alive.
        self.open()
            .map(|rewriter| unsafe { mlirPatternRewriterAsBase(rewriter) })
    }

    /// Runs `work` with the rewriter, which is live until `work` returns, if it is open. Returns whether it is.
    pub(super) fn while_open(&self, work: impl FnOnce(MlirPatternRewriter)) -> bool {
        self.open().map(work).is_some()
    }

    /// Makes it of no use any more.
    pub fn close(&self) {
        self.pointer.store(ptr::null_mut(), Ordering::Release);
    }

    /// True until it is closed, at the latest when the call that it is for returns.
    pub fn is_open(&self) -> bool {
        !self.pointer.load(Ordering::Acquire).is_null()
    }

    /// The place of new operations, if the rewriter is open and of this context.
    ///
    /// # Safety
    ///
    /// The block where it inserts was not destroyed since MLIR set it.
    pub unsafe fn insertion<'ctx>(&self, ctx: Uniquer<'ctx>) -> Insertion<'ctx> {
        let Some(base) = self.base() else {
            return Insertion::Nowhere;
        };
        // SAFETY: the rewriter is live, and the caller vouches for the block. What comes after the point is only
        // compared with the operations of the block: an earlier step may have erased it.
        unsafe {
            if mlirRewriterBaseGetContext(base).ptr != ctx.raw().ptr {
                return Insertion::Nowhere;
            }
            let Some(block) = Block::from_raw(mlirRewriterBaseGetInsertionBlock(base)) else {
                return Insertion::Nowhere;
            };
            let after = mlirRewriterBaseGetOperationAfterInsertion(base).ptr;
            if after.is_null() {
                return Insertion::End(block);
            }
            let found = block.operations().find(|op| op.raw().ptr == after);
            found.map_or(Insertion::Lost(block), |op| Insertion::Before(block, op))
        }
    }

    /// Replaces an operation's results, and erases it. Returns whether the rewriter was open, and there were as
    /// many values as results.
    ///
    /// # Safety
    ///
    /// All are of the rewriter's context. The driver can do without the operation, nothing outside uses what is in
    /// it, and its handles and those of what is in it are not used afterwards.
    pub unsafe fn replace(&self, op: Op<'_>, values: &[Value<'_>]) -> bool {
        let Some(base) = self.base().filter(|_| op.results().count() == values.len()) else {
            return false;
        };
        // SAFETY: the rewriter is live, and there are as many values as results; the caller upholds the rest of this contract.
        unsafe {
            mlirRewriterBaseReplaceOpWithValues(
                base,
                op.raw(),
                values.len() as isize,
                values.as_ptr().cast(),
            );
        }
        true
    }

    /// Erases an operation. Returns whether the rewriter was open.
    ///
    /// # Safety
    ///
    /// As for [`replace`](Self::replace); nothing uses the results.
    pub unsafe fn erase(&self, op: Op<'_>) -> bool {
        let base = self.base();
        if let Some(base) = base {
            // SAFETY: the rewriter is live until it is closed; that nothing uses the operation, now or
            // later, is this function's contract.
            unsafe { mlirRewriterBaseEraseOp(base, op.raw()) };
        }
        base.is_some()
    }
}
