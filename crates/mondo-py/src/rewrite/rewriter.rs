//! `PatternRewriter`: the interface through which patterns change IR.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::interop::submodules;
use crate::ownership::block;
use crate::ownership::context::{Context, require_same};
use crate::ownership::cross_tree_uses;
use crate::ownership::operation::OperationBase;
use crate::ownership::owner;
use crate::ownership::reentrancy;
use crate::ownership::tree::RootKind;
use crate::ownership::value::Value;
use crate::ownership::wrapper::{self, Cause};

use super::drive::Drive;

/// Changes IR so that the driver knows; valid until the pattern returns.
#[pyclass(frozen, subclass)]
pub(super) struct PatternRewriter {
    /// Null once the pattern has returned.
    raw: AtomicPtr<c_void>,
    /// The operation that its driver was started on; null if that is not known.
    root: AtomicPtr<c_void>,
    /// True if only what is below `matched` may be destroyed.
    is_walk: bool,
    /// The operation that matched; none in functions of PDL patterns.
    matched: Option<Py<OperationBase>>,
    /// True if it is a constraint's: MLIR goes on with everything that was there.
    only_looks: AtomicBool,
    context: Py<Context>,
}

impl PatternRewriter {
    /// # Safety
    ///
    /// `raw` is live until [`Self::close`] is called, and works on operations of `context`.
    pub(super) unsafe fn open(
        py: Python<'_>,
        raw: MlirPatternRewriter,
        context: Py<Context>,
        matched: Option<&Py<OperationBase>>,
        drive: Option<&Drive>,
    ) -> PyResult<Py<Self>> {
        Py::new(
            py,
            Self {
                raw: AtomicPtr::new(raw.ptr),
                root: AtomicPtr::new(drive.map_or(ptr::null_mut(), |drive| drive.root)),
                // Somebody else's driver may be of either kind.
                is_walk: drive.is_none_or(|drive| drive.is_walk),
                matched: matched.map(|matched| matched.clone_ref(py)),
                only_looks: AtomicBool::new(false),
                context,
            },
        )
    }

    /// Says that nothing may be changed, and that there is no place for new operations.
    pub(super) fn only_look(&self) {
        self.only_looks.store(true, Ordering::Release);
    }

    /// Says that the pattern has returned.
    pub(super) fn close(&self) {
        self.raw.store(ptr::null_mut(), Ordering::Release);
    }

    fn base(&self, py: Python<'_>) -> PyResult<MlirRewriterBase> {
        self.context.get().check_access(py)?;
        let ptr = self.raw.load(Ordering::Acquire);
        if ptr.is_null() {
            return Err(PyRuntimeError::new_err(
                "the rewriter is invalid (used outside of the pattern it was made for)",
            ));
        }
        if self.only_looks.load(Ordering::Acquire) {
            return Err(PyRuntimeError::new_err(
                "a constraint can only look at operations, not insert, replace or erase any",
            ));
        }
        // SAFETY: the rewriter is live until the pattern returns.
        Ok(unsafe { mlirPatternRewriterAsBase(MlirPatternRewriter { ptr }) })
    }

    /// The operation behind an object, if the rewriter may destroy it.
    fn doomed(&self, op: &Bound<'_, OperationBase>) -> PyResult<MlirOperation> {
        let py = op.py();
        let base = op.get();
        let raw = base.get(py)?;
        require_same(&self.context, &base.context_of(py)?, "operation")?;
        let root = self.root.load(Ordering::Relaxed);
        reentrancy::refuse_rewrite(py, self.context.get(), raw, root)?;
        if self.is_walk && reentrancy::is_below(raw, root) {
            let matched = match &self.matched {
                Some(matched) => matched.get().get(py)?.ptr,
                None => ptr::null_mut(),
            };
            if raw.ptr != matched && !reentrancy::is_below(raw, matched) {
                return Err(PyRuntimeError::new_err(
                    "a pattern that is applied by a walk can only erase or replace the operation that \
                     it matched, and what is in that",
                ));
            }
        }
        Ok(raw)
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
        let base = self.base(py)?;
        let class = submodules::ir(py)?.getattr("InsertionPoint")?;
        if let Some(matched) = &self.matched {
            // Nothing moves a rewriter that Python code has. If the operation was destroyed, MLIR has a
            // pointer to nothing.
            matched.get().get(py)?;
            return class.call1((matched.clone_ref(py),));
        }
        // SAFETY: the rewriter is live; the block may be null.
        let block = unsafe { mlirRewriterBaseGetInsertionBlock(base) };
        if block.ptr.is_null() {
            return Err(PyRuntimeError::new_err(
                "the rewriter has no insertion point",
            ));
        }
        // SAFETY: the block of a rewriter's insertion point is live, and so are its operations. What
        // comes after the point is only compared with them: an earlier step may have erased it.
        unsafe {
            let after = mlirRewriterBaseGetOperationAfterInsertion(base);
            let mut op = mlirBlockGetFirstOperation(block);
            while !op.ptr.is_null() && op.ptr != after.ptr {
                op = mlirOperationGetNextInBlock(op);
            }
            if op.ptr.is_null() && !after.ptr.is_null() {
                return Err(PyRuntimeError::new_err(
                    "the operation that the rewriter inserts before was erased",
                ));
            }
            if op.ptr.is_null() {
                let parent = owner::find(py, mlirBlockGetParentOperation(block))?;
                let tree = parent.get().tree(py)?;
                return class.call1((block::wrap(py, tree.as_unbound(), block)?,));
            }
            class.call1((owner::find(py, op)?,))
        }
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
        let base = self.base(py)?;
        let raw = self.doomed(op)?;
        let given = new_op.or(values).ok_or_else(|| {
            PyTypeError::new_err("incompatible function arguments: replace_op() takes an operation and what replaces it")
        })?;
        let mut found = Vec::new();
        if let Ok(new_op) = given.cast::<OperationBase>() {
            let new_op = new_op.get();
            require_same(&self.context, &new_op.context_of(py)?, "operation")?;
            let new_raw = new_op.get(py)?;
            // SAFETY: the operation is live, and the indices are below the count.
            unsafe {
                for index in 0..mlirOperationGetNumResults(new_raw) {
                    found.push(mlirOperationGetResult(new_raw, index));
                }
            }
            check_replacement(new_raw, raw)?;
        } else {
            for value in given.try_iter()? {
                let value = value?;
                let value = value.cast::<Value>().map_err(|_| {
                    PyTypeError::new_err(
                        "incompatible function arguments: replace_op() takes an operation or a sequence of values to replace with",
                    )
                })?;
                let value = value.get().get(py)?;
                check_replacement(owner(value), raw)?;
                found.push(value);
            }
        }
        // SAFETY: the operation is live.
        let wanted = unsafe { mlirOperationGetNumResults(raw) };
        if found.len() as isize != wanted {
            return Err(PyValueError::new_err(format!(
                "the operation has {wanted} results, but there are {} values to replace them with",
                found.len()
            )));
        }
        refuse_inner_uses(raw)?;
        wrapper::because(Cause::Rewrite, || {
            // SAFETY: the rewriter, the operation and as many values as it has results are live; none
            // of them dies with the operation.
            unsafe {
                mlirRewriterBaseReplaceOpWithValues(base, raw, wanted, found.as_ptr());
            }
        });
        wrapper::reclaim(py);
        Ok(())
    }

    /// Erases an operation whose results have no uses.
    fn erase_op(&self, op: &Bound<'_, OperationBase>) -> PyResult<()> {
        let py = op.py();
        let base = self.base(py)?;
        let raw = self.doomed(op)?;
        if cross_tree_uses::is_used_outside(raw) {
            return Err(PyRuntimeError::new_err(
                "cannot erase an operation while something outside of it uses its results, or a value \
                 or a block that is inside; replace it, or erase that first",
            ));
        }
        wrapper::because(Cause::Rewrite, || {
            // SAFETY: both are live, and nothing outside uses what is in the operation.
            unsafe { mlirRewriterBaseEraseOp(base, raw) };
        });
        wrapper::reclaim(py);
        Ok(())
    }
}

/// The operation that defines a live value, or whose block it is an argument of.
fn owner(value: MlirValue) -> MlirOperation {
    // SAFETY: the value is live.
    unsafe {
        if mlirValueIsAOpResult(value) {
            mlirOpResultGetOwner(value)
        } else {
            mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
        }
    }
}

/// Fails if what `by` (perhaps null) defines cannot replace results of `op`, which is live.
fn check_replacement(by: MlirOperation, op: MlirOperation) -> PyResult<()> {
    if by.ptr == op.ptr || reentrancy::is_below(by, op.ptr) {
        return Err(PyValueError::new_err(
            "an operation cannot be replaced with itself or with what is inside",
        ));
    }
    // SAFETY: both are live.
    let same_tree = !by.ptr.is_null()
        && unsafe { mondoOperationGetRoot(by).ptr == mondoOperationGetRoot(op).ptr };
    if !same_tree {
        return Err(PyValueError::new_err(
            "the replacement is not in the tree of what it replaces; insert it first (with \
             rewriter.ip)",
        ));
    }
    Ok(())
}

/// Fails if something outside of `op`, which is live, uses a value or a block in its regions.
fn refuse_inner_uses(op: MlirOperation) -> PyResult<()> {
    // SAFETY: the operation is live, and the indices are below the count.
    let used = unsafe {
        (0..mlirOperationGetNumRegions(op)).any(|index| {
            let region = mlirOperationGetRegion(op, index);
            cross_tree_uses::find_user_outside(RootKind::Region, region.ptr, &[op.ptr]).is_some()
        })
    };
    if used {
        return Err(PyRuntimeError::new_err(
            "cannot replace an operation while something outside of it uses a value or a block that \
             is inside",
        ));
    }
    Ok(())
}
