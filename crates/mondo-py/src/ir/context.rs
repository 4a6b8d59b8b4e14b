//! The methods of `Context`.

use mondo_ir::declarations as c;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyTuple};

use crate::interop::absent_parts;
use crate::interop::capsule;
use crate::ir::attribute::Attribute;
use crate::ir::block_arguments::Arguments;
use crate::ir::context_stack::{self, context_manager_methods};
use crate::ir::diagnostics::DiagnosticHandler;
use crate::ir::dialect_registry::{DialectDescriptor, DialectRegistry, Dialects};
use crate::ir::location::Location;
use crate::ir::operation::{Attributes, Few, Recipe, Regions, ValueLike, blocks_of, new_op};
use crate::ir::thread_pool::{self, ThreadPool};
use crate::ir::types::Type;
use crate::ownership::block;
use crate::ownership::block::Block;
use crate::ownership::capsules;
use crate::ownership::context::{Context, require_same};
use crate::ownership::operation::view_of;
use crate::ownership::region::{self, Region};
use crate::ownership::storage_table::Table;

context_manager_methods!(Context {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self::create(Table::of::<Type>(), Table::of::<Attribute>())
    }

    // The collector has to see callbacks: one that refers to its context forms a cycle with it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.show(&visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        self.clear(py);
    }

    /// A capsule with the `MlirContext`, for extensions that use the C API.
    #[getter(_CAPIPtr)]
    fn capi_ptr<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        capsule::wrap(py, "ir.Context", self.address(py)?.as_ptr())
    }

    /// Takes over the `MlirContext` in a capsule.
    #[staticmethod]
    #[pyo3(name = "_CAPICreate")]
    fn capi_create(capsule: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        capsules::context(capsule)
    }

    /// The context itself.
    fn _get_context_again(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The number of modules of the context that Python refers to.
    fn _get_live_module_count(&self) -> u64 {
        self.live_modules()
    }

    /// The number of live contexts.
    #[staticmethod]
    fn _get_live_count() -> u64 {
        Self::live()
    }

    // Called with every new object, before `__init__` of the derived class.
    fn _remember(slf: &Bound<'_, Self>) {
        Self::remember(slf);
    }

    /// Makes an operation that is in no block yet.
    ///
    /// `regions` are regions that `new_region` made, or the number of empty ones. Without `results`
    /// they are inferred.
    #[pyo3(signature = (name, *, results = None, operands = None, attributes = None,
                        successors = None, regions = None, loc = None))]
    #[expect(clippy::too_many_arguments, reason = "all that an operation has")]
    fn new_op<'py>(
        slf: &Bound<'py, Self>,
        name: &str,
        results: Option<Vec<Bound<'py, Type>>>,
        operands: Option<Vec<Bound<'py, PyAny>>>,
        attributes: Option<Bound<'py, PyDict>>,
        successors: Option<Vec<Option<Bound<'py, Block>>>>,
        regions: Option<Bound<'py, PyAny>>,
        loc: Option<Bound<'py, Location>>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let regions = match regions {
            None => Regions::Empty(0),
            Some(regions) => match regions.extract::<usize>() {
                Ok(count) => Regions::Empty(count),
                Err(_) => Regions::Given(regions.extract()?),
            },
        };
        let recipe = Recipe {
            name,
            infer: results.is_none(),
            results: results.map(Few::from_vec),
            operands: operands
                .iter()
                .flatten()
                .map(ValueLike::of)
                .collect::<PyResult<_>>()?,
            attributes: Attributes::of(attributes.as_ref(), name)?,
            successors: blocks_of(successors)?,
            regions,
        };
        let location = match loc.or_else(|| context_stack::location(py).map(|location| location.into_bound(py))) {
            Some(location) => location,
            None => Self::enter(py, slf.as_unbound(), |ctx| {
                Location::new(py, ctx, ctx.unknown())
            })?,
        };
        require_same(slf.as_unbound(), location.get().context_ref(), "location")?;
        let operation = new_op(recipe, &location, None)?;
        view_of(py, &operation)
    }

    /// Makes a region that is in no operation yet.
    fn new_region(slf: &Bound<'_, Self>) -> PyResult<Py<Region>> {
        region::create(slf.py(), slf.as_unbound())
    }

    /// Makes a block that is in no region yet, with arguments of these types.
    #[pyo3(signature = (arg_types = None, arg_locs = None))]
    fn new_block(
        slf: &Bound<'_, Self>,
        arg_types: Option<Vec<Bound<'_, Type>>>,
        arg_locs: Option<Vec<Bound<'_, Location>>>,
    ) -> PyResult<Py<Block>> {
        let py = slf.py();
        slf.get().get(py)?;
        let arguments = Arguments::new(
            py,
            slf.as_unbound(),
            arg_types.unwrap_or_default(),
            arg_locs,
        )?;
        Self::enter(py, slf.as_unbound(), |ctx| {
            block::adopt(ctx, arguments.block(ctx)?)
        })
    }

    /// The dialects by name.
    #[getter]
    fn dialects(slf: &Bound<'_, Self>) -> PyResult<Dialects> {
        slf.get().get(slf.py())?;
        Ok(Dialects::new(slf.clone().unbind()))
    }

    /// The dialects by name; short for `dialects`.
    #[getter]
    fn d(slf: &Bound<'_, Self>) -> PyResult<Dialects> {
        Self::dialects(slf)
    }

    /// Loads a dialect and returns its descriptor.
    fn get_dialect_descriptor(
        slf: &Bound<'_, Self>,
        dialect_name: &str,
    ) -> PyResult<DialectDescriptor> {
        let py = slf.py();
        DialectDescriptor::find(py, slf.as_unbound(), dialect_name)?
            .ok_or_else(|| PyValueError::new_err(absent_parts::not_found(py, dialect_name)))
    }

    /// True if operations, types and attributes of unknown dialects are let through.
    #[getter]
    fn get_allow_unregistered_dialects(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Self::enter(slf.py(), slf.as_unbound(), |ctx| {
            Ok(c::mlirContextGetAllowUnregisteredDialects(*ctx))
        })
    }

    #[setter]
    fn set_allow_unregistered_dialects(slf: &Bound<'_, Self>, value: bool) -> PyResult<()> {
        Self::enter(slf.py(), slf.as_unbound(), |ctx| {
            c::mlirContextSetAllowUnregisteredDialects(*ctx, value);
            Ok(())
        })
    }

    /// True if errors go to the diagnostic handlers instead of into `MLIRError`.
    #[getter]
    fn get_emit_error_diagnostics(&self) -> bool {
        self.emits_errors()
    }

    #[setter]
    fn set_emit_error_diagnostics(&self, value: bool) {
        self.emit_errors(value);
    }

    /// Calls `callback` with every diagnostic, until the handler is detached. The callback returns
    /// whether it dealt with it.
    fn attach_diagnostic_handler(
        slf: &Bound<'_, Self>,
        callback: Bound<'_, PyAny>,
    ) -> PyResult<Py<DiagnosticHandler>> {
        DiagnosticHandler::attach(slf, callback)
    }

    /// Switches the context's threads on or off: those that it was given, or those that all contexts
    /// of the process share.
    fn enable_multithreading(slf: &Bound<'_, Self>, enable: bool) -> PyResult<()> {
        Self::set_threads(slf, enable)
    }

    /// Gives the context threads of its own.
    fn set_thread_pool(slf: &Bound<'_, Self>, pool: &Bound<'_, ThreadPool>) -> PyResult<()> {
        Self::give_threads(slf, pool.get().threads(), pool.as_any())
    }

    /// The address of the threads that it uses.
    fn _mlir_thread_pool_ptr(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::enter(slf.py(), slf.as_unbound(), |ctx| {
            let off = || PyRuntimeError::new_err("the context's threads are switched off");
            Ok(thread_pool::shown(ctx.threads_address().ok_or_else(off)?))
        })
    }

    /// The number of threads that a pipeline may use.
    fn get_num_threads(slf: &Bound<'_, Self>) -> PyResult<u32> {
        Self::enter(slf.py(), slf.as_unbound(), |ctx| {
            Ok(c::mlirContextGetNumThreads(*ctx))
        })
    }

    /// Returns whether an operation of this name is registered.
    fn is_registered_operation(slf: &Bound<'_, Self>, operation_name: &str) -> PyResult<bool> {
        Self::enter(slf.py(), slf.as_unbound(), |ctx| {
            Ok(c::mlirContextIsRegisteredOperation(*ctx, operation_name.into()))
        })
    }

    /// Makes the dialects of a registry available.
    fn append_dialect_registry(
        slf: &Bound<'_, Self>,
        registry: &Bound<'_, DialectRegistry>,
    ) -> PyResult<()> {
        Self::append_registry(slf, registry.get().registry())
    }

    /// Loads every dialect that a registry made available.
    fn load_all_available_dialects(slf: &Bound<'_, Self>) -> PyResult<()> {
        Self::load_all(slf)
    }
});
