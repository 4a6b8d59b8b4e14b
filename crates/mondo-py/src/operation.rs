//! `Operation`.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use crate::attribute::OpAttributeMap;
use crate::block::Block;
use crate::context::Context;
use crate::current;
use crate::enums;
use crate::error::ErrorCapture;
use crate::location::Location;
use crate::owner::{OpRef, Tree};
use crate::printing::PrintOptions;
use crate::region::RegionSequence;
use crate::string::{Terminated, string_ref, to_string};
use crate::value::{OpOperandList, OpResult, OpResultList, Value};

/// An operation.
#[pyclass(frozen, subclass, weakref)]
pub(crate) struct Operation {
    op: OpRef,
}

impl Operation {
    pub(crate) fn new(op: OpRef) -> Self {
        Self { op }
    }

    /// The handle, for code that keeps it.
    pub(crate) fn op(&self) -> &OpRef {
        &self.op
    }

    fn is_attached(op: MlirOperation) -> bool {
        // SAFETY: the callers have just checked the operation.
        unsafe { !mlirOperationGetBlock(op).ptr.is_null() }
    }
}

#[pymethods]
impl Operation {
    /// Parses one operation from text; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (source, *, source_name = "", context = None))]
    fn parse(
        py: Python<'_>,
        source: &str,
        source_name: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        let raw = context.get().get(py)?;
        let source = Terminated::new(source);
        let (op, errors) = ErrorCapture::run(py, &context, || {
            // SAFETY: the context is live, and both texts are only read.
            unsafe { mlirOperationCreateParse(raw, source.get(), string_ref(source_name)) }
        })?;
        if op.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse operation assembly"));
        }
        // SAFETY: the parser made the operation for us.
        Ok(Self::new(unsafe { Tree::adopt(context.clone_ref(py), op) }))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().op.address() == self.op.address())
    }

    fn __hash__(&self) -> usize {
        self.op.address() >> 4
    }

    /// The operation itself.
    #[getter]
    #[expect(
        clippy::self_named_constructors,
        reason = "upstream's name; it is a getter"
    )]
    fn operation(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.op.get(py)?;
        Ok(self.op.tree().context().clone_ref(py))
    }

    /// The name with its dialect: `func.return`.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, and identifiers live as long as the context.
        Ok(unsafe { to_string(mlirIdentifierStr(mlirOperationGetName(op))) })
    }

    #[getter]
    fn attributes(&self, py: Python<'_>) -> PyResult<OpAttributeMap> {
        self.op.get(py)?;
        Ok(OpAttributeMap::new(self.op.share()))
    }

    #[getter]
    fn operands(&self, py: Python<'_>) -> PyResult<OpOperandList> {
        self.op.get(py)?;
        Ok(OpOperandList::new(self.op.share()))
    }

    #[getter]
    fn results(&self, py: Python<'_>) -> PyResult<OpResultList> {
        self.op.get(py)?;
        Ok(OpResultList::new(self.op.share()))
    }

    /// The result of an operation that has exactly one.
    #[getter]
    fn result(&self, py: Python<'_>) -> PyResult<Py<OpResult>> {
        // SAFETY: the operation is live.
        let count = unsafe { mlirOperationGetNumResults(self.op.get(py)?) };
        if count != 1 {
            return Err(PyValueError::new_err(format!(
                "Cannot call .result on operation {} which has {count} results (it is only valid \
                 for operations with a single result)",
                self.name(py)?
            )));
        }
        Value::new_result(py, self.op.share(), 0)
    }

    #[getter]
    fn regions(&self, py: Python<'_>) -> PyResult<RegionSequence> {
        self.op.get(py)?;
        Ok(RegionSequence::new(self.op.share()))
    }

    #[getter]
    fn get_location(&self, py: Python<'_>) -> PyResult<Location> {
        let op = self.op.get(py)?;
        let context = self.op.tree().context().clone_ref(py);
        // SAFETY: the operation is live, and its location is of its context.
        Ok(unsafe { Location::new(context, mlirOperationGetLocation(op)) })
    }

    #[setter]
    fn set_location(&self, py: Python<'_>, location: &Bound<'_, Location>) -> PyResult<()> {
        let op = self.op.get(py)?;
        let location = location.get().get_in(py, self.op.tree().context())?;
        // SAFETY: both are live.
        unsafe { mlirOperationSetLocation(op, location) };
        Ok(())
    }

    /// The operation around this one, or none at the top.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        // SAFETY: the operation is live, and its parent is of the same tree.
        unsafe {
            let parent = mlirOperationGetParentOperation(self.op.get(py)?);
            Ok((!parent.ptr.is_null()).then(|| Self::new(self.op.tree().op(parent))))
        }
    }

    /// The block that the operation is in, or none.
    #[getter]
    fn block(&self, py: Python<'_>) -> PyResult<Option<Block>> {
        // SAFETY: the operation is live, and its block is of the same tree.
        unsafe {
            let block = mlirOperationGetBlock(self.op.get(py)?);
            Ok((!block.ptr.is_null()).then(|| Block::new(self.op.tree().block(block))))
        }
    }

    /// The blocks that control may go to from here.
    #[getter]
    fn successors(&self, py: Python<'_>) -> PyResult<Vec<Block>> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, the indices are below the count, and successors are of the
        // same tree.
        let successor = |index| unsafe {
            Block::new(self.op.tree().block(mlirOperationGetSuccessor(op, index)))
        };
        // SAFETY: the operation is live.
        Ok((0..unsafe { mlirOperationGetNumSuccessors(op) })
            .map(successor)
            .collect())
    }

    #[getter]
    fn attached(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(Self::is_attached(self.op.get(py)?))
    }

    /// Calls `callback` with this operation and every one below it, until it returns
    /// `WalkResult.INTERRUPT`. `WalkResult.SKIP` leaves out what is below.
    #[pyo3(signature = (callback, walk_order = None))]
    fn walk(
        &self,
        py: Python<'_>,
        callback: &Bound<'_, PyAny>,
        walk_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let order = enums::walk_order(walk_order)?;
        let mut raised = None;
        self.op.walk(py, order, &mut |_, op| {
            let result = callback.call1((Self::new(op),));
            match result.and_then(|result| enums::walk_result(&result)) {
                Ok(result) => result,
                Err(error) => {
                    raised = Some(error);
                    MlirWalkResultInterrupt
                }
            }
        })?;
        let Some(cause) = raised else { return Ok(()) };
        let error = PyRuntimeError::new_err(format!("Exception raised in callback: {cause}"));
        error.set_cause(py, Some(cause));
        Err(error)
    }

    /// Checks the operation and all below it; raises `MLIRError` if it is not valid.
    fn verify(&self, py: Python<'_>) -> PyResult<bool> {
        let op = self.op.get(py)?;
        let context = self.op.tree().context();
        // SAFETY: the operation is live.
        let (valid, errors) =
            ErrorCapture::run(py, context, || unsafe { mlirOperationVerify(op) })?;
        if valid {
            Ok(true)
        } else {
            Err(errors.into_error(py, "Verification failed"))
        }
    }

    /// A deep copy, which belongs to nobody.
    #[pyo3(signature = (ip = None))]
    fn clone(&self, py: Python<'_>, ip: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        if ip.is_some_and(|ip| !ip.is(pyo3::types::PyBool::new(py, false))) {
            return Err(PyValueError::new_err(
                "insertion points are not supported yet",
            ));
        }
        let op = self.op.get(py)?;
        // SAFETY: the operation is live. The copy may use values of the tree that the original is
        // in, so that it goes into the same tree.
        Ok(Self::new(unsafe {
            self.op.tree().adopt_beside(mlirOperationClone(op))
        }))
    }

    /// Takes the operation out of its block.
    fn detach_from_parent(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        let op = &slf.get().op;
        if !Self::is_attached(op.get(slf.py())?) {
            return Err(PyValueError::new_err("Detached operation has no parent."));
        }
        op.detach(slf.py())?;
        Ok(slf)
    }

    /// Destroys the operation and all below it.
    fn erase(&self, py: Python<'_>) -> PyResult<()> {
        self.op.erase(py)
    }

    /// Moves the operation behind another one of the same tree.
    fn move_after(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        self.op
            .move_beside(py, &other.get().op, mlirOperationMoveAfter)
    }

    /// Moves the operation before another one of the same tree.
    fn move_before(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<()> {
        self.op
            .move_beside(py, &other.get().op, mlirOperationMoveBefore)
    }

    pub(crate) fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        PrintOptions::default().text(py, &self.op)
    }

    /// Prints the operation to a file object, by default `sys.stdout`.
    #[pyo3(signature = (large_elements_limit = None, large_resource_limit = None,
        enable_debug_info = false, pretty_debug_info = false, print_generic_op_form = false,
        use_local_scope = false, use_name_loc_as_prefix = false, assume_verified = false,
        file = None, binary = false, skip_regions = false))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "upstream's"
    )]
    fn print(
        &self,
        py: Python<'_>,
        large_elements_limit: Option<isize>,
        large_resource_limit: Option<isize>,
        enable_debug_info: bool,
        pretty_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
        assume_verified: bool,
        file: Option<Bound<'_, PyAny>>,
        binary: bool,
        skip_regions: bool,
    ) -> PyResult<()> {
        let asm = self.get_asm(
            py,
            binary,
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            pretty_debug_info,
            print_generic_op_form,
            use_local_scope,
            use_name_loc_as_prefix,
            assume_verified,
            skip_regions,
        )?;
        let file = file.map_or_else(|| py.import("sys")?.getattr("stdout"), Ok)?;
        file.call_method1("write", (asm,))?;
        Ok(())
    }

    /// The operation's assembly form, as `str` or `bytes`.
    #[pyo3(signature = (binary = false, large_elements_limit = None, large_resource_limit = None,
        enable_debug_info = false, pretty_debug_info = false, print_generic_op_form = false,
        use_local_scope = false, use_name_loc_as_prefix = false, assume_verified = false,
        skip_regions = false))]
    #[expect(
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        reason = "upstream's"
    )]
    fn get_asm<'py>(
        &self,
        py: Python<'py>,
        binary: bool,
        large_elements_limit: Option<isize>,
        large_resource_limit: Option<isize>,
        enable_debug_info: bool,
        pretty_debug_info: bool,
        print_generic_op_form: bool,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
        assume_verified: bool,
        skip_regions: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PrintOptions {
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            pretty_debug_info,
            print_generic_op_form,
            use_local_scope,
            use_name_loc_as_prefix,
            assume_verified,
            skip_regions,
        };
        options.object(py, &self.op, binary)
    }

    /// Writes the operation's bytecode to a file object that takes `bytes`.
    #[pyo3(signature = (file, desired_version = None))]
    fn write_bytecode(
        &self,
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        desired_version: Option<i64>,
    ) -> PyResult<()> {
        crate::printing::write_bytecode(py, self.op.get(py)?, file, desired_version)
    }
}
