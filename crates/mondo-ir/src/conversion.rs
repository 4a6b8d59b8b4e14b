//! Dialect conversion: what is legal, what types become, and the patterns that make operations legal.

use std::cell::RefCell;
use std::ffi::c_void;
use std::fmt;

use mondo_sys::{
    MlirLocation, MlirOperation, MlirType, MlirValue, MondoConversion, MondoConversionPattern,
    MondoConversionRewriter, MondoConversionTypes, MondoConvertedTypes, MondoDynamic, MondoIllegal,
    MondoLegal, MondoLegality, MondoLegalityRule, mlirContextEnableMultithreading,
    mlirContextGetNumThreads, mondoApplyConversion, mondoContextUseSharedThreadPool,
    mondoConversionTypesPush,
};

use crate::callback::{caught, string_ref};
use crate::capture::captured;
use crate::conversion_rewriter::{Adaptor, ConversionRewriter, convert_once};
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind, Result};
use crate::fence::Fence;
use crate::handle::{Op, OwnedOp, Value};
use crate::scope::{Ir, State};
use crate::uniqued_handles::{Location, Type};

type IsLegal<'ctx> = dyn for<'call> Fn(Op<'call, 'ctx>) -> Result<bool> + 'ctx;
type ConvertType<'ctx> = dyn Fn(Type<'ctx>) -> Result<Option<Vec<Type<'ctx>>>> + 'ctx;
type Materialize<'ctx> =
    dyn for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>> + 'ctx;
pub(crate) type Convert<'ctx> = dyn for<'a, 'call> Fn(
        &'a ConversionRewriter<'call, 'ctx>,
        Op<'call, 'ctx>,
        &'a Adaptor<'call, 'ctx>,
    ) -> Result<bool>
    + 'ctx;

/// A conversion between dialects: which operations are legal, what types become, and patterns that make operations legal.
///
/// MLIR's driver converts each operation before what is in it. A pattern gets the operands as values of the types that they
/// have become, and what it makes must be legal, or made legal by other patterns. If the conversion fails, the tree is as it was, or has casts in it where values of the old types were still
/// needed.
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module, types::Integer};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i16) -> i16 { %0 = arith.addi %a, %a : i16 return %0 : i16 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     // Each i16 becomes an i32, in the function, what returns from it, and sums.
///     conversion
///         .convert_type(|type_| {
///             let ctx = type_.uniquer();
///             Ok((type_ == ctx.integer(16)?.any()).then(|| vec![ctx.i32().any()]))
///         })
///         .retype("func.func")
///         .retype("func.return")
///         .dynamic("arith.addi", |sum| Ok(sum.result(0).unwrap().type_() != sum.ctx().integer(16)?.any()))
///         .pattern("arith.addi", 1, |rewriter, sum, adaptor| {
///             let new = rewriter.ir().build("arith.addi", sum.location());
///             let new = rewriter.insert(new.operands(&adaptor.operands()?).infer().finish()?);
///             rewriter.replace(&new.results());
///             Ok(true)
///         });
///     conversion.apply_partial(ir, module.owner()).unwrap();
///     let text = module.op(ir).to_string();
///     assert!(text.contains("arith.addi %arg0, %arg0 : i32") && !text.contains("i16"), "{text}");
/// });
/// ```
#[derive(Default)]
pub struct Conversion<'ctx> {
    rules: Vec<Rule<'ctx>>,
    patterns: Vec<Pattern<'ctx>>,
    types: Vec<Box<ConvertType<'ctx>>>,
    to_source: Vec<Box<Materialize<'ctx>>>,
    to_target: Vec<Box<Materialize<'ctx>>>,
    keeps_casts: bool,
}

struct Rule<'ctx> {
    name: String,
    is_dialect: bool,
    is_recursive: bool,
    legality: MondoLegality,
    is_legal: Option<Box<IsLegal<'ctx>>>,
}

struct Pattern<'ctx> {
    root: String,
    benefit: u16,
    /// None for the pattern that converts types only.
    convert: Option<Box<Convert<'ctx>>>,
}

/// A value that is needed in another type than it has.
///
/// ```
/// # use mondo_ir::{Context, Conversion, Module};
/// Context::new().enter(|ctx, ir| {
///     let text = "func.func @f(%a: i16) -> i64 { %0 = arith.extsi %a : i16 to i64 return %0 : i64 }";
///     let module = Module::parse(ctx, text).unwrap();
///     let mut conversion = Conversion::new();
///     conversion
///         .convert_type(|type_| {
///             let ctx = type_.uniquer();
///             Ok((type_ == ctx.integer(16)?.any()).then(|| vec![ctx.i32().any()]))
///         })
///         .retype("func.func")
///         // What still needs the i16 gets it from the i32.
///         .to_source(|ir, cast| {
///             let new = ir.build("arith.trunci", cast.location);
///             Ok(Some(new.operands(&cast.values).result(cast.type_).finish()?))
///         });
///     conversion.apply_partial(ir, module.owner()).unwrap();
///     assert!(module.op(ir).to_string().contains("arith.trunci %arg0 : i32 to i16"));
/// });
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Cast<'call, 'ctx> {
    /// The type that is needed.
    pub type_: Type<'ctx>,
    /// The values that are there.
    pub values: Vec<Value<'call, 'ctx>>,
    /// The location of the value.
    pub location: Location<'ctx>,
}

impl fmt::Debug for Conversion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.iter().map(|rule| &rule.name);
        let roots = self.patterns.iter().map(|pattern| &pattern.root);
        f.debug_struct("Conversion")
            .field("rules", &rules.collect::<Vec<_>>())
            .field("patterns", &roots.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl<'ctx> Conversion<'ctx> {
    /// A conversion in which nothing is legal or illegal, except `builtin.module`, which is legal.
    pub fn new() -> Self {
        Self::default()
    }

    fn rule(&mut self, name: &str, is_dialect: bool, legality: MondoLegality) -> &mut Self {
        self.rules.push(Rule {
            name: name.to_owned(),
            is_dialect,
            is_recursive: false,
            legality,
            is_legal: None,
        });
        self
    }

    /// Operations of this name are legal. A rule for an operation is stronger than one for its dialect.
    pub fn legal(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoLegal)
    }

    /// Operations of this name are legal, and so is all that is in them.
    pub fn legal_with_contents(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoLegal);
        if let Some(rule) = self.rules.last_mut() {
            rule.is_recursive = true;
        }
        self
    }

    /// Operations of this name must not be left.
    pub fn illegal(&mut self, operation: &str) -> &mut Self {
        self.rule(operation, false, MondoIllegal)
    }

    /// The operations of these dialects are legal.
    pub fn legal_dialects(&mut self, dialects: &[&str]) -> &mut Self {
        for dialect in dialects {
            self.rule(dialect, true, MondoLegal);
        }
        self
    }

    /// The operations of these dialects must not be left.
    pub fn illegal_dialects(&mut self, dialects: &[&str]) -> &mut Self {
        for dialect in dialects {
            self.rule(dialect, true, MondoIllegal);
        }
        self
    }

    /// Operations of this name are legal if the closure says so.
    pub fn dynamic(
        &mut self,
        operation: &str,
        is_legal: impl for<'call> Fn(Op<'call, 'ctx>) -> Result<bool> + 'ctx,
    ) -> &mut Self {
        self.rule(operation, false, MondoDynamic);
        if let Some(rule) = self.rules.last_mut() {
            rule.is_legal = Some(Box::new(is_legal));
        }
        self
    }

    /// Converts types. The closure returns the types that one becomes, or none where it has nothing to say about it: then the
    /// closure that was added before is asked, and a type that no closure converts stays as it is.
    pub fn convert_type(
        &mut self,
        convert: impl Fn(Type<'ctx>) -> Result<Option<Vec<Type<'ctx>>>> + 'ctx,
    ) -> &mut Self {
        self.types.push(Box::new(convert));
        self
    }

    /// Makes the operation whose result is a value of the old type, where something still needs that. Without it, such a need
    /// is an error.
    pub fn to_source(
        &mut self,
        make: impl for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>>
        + 'ctx,
    ) -> &mut Self {
        self.to_source.push(Box::new(make));
        self
    }

    /// Makes the operation whose result is a value of the new type, where there is only one of the old type.
    pub fn to_target(
        &mut self,
        make: impl for<'call> Fn(&'call Ir<'ctx>, &Cast<'call, 'ctx>) -> Result<Option<OwnedOp<'ctx>>>
        + 'ctx,
    ) -> &mut Self {
        self.to_target.push(Box::new(make));
        self
    }

    /// Leaves `builtin.unrealized_conversion_cast` between old and new types, for a conversion that comes later.
    pub fn keep_casts(&mut self) -> &mut Self {
        self.keeps_casts = true;
        self
    }

    /// Adds a pattern for operations of this name. Of several, the one with the greatest benefit is tried first. The closure
    /// returns whether its changes are to be made.
    pub fn pattern(
        &mut self,
        operation: &str,
        benefit: u16,
        convert: impl for<'a, 'call> Fn(
            &'a ConversionRewriter<'call, 'ctx>,
            Op<'call, 'ctx>,
            &'a Adaptor<'call, 'ctx>,
        ) -> Result<bool>
        + 'ctx,
    ) -> &mut Self {
        self.patterns.push(Pattern {
            root: operation.to_owned(),
            benefit,
            convert: Some(Box::new(convert)),
        });
        self
    }

    /// Operations of this name keep what they do and get the converted types: operands, results, the arguments of their blocks,
    /// and types in attributes, such as a function's. They are legal then.
    pub fn retype(&mut self, operation: &str) -> &mut Self {
        self.patterns.push(Pattern {
            root: operation.to_owned(),
            benefit: 1,
            convert: None,
        });
        self.rule(operation, false, MondoConvertedTypes)
    }

    /// Converts a tree until nothing illegal is left. What no rule says anything of may stay.
    ///
    /// # Errors
    /// The first error of a closure, with the operation and its location; `ErrorKind::Pass` where an illegal operation is left,
    /// with MLIR's diagnostic, which names it; `ErrorKind::Verify` and `ErrorKind::Open` as in [`Op::verify`].
    pub fn apply_partial(&self, ir: &mut Ir<'ctx>, on: &OwnedOp<'ctx>) -> Result<Vec<Diagnostic>> {
        self.apply(ir, on, false)
    }

    /// Converts a tree until all of it is legal: what no rule says anything of must not be left either.
    ///
    /// # Errors
    /// As for [`apply_partial`](Self::apply_partial).
    pub fn apply_full(&self, ir: &mut Ir<'ctx>, on: &OwnedOp<'ctx>) -> Result<Vec<Diagnostic>> {
        self.apply(ir, on, true)
    }

    fn apply(&self, ir: &mut Ir<'ctx>, on: &OwnedOp<'ctx>, full: bool) -> Result<Vec<Diagnostic>> {
        ir.collect();
        on.op(ir).verify()?;
        let context = ir.state.context;
        // SAFETY: the context is live, by the scope that `ir` is the token of, and nothing runs in its threads.
        let threads = unsafe { mlirContextGetNumThreads(context) } > 1;
        if threads {
            // SAFETY: as above.
            unsafe { mlirContextEnableMultithreading(context, false) };
        }
        // SAFETY: the operation is a live and valid root of this context, and handles borrow the token, which is borrowed
        // exclusively here.
        let (done, diagnostics) = captured(ir.state, || unsafe {
            convert(ir.state, on.raw(), self, full)
        });
        if threads {
            // SAFETY: the context is live, by the scope that `ir` is the token of; its threading was switched off above.
            unsafe { mondoContextUseSharedThreadPool(context) };
        }
        ir.collect();
        let Err(failed) = done else {
            on.op(ir).verify()?;
            return Ok(diagnostics);
        };
        let mut error = failed.error;
        if let (Some(name), Some(location)) = (failed.operation, failed.location) {
            let text = location.to_text();
            let place = text
                .strip_prefix("loc(")
                .and_then(|text| text.strip_suffix(')'));
            error = error.of_operation(&name, place.unwrap_or(&text).replace('"', ""));
        }
        let mut all = error.diagnostics().to_vec();
        all.extend(diagnostics);
        Err(error.with(all))
    }
}

/// Why a conversion failed, and where.
#[derive(Debug)]
pub(crate) struct Failed<'ctx> {
    pub(crate) error: Error,
    pub(crate) operation: Option<String>,
    pub(crate) location: Option<Location<'ctx>>,
    /// True if MLIR has said why.
    #[cfg_attr(
        not(feature = "sdk"),
        expect(dead_code, reason = "a pass of a dialect asks")
    )]
    pub(crate) is_told: bool,
}

/// The data of the callbacks.
pub(crate) struct Called<'a, 'ctx> {
    pub(crate) state: &'ctx State,
    conversion: &'a Conversion<'ctx>,
    /// The operation that is converted with all that is in it.
    pub(crate) top: MlirOperation,
    failed: RefCell<Option<Failed<'ctx>>>,
}

impl<'ctx> Called<'_, 'ctx> {
    fn has_failed(&self) -> bool {
        self.failed.borrow().is_some()
    }

    fn fail(
        &self,
        error: Error,
        operation: Option<Op<'_, 'ctx>>,
        location: Option<Location<'ctx>>,
    ) {
        self.failed.borrow_mut().get_or_insert(Failed {
            error,
            operation: operation.map(|op| op.name().to_owned()),
            location: location.or(operation.map(Op::location)),
            is_told: false,
        });
    }

    pub(crate) fn convert_type(&self, type_: Type<'ctx>) -> Result<Vec<Type<'ctx>>> {
        for convert in self.conversion.types.iter().rev() {
            let Some(types) = convert(type_)? else {
                continue;
            };
            let message = if types.is_empty() {
                format!("the conversion of types returns no type for '{type_}'")
            } else if cfg!(llvm_before = "20") && types.len() > 1 {
                format!("with LLVM 19, '{type_}' cannot become several types")
            } else {
                return Ok(types);
            };
            return Err(Error::new(ErrorKind::Form, message));
        }
        Ok(vec![type_])
    }
}

/// Converts an operation and all that is in it.
///
/// # Safety
///
/// The operation is live and of the state's context, its tree is closed, and there is no handle of what may be erased.
pub(crate) unsafe fn convert<'ctx>(
    state: &'ctx State,
    top: MlirOperation,
    conversion: &Conversion<'ctx>,
    full: bool,
) -> std::result::Result<(), Failed<'ctx>> {
    let called = Called {
        state,
        conversion,
        top,
        failed: RefCell::default(),
    };
    let rules: Vec<_> = conversion
        .rules
        .iter()
        .map(|rule| MondoLegalityRule {
            name: string_ref(&rule.name),
            isDialect: rule.is_dialect,
            isRecursive: rule.is_recursive,
            legality: rule.legality,
        })
        .collect();
    let patterns: Vec<_> = conversion
        .patterns
        .iter()
        .map(|pattern| MondoConversionPattern {
            root: string_ref(&pattern.root),
            benefit: pattern.benefit.into(),
            retypes: pattern.convert.is_none(),
        })
        .collect();
    let table = MondoConversion {
        context: state.context,
        numRules: rules.len() as isize,
        rules: rules.as_ptr(),
        numPatterns: patterns.len() as isize,
        patterns: patterns.as_ptr(),
        isFull: full,
        materializes: !(conversion.to_source.is_empty() && conversion.to_target.is_empty()),
        keepsCasts: conversion.keeps_casts,
        data: (&raw const called).cast_mut().cast(),
        isLegal: Some(is_legal),
        convertType: Some(convert_type),
        materialize: Some(materialize),
        rewrite: Some(rewrite),
    };
    // SAFETY: the operation is live, by this function's contract; the table, and all that it points to, lives until the call
    // returns, after which C++ calls none of the callbacks.
    let done = unsafe { mondoApplyConversion(top, &raw const table) };
    match called.failed.into_inner() {
        Some(failed) => Err(failed),
        None if done => Ok(()),
        None => Err(Failed {
            error: Error::new(
                ErrorKind::Pass,
                "the conversion left an operation that is not legal",
            ),
            operation: None,
            location: None,
            is_told: true,
        }),
    }
}

/// # Safety
///
/// `data` is a `Called`, and the operation is live.
unsafe extern "C" fn is_legal(data: *mut c_void, rule: isize, op: MlirOperation) -> bool {
    // SAFETY: `convert` hands its `Called` to C++, which it outlives.
    let called = unsafe { &*data.cast_const().cast::<Called<'_, '_>>() };
    let rule = called.conversion.rules.get(rule.unsigned_abs());
    let Some(is_legal) = rule.and_then(|rule| rule.is_legal.as_ref()) else {
        return true;
    };
    if called.has_failed() {
        return true;
    }
    // SAFETY: MLIR keeps the operation alive until the callback returns, and the fence keeps it as it is.
    let op = unsafe { Op::expect(op, called.state) };
    let state = called.state;
    let ask = || caught(|| is_legal(op)).and_then(|answer| answer);
    // SAFETY: MLIR keeps the operation and its tree until this callback returns, and the answer has no handle in it.
    match unsafe { closure(state, op.raw(), ask) } {
        Ok(legal) => legal,
        Err(error) => {
            called.fail(error, Some(op), None);
            true
        }
    }
}

/// Calls a closure that changes nothing in the tree of `op`, and frees what it has dropped.
///
/// # Safety
///
/// The operation is live, and so is its tree until the closure returns. No handle of the closure's is used afterwards.
pub(crate) unsafe fn closure<R>(
    state: &State,
    op: MlirOperation,
    run: impl FnOnce() -> Result<R>,
) -> Result<R> {
    let dead = state.dead_count();
    let outcome = state.fenced(Fence::Frozen(op), run);
    // SAFETY: the operation is live, as the fence has refused its erasure; nothing has been freed since.
    let crossed = unsafe { state.cut_crossings(&[mondo_sys::mondoOperationGetRoot(op)]) };
    // SAFETY: the handles of the call have ended with it, by this function's contract.
    unsafe { state.flush_since(dead) };
    crossed.and(outcome)
}

/// # Safety
///
/// `data` is a `Called`, and `types` is good for the call.
unsafe extern "C" fn convert_type(
    data: *mut c_void,
    type_: MlirType,
    types: *mut MondoConversionTypes,
) -> bool {
    // SAFETY: `convert` hands its `Called` to C++, which it outlives.
    let called = unsafe { &*data.cast_const().cast::<Called<'_, '_>>() };
    if called.has_failed() {
        return false;
    }
    // SAFETY: the type is of the state's context, which outlives the call.
    let type_ = unsafe { Type::expect(type_) };
    match caught(|| called.convert_type(type_)).and_then(|types| types) {
        Ok(found) => {
            for one in found {
                // SAFETY: the list is good until this callback returns, and the type is live, by its brand.
                unsafe { mondoConversionTypesPush(types, one.raw()) };
            }
            true
        }
        Err(error) => {
            called.fail(error, None, None);
            false
        }
    }
}

/// # Safety
///
/// `data` is a `Called`, there are so many values, and all are live; `made` can be written.
unsafe extern "C" fn materialize(
    data: *mut c_void,
    to_source: bool,
    type_: MlirType,
    count: isize,
    values: *const MlirValue,
    location: MlirLocation,
    made: *mut MlirOperation,
) -> MlirValue {
    let nothing = MlirValue {
        ptr: std::ptr::null(),
    };
    // SAFETY: `convert` hands its `Called` to C++, which it outlives.
    let called = unsafe { &*data.cast_const().cast::<Called<'_, '_>>() };
    if called.has_failed() {
        return nothing;
    }
    let (state, top) = (called.state, called.top);
    let ir = Ir::of(state);
    // SAFETY: type and location are of the state's context; there are so many values, which live until this returns.
    let cast = unsafe {
        let values = (0..count).map(|index| Value::expect(*values.offset(index), state));
        Cast {
            type_: Type::expect(type_),
            values: values.collect(),
            location: Location::expect(location),
        }
    };
    let make = || {
        let all = if to_source {
            &called.conversion.to_source
        } else {
            &called.conversion.to_target
        };
        for one in all.iter().rev() {
            if let Some(op) = caught(|| one(&ir, &cast)).and_then(|made| made)? {
                return checked(op, &cast).map(Some);
            }
        }
        Ok(None)
    };
    let dead = state.dead_count();
    let outcome = state.fenced(Fence::Frozen(top), make);
    // SAFETY: `top` is live, as the fence has refused its erasure, and so is what was made, which `outcome` owns.
    let crossed = unsafe {
        let mut inside = vec![mondo_sys::mondoOperationGetRoot(top)];
        inside.extend(outcome.iter().flatten().map(OwnedOp::raw));
        state.cut_crossings(&inside)
    };
    let outcome = crossed.and(outcome);
    // SAFETY: no handle of the closure's is used any more, except those to the operation that is kept.
    unsafe { state.flush_since(dead) };
    match outcome {
        Ok(Some(op)) => {
            // SAFETY: `checked` has found one result; C++ puts the operation into a block.
            unsafe {
                let value = mondo_sys::mlirOperationGetResult(op.raw(), 0);
                *made = op.release();
                value
            }
        }
        Ok(None) => nothing,
        Err(error) => {
            called.fail(error, None, Some(cast.location));
            nothing
        }
    }
}

/// Refuses an operation that is no cast of these values.
fn checked<'ctx>(op: OwnedOp<'ctx>, cast: &Cast<'_, 'ctx>) -> Result<OwnedOp<'ctx>> {
    let ir = Ir::of(op.state());
    let made = op.op(&ir);
    let fits = made
        .results()
        .iter()
        .map(|one| one.type_())
        .eq([cast.type_])
        && made
            .iter_operands()
            .all(|value| cast.values.contains(&value))
        && made.region(0).is_none()
        && made.successors().is_empty();
    if fits {
        return Ok(op);
    }
    let message = format!(
        "`{}` is no cast to '{}': it needs one result of that type, and no operands but the values",
        made.name(),
        cast.type_
    );
    Err(Error::new(ErrorKind::Structure, message))
}

/// # Safety
///
/// `data` is a `Called`; there are so many counts, and their sum of values; all are live.
unsafe extern "C" fn rewrite(
    data: *mut c_void,
    pattern: isize,
    op: MlirOperation,
    num_operands: isize,
    counts: *const isize,
    values: *const MlirValue,
    rewriter: *mut MondoConversionRewriter,
) -> bool {
    // SAFETY: `convert` hands its `Called` to C++, which it outlives.
    let called = unsafe { &*data.cast_const().cast::<Called<'_, '_>>() };
    let pattern = called.conversion.patterns.get(pattern.unsigned_abs());
    let Some(run) = pattern.and_then(|pattern| pattern.convert.as_ref()) else {
        return false;
    };
    if called.has_failed() {
        return false;
    }
    let mut groups = Vec::with_capacity(num_operands.unsigned_abs());
    let mut next = 0;
    for index in 0..num_operands {
        // SAFETY: there are so many counts, and their sum of values, by this function's contract.
        let group = unsafe {
            let count = *counts.offset(index);
            let group = (next..next + count).map(|at| *values.offset(at));
            next += count;
            group.collect::<Vec<_>>()
        };
        groups.push(group);
    }
    // SAFETY: operation, values and rewriter are live, and there is no handle, by this function's contract.
    match unsafe { convert_once(called, op, &groups, rewriter, &**run) } {
        Ok(matched) => matched,
        Err(error) => {
            // SAFETY: a pattern that fails has erased nothing.
            called.fail(error, Some(unsafe { Op::expect(op, called.state) }), None);
            false
        }
    }
}
