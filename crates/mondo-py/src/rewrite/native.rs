//! Native functions: the Python functions that PDL patterns call by name.
//!
//! MLIR does not check that a function which succeeds returned the number and the kinds of results that the
//! pattern expects. It aborts the process if a rewrite function fails, because the driver cannot undo what
//! the pattern did. Therefore results are collected and checked before MLIR gets them, and after a rewrite
//! function has failed, the rest of its pattern runs with placeholders; the driver's caller gets the
//! exception.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::c_void;
use std::ops::ControlFlow;

use mondo_ir::attributes::{Bool, Str};
use mondo_ir::declarations as c;
use mondo_ir::nodes::{Block as BlockNode, NewRegions, Op, Parts};
use mondo_ir::objects::{Insertion, NativeCall, NativeValue};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::ir::attribute::Attribute;
use crate::ir::types::Type;
use crate::ownership::block::Block;
use crate::ownership::context::{Context, Entered};
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::traversal::walk;
use crate::ownership::value::Value;

use super::drive::Drive;
use super::rewriter::definer;

/// The kind of a result of a native function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Attribute,
    Operation,
    Type,
    Value,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Attribute => "an Attribute",
            Self::Operation => "an operation",
            Self::Type => "a Type",
            Self::Value => "a Value",
        }
    }
}

/// The native functions that a module's patterns call: the kinds of their results, by name.
#[derive(Default)]
pub(super) struct Calls {
    constraints: BTreeMap<String, Vec<Kind>>,
    rewrites: BTreeMap<String, Vec<Kind>>,
}

impl Calls {
    /// The rewrite functions, or else the constraints.
    pub(super) fn of_kind(&self, is_rewrite: bool) -> &BTreeMap<String, Vec<Kind>> {
        if is_rewrite {
            &self.rewrites
        } else {
            &self.constraints
        }
    }

    /// Collects the calls in a module. Fails for a call that a Python function cannot serve.
    pub(super) fn of(op: Op<'_>) -> PyResult<Self> {
        let mut calls = Self::default();
        let added = walk(op, &mut |op| match calls.add(op) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        });
        match added {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(calls),
        }
    }

    /// Adds the function that `op`, which is valid, calls.
    fn add(&mut self, op: Op<'_>) -> PyResult<()> {
        let kind = op.name().to_text();
        let (known, results) = match kind.as_str() {
            // A `pdl.rewrite` that names a function has no body and no results.
            "pdl.rewrite" => (&mut self.rewrites, false),
            "pdl.apply_native_rewrite" => (&mut self.rewrites, true),
            "pdl.apply_native_constraint" => (&mut self.constraints, true),
            _ => return Ok(()),
        };
        let Some(name) = text_attribute(op, "name") else {
            return Ok(());
        };
        let kinds = if results {
            result_kinds(op, &name)?
        } else {
            Vec::new()
        };
        if !kinds.is_empty() && is_true(op, "isNegated") {
            return Err(PyValueError::new_err(format!(
                "the negated constraint {name:?} has results, but it matches where its function fails, \
                 which gives none"
            )));
        }
        match known.entry(name) {
            Entry::Vacant(entry) => {
                entry.insert(kinds);
            }
            Entry::Occupied(entry) if *entry.get() != kinds => {
                return Err(PyValueError::new_err(format!(
                    "the native function {:?} is called with different kinds of results; register a Python \
                     function under another name for each",
                    entry.key()
                )));
            }
            Entry::Occupied(_) => {}
        }
        Ok(())
    }
}

fn attribute<'ctx>(op: Op<'ctx>, name: &str) -> Option<mondo_ir::Attribute<'ctx>> {
    c::mlirOperationGetAttributeByName(op, name.into())
}

fn text_attribute(op: Op<'_>, name: &str) -> Option<String> {
    let text = attribute(op, name)?.downcast::<Str>()?;
    Some(c::mlirStringAttrGetValue(text).to_text())
}

fn is_true(op: Op<'_>, name: &str) -> bool {
    let value = attribute(op, name).and_then(mondo_ir::Attribute::downcast::<Bool>);
    value.is_some_and(|flag| c::mlirBoolAttrGetValue(flag))
}

/// The kinds of the results of `op`, an operation that calls `name`.
fn result_kinds(op: Op<'_>, name: &str) -> PyResult<Vec<Kind>> {
    let texts = op
        .results()
        .map(|result| c::mlirValueGetType(result).to_text());
    texts
        .map(|text| match text.as_str() {
            "!pdl.attribute" => Ok(Kind::Attribute),
            "!pdl.operation" => Ok(Kind::Operation),
            "!pdl.type" => Ok(Kind::Type),
            "!pdl.value" => Ok(Kind::Value),
            _ => Err(PyValueError::new_err(format!(
                "the native function {name:?} has a result of type {text}, which a Python function cannot \
                 return"
            ))),
        })
        .collect()
}

/// The handle of a wrapper of a value, operation, type or attribute. Fails if the object was destroyed, or is
/// of another context.
pub(super) fn given<'ctx>(
    ctx: Entered<'_, 'ctx>,
    object: &Bound<'_, PyAny>,
) -> PyResult<NativeValue<'ctx>> {
    if let Ok(value) = object.cast::<Value>() {
        // `read` fails for a destroyed value, which is the more helpful error if its context is another one,
        // too.
        value.get().read(ctx.py(), |_| ())?;
        Ok(NativeValue::Value(value.get().within(ctx)?))
    } else if let Ok(operation) = object.cast::<OperationBase>() {
        Ok(NativeValue::Op(operation.get().within(ctx)?))
    } else if let Ok(ty) = object.cast::<Type>() {
        Ok(NativeValue::Type(ty.get().within(ctx)?))
    } else if let Ok(attribute) = object.cast::<Attribute>() {
        Ok(NativeValue::Attribute(attribute.get().within(ctx)?))
    } else {
        Err(PyTypeError::new_err(format!(
            "expected a Value, an operation, a Type or an Attribute, not {}",
            object.get_type()
        )))
    }
}

fn kind_of(given: &NativeValue<'_>) -> Kind {
    match given {
        NativeValue::Attribute(_) => Kind::Attribute,
        NativeValue::Op(_) => Kind::Operation,
        NativeValue::Type(_) => Kind::Type,
        NativeValue::Value(_) => Kind::Value,
    }
}

/// The address of the topmost operation of the tree that the pattern rewrites; None if neither an argument nor the
/// driver says it. It is called before the native function, which may erase what the pattern matched.
pub(super) fn tree_of(call: &NativeCall<'_, '_>, drive: Option<&Drive>) -> Option<*mut c_void> {
    let mut matched = call.values().flatten().filter_map(|given| match given {
        NativeValue::Op(op) => Some(op),
        NativeValue::Value(value) => definer(value),
        NativeValue::Attribute(_) | NativeValue::Type(_) => None,
    });
    let of_argument = matched.next().map(topmost);
    of_argument.or_else(|| drive.map(|drive| drive.tree))
}

fn topmost(op: Op<'_>) -> *mut c_void {
    op.root().address().as_ptr()
}

/// Returns whether a result is an operation of a tree, or a value that one defines.
fn is_in(given: &NativeValue<'_>, tree: Option<*mut c_void>) -> bool {
    let by = match given {
        NativeValue::Op(op) => Some(*op),
        NativeValue::Value(value) => definer(*value),
        NativeValue::Attribute(_) | NativeValue::Type(_) => return true,
    };
    by.is_some_and(|op| Some(topmost(op)) == tree)
}

/// Passes the results to MLIR, if they have the number and the kinds that the pattern expects, and are in `tree`,
/// which it rewrites; all of them or none. No results were passed before.
///
/// An operation that is in no block belongs to Python, which frees it with its last reference, whoever uses its
/// results.
pub(super) fn give(
    name: &str,
    wanted: &[Kind],
    objects: &[Bound<'_, PyAny>],
    context: &Py<Context>,
    call: &NativeCall<'_, '_>,
    tree: Option<*mut c_void>,
) -> PyResult<()> {
    if objects.len() != wanted.len() {
        return Err(PyValueError::new_err(format!(
            "the native function {name:?} gave {} results, where the pattern takes {}",
            objects.len(),
            wanted.len()
        )));
    }
    let Some(py) = objects.first().map(Bound::py) else {
        return Ok(());
    };
    let ctx = Entered::of(py, context, call.ctx())?;
    let given = objects
        .iter()
        .map(|object| given(ctx, object))
        .collect::<PyResult<Vec<_>>>()?;
    let mut pairs = given.iter().zip(wanted).enumerate();
    if let Some((index, (given, wanted))) =
        pairs.find(|(_, (given_value, kind))| kind_of(given_value) != **kind)
    {
        return Err(PyTypeError::new_err(format!(
            "result {index} of the native function {name:?} is {}, where the pattern takes {}",
            kind_of(given).name(),
            wanted.name()
        )));
    }
    if let Some(index) = given.iter().position(|object| !is_in(object, tree)) {
        return Err(PyValueError::new_err(format!(
            "result {index} of the native function {name:?} is not in the tree that the pattern rewrites; \
             a rewrite function inserts it first (with rewriter.ip)"
        )));
    }
    given.into_iter().for_each(|object| call.give(object));
    Ok(())
}

/// The place in which placeholders for the results of a native function are inserted.
pub(super) struct Place<'ctx> {
    /// The block; None if it is unknown or was destroyed.
    block: Option<BlockNode<'ctx>>,
    /// The type of placeholder values: that of the first result of the matched operation, which the pattern
    /// most likely replaces.
    ty: mondo_ir::Type<'ctx>,
}

impl<'ctx> Place<'ctx> {
    /// The place of a call that begins now. `is_set` says whether MLIR has set the rewriter's insertion
    /// point; otherwise there is no block.
    pub(super) fn of(call: &NativeCall<'_, 'ctx>, is_set: bool) -> Self {
        let none = call.ctx().none().any();
        let (block, matched) = if is_set {
            // SAFETY: `is_set` says that MLIR has just set the insertion point, before the operation that the
            // pattern matched, which is live.
            match unsafe { call.rewriter().insertion(call.ctx()) } {
                Insertion::Before(block, op) => (Some(block), op.result(0)),
                Insertion::End(block) | Insertion::Lost(block) => (Some(block), None),
                Insertion::Nowhere => (None, None),
            }
        } else {
            (None, None)
        };
        let ty = matched.map_or(none, |value| c::mlirValueGetType(value));
        Self { block, ty }
    }

    /// The wrapper of the block, by which the caller later learns whether the block was destroyed. It is
    /// called before Python code runs.
    pub(super) fn block(&self, py: Python<'_>) -> Option<Py<Block>> {
        let block = self.block?;
        c::mlirBlockGetParentOperation(block)?;
        owner::block_object(py, block).ok()
    }

    /// Forgets the block, because it may have been destroyed.
    pub(super) fn forget_block(&mut self) {
        self.block = None;
    }

    /// Passes a placeholder to MLIR for each result of a native function that failed, if no results were
    /// passed before. Returns the operations that were created for them.
    pub(super) fn give_placeholders(
        &self,
        kinds: &[Kind],
        call: &NativeCall<'_, 'ctx>,
    ) -> Vec<Op<'ctx>> {
        let mut results = Vec::new();
        for kind in kinds {
            let given = match kind {
                Kind::Attribute => NativeValue::Attribute(call.ctx().unit().any()),
                Kind::Type => NativeValue::Type(call.ctx().none().any()),
                Kind::Operation | Kind::Value => {
                    let Some(op) = self.placeholder(call, &mut results) else {
                        continue;
                    };
                    match op.result(0) {
                        Some(value) if *kind == Kind::Value => NativeValue::Value(value),
                        _ => NativeValue::Op(op),
                    }
                }
            };
            call.give(given);
        }
        results
    }

    /// Creates an operation with one result, at the start of the block, or without a block if that is unknown
    /// or was destroyed.
    fn placeholder(
        &self,
        call: &NativeCall<'_, 'ctx>,
        made: &mut Vec<Op<'ctx>>,
    ) -> Option<Op<'ctx>> {
        let new = Op::create(Parts {
            name: "builtin.unrealized_conversion_cast",
            location: call.ctx().unknown(),
            results: &[self.ty],
            operands: &[],
            attributes: &[],
            successors: &[],
            regions: NewRegions::Empty(0),
        })
        .ok()?;
        let op = new.node();
        if let Some(block) = self.block {
            match c::mlirBlockGetFirstOperation(block) {
                Some(first) => first.insert_before(new),
                None => Some(block.append(new)),
            };
            made.push(op);
        }
        Some(op)
    }
}
