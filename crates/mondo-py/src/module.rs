//! `Module`: the operation at the top.

use mondo_sys::*;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

use crate::block::Block;
use crate::context::Context;
use crate::current;
use crate::error::ErrorCapture;
use crate::location::Location;
use crate::operation::Operation;
use crate::owner::{OpRef, Tree};
use crate::string::{Terminated, string_ref};

/// A module, the owner of all the operations in it.
#[pyclass(frozen, weakref)]
pub(crate) struct Module {
    op: OpRef,
}

impl Module {
    /// Takes ownership of a module that was just made.
    ///
    /// # Safety
    ///
    /// `raw` is a live module of `context`, and nobody else destroys it.
    unsafe fn adopt(context: Py<Context>, raw: MlirModule) -> Self {
        // SAFETY: a module is an operation, so that whoever owns the one owns the other.
        unsafe {
            Self {
                op: Tree::adopt(context, mlirModuleGetOperation(raw)),
            }
        }
    }

    fn parse_with(
        py: Python<'_>,
        context: Option<Bound<'_, Context>>,
        parse: impl FnOnce(MlirContext) -> MlirModule,
    ) -> PyResult<Self> {
        let context = current::resolve_context(py, context)?;
        let raw_context = context.get().get(py)?;
        let (raw, errors) = ErrorCapture::run(py, &context, || parse(raw_context))?;
        if raw.ptr.is_null() {
            return Err(errors.into_error(py, "Unable to parse module assembly"));
        }
        // SAFETY: the parser made the module for us.
        Ok(unsafe { Self::adopt(context.clone_ref(py), raw) })
    }
}

#[pymethods]
impl Module {
    /// Parses a module from text or bytecode; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (asm, context = None))]
    fn parse(
        py: Python<'_>,
        asm: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Self> {
        let text = if let Ok(bytes) = asm.cast::<PyBytes>() {
            Terminated::new(bytes.as_bytes())
        } else if let Ok(text) = asm.cast::<PyString>() {
            Terminated::new(text.to_str()?)
        } else {
            return Err(PyTypeError::new_err("parse() takes str or bytes"));
        };
        // SAFETY: the context is live, and the text is only read.
        Self::parse_with(py, context, |context| unsafe {
            mlirModuleCreateParse(context, text.get())
        })
    }

    /// Parses a module from a file; raises `MLIRError` if it cannot be read or parsed.
    #[staticmethod]
    #[pyo3(name = "parseFile", signature = (path, context = None))]
    fn parse_file(
        py: Python<'_>,
        path: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Self> {
        // SAFETY: the context is live, and the path is only read.
        Self::parse_with(py, context, |context| unsafe {
            mlirModuleCreateParseFromFile(context, string_ref(path))
        })
    }

    /// Makes an empty module.
    #[staticmethod]
    #[pyo3(signature = (loc = None))]
    fn create(py: Python<'_>, loc: Option<Bound<'_, Location>>) -> PyResult<Self> {
        let loc = current::resolve_location(py, loc)?;
        let loc = loc.get();
        // SAFETY: the location is live; the new module is in its context and ours.
        unsafe {
            Ok(Self::adopt(
                loc.context_ref().clone_ref(py),
                mlirModuleCreateEmpty(loc.get(py)?),
            ))
        }
    }

    #[getter]
    fn context(&self, py: Python<'_>) -> Py<Context> {
        self.op.tree().context().clone_ref(py)
    }

    /// The module as an operation.
    #[getter]
    fn operation(&self, py: Python<'_>) -> PyResult<Operation> {
        self.op.get(py)?;
        Ok(Operation::new(self.op.share()))
    }

    /// The block of the module.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Block> {
        let op = self.op.get(py)?;
        // SAFETY: the operation is a live module's, whose body is a block of the same tree.
        unsafe {
            Ok(Block::new(
                self.op
                    .tree()
                    .block(mlirModuleGetBody(mlirModuleFromOperation(op))),
            ))
        }
    }

    /// Prints the module to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        self.op.tree().context().get().get_for_printing(py)?;
        // SAFETY: the operation is live.
        unsafe { mlirOperationDump(self.op.get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.operation(py)?.__str__(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().op.address() == self.op.address())
    }

    fn __hash__(&self) -> usize {
        self.op.address() >> 4
    }
}
