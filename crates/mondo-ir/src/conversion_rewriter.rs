//! What a conversion pattern sees, and the changes that it wants.
//!
//! As with the patterns of `pattern.rs`, a closure changes nothing itself: its changes are checked and made when it has
//! returned. MLIR's driver takes them back if what they lead to cannot be made legal.
//!
//! What is replaced stays in the tree until the conversion ends, and then its uses become uses of what replaced it. So a new
//! operation may use any value that is visible where it is put. That value's block can only go together with the new
//! operation, or be moved together with it.

use std::cell::RefCell;
use std::ffi::c_void;

use mondo_sys::{
    MlirOperation, MlirType, MlirValue, MondoConversionRewriter, mlirOperationGetParentOperation,
    mlirOperationVerify, mlirRewriterBaseCancelOpModification,
    mlirRewriterBaseFinalizeOpModification, mlirRewriterBaseInsert,
    mlirRewriterBaseSetInsertionPointBefore, mlirRewriterBaseStartOpModification,
    mondoConversionConvertType, mondoConversionErase, mondoConversionMoveRegion,
    mondoConversionReplace, mondoConversionRewriterAsBase,
};

use crate::callback::caught;
use crate::capture::captured_here;
use crate::edits::refused;
use crate::error::{Error, ErrorKind, Result};
use crate::fence::{Fence, too_deep};
use crate::handle::{Block, Op, OwnedOp, Region, Value};
use crate::scope::{Ir, State};
use crate::tree;
use crate::uniqued_handles::{Attribute, Type};

/// A conversion pattern's closure.
pub(crate) type Convert<'ctx> = dyn for<'a, 'call> Fn(
        &'a ConversionRewriter<'call, 'ctx>,
        Op<'call, 'ctx>,
        &'a Adaptor<'call, 'ctx>,
    ) -> Result<bool>
    + 'ctx;

/// The operands of an operation that is converted, as values of the types that theirs become.
///
/// ```
/// # use mondo_ir::{Adaptor, Result, Value};
/// /// The one value that the first operand has become.
/// fn first<'call, 'ctx>(adaptor: &Adaptor<'call, 'ctx>) -> Result<Value<'call, 'ctx>> {
///     assert_eq!(adaptor.all().len(), adaptor.values(0).len());
///     assert_eq!(adaptor.operand(0), adaptor.operands()?.first().copied());
///     adaptor.operands().map(|all| all[0])
/// }
/// ```
#[derive(Debug)]
pub struct Adaptor<'call, 'ctx> {
    groups: Vec<Vec<Value<'call, 'ctx>>>,
}

impl<'call, 'ctx> Adaptor<'call, 'ctx> {
    /// The value that an operand has become, or `None` if it has become several.
    pub fn operand(&self, index: usize) -> Option<Value<'call, 'ctx>> {
        match self.values(index) {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The values that an operand has become.
    pub fn values(&self, index: usize) -> &[Value<'call, 'ctx>] {
        self.groups.get(index).map_or(&[], Vec::as_slice)
    }

    /// The values that all operands have become, in a row.
    pub fn all(&self) -> Vec<Value<'call, 'ctx>> {
        self.groups.concat()
    }

    /// The operands, each of which has become one value.
    ///
    /// # Errors
    /// `ErrorKind::Missing` if one has become several.
    pub fn operands(&self) -> Result<Vec<Value<'call, 'ctx>>> {
        if self.groups.iter().all(|group| group.len() == 1) {
            return Ok(self.all());
        }
        let message = "an operand has become several values, so the pattern must use `values`";
        Err(Error::new(ErrorKind::Missing, message))
    }
}

/// What becomes of the operation that matched.
#[derive(Debug)]
enum Fate<'call, 'ctx> {
    Replaced(Vec<Vec<Value<'call, 'ctx>>>),
    Erased,
}

/// The changes that a conversion pattern wants.
///
/// They are made when the closure returns true. The new operations are put before the one that matched, in the order in which
/// they were given. That one has to be replaced, erased, or changed in place.
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module, types::Complex};
/// let mut context = Context::new();
/// context.allow_unregistered(true).enter(|ctx, ir| {
///     let text = "func.func @f(%a: complex<f32>) -> complex<f32> { \
///                 %0 = \"toy.neg\"(%a) : (complex<f32>) -> complex<f32> return %0 : complex<f32> }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     conversion.legal_dialects(&["arith"]).retype("func.func").retype("func.return");
///     // A complex number becomes its two parts.
///     conversion.convert_type(|type_| {
///         let complex = type_.downcast::<Complex>();
///         Ok(complex.map(|complex| vec![complex.element(); 2]))
///     });
///     conversion.illegal("toy.neg").pattern("toy.neg", 1, |rewriter, op, adaptor| {
///         let types = rewriter.convert_type_to_several(op.results()[0].type_())?;
///         assert_eq!(types.len(), adaptor.values(0).len());
///         let mut parts = Vec::new();
///         for part in adaptor.values(0) {
///             let negated = rewriter.ir().build("arith.negf", op.location()).operand(*part);
///             parts.extend(rewriter.insert(negated.infer().finish()?).results());
///         }
///         rewriter.replace_by_several(&[parts]);
///         Ok(true)
///     });
///     // With LLVM 19, one type becomes one.
///     if conversion.apply_partial(ir, module.owner()).is_ok() {
///         let text = module.op(ir).to_string();
///         assert!(text.contains("return %0, %1 : f32, f32"), "{text}");
///     }
/// });
/// ```
#[derive(Debug)]
pub struct ConversionRewriter<'call, 'ctx> {
    ir: &'call Ir<'ctx>,
    raw: *mut MondoConversionRewriter,
    new: RefCell<Vec<OwnedOp<'ctx>>>,
    fate: RefCell<Option<Fate<'call, 'ctx>>>,
    attributes: RefCell<Vec<(String, Option<Attribute<'ctx>>)>>,
    operands: RefCell<Option<Vec<Value<'call, 'ctx>>>>,
    moves: RefCell<Vec<(Region<'call, 'ctx>, Region<'call, 'ctx>)>>,
}

impl<'call, 'ctx> ConversionRewriter<'call, 'ctx> {
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

    /// Replaces each result of the operation that matched by a value, of any type, and erases the operation.
    pub fn replace(&self, values: &[Value<'call, 'ctx>]) {
        let groups = values.iter().map(|value| vec![*value]).collect();
        self.fate.replace(Some(Fate::Replaced(groups)));
    }

    /// Replaces each result of the operation that matched by values, and erases the operation.
    pub fn replace_by_several(&self, values: &[Vec<Value<'call, 'ctx>>]) {
        self.fate.replace(Some(Fate::Replaced(values.to_vec())));
    }

    /// Erases the operation that matched. The conversion fails if something still uses its results in the end.
    pub fn erase(&self) {
        self.fate.replace(Some(Fate::Erased));
    }

    /// Sets an attribute of the operation that matched in place, or removes it.
    pub fn set_attribute(&self, name: &str, value: Option<Attribute<'ctx>>) {
        let change = (name.to_owned(), value);
        self.attributes.borrow_mut().push(change);
    }

    /// Gives the operation that matched other operands in place.
    pub fn set_operands(&self, values: &[Value<'call, 'ctx>]) {
        self.operands.replace(Some(values.to_vec()));
    }

    /// Moves the blocks of a region of the operation that matched into an empty region of a new operation. The types of their
    /// arguments are converted.
    ///
    /// ```
    /// # use mondo_ir::{Context, Conversion, Module};
    /// Context::new().enter(|ctx, ir| {
    ///     let text = "func.func @f(%a: i1) { scf.if %a { func.call @f(%a) : (i1) -> () } return }";
    ///     let module = Module::parse(ctx, text).unwrap();
    ///     let mut conversion = Conversion::new();
    ///     // Each `scf.if` is made anew, without its `else`.
    ///     conversion.dynamic("scf.if", |op| Ok(op.attribute("new").is_some()));
    ///     conversion.pattern("scf.if", 1, |rewriter, old, adaptor| {
    ///         let new = rewriter.ir().build("scf.if", old.location()).regions(2);
    ///         let new = new.attribute("new", old.ctx().unit()).operands(&adaptor.operands()?);
    ///         let new = rewriter.insert(new.finish()?);
    ///         rewriter.move_region(old.region(0).unwrap(), new.region(0).unwrap());
    ///         rewriter.replace(&[]);
    ///         Ok(true)
    ///     });
    ///     conversion.apply_partial(ir, module.owner()).unwrap();
    ///     let text = module.op(ir).to_string();
    ///     assert!(text.contains("{new}") && text.contains("call @f"), "{text}");
    /// });
    /// ```
    pub fn move_region(&self, from: Region<'call, 'ctx>, to: Region<'call, 'ctx>) {
        self.moves.borrow_mut().push((from, to));
    }

    /// The types that a type becomes.
    ///
    /// # Errors
    /// The error of the closure that converts it.
    pub fn convert_type_to_several(&self, type_: Type<'ctx>) -> Result<Vec<Type<'ctx>>> {
        let mut found: Vec<Type<'ctx>> = Vec::new();
        // SAFETY: the rewriter is live until the pattern returns, and so is the list, which `push` has the type of.
        let converted = unsafe {
            let data = (&raw mut found).cast();
            mondoConversionConvertType(self.raw, type_.raw(), Some(push), data)
        };
        if converted {
            return Ok(found);
        }
        let message = format!("the type '{type_}' cannot be converted");
        Err(Error::new(ErrorKind::Form, message))
    }

    /// The type that a type becomes.
    ///
    /// # Errors
    /// The error of the closure that converts it; `ErrorKind::Form` if it becomes several.
    pub fn convert_type(&self, type_: Type<'ctx>) -> Result<Type<'ctx>> {
        match self.convert_type_to_several(type_)?[..] {
            [one] => Ok(one),
            _ => {
                let message = format!("the type '{type_}' becomes several types");
                Err(Error::new(ErrorKind::Form, message))
            }
        }
    }
}

/// # Safety
///
/// `data` is a `Vec<Type>` that nothing else uses meanwhile, of types of the same context.
unsafe extern "C" fn push(type_: MlirType, data: *mut c_void) {
    // SAFETY: `convert_type_to_several` gives its own list, and types live as long as their context.
    unsafe { (*data.cast::<Vec<Type<'_>>>()).push(Type::expect(type_)) };
}

/// Calls a pattern's closure, and makes the changes that it wants. `top` is converted with all that is in it.
///
/// # Safety
///
/// Operation, operands and rewriter are live and of the state's context, and there is no handle of what may be erased.
pub(crate) unsafe fn convert_once<'ctx>(
    state: &'ctx State,
    top: MlirOperation,
    op: MlirOperation,
    operands: &[Vec<MlirValue>],
    rewriter: *mut MondoConversionRewriter,
    run: &Convert<'ctx>,
) -> Result<bool> {
    let dead = state.dead_count();
    let outcome = caught(|| {
        let ir = Ir::of(state);
        let wanted = ConversionRewriter {
            ir: &ir,
            raw: rewriter,
            new: RefCell::default(),
            fate: RefCell::default(),
            attributes: RefCell::default(),
            operands: RefCell::default(),
            moves: RefCell::default(),
        };
        // SAFETY: all are live, and the fence keeps them so.
        let (op, adaptor) = unsafe {
            let group = |group: &Vec<MlirValue>| {
                let values = group.iter().map(|value| Value::expect(*value, state));
                values.collect::<Vec<_>>()
            };
            let groups = operands.iter().map(group).collect();
            (Op::expect(op, state), Adaptor { groups })
        };
        let run = || caught(|| run(&wanted, op, &adaptor));
        let new = |_: &_| wanted.new.borrow().iter().map(OwnedOp::raw).collect();
        // SAFETY: the operation is live, by this function's contract, and so are the new ones, which `wanted` owns.
        let (matched, crossed) = unsafe { state.watched(Fence::Frozen(op.raw()), run, new) };
        let matched = matched??;
        crossed?;
        if !matched {
            return Ok(false);
        }
        let is_top = op.raw().ptr == top.ptr;
        check(&wanted, op, &adaptor, is_top)?;
        // SAFETY: rewriter and operation are live, and the changes were checked above.
        unsafe { change(wanted, op) }?;
        Ok(true)
    });
    // SAFETY: the handles of the call have ended with it, and there were none before (this function's contract).
    unsafe { state.flush_since(dead) };
    outcome.and_then(|outcome| outcome)
}

/// Refuses changes that leave something which is not legal, or uses of what goes.
fn check<'call, 'ctx>(
    wanted: &ConversionRewriter<'call, 'ctx>,
    matched: Op<'call, 'ctx>,
    adaptor: &Adaptor<'call, 'ctx>,
    is_top: bool,
) -> Result<()> {
    let new = wanted.new.borrow();
    let fate = wanted.fate.borrow();
    let edits = !wanted.attributes.borrow().is_empty() || wanted.operands.borrow().is_some();
    match (&*fate, edits) {
        (None, false) => {
            return Err(refused(
                "the pattern returns true, but has neither replaced, erased nor changed the operation",
            ));
        }
        (Some(_), true) => {
            return Err(refused(
                "an operation that is replaced or erased is changed in place",
            ));
        }
        (Some(_), _) if is_top => {
            return Err(refused(
                "the operation that is converted as a whole is replaced or erased",
            ));
        }
        _ => {}
    }
    let is_new = |op: Option<Op<'call, 'ctx>>| {
        op.is_some_and(|op| new.iter().any(|one| one.raw().ptr == op.root().raw().ptr))
    };
    let is_there = |value: &Value<'call, 'ctx>| {
        adaptor.groups.iter().any(|group| group.contains(value))
            || match (value.defining_op(), value.argument_of()) {
                (Some(definition), _) => {
                    is_new(Some(definition))
                        || surrounds(definition.block(), matched) && definition != matched
                }
                (None, block) => is_new(block.and_then(Block::parent)) || surrounds(block, matched),
            }
    };
    for one in new.iter() {
        let mut all = Vec::new();
        one.op(wanted.ir).descend(&mut all);
        for op in all {
            let region = op.block().or(matched.block()).and_then(Block::region);
            let fits = op.iter_operands().all(|value| is_there(&value))
                && op.successors().iter().all(|block| block.region() == region);
            if !fits {
                let message = format!(
                    "the new `{}` uses values or blocks that are not known to be there; the operands are in the adaptor",
                    op.name()
                );
                return Err(refused(&message));
            }
        }
        // SAFETY: the new operation is live, and so is what is around the one that matched.
        if unsafe {
            tree::is_too_deep_in(one.raw(), mlirOperationGetParentOperation(matched.raw()))
        } {
            return Err(too_deep());
        }
    }
    if let Some(Fate::Replaced(groups)) = &*fate {
        if groups.len() != matched.iter_results().count() {
            return Err(refused("each result is replaced, no more and no fewer"));
        }
        let fits = |group: &Vec<Value<'call, 'ctx>>| {
            !group.is_empty() && (group.len() == 1 || !cfg!(llvm_before = "20"))
        };
        if !groups.iter().all(fits) || !groups.iter().flatten().all(is_there) {
            return Err(refused(
                "a result is replaced by a value that is not known to be there",
            ));
        }
    }
    if !wanted.operands.borrow().iter().flatten().all(is_there) {
        return Err(refused(
            "an operand is set to a value that is not known to be there",
        ));
    }
    let moves = wanted.moves.borrow();
    for (at, (from, to)) in moves.iter().enumerate() {
        let again = moves[..at]
            .iter()
            .any(|(one, other)| one == from || other == to);
        let fits = from.parent() == Some(matched) && is_new(to.parent()) && to.first().is_none();
        if again || !fits || fate.is_none() {
            return Err(refused(
                "a region that is moved is one of the operation that goes, and its place an empty one of a new operation",
            ));
        }
    }
    Ok(())
}

/// Returns true if the block is the operation's, or one around it.
fn surrounds<'call, 'ctx>(block: Option<Block<'call, 'ctx>>, op: Op<'call, 'ctx>) -> bool {
    let mut place = Some(op);
    while let Some(op) = place {
        if block.is_some() && op.block() == block {
            return true;
        }
        place = op.parent();
    }
    false
}

/// Makes the changes. If one fails, MLIR's driver takes them back.
///
/// # Safety
///
/// The rewriter and the operation are live, [`check`] has accepted the changes, and no handle is used afterwards.
unsafe fn change<'call, 'ctx>(
    wanted: ConversionRewriter<'call, 'ctx>,
    matched: Op<'call, 'ctx>,
) -> Result<()> {
    let state = wanted.ir.state;
    let ends_block = matched.block().and_then(Block::terminator) == Some(matched);
    let moves = wanted.moves.into_inner();
    let new = wanted.new.into_inner();
    let last = new.len().wrapping_sub(1);
    // SAFETY: the rewriter is live until the pattern returns (this function's contract).
    let base = unsafe { mondoConversionRewriterAsBase(wanted.raw) };
    if !new.is_empty() {
        // SAFETY: rewriter and operation are live.
        unsafe { mlirRewriterBaseSetInsertionPointBefore(base, matched.raw()) };
    }
    for (at, new) in new.into_iter().enumerate() {
        // SAFETY: the block of the operation owns the new one from here on, which stays until the driver takes it back.
        let op: Op<'call, 'ctx> =
            unsafe { Op::expect(mlirRewriterBaseInsert(base, new.release()), state) };
        // A new terminator is last once the old one is gone, and what gets regions is whole once they are moved. All is
        // verified again in the end.
        let gets_regions = moves
            .iter()
            .any(|(_, to)| to.parent().is_some_and(|parent| parent.is_in(op)));
        if gets_regions || (ends_block && at == last) {
            continue;
        }
        // SAFETY: the operation is live, and so is all that it uses.
        let (valid, diagnostics) =
            captured_here(state, || unsafe { mlirOperationVerify(op.raw()) });
        if !valid {
            let message = format!("the new `{}` is not valid", op.name());
            return Err(Error::new(ErrorKind::Verify, message).with(diagnostics));
        }
    }
    for (from, to) in moves {
        // SAFETY: both regions are live, `to` is empty, and the rewriter is live.
        if !unsafe { mondoConversionMoveRegion(wanted.raw, from.raw(), to.raw()) } {
            let message = "the types of a region's arguments cannot be converted";
            return Err(Error::new(ErrorKind::Form, message));
        }
    }
    match wanted.fate.into_inner() {
        Some(Fate::Replaced(groups)) => {
            let counts: Vec<_> = groups.iter().map(|group| group.len() as isize).collect();
            let values: Vec<_> = groups.iter().flatten().map(|value| value.raw()).collect();
            // SAFETY: there is a count for each result, and their sum of values, all of which are live.
            unsafe {
                mondoConversionReplace(wanted.raw, matched.raw(), counts.as_ptr(), values.as_ptr());
            }
            Ok(())
        }
        Some(Fate::Erased) => {
            // SAFETY: rewriter and operation are live.
            if unsafe { mondoConversionErase(wanted.raw, matched.raw()) } {
                return Ok(());
            }
            // MLIR would leave uses of freed memory where something uses a result.
            let message = "`convert-to-llvm` cannot erase an operation with results: replace it";
            Err(Error::new(ErrorKind::Structure, message))
        }
        None => {
            // SAFETY: rewriter and operation are live.
            unsafe { mlirRewriterBaseStartOpModification(base, matched.raw()) };
            let attributes = wanted.attributes.into_inner();
            let done = attributes
                .into_iter()
                .try_for_each(|(name, value)| match value {
                    Some(value) => matched.set_attribute(&name, value),
                    None => matched.remove_attribute(&name).map(drop),
                });
            let operands = wanted.operands.into_inner();
            let done = done
                .and_then(|()| operands.map_or(Ok(()), |operands| matched.set_operands(&operands)));
            // SAFETY: the modification was begun above.
            unsafe {
                if done.is_ok() {
                    mlirRewriterBaseFinalizeOpModification(base, matched.raw());
                } else {
                    mlirRewriterBaseCancelOpModification(base, matched.raw());
                }
            }
            done
        }
    }
}
