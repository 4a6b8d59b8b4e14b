//! The methods of `Module`. `ownership/module.rs` has the wrapper.

use mondo_ir::nodes::{Loose, Op};
use mondo_ir::{Terminated, Uniquer};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

use crate::interop::capsule;
use crate::interop::standard_error;
use crate::interop::two_phase::uninitialised;
use crate::ir::bytecode::{self, Way};
use crate::ir::context_stack;
use crate::ir::error::{ErrorCapture, with_source};
use crate::ir::location::Location;
use crate::ir::printing::{PrintOptions, one_line};
use crate::ir::traceback;
use crate::ownership::block::Block;
use crate::ownership::capsules;
use crate::ownership::context::Context;
use crate::ownership::module::{self, Module};
use crate::ownership::operation::OperationBase;

fn parse_with(
    py: Python<'_>,
    context: Option<Bound<'_, Context>>,
    parse: impl for<'ctx> FnOnce(Uniquer<'ctx>) -> Option<Loose<Op<'ctx>>>,
) -> PyResult<Py<Module>> {
    let context = context_stack::resolve_context(py, context)?;
    Context::enter(py, &context, |ctx| {
        let (module, errors) = ErrorCapture::run(py, ctx.object(), || parse(*ctx))?;
        let Some(module) = module else {
            return Err(errors.into_error(py, "Unable to parse module assembly"));
        };
        let module = module::adopt(ctx, module)?;
        errors.finish()?;
        Ok(module)
    })
}

#[pymethods]
impl Module {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.show(&visit)
    }

    /// A capsule with the `MlirModule`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Module", self.address(py)?.as_ptr())
    }

    /// Takes over the `MlirModule` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        capsules::module(capsule)
    }

    /// Does nothing: upstream's bindings forget the module here, and this object cannot go stale.
    #[pyo3(name = "_clear_mlir_module")]
    fn clear_mlir_module(&self) {}

    /// Parses a module from text or bytecode; raises `MLIRError` if it cannot be parsed.
    #[staticmethod]
    #[pyo3(signature = (asm, context = None))]
    fn parse(
        py: Python<'_>,
        asm: &Bound<'_, PyAny>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<Self>> {
        let text = if let Ok(bytes) = asm.cast::<PyBytes>() {
            Terminated::new(bytes.as_bytes())
        } else if let Ok(text) = asm.cast::<PyString>() {
            Terminated::new(text.to_str()?)
        } else {
            return Err(PyTypeError::new_err(
                "incompatible function arguments: parse() takes str or bytes",
            ));
        };
        parse_with(py, context, |ctx| {
            match bytecode::way_into(ctx, &text, "-")? {
                Way::Parser => Op::parse_module(ctx, &text, ""),
                Way::CheckedBytecode(names) => Op::read_module(ctx, text.bytes(), "", &names),
            }
        })
        .map_err(|error| with_source(error, asm))
    }

    /// Parses a module from a file; raises `MLIRError` if it cannot be read or parsed.
    #[staticmethod]
    #[pyo3(name = "parseFile", signature = (path, context = None))]
    fn parse_file(
        py: Python<'_>,
        path: &str,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<Self>> {
        let content = py.detach(|| bytecode::content_of(path));
        parse_with(py, context, |ctx| {
            bytecode::module_of_file(ctx, path, content)
        })
    }

    /// Makes an empty module.
    #[staticmethod]
    #[pyo3(signature = (loc = None))]
    fn create(py: Python<'_>, loc: Option<Bound<'_, Location>>) -> PyResult<Py<Self>> {
        let loc = traceback::resolve_location(py, loc)?;
        loc.get().with(py, |ctx, location| {
            module::adopt(ctx, Op::module(location).ok_or_else(uninitialised)?)
        })
    }

    /// The context that the module lives in.
    #[getter]
    fn context(&self, py: Python<'_>) -> PyResult<Py<Context>> {
        self.operation_of(py)?.get().context_of(py)
    }

    /// The module as an operation.
    #[getter]
    fn operation(&self, py: Python<'_>) -> PyResult<Py<OperationBase>> {
        let operation = self.operation_of(py)?;
        operation.get().get(py)?;
        Ok(operation)
    }

    /// The block of the module.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Py<Block>> {
        let operation = self.operation_of(py)?;
        operation.get().enter(py, |at, op| {
            // Python code may have erased the block, or have created a `builtin.module` without one.
            let body = op.symbol_block();
            at.block(body.ok_or_else(|| PyRuntimeError::new_err("the module has no body"))?)
        })
    }

    /// Prints the module to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        let options = PrintOptions {
            use_local_scope: true,
            ..PrintOptions::default()
        };
        let operation = self.operation(py)?;
        standard_error::write(py, &options.text(py, operation.get())?);
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        PrintOptions::default().text(py, self.operation_of(py)?.get())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        one_line(slf, slf.get().operation_of(slf.py())?.get())
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            match (self.operation_of(py), other.get().operation_of(py)) {
                (Ok(mine), Ok(theirs)) => mine.is(&theirs),
                _ => false,
            }
        })
    }

    fn __hash__(&self, py: Python<'_>) -> usize {
        self.operation_of(py)
            .map_or(0, |operation| operation.as_ptr() as usize >> 4)
    }
}
