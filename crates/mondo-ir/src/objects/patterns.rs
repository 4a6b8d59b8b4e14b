//! Sets of rewrite patterns.

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use mondo_sys::*;

use super::type_converter::TypeConverter;
use super::{GreedyConfig, OpenRewriter};
use crate::c_object::Owned;
use crate::callback::{caught, string_ref};
use crate::nodes::Op;
use crate::uniquer::Uniquer;

/// Patterns, before they can be applied.
#[derive(Debug)]
pub struct PatternSet {
    set: Owned<MlirRewritePatternSet>,
    /// The converters of types that patterns have, for conversions.
    pub(super) converters: Vec<Arc<TypeConverter>>,
    context: MlirContext,
}

// SAFETY: a set of patterns belongs to no thread.
unsafe impl Send for PatternSet {}

unsafe extern "C" fn construct(_data: *mut c_void) {}

/// # Safety
///
/// `data` is a `F` that `add` leaked for the pattern.
unsafe extern "C" fn destruct<F>(data: *mut c_void) {
    // SAFETY: `data` is the `F` that `add` leaked for this pattern, and MLIR destroys a pattern once. A
    // panic ends here.
    let _ = caught(|| drop(unsafe { Box::from_raw(data.cast::<F>()) }));
}

/// # Safety
///
/// As for `destruct`; the operation and the rewriter are live.
unsafe extern "C" fn match_and_rewrite<F: Fn(Op<'_>, &Arc<OpenRewriter>) -> bool>(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: `data` is the `F` that `add` leaked, and MLIR calls this with a live operation and rewriter.
    // The operation is live until the closure destroys it.
    let matched = unsafe {
        let pattern = &*data.cast::<F>();
        caught(|| {
            OpenRewriter::during(rewriter, |_, rewriter| {
                Op::from_raw(op).is_some_and(|op| pattern(op, rewriter))
            })
        })
    };
    MlirLogicalResult {
        value: i8::from(matched.unwrap_or(false)),
    }
}

impl PatternSet {
    /// The highest benefit; one more stands for "impossible".
    pub const MAX_BENEFIT: u32 = 65534;

    /// A set without patterns.
    ///
    /// # Safety
    ///
    /// The context outlives it, and what it is frozen into.
    pub unsafe fn new(ctx: Uniquer<'_>) -> Self {
        // SAFETY: the context is live, and the set is ours alone.
        let set = unsafe { Owned::new(mlirRewritePatternSetCreate(ctx.raw())) };
        Self {
            set,
            converters: Vec::new(),
            context: ctx.raw(),
        }
    }

    /// Adds a pattern for operations of a name: a closure, which returns whether it matched. The benefit is at
    /// most [`MAX_BENEFIT`](Self::MAX_BENEFIT).
    pub fn add<F>(&self, root: &str, benefit: u32, pattern: F)
    where
        F: Fn(Op<'_>, &Arc<OpenRewriter>) -> bool + Send + Sync + 'static,
    {
        let callbacks = MlirRewritePatternCallbacks {
            construct: Some(construct),
            destruct: Some(destruct::<F>),
            matchAndRewrite: Some(match_and_rewrite::<F>),
        };
        let data = Box::into_raw(Box::new(pattern)).cast();
        // SAFETY: the context and the set are live, MLIR copies the name, and gives `data` back to `destruct` with
        // the pattern, which the set takes over. No names need no array.
        unsafe {
            let pattern = mlirOpRewritePatternCreate(
                string_ref(root),
                benefit.min(Self::MAX_BENEFIT),
                self.context,
                callbacks,
                data,
                0,
                std::ptr::null_mut(),
            );
            mlirRewritePatternSetAdd(self.set.get(), pattern);
        }
    }

    pub(super) fn raw(&self) -> MlirRewritePatternSet {
        self.set.get()
    }

    /// Makes them ready to be applied.
    pub fn freeze(self) -> FrozenPatterns {
        let mut frozen = FrozenPatterns::of(&self.set, Vec::new());
        frozen.converters = self.converters;
        frozen
    }
}

/// Patterns that are ready to be applied.
pub struct FrozenPatterns {
    set: Owned<MlirFrozenRewritePatternSet>,
    /// The converters of types that patterns have.
    pub(super) converters: Vec<Arc<TypeConverter>>,
    /// The number of conversions by the patterns that are under way.
    pub(super) runs: AtomicUsize,
    /// The things that the patterns have pointers to; dropped after them.
    _kept: Vec<Arc<dyn Any + Send + Sync>>,
}

// SAFETY: a frozen set is not changed any more.
unsafe impl Send for FrozenPatterns {}
// SAFETY: a frozen set is not changed any more, so that threads may share it.
unsafe impl Sync for FrozenPatterns {}

impl fmt::Debug for FrozenPatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FrozenPatterns")
    }
}

impl FrozenPatterns {
    /// Moves the patterns out of a set, of which a shell stays.
    pub(super) fn of(
        set: &Owned<MlirRewritePatternSet>,
        kept: Vec<Arc<dyn Any + Send + Sync>>,
    ) -> Self {
        // SAFETY: `Owned` keeps the set alive, and nothing else owns the new frozen one.
        let set = unsafe { Owned::new(mlirFreezeRewritePattern(set.get())) };
        Self {
            set,
            converters: Vec::new(),
            runs: AtomicUsize::new(0),
            _kept: kept,
        }
    }

    /// The set at an address.
    ///
    /// # Safety
    ///
    /// It is live, nothing else owns it, and what it needs outlives it.
    pub unsafe fn adopt(address: *mut c_void) -> Self {
        // SAFETY: the caller gives up a live frozen set, which `Owned` needs (this function's contract).
        let set = unsafe { Owned::new(MlirFrozenRewritePatternSet { ptr: address }) };
        Self {
            set,
            converters: Vec::new(),
            runs: AtomicUsize::new(0),
            _kept: Vec::new(),
        }
    }

    pub(super) fn raw(&self) -> MlirFrozenRewritePatternSet {
        self.set.get()
    }

    /// The set, for a driver that does not convert. Panics if it is for conversions.
    fn for_rewriting(&self) -> MlirFrozenRewritePatternSet {
        assert!(
            !self.are_for_conversions(),
            "the driver is not that of conversions"
        );
        self.raw()
    }

    /// The address, by which other code knows it.
    pub fn address(&self) -> *mut c_void {
        self.set.get().ptr
    }

    /// Returns true if patterns are for conversions. Then nothing else can apply them.
    pub fn are_for_conversions(&self) -> bool {
        !self.converters.is_empty()
    }

    /// Applies the patterns to an operation and everything in it, and folds, until nothing changes any more.
    /// Returns whether that came to an end.
    ///
    /// # Safety
    ///
    /// The operation is of the patterns' context. No other thread uses the tree meanwhile, nothing outside uses
    /// what is in it, and handles of nodes in the tree are not used afterwards.
    ///
    /// # Panics
    ///
    /// If patterns are for conversions.
    pub unsafe fn apply_greedily(&self, op: Op<'_>, config: &GreedyConfig) -> bool {
        // SAFETY: `Owned` keeps the set and the options alive, and the operation is live, by its brand; the
        // rest is this function's contract.
        unsafe { mondoApplyPatternsGreedily(op.raw(), self.for_rewriting(), config.0.get()) }
    }

    /// Applies the patterns to everything in an operation, once, in the order of a walk.
    ///
    /// # Safety
    ///
    /// As for [`apply_greedily`](Self::apply_greedily). What patterns destroy without their rewriter is in what they
    /// matched, or that itself.
    ///
    /// # Panics
    ///
    /// If patterns are for conversions.
    pub unsafe fn walk(&self, op: Op<'_>) {
        // SAFETY: `Owned` keeps the set alive, and the operation is live, by its brand; the rest is this
        // function's contract.
        unsafe { mondoWalkAndApplyPatterns(op.raw(), self.for_rewriting()) };
    }
}
