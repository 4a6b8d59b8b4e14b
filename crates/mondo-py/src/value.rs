//! `Value`, its two kinds, and lists of them.

use mondo_sys::*;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyIterator};

use crate::block::Block;
use crate::context::Context;
use crate::location::Location;
use crate::operation::Operation;
use crate::owner::{BlockRef, OpRef, Tree};
use crate::printing::PrintOptions;
use crate::sequence;
use crate::string::collect;
use crate::types::Type;

/// What defines a value, and which of its values it is.
enum Definition {
    Result(OpRef, isize),
    Argument(BlockRef, isize),
}

/// A value: a result of an operation, or an argument of a block.
#[pyclass(frozen, subclass)]
pub(crate) struct Value {
    definition: Definition,
}

/// A result of an operation.
#[pyclass(frozen, extends = Value)]
pub(crate) struct OpResult;

/// An argument of a block.
#[pyclass(frozen, extends = Value)]
pub(crate) struct BlockArgument;

impl Value {
    /// A result by its position; its existence is checked when it is used.
    pub(crate) fn new_result(py: Python<'_>, op: OpRef, index: isize) -> PyResult<Py<OpResult>> {
        let value = Self {
            definition: Definition::Result(op, index),
        };
        Py::new(py, PyClassInitializer::from(value).add_subclass(OpResult))
    }

    /// An argument by its position; its existence is checked when it is used.
    pub(crate) fn new_argument(
        py: Python<'_>,
        block: BlockRef,
        index: isize,
    ) -> PyResult<Py<BlockArgument>> {
        let value = Self {
            definition: Definition::Argument(block, index),
        };
        Py::new(
            py,
            PyClassInitializer::from(value).add_subclass(BlockArgument),
        )
    }

    /// The object for a value that MLIR just returned.
    ///
    /// # Safety
    ///
    /// `raw` is a live value of `tree`.
    unsafe fn from_raw(
        py: Python<'_>,
        tree: &std::sync::Arc<Tree>,
        raw: MlirValue,
    ) -> PyResult<Py<PyAny>> {
        // SAFETY: the value is live, and what defines it is of the same tree.
        unsafe {
            if mlirValueIsAOpResult(raw) {
                let op = tree.op(mlirOpResultGetOwner(raw));
                Ok(Self::new_result(py, op, mlirOpResultGetResultNumber(raw))?.into_any())
            } else {
                let block = tree.block(mlirBlockArgumentGetOwner(raw));
                Ok(Self::new_argument(py, block, mlirBlockArgumentGetArgNumber(raw))?.into_any())
            }
        }
    }

    /// The value, if what defines it still lives and still has it.
    fn get(&self, py: Python<'_>) -> PyResult<MlirValue> {
        // SAFETY: the operation or block is live, and the index is checked against the count.
        let raw = unsafe {
            match &self.definition {
                Definition::Result(op, index) => {
                    let op = op.get(py)?;
                    (*index < mlirOperationGetNumResults(op))
                        .then(|| mlirOperationGetResult(op, *index))
                }
                Definition::Argument(block, index) => {
                    let block = block.get(py)?;
                    (*index < mlirBlockGetNumArguments(block))
                        .then(|| mlirBlockGetArgument(block, *index))
                }
            }
        };
        raw.ok_or_else(|| PyValueError::new_err("the value has been removed"))
    }

    fn context_ref(&self) -> &Py<Context> {
        match &self.definition {
            Definition::Result(op, _) => op.tree().context(),
            Definition::Argument(block, _) => block.tree().context(),
        }
    }

    fn key(&self) -> (usize, isize) {
        match &self.definition {
            Definition::Result(op, index) => (op.address(), *index),
            Definition::Argument(block, index) => (block.address(), *index),
        }
    }

    fn index(&self) -> isize {
        self.key().1
    }
}

#[pymethods]
impl Value {
    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.get(py)?;
        Ok(self.context_ref().clone_ref(py))
    }

    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<Type> {
        let raw = self.get(py)?;
        // SAFETY: the value is live, and its type is of its context.
        Ok(unsafe { Type::new(self.context_ref().clone_ref(py), mlirValueGetType(raw)) })
    }

    /// The operation of a result, the block of an argument.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.get(py)?;
        match &self.definition {
            Definition::Result(op, _) => Ok(Py::new(py, Operation::new(op.share()))?.into_any()),
            Definition::Argument(block, _) => {
                Ok(Py::new(py, Block::new(block.share()))?.into_any())
            }
        }
    }

    #[getter]
    fn location(&self, py: Python<'_>) -> PyResult<Location> {
        let raw = self.get(py)?;
        // SAFETY: the value is live, and its location is of its context.
        Ok(unsafe { Location::new(self.context_ref().clone_ref(py), mlirValueGetLocation(raw)) })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().key() == self.key())
    }

    fn __hash__(&self) -> usize {
        let (address, index) = self.key();
        (address >> 4)
            .wrapping_mul(31)
            .wrapping_add(index.unsigned_abs())
    }

    /// Prints the value to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        self.context_ref().get().get_for_printing(py)?;
        // SAFETY: the value is live.
        unsafe { mlirValueDump(self.get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.context_ref().get().get_for_printing(py)?;
        let raw = self.get(py)?;
        // SAFETY: the value is live; the last two arguments belong together.
        let text = collect(|callback, data| unsafe { mlirValuePrint(raw, callback, data) });
        Ok(format!("Value({text})"))
    }

    /// The name under which the value is printed as an operand: `%0`.
    #[pyo3(signature = (use_local_scope = false, use_name_loc_as_prefix = false))]
    fn get_name(
        &self,
        py: Python<'_>,
        use_local_scope: bool,
        use_name_loc_as_prefix: bool,
    ) -> PyResult<String> {
        self.context_ref().get().get_for_printing(py)?;
        let raw = self.get(py)?;
        let flags = PrintOptions {
            use_local_scope,
            use_name_loc_as_prefix,
            ..PrintOptions::default()
        }
        .flags();
        // SAFETY: the value, the flags and the state are live; the last two arguments of the
        // printing function belong together.
        unsafe {
            let state = mlirAsmStateCreateForValue(raw, flags.get());
            let name =
                collect(|callback, data| mlirValuePrintAsOperand(raw, state, callback, data));
            mlirAsmStateDestroy(state);
            Ok(name)
        }
    }
}

#[pymethods]
impl OpResult {
    #[getter]
    fn result_number(slf: &Bound<'_, Self>) -> isize {
        slf.as_super().get().index()
    }
}

#[pymethods]
impl BlockArgument {
    #[getter]
    fn arg_number(slf: &Bound<'_, Self>) -> isize {
        slf.as_super().get().index()
    }
}

/// The operands of an operation.
#[pyclass(frozen, sequence)]
pub(crate) struct OpOperandList {
    op: OpRef,
}

impl OpOperandList {
    pub(crate) fn new(op: OpRef) -> Self {
        Self { op }
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        if index >= self.count(py)? {
            // Other code of Python ran since the caller looked: an `__index__`, a finalizer.
            return Err(PyIndexError::new_err("the operand has been removed"));
        }
        // SAFETY: the operation is live, the index is below the count, and operands are of the same
        // tree.
        unsafe {
            let raw = mlirOperationGetOperand(self.op.get(py)?, index);
            Value::from_raw(py, self.op.tree(), raw)
        }
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the operation is live.
        Ok(unsafe { mlirOperationGetNumOperands(self.op.get(py)?) })
    }
}

#[pymethods]
impl OpOperandList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sequence::get(py, index, self.count(py)?, |index| self.element(py, index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        sequence::iter(py, self.count(py)?, |index| self.element(py, index))
    }
}

/// The results of an operation.
#[pyclass(frozen, sequence)]
pub(crate) struct OpResultList {
    op: OpRef,
}

impl OpResultList {
    pub(crate) fn new(op: OpRef) -> Self {
        Self { op }
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        Ok(Value::new_result(py, self.op.share(), index)?.into_any())
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the operation is live.
        Ok(unsafe { mlirOperationGetNumResults(self.op.get(py)?) })
    }
}

#[pymethods]
impl OpResultList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sequence::get(py, index, self.count(py)?, |index| self.element(py, index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        sequence::iter(py, self.count(py)?, |index| self.element(py, index))
    }

    /// The types of the results.
    #[getter]
    fn types(&self, py: Python<'_>) -> PyResult<Vec<Type>> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is live, the index is below the count, and the type is of the same
        // context.
        let one = |index| unsafe {
            let raw = mlirValueGetType(mlirOperationGetResult(op, index));
            Type::new(self.op.tree().context().clone_ref(py), raw)
        };
        Ok((0..self.count(py)?).map(one).collect())
    }

    /// The operation that has these results.
    #[getter]
    fn owner(&self, py: Python<'_>) -> PyResult<Operation> {
        self.op.get(py)?;
        Ok(Operation::new(self.op.share()))
    }
}

/// The arguments of a block.
#[pyclass(frozen, sequence)]
pub(crate) struct BlockArgumentList {
    block: BlockRef,
}

impl BlockArgumentList {
    pub(crate) fn new(block: BlockRef) -> Self {
        Self { block }
    }

    fn element(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        Ok(Value::new_argument(py, self.block.share(), index)?.into_any())
    }

    fn count(&self, py: Python<'_>) -> PyResult<isize> {
        // SAFETY: the block is live.
        Ok(unsafe { mlirBlockGetNumArguments(self.block.get(py)?) })
    }
}

#[pymethods]
impl BlockArgumentList {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)?.unsigned_abs())
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        sequence::get(py, index, self.count(py)?, |index| self.element(py, index))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        sequence::iter(py, self.count(py)?, |index| self.element(py, index))
    }
}
