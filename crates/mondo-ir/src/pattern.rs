//! Rewrite patterns that are closures.
//!
//! MLIR's driver keeps pointers to operations between the calls of patterns, and takes for granted that
//! what it looks at is valid. So a closure changes nothing itself: it says what is to change, and that is
//! checked and done when it has returned, by the driver's own rewriter.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ffi::c_void;
use std::fmt;
use std::rc::Rc;

use mondo_sys::{
    MlirFrozenRewritePatternSet, MlirLogicalResult, MlirOperation, MlirPatternRewriter,
    MlirRewritePattern, MlirRewritePatternCallbacks, MlirRewriterBase,
    mlirApplyPatternsAndFoldGreedilyWithOp, mlirFreezeRewritePattern,
    mlirGreedyRewriteDriverConfigCreate, mlirOpRewritePatternCreate,
    mlirOperationGetParentOperation, mlirOperationVerify, mlirPatternRewriterAsBase,
    mlirRewritePatternSetAdd, mlirRewritePatternSetCreate, mlirRewriterBaseEraseOp,
    mlirRewriterBaseInsert, mlirRewriterBaseReplaceOpWithValues,
    mlirRewriterBaseSetInsertionPointAfter, mlirRewriterBaseSetInsertionPointBefore,
};

use crate::c_object::Owned;
use crate::callback::{caught, string_ref};
use crate::capture::{captured, captured_here};
use crate::diagnostic::Diagnostic;
use crate::edits::{Edit, edit, reaches, refused};
use crate::error::{Error, ErrorKind, Result};
use crate::fence::{Fence, too_deep};
use crate::handle::{Block, Op, OwnedOp, Value};
use crate::scope::{Ir, State};
use crate::tree;
use crate::uniqued_handles::Attribute;

/// A pattern's closure.
pub(crate) type Run<'ctx> =
    dyn for<'a, 'call> Fn(&'a Rewriter<'call, 'ctx>, Op<'call, 'ctx>) -> Result<bool> + 'ctx;

/// The first error of a closure in a run.
type Failure = Rc<RefCell<Option<Error>>>;

/// The changes that a pattern wants.
///
/// They are made when the closure returns true, all or none: the new operations are put before the one that
/// matched, in the order in which they were given, and have to be valid there.
///
/// ```
/// # use mondo_ir::{Context, Module, Patterns};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f() { %0 = arith.constant 1 : i32 return }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut patterns = Patterns::new();
///     patterns.add("arith.constant", 1, |rewriter, constant| {
///         // A change is made when this returns true: until then the operation is as it was.
///         let copy = rewriter.ir().build("arith.constant", constant.location());
///         let value = constant.ctx().integer_attr(constant.ctx().i64(), 2);
///         if constant.result(0).unwrap().type_() == constant.ctx().i64() {
///             return Ok(false);
///         }
///         rewriter.insert(copy.attribute("value", value).infer().finish()?);
///         rewriter.erase();
///         Ok(true)
///     });
///     // The driver removes the new constant as well, which nothing uses.
///     patterns.apply(ir, module.owner()).unwrap();
///     assert!(!module.op(ir).to_string().contains("arith.constant 1"));
/// });
/// ```
#[derive(Debug)]
pub struct Rewriter<'call, 'ctx> {
    ir: &'call Ir<'ctx>,
    new: RefCell<Vec<OwnedOp<'ctx>>>,
    replaced: RefCell<Option<Vec<Value<'call, 'ctx>>>>,
    erased: RefCell<bool>,
    edits: RefCell<Vec<Edit<'call, 'ctx>>>,
}

impl<'call, 'ctx> Rewriter<'call, 'ctx> {
    /// The token, to build operations with. What is in the tree cannot be changed by it here.
    pub fn ir(&self) -> &'call Ir<'ctx> {
        self.ir
    }

    /// Puts a new operation before the one that matched.
    pub fn insert(&self, op: OwnedOp<'ctx>) -> Op<'call, 'ctx> {
        let handle = op.op(self.ir);
        // SAFETY: the owner's operation is live.
        unsafe { self.ir.state.note_users(op.raw()) };
        self.new.borrow_mut().push(op);
        handle
    }

    /// Replaces the results of the operation that matched, and erases it.
    pub fn replace(&self, values: &[Value<'call, 'ctx>]) {
        self.replaced.replace(Some(values.to_vec()));
    }

    /// Erases the operation that matched, which nothing may use.
    pub fn erase(&self) {
        self.erased.replace(true);
    }

    /// Sets an attribute of an operation in place, or removes it.
    ///
    /// ```
    /// # use mondo_ir::{Context, Module, Patterns};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i32, %b: i32) -> i32 { \
    ///                 %0 = arith.subi %a, %b : i32 %1 = arith.muli %b, %0 : i32 return %1 : i32 }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let mut patterns = Patterns::new();
    ///     patterns.add("arith.muli", 1, |rewriter, product| {
    ///         if product.attribute("seen").is_some() {
    ///             return Ok(false);
    ///         }
    ///         let (left, right) = (product.operand(0).unwrap(), product.operand(1).unwrap());
    ///         rewriter.set_operand(product, 0, right);
    ///         rewriter.set_operand(product, 1, left);
    ///         rewriter.set_attribute(product, "seen", Some(product.ctx().unit().any()));
    ///         Ok(true)
    ///     });
    ///     // An operation that nothing uses any more may be erased beside the one that matched.
    ///     patterns.add("arith.subi", 1, |rewriter, difference| {
    ///         let user = difference.result(0).unwrap().users()[0];
    ///         rewriter.set_operand(user, 0, user.operand(1).unwrap());
    ///         rewriter.erase_op(difference);
    ///         Ok(user.operand(1) == difference.operand(1))
    ///     });
    ///     patterns.apply(ir, module.owner()).unwrap();
    ///     let text = module.op(ir).to_string();
    ///     assert!(text.contains("arith.muli %arg1, %arg1 {seen}") && !text.contains("subi"), "{text}");
    /// });
    /// ```
    pub fn set_attribute(&self, op: Op<'call, 'ctx>, name: &str, value: Option<Attribute<'ctx>>) {
        let name = name.to_owned();
        self.edits
            .borrow_mut()
            .push(Edit::Attribute(op, name, value));
    }

    /// Sets an operand of an operation in place.
    pub fn set_operand(&self, op: Op<'call, 'ctx>, index: usize, value: Value<'call, 'ctx>) {
        self.edits
            .borrow_mut()
            .push(Edit::Operand(op, index, value));
    }

    /// Erases an operation beside the one that matched, or in it, which nothing uses then.
    pub fn erase_op(&self, op: Op<'call, 'ctx>) {
        self.edits.borrow_mut().push(Edit::Erase(op));
    }
}

/// Patterns, which [`apply`](Self::apply) rewrites a tree with.
///
/// ```
/// # use mondo_ir::{Context, Module, Patterns};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i32) -> i32 { \
///                 %0 = arith.addi %a, %a : i32 return %0 : i32 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut patterns = Patterns::new();
///     // a + a becomes a * 2.
///     patterns.add("arith.addi", 1, |rewriter, sum| {
///         let (left, right) = (sum.operand(0).unwrap(), sum.operand(1).unwrap());
///         if left != right || !left.type_().is::<mondo_ir::types::Integer>() {
///             return Ok(false);
///         }
///         let two = sum.ctx().integer_attr(left.type_().cast::<mondo_ir::types::Integer>()?, 2);
///         let two = rewriter.ir().build("arith.constant", sum.location()).attribute("value", two);
///         let two = rewriter.insert(two.infer().finish()?).result(0).unwrap();
///         let product = rewriter.ir().build("arith.muli", sum.location()).operands(&[left, two]);
///         let product = rewriter.insert(product.infer().finish()?);
///         rewriter.replace(&product.results());
///         Ok(true)
///     });
///     patterns.apply(ir, module.owner()).unwrap();
///     let text = module.op(ir).to_string();
///     assert!(text.contains("muli") && !text.contains("addi"), "{text}");
/// });
/// ```
#[derive(Default)]
pub struct Patterns<'ctx> {
    all: Vec<Pattern<'ctx>>,
}

struct Pattern<'ctx> {
    root: String,
    benefit: u16,
    run: Rc<Run<'ctx>>,
}

impl fmt::Debug for Patterns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.all.iter().map(|pattern| &pattern.root))
            .finish()
    }
}

/// The data of a pattern in MLIR's set.
struct Called<'ctx> {
    state: &'ctx State,
    run: Rc<Run<'ctx>>,
    failure: Failure,
}

impl<'ctx> Patterns<'ctx> {
    /// No patterns.
    pub fn new() -> Self {
        Self { all: Vec::new() }
    }

    /// Adds a pattern for operations of this name. Of several, the one with the greatest benefit is tried
    /// first. The closure returns whether its changes are to be made.
    pub fn add(
        &mut self,
        operation: &str,
        benefit: u16,
        run: impl for<'a, 'call> Fn(&'a Rewriter<'call, 'ctx>, Op<'call, 'ctx>) -> Result<bool> + 'ctx,
    ) -> &mut Self {
        self.all.push(Pattern {
            root: operation.to_owned(),
            benefit,
            run: Rc::new(run),
        });
        self
    }

    /// Rewrites what is in a tree until no pattern matches, folding what can be folded.
    ///
    /// # Errors
    /// The first error of a closure; `ErrorKind::Structure` for changes that cannot be made;
    /// `ErrorKind::Pass` if there is no end of changes; `ErrorKind::Verify` and `ErrorKind::Open` as in
    /// [`Op::verify`]. The tree has the changes that were made before.
    pub fn apply(&self, ir: &mut Ir<'ctx>, on: &OwnedOp<'ctx>) -> Result<Vec<Diagnostic>> {
        ir.collect();
        on.op(ir).verify()?;
        let failure = Failure::default();
        let frozen = self.freeze(ir.state, &failure);
        let run = || {
            // SAFETY: the patterns and the operation are live, the operation is a valid root of this
            // context, and handles borrow the token, which is borrowed exclusively here.
            unsafe {
                let config = Owned::new(mlirGreedyRewriteDriverConfigCreate());
                mlirApplyPatternsAndFoldGreedilyWithOp(on.raw(), frozen.get(), config.get())
            }
        };
        let state = ir.state;
        // SAFETY: nothing runs in the context's threads, as the token is borrowed exclusively.
        let (done, diagnostics) = unsafe { state.without_threads(true, || captured(state, run)) };
        drop(frozen);
        ir.collect();
        if let Some(error) = failure.take() {
            let mut all = error.diagnostics().to_vec();
            all.extend(diagnostics);
            return Err(error.with(all));
        }
        if done.value == 0 {
            let message = "the patterns find no end of changes";
            return Err(Error::new(ErrorKind::Pass, message).with(diagnostics));
        }
        Ok(diagnostics)
    }

    fn freeze(&self, state: &'ctx State, failure: &Failure) -> Owned<MlirFrozenRewritePatternSet> {
        let callbacks = MlirRewritePatternCallbacks {
            construct: None,
            destruct: Some(destruct),
            matchAndRewrite: Some(rewrite),
        };
        // SAFETY: the context is live; the set owns the patterns, and each of these its data, which
        // `destruct` gives back; freezing takes the set's contents, and MLIR copies the names.
        unsafe {
            let set = mlirRewritePatternSetCreate(state.context);
            for pattern in &self.all {
                let data = Rc::new(Called {
                    state,
                    run: Rc::clone(&pattern.run),
                    failure: Rc::clone(failure),
                });
                let raw = mlirOpRewritePatternCreate(
                    string_ref(&pattern.root),
                    pattern.benefit.into(),
                    state.context,
                    callbacks,
                    Rc::into_raw(data).cast_mut().cast(),
                    0,
                    std::ptr::null_mut(),
                );
                mlirRewritePatternSetAdd(set, raw);
            }
            let frozen = Owned::new(mlirFreezeRewritePattern(set));
            mondo_sys::mlirRewritePatternSetDestroy(set);
            frozen
        }
    }
}

/// # Safety
///
/// `data` is a reference to a `Called`, which nothing uses afterwards.
unsafe extern "C" fn destruct(data: *mut c_void) {
    // SAFETY: `freeze` has made the reference for this pattern.
    let data = unsafe { Rc::from_raw(data.cast_const().cast::<Called<'_>>()) };
    // A panic in the drop of what the closure holds ends here; there is nobody to tell.
    let _ = caught(|| drop(data));
}

/// # Safety
///
/// `data` is a reference to a `Called`; operation and rewriter are live, and there is no handle.
unsafe extern "C" fn rewrite(
    _pattern: MlirRewritePattern,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    data: *mut c_void,
) -> MlirLogicalResult {
    // SAFETY: `data` is the reference that `freeze` registered with this callback, which is dropped only by
    // `destruct`.
    let called = unsafe { &*data.cast_const().cast::<Called<'_>>() };
    if called.failure.borrow().is_some() {
        return MlirLogicalResult { value: 0 };
    }
    // SAFETY: operation and rewriter are live, and there is no handle, by this function's contract.
    match unsafe { rewrite_once(called.state, op, rewriter, &*called.run) } {
        Ok(matched) => MlirLogicalResult {
            value: matched.into(),
        },
        Err(error) => {
            called.failure.borrow_mut().get_or_insert(error);
            MlirLogicalResult { value: 0 }
        }
    }
}

/// Calls a pattern's closure, and makes the changes that it wants.
///
/// # Safety
///
/// Operation and rewriter are live and of the state's context, and there is no handle of what may be erased.
pub(crate) unsafe fn rewrite_once<'ctx>(
    state: &'ctx State,
    op: MlirOperation,
    rewriter: MlirPatternRewriter,
    run: &Run<'ctx>,
) -> Result<bool> {
    let dead = state.dead_count();
    let outcome = caught(|| {
        let ir = Ir::of(state);
        let wanted = Rewriter {
            ir: &ir,
            new: RefCell::default(),
            replaced: RefCell::default(),
            erased: RefCell::default(),
            edits: RefCell::default(),
        };
        // SAFETY: the operation is live, and the fence keeps it so.
        let op = unsafe { Op::expect(op, state) };
        let run = || caught(|| run(&wanted, op));
        let new = |_: &_| wanted.new.borrow().iter().map(OwnedOp::raw).collect();
        // SAFETY: the operation is live, by this function's contract, and so are the new ones, which `wanted` owns.
        let (matched, crossed) = unsafe { state.watched(Fence::Frozen(op.raw()), run, new) };
        let matched = matched??;
        crossed?;
        if !matched {
            return Ok(false);
        }
        // SAFETY: MLIR keeps the rewriter alive until the pattern returns (this function's contract).
        let base = unsafe { mlirPatternRewriterAsBase(rewriter) };
        // SAFETY: the operation is live, and no handle but those in `wanted` is left.
        unsafe { change(base, op.raw(), wanted) }?;
        Ok(true)
    });
    // SAFETY: the handles of the call have ended with it, and there were none before (this function's contract).
    unsafe { state.flush_since(dead) };
    outcome.and_then(|outcome| outcome)
}

/// Makes the changes, or none of them.
///
/// # Safety
///
/// The rewriter and the operation are live, and no handle is used afterwards.
unsafe fn change<'call, 'ctx>(
    rewriter: MlirRewriterBase,
    matched: MlirOperation,
    wanted: Rewriter<'call, 'ctx>,
) -> Result<()> {
    let state = wanted.ir.state;
    let edits = wanted.edits.into_inner();
    let erased = wanted.erased.into_inner();
    let values = wanted.replaced.into_inner();
    // SAFETY: the caller passes a live operation (this function's contract), and nothing is freed until it
    // returns.
    let op: Op<'call, 'ctx> = unsafe { Op::expect(matched, state) };
    let own = |value: &Value<'call, 'ctx>| {
        // SAFETY: the values' handles borrow the token, so what defines them is live; the caller passes a
        // live operation (this function's contract).
        let inside =
            |definition: Op<'call, 'ctx>| unsafe { tree::is_in(definition.raw(), matched) };
        value.defining_op().is_some_and(inside)
            || value
                .argument_of()
                .is_some_and(|block| block.parent().is_some_and(inside))
    };
    // A new terminator is put behind the old one, so that each is the last operation when it is looked at.
    let ends_block = (erased || values.is_some()) && {
        let block = op.required_block()?;
        block.terminator() == Some(op)
    };
    if ends_block && wanted.new.borrow().is_empty() {
        return Err(refused(
            "the terminator of a block is replaced by no other one",
        ));
    }
    if let Some(values) = &values {
        let fits = |(value, result): (&Value<'call, 'ctx>, Value<'call, 'ctx>)| {
            value.type_() == result.type_()
        };
        let results = op.results();
        if results.len() != values.len() || !values.iter().zip(results).all(fits) {
            return Err(refused("the results are replaced by values of other types"));
        }
        if values.iter().any(own) {
            return Err(refused(
                "the results are replaced by values of what is erased",
            ));
        }
        let erased = |value: &Value<'call, 'ctx>| {
            let definition = value.defining_op().map(|op| op.raw().ptr);
            edits
                .iter()
                .filter_map(Edit::erased)
                .any(|op| Some(op.ptr) == definition)
        };
        if values.iter().any(erased) {
            return Err(refused(
                "the results are replaced by values of what is erased",
            ));
        }
    }

    // SAFETY: the operation is live, by this function's contract, and so are the new ones, which `wanted` owns.
    let deep = unsafe {
        let new = wanted.new.borrow();
        let around = mlirOperationGetParentOperation(matched);
        new.iter()
            .any(|new| tree::is_too_deep_in(new.raw(), around))
    };
    if deep {
        return Err(too_deep());
    }
    let mut put = Vec::new();
    // SAFETY: all are live; the block of the operation owns the new ones from here on.
    unsafe { mlirRewriterBaseSetInsertionPointBefore(rewriter, matched) };
    let new = wanted.new.into_inner();
    let last = new.len().wrapping_sub(1);
    for (at, new) in new.into_iter().enumerate() {
        if ends_block && at == last {
            // SAFETY: the operation is live, and in a block.
            unsafe { mlirRewriterBaseSetInsertionPointAfter(rewriter, matched) };
        }
        // SAFETY: the insertion point was set above, in a live block, which owns the new operation from
        // here on.
        put.push(unsafe { mlirRewriterBaseInsert(rewriter, new.release()) });
    }
    let mut within = Vec::new();
    op.descend(&mut within);
    let operands = within.iter().flat_map(|op| op.operands());
    let used: HashSet<*const c_void> = operands.map(|value| value.raw().ptr).collect();
    let goes = erased || values.is_some();
    let ended = op.required_block()?.terminator().map(Op::raw);
    let valid = if ends_block && ended.map(|op| op.ptr) != put.last().map(|op| op.ptr) {
        Err(refused(
            "the terminator of a block is replaced by no other one",
        ))
    } else {
        Ok(())
    };
    let valid = valid.and_then(|()| {
        put.iter().try_for_each(|new| {
            // SAFETY: the operation was inserted by the loop above, and is live until it is taken out again or
            // erased.
            let new: Op<'call, 'ctx> = unsafe { Op::expect(*new, state) };
            let mut all = Vec::new();
            new.descend(&mut all);
            let inside = all.iter().all(|user| {
                let operands = user.operands();
                let stays = operands.iter().all(|value| !(goes && own(value)));
                let region = user.block().and_then(Block::region);
                stays
                    && operands.iter().all(|value| reaches(*value, *user, &used))
                    && user
                        .successors()
                        .iter()
                        .all(|block| block.region() == region)
            });
            if !inside {
                let message = format!(
                    "the new `{}` uses values that are not known to be there",
                    new.name()
                );
                return Err(Error::new(ErrorKind::Structure, message));
            }
            // SAFETY: the operation is live, and so is all that it uses, in the same tree.
            let (valid, diagnostics) =
                captured_here(state, || unsafe { mlirOperationVerify(new.raw()) });
            let message = format!("the new `{}` is not valid", new.name());
            let invalid = || Error::new(ErrorKind::Verify, message).with(diagnostics);
            if valid { Ok(()) } else { Err(invalid()) }
        })
    });
    let valid = valid.and_then(|()| {
        let reachable = values
            .iter()
            .flatten()
            .all(|value| reaches(*value, op, &used));
        let message = "a result is replaced by a value that is not known to be there";
        if reachable {
            Ok(())
        } else {
            Err(refused(message))
        }
    });
    // SAFETY: the operations are live.
    let goes = |op: Op<'_, '_>| goes && unsafe { tree::is_in(op.raw(), matched) };
    // SAFETY: the rewriter is live, and so are the operations of the edits, whose handles borrow the token.
    let valid = valid
        .and_then(|()| unsafe { edit(rewriter, op, &edits, goes, erased && values.is_none()) });
    if let Err(error) = valid {
        for new in put.into_iter().rev() {
            // SAFETY: the operation is live, and what could use it, which came after it, is erased.
            unsafe { mlirRewriterBaseEraseOp(rewriter, new) };
        }
        return Err(error);
    }
    // SAFETY: the operation is live; the values are of the results' types and in the tree; without
    // values nothing uses it.
    unsafe {
        if let Some(values) = values {
            let raw: Vec<_> = values.iter().map(|value| value.raw()).collect();
            mlirRewriterBaseReplaceOpWithValues(
                rewriter,
                matched,
                raw.len() as isize,
                raw.as_ptr(),
            );
        } else if erased {
            mlirRewriterBaseEraseOp(rewriter, matched);
        }
    }
    for op in edits.iter().filter_map(Edit::erased) {
        // SAFETY: `edit` has found the operation unused and outside of what was erased, once.
        unsafe { mlirRewriterBaseEraseOp(rewriter, op) };
    }
    Ok(())
}
