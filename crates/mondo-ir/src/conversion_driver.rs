//! The driver of conversions: MLIR's, which calls closures.

use std::cell::RefCell;
use std::ffi::c_void;

use mondo_sys::{
    MlirLocation, MlirOperation, MlirType, MlirValue, MondoConversion, MondoConversionPattern,
    MondoConversionRewriter, MondoConversionTypes, MondoLegalityRule, mondoApplyConversion,
    mondoConversionTypesPush,
};

use crate::callback::{caught, string_ref};
use crate::capture::captured;
use crate::conversion::{Cast, Conversion};
use crate::conversion_rewriter::convert_once;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, ErrorKind, Result};
use crate::fence::Fence;
use crate::handle::{Op, OwnedOp, Value};
use crate::scope::{Ir, State};
use crate::uniqued_handles::{Location, Type};

impl<'ctx> Conversion<'ctx> {
    /// Converts a tree until nothing illegal is left. What no rule says anything of may stay.
    ///
    /// # Errors
    /// The first error of a closure, with the operation and its location; `ErrorKind::Pass` if an illegal operation is left,
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
        // SAFETY: nothing runs in the context's threads, as the token is borrowed exclusively. The operation is a live and
        // valid root of this context, and handles borrow the token.
        let (done, diagnostics) = unsafe {
            let run = || convert(ir.state, on.raw(), self, full);
            let state = ir.state;
            state.without_threads(true, || captured(state, run))
        };
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
    /// Returns true if MLIR has said why.
    #[cfg_attr(
        not(feature = "sdk"),
        expect(dead_code, reason = "a pass of a dialect asks")
    )]
    pub(crate) is_told: bool,
}

/// The data of the callbacks.
struct Called<'a, 'ctx> {
    state: &'ctx State,
    conversion: &'a Conversion<'ctx>,
    /// The operation that is converted with all that is in it.
    top: MlirOperation,
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

    fn convert_type(&self, type_: Type<'ctx>) -> Result<Vec<Type<'ctx>>> {
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
    // SAFETY: the operation is live, and the handles of the call have ended with it, by this function's contract.
    let (outcome, crossed) = unsafe {
        let watched = state.watched(Fence::Frozen(op), run, |_| Vec::new());
        state.flush_since(dead);
        watched
    };
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
    let new = |outcome: &Result<Option<OwnedOp<'_>>>| {
        outcome.iter().flatten().map(OwnedOp::raw).collect()
    };
    // SAFETY: `top` is live, and so is what was made, which `outcome` owns.
    let (outcome, crossed) = unsafe { state.watched(Fence::Frozen(top), make, new) };
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

/// The values that each operand has become.
///
/// # Safety
///
/// There are so many counts, and their sum of values.
pub(crate) unsafe fn grouped(
    num_operands: isize,
    counts: *const isize,
    values: *const MlirValue,
) -> Vec<Vec<MlirValue>> {
    let mut next = 0;
    let group = |index| {
        // SAFETY: there are so many counts, and their sum of values, by this function's contract.
        unsafe {
            let count = *counts.offset(index);
            let group = (next..next + count).map(|at| *values.offset(at));
            next += count;
            group.collect()
        }
    };
    (0..num_operands).map(group).collect()
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
    // SAFETY: there are so many counts, and their sum of values, by this function's contract.
    let groups = unsafe { grouped(num_operands, counts, values) };
    // SAFETY: operation, values and rewriter are live, and there is no handle, by this function's contract.
    match unsafe { convert_once(called.state, called.top, op, &groups, rewriter, &**run) } {
        Ok(matched) => matched,
        Err(error) => {
            // SAFETY: a pattern that fails has erased nothing.
            called.fail(error, Some(unsafe { Op::expect(op, called.state) }), None);
            false
        }
    }
}
