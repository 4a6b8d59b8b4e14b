//! The class `PatternRewriter`, through which patterns change IR: it tells the driver of each change, and
//! refuses those that the driver does not survive.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use mondo_ir::declarations as c;
use mondo_ir::nodes::{Op, Value as ValueNode};
use mondo_ir::objects::{Insertion, OpenRewriter};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::submodules;
use crate::ownership::context::{Context, Entered, require_same};
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::reentrancy;
use crate::ownership::tree::Node;
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, Cause};

use super::conversion_changes;
use super::drive::{Drive, Kind};

/// Changes IR so that the driver knows; valid until the pattern returns.
#[pyclass(frozen, subclass)]
pub(super) struct PatternRewriter {
    /// MLIR's rewriter, which is closed once the pattern has returned.
    rewriter: Arc<OpenRewriter>,
    /// The operation that the driver was started on; null if it is unknown.
    root: AtomicPtr<c_void>,
    /// The kind of the driver. In a walk, only `matched` and what is below it may be destroyed.
    kind: Kind,
    /// The operation that matched; None in functions of PDL patterns.
    matched: Option<Py<OperationBase>>,
    /// True while it is given to a constraint of a PDL pattern, which may not change IR: MLIR matches further patterns
    /// against the operations that were there before.
    only_looks: AtomicBool,
    context: Py<Context>,
}

impl PatternRewriter {
    /// The Python object of a rewriter, which works on operations of `context`.
    pub(super) fn open(
        py: Python<'_>,
        rewriter: &Arc<OpenRewriter>,
        context: Py<Context>,
        matched: Option<&Py<OperationBase>>,
        drive: Option<&Drive>,
    ) -> PyResult<Py<Self>> {
        Py::new(py, Self::of(py, rewriter, context, matched, drive))
    }

    /// As [`Self::open`], for the base of another class.
    pub(super) fn of(
        py: Python<'_>,
        rewriter: &Arc<OpenRewriter>,
        context: Py<Context>,
        matched: Option<&Py<OperationBase>>,
        drive: Option<&Drive>,
    ) -> Self {
        Self {
            rewriter: Arc::clone(rewriter),
            root: AtomicPtr::new(drive.map_or(ptr::null_mut(), |drive| drive.root)),
            // A driver that other code started may be greedy or a walk, so that the stricter one is assumed.
            kind: drive.map_or(Kind::Walk, |drive| drive.kind),
            matched: matched.map(|matched| matched.clone_ref(py)),
            only_looks: AtomicBool::new(false),
            context,
        }
    }

    /// Makes the rewriter read-only: it changes nothing, and has no insertion point.
    pub(super) fn only_look(&self) {
        self.only_looks.store(true, Ordering::Release);
    }

    /// Invalidates the rewriter, because the pattern has returned.
    pub(super) fn close(&self) {
        self.rewriter.close();
    }

    /// Fails if the rewriter was closed or is read-only.
    pub(super) fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.context.get().check_access(py)?;
        if !self.rewriter.is_open() {
            return Err(PyRuntimeError::new_err(
                "the rewriter is invalid (used outside of the pattern it was made for)",
            ));
        }
        if self.only_looks.load(Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "a constraint can only look at operations, not insert, replace or erase any",
            ));
        }
        Ok(())
    }

    /// The handle of an operation that is to be destroyed; fails if the driver does not allow that.
    fn doomed<'ctx>(
        &self,
        ctx: Entered<'_, 'ctx>,
        op: &Bound<'_, OperationBase>,
    ) -> PyResult<Op<'ctx>> {
        let py = op.py();
        let op = op.get().within(ctx)?;
        let root = self.root.load(Ordering::Relaxed);
        reentrancy::refuse_rewrite(self.context.get(), op, root)?;
        if self.kind == Kind::Walk && reentrancy::is_below(op, root) {
            let address = |op: Op<'_>| op.address().as_ptr();
            let matched = match &self.matched {
                Some(matched) => matched.get().read(py, address)?,
                None => ptr::null_mut(),
            };
            if address(op) != matched && !reentrancy::is_below(op, matched) {
                return Err(PyRuntimeError::new_err(
                    "a pattern that is applied by a walk can only erase or replace the operation that \
                     it matched, and what is in that",
                ));
            }
        }
        Ok(op)
    }
}

#[pymethods]
impl PatternRewriter {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.matched)?;
        visit.call(&self.context)
    }

    /// The insertion point of new operations: before the operation that matched.
    #[getter]
    fn ip<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.check(py)?;
        let class = submodules::ir(py)?.getattr("InsertionPoint")?;
        if let Some(matched) = &self.matched {
            // Python code cannot change the rewriter's insertion point, so that it is still before the
            // matched operation. If that was destroyed, MLIR's insertion point dangles, and `read` fails.
            matched.get().read(py, |_| ())?;
            return class.call1((matched.clone_ref(py),));
        }
        Context::enter(py, &self.context, |ctx| {
            // SAFETY: MLIR sets the insertion point before it calls a rewrite function of a PDL pattern,
            // `check` has refused constraints, and the guards of `reentrancy` refuse to destroy an ancestor
            // of the insertion point while the driver runs.
            match unsafe { self.rewriter.insertion(*ctx) } {
                Insertion::Nowhere => Err(PyRuntimeError::new_err(
                    "the rewriter has no insertion point",
                )),
                Insertion::Lost(_) => Err(PyRuntimeError::new_err(
                    "the operation that the rewriter inserts before was erased",
                )),
                Insertion::End(block) => class.call1((owner::block_object(py, block)?,)),
                Insertion::Before(_, op) => class.call1((owner::object(py, op)?,)),
            }
        })
    }

    /// Replaces an operation's results with those of another operation, or with values, and erases
    /// it: `replace_op(op, new_op)`, `replace_op(op, values)`.
    #[pyo3(signature = (op, new_op = None, *, values = None),
           text_signature = "($self, op, new_op=..., *, values=...)")]
    fn replace_op(
        &self,
        op: &Bound<'_, OperationBase>,
        new_op: Option<&Bound<'_, PyAny>>,
        values: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let py = op.py();
        self.check(py)?;
        let target = if self.kind == Kind::Conversion {
            None
        } else {
            let doomed = |ctx: Entered<'_, '_>| self.doomed(ctx, op).map(Target::of);
            Some(Context::enter(py, &self.context, doomed)?)
        };
        let check = |by: Option<Op<'_>>| {
            target
                .as_ref()
                .map_or(Ok(()), |target| target.check_replacement(by))
        };
        let given = new_op.or(values).ok_or_else(|| {
            PyTypeError::new_err("incompatible function arguments: replace_op() takes an operation and what replaces it")
        })?;
        let by = match given.cast::<OperationBase>() {
            Ok(new_op) => {
                let operation = new_op.get();
                require_same(&self.context, &operation.context_of(py)?, "operation")?;
                operation.read(py, |op| check(Some(op)))??;
                Replacement::Results(new_op)
            }
            Err(_) => {
                let mut found = Vec::new();
                for value in given.try_iter()? {
                    let object = value?.cast_into::<Value>().map_err(|_| {
                        PyTypeError::new_err(
                            "incompatible function arguments: replace_op() takes an operation or a sequence of values to replace with",
                        )
                    })?;
                    let value = object.get();
                    value.read(py, |value| check(definer(value)))??;
                    found.push(object);
                }
                Replacement::Values(found)
            }
        };
        if self.kind == Kind::Conversion {
            let running = conversion_changes::running_on(py, op.get())?;
            return Context::enter(py, &self.context, |ctx| {
                let (op, values) = (op.get().within(ctx)?, by.within(ctx)?);
                refuse_inner_uses(op)?;
                conversion_changes::replace(&running, op, &values)
            });
        }
        Context::enter(py, &self.context, |ctx| {
            // Python code has run since the checks above, to iterate over the values. It may have destroyed the
            // operation, or moved one of the values into it.
            let op = self.doomed(ctx, op)?;
            let target = Target::of(op);
            let values = by.within(ctx)?;
            for value in &values {
                target.check_replacement(definer(*value))?;
            }
            let wanted = op.results().count();
            if values.len() != wanted {
                return Err(PyValueError::new_err(format!(
                    "the operation has {wanted} results, but there are {} values to replace them with",
                    values.len()
                )));
            }
            refuse_inner_uses(op)?;
            wrapper::because(Cause::Rewrite, || {
                // SAFETY: `doomed` has found that the driver allows the operation's destruction,
                // `check_replacement` above that none of the values is defined in it, and
                // `refuse_inner_uses` that nothing outside uses what is in it. No handle of it is used after
                // this.
                unsafe { self.rewriter.replace(op, &values) };
            });
            Ok(())
        })?;
        wrapper::reclaim(py);
        Ok(())
    }

    /// Erases an operation whose results have no uses.
    fn erase_op(&self, op: &Bound<'_, OperationBase>) -> PyResult<()> {
        let py = op.py();
        self.check(py)?;
        if self.kind == Kind::Conversion {
            let running = conversion_changes::running_on(py, op.get())?;
            return Context::enter(py, &self.context, |ctx| {
                let op = op.get().within(ctx)?;
                refuse_inner_uses(op)?;
                conversion_changes::erase(&running, op)
            });
        }
        Context::enter(py, &self.context, |ctx| {
            let op = self.doomed(ctx, op)?;
            if cross_tree_uses::is_used_outside(op) {
                return Err(PyRuntimeError::new_err(
                    "cannot erase an operation while something outside of it uses its results, or a \
                     value or a block that is inside; replace it, or erase that first",
                ));
            }
            wrapper::because(Cause::Rewrite, || {
                // SAFETY: `doomed` has found that the driver allows the operation's destruction,
                // `is_used_outside` that nothing outside uses its results or what is in it. No handle of it
                // is used after this.
                unsafe { self.rewriter.erase(op) };
            });
            Ok(())
        })?;
        wrapper::reclaim(py);
        Ok(())
    }
}

/// The values that replace the results of an operation.
enum Replacement<'a, 'py> {
    /// The results of an operation.
    Results(&'a Bound<'py, OperationBase>),
    Values(Vec<Bound<'py, Value>>),
}

impl Replacement<'_, '_> {
    fn within<'ctx>(&self, ctx: Entered<'_, 'ctx>) -> PyResult<Vec<ValueNode<'ctx>>> {
        match self {
            Self::Results(op) => Ok(op.get().within(ctx)?.results().collect()),
            Self::Values(values) => values.iter().map(|value| value.get().within(ctx)).collect(),
        }
    }
}

/// The operation that a value is a result of, or the parent operation of the block that it is an argument of.
pub(super) fn definer(value: ValueNode<'_>) -> Option<Op<'_>> {
    match value.block() {
        Some(block) => c::mlirBlockGetParentOperation(block),
        None => value.op(),
    }
}

/// The address of an operation that is to be replaced, and of its topmost ancestor.
struct Target {
    address: *mut c_void,
    root: *mut c_void,
}

impl Target {
    fn of(op: Op<'_>) -> Self {
        Self {
            address: op.address().as_ptr(),
            root: op.root().address().as_ptr(),
        }
    }

    /// Fails if values that `by` defines cannot replace the operation's results.
    fn check_replacement(&self, by: Option<Op<'_>>) -> PyResult<()> {
        let is_inside = |by: Op<'_>| {
            by.with_ancestors()
                .any(|op| op.address().as_ptr() == self.address)
        };
        if by.is_some_and(is_inside) {
            return Err(PyValueError::new_err(
                "an operation cannot be replaced with itself or with what is inside",
            ));
        }
        if by.is_none_or(|by| by.root().address().as_ptr() != self.root) {
            return Err(PyValueError::new_err(
                "the replacement is not in the tree of what it replaces; insert it first (with \
                 rewriter.ip)",
            ));
        }
        Ok(())
    }
}

/// Fails if something outside of `op` uses a value or a block in its regions.
fn refuse_inner_uses(op: Op<'_>) -> PyResult<()> {
    let family = [op.address().as_ptr()];
    let used = op
        .regions()
        .any(|region| cross_tree_uses::find_user_outside(Node::Region(region), &family).is_some());
    if used {
        return Err(PyRuntimeError::new_err(
            "cannot replace an operation while something outside of it uses a value or a block that \
             is inside",
        ));
    }
    Ok(())
}
