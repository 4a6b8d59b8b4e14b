//! The methods of `Module`, the operation at the top.

use mondo_sys::*;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

use crate::interop::capsule;
use crate::interop::string::{Terminated, string_ref};
use crate::ir::bytecode::{self, Way};
use crate::ir::current;
use crate::ir::error::{ErrorCapture, with_source};
use crate::ir::location::Location;
use crate::ir::printing::PrintOptions;
use crate::ir::traceback;
use crate::ownership::block::{self, Block};
use crate::ownership::context::Context;
use crate::ownership::module::{Module, of};
use crate::ownership::operation::{self, OperationBase};
use crate::ownership::owner;

/// Takes ownership of a module that was just made.
///
/// # Safety
///
/// `raw` is a live module of `context`, and nobody else destroys it.
pub(crate) unsafe fn adopt(
    py: Python<'_>,
    context: &Py<Context>,
    raw: MlirModule,
) -> PyResult<Py<Module>> {
    // SAFETY: a module is an operation, so that whoever owns the one owns the other. What it has uses
    // nothing of other trees.
    let operation = unsafe { operation::adopt(py, context, mlirModuleGetOperation(raw), false)? };
    of(py, operation)
}

fn parse_with(
    py: Python<'_>,
    context: Option<Bound<'_, Context>>,
    parse: impl FnOnce(MlirContext) -> Option<MlirOperation>,
) -> PyResult<Py<Module>> {
    let context = current::resolve_context(py, context)?;
    let raw_context = context.get().get(py)?;
    let (raw, errors) = ErrorCapture::run(py, &context, || parse(raw_context))?;
    let Some(raw) = raw.filter(|raw| !raw.ptr.is_null()) else {
        return Err(errors.into_error(py, "Unable to parse module assembly"));
    };
    // SAFETY: the parser made the module for us.
    let module = unsafe { adopt(py, &context, mlirModuleFromOperation(raw)) }?;
    errors.finish()?;
    Ok(module)
}

/// The operation of a module, which may be null.
fn operation_or_null(module: MlirModule) -> MlirOperation {
    if module.ptr.is_null() {
        return MlirOperation {
            ptr: std::ptr::null_mut(),
        };
    }
    // SAFETY: the callers' module was just made.
    unsafe { mlirModuleGetOperation(module) }
}

#[pymethods]
impl Module {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.show(&visit)
    }

    /// A capsule with the `MlirModule`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Module", self.get(py)?.ptr)
    }

    /// Takes over the `MlirModule` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let py = capsule.py();
        let raw = MlirModule {
            ptr: capsule::unwrap(capsule, "ir.Module")?,
        };
        // SAFETY: whoever made the capsule put a live module into it and gives it up; unless it is
        // one of ours already.
        unsafe {
            let op = mlirModuleGetOperation(raw);
            if owner::root_of(op).is_some() {
                return of(py, owner::find(py, op)?);
            }
            let context = Context::of(py, mlirModuleGetContext(raw))?;
            adopt(py, &context, raw)
        }
    }

    /// Does nothing: upstream's bindings forget the module here, and this object cannot go stale.
    #[pyo3(name = "_clear_mlir_module")]
    fn clear_mlir_module(&self) {
        // Upstream forgets its object for the module here; ours cannot go stale.
    }

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
        parse_with(py, context, |context| {
            let way = bytecode::way_into(context, &text, "-")?;
            // SAFETY: the context is live, the text is only read, and there are so many names.
            Some(unsafe {
                match way {
                    Way::Parser => operation_or_null(mlirModuleCreateParse(context, text.get())),
                    Way::Guarded(names) => {
                        let (count, names) = (names.count(), names.first());
                        mondoModuleReadBytecode(context, text.get(), string_ref(""), count, names)
                    }
                }
            })
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
        parse_with(py, context, |context| {
            bytecode::module_of_file(context, path, || {
                // SAFETY: the context is live, and the path is only read.
                operation_or_null(unsafe {
                    mlirModuleCreateParseFromFile(context, string_ref(path))
                })
            })
        })
    }

    /// Makes an empty module.
    #[staticmethod]
    #[pyo3(signature = (loc = None))]
    fn create(py: Python<'_>, loc: Option<Bound<'_, Location>>) -> PyResult<Py<Self>> {
        let loc = traceback::resolve_location(py, loc)?;
        let loc = loc.get();
        // SAFETY: the location is live; the new module is in its context and ours.
        unsafe { adopt(py, loc.context_ref(), mlirModuleCreateEmpty(loc.get(py)?)) }
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
        let raw = operation.get().get(py)?;
        let tree = operation.get().tree(py)?;
        // SAFETY: the module is live, the index is below the count, and the block is of the same
        // tree.
        unsafe {
            // Somebody may have erased it, or made a module without.
            let body = if mlirOperationGetNumRegions(raw) == 0 {
                None
            } else {
                let block = mlirRegionGetFirstBlock(mlirOperationGetRegion(raw, 0));
                (!block.ptr.is_null()).then_some(block)
            };
            let body = body.ok_or_else(|| PyRuntimeError::new_err("the module has no body"))?;
            block::wrap(py, tree.as_unbound(), body)
        }
    }

    /// Prints the module to standard error.
    fn dump(&self, py: Python<'_>) -> PyResult<()> {
        let operation = self.operation(py)?;
        operation.get().context_of(py)?.get().get_for_printing(py)?;
        // SAFETY: the operation is live.
        unsafe { mlirOperationDump(operation.get().get(py)?) };
        Ok(())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        PrintOptions::default().text(py, self.operation_of(py)?.get())
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
