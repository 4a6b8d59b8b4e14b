//! Queries of `linalg` operations: whether one is a contraction or a convolution, its loop dimensions, and
//! its indexing maps.

use mondo_ir::declarations::mlirOperationVerify;
use mondo_ir::dialects::{linalg as c, linalg_queries as queries};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::affine::AffineMap;
use crate::interop::submodules::{add_class, add_function};
use crate::ir::arguments::each;
use crate::ir::error::ErrorCapture;
use crate::ownership::context::{Context, Entered};
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;

/// The loop dimensions of a contraction: for each kind, an attribute with their indices.
#[pyclass(frozen, get_all, subclass)]
struct ContractionDimensions {
    /// The parallel loops over all operands and the result.
    batch: Py<PyAny>,
    /// The parallel loops over the left operand and the result.
    m: Py<PyAny>,
    /// The parallel loops over the right operand and the result.
    n: Py<PyAny>,
    /// The loops that are summed over.
    k: Py<PyAny>,
}

#[pymethods]
impl ContractionDimensions {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        [&self.batch, &self.m, &self.n, &self.k]
            .into_iter()
            .try_for_each(|dimensions| visit.call(dimensions))
    }
}

impl ContractionDimensions {
    /// The Python object of the dimensions that MLIR inferred.
    fn of<'ctx>(ctx: Entered<'_, 'ctx>, of: c::ContractionDimensions<'ctx>) -> PyResult<Self> {
        Ok(Self {
            batch: ctx.wrap(of.batch)?,
            m: ctx.wrap(of.m)?,
            n: ctx.wrap(of.n)?,
            k: ctx.wrap(of.k)?,
        })
    }
}

/// The loop dimensions of a convolution: for each kind, an attribute with their indices; and the
/// strides and dilations.
#[pyclass(frozen, get_all, subclass)]
struct ConvolutionDimensions {
    /// The loops over images of a batch.
    batch: Py<PyAny>,
    /// The loops over the places of an image of the result.
    output_image: Py<PyAny>,
    /// The loops over channels of the result.
    output_channel: Py<PyAny>,
    /// The loops over the places of the filter's window.
    filter_loop: Py<PyAny>,
    /// The loops over channels of the input, which are summed over.
    input_channel: Py<PyAny>,
    /// The loops over channels that the input, the filter and the result share.
    depth: Py<PyAny>,
    /// The stride in each dimension of an image: the distance of two windows.
    strides: Py<PyAny>,
    /// The dilation in each dimension: the distance of neighbours in a window.
    dilations: Py<PyAny>,
}

#[pymethods]
impl ConvolutionDimensions {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        [
            &self.batch,
            &self.output_image,
            &self.output_channel,
            &self.filter_loop,
            &self.input_channel,
            &self.depth,
            &self.strides,
            &self.dilations,
        ]
        .into_iter()
        .try_for_each(|dimensions| visit.call(dimensions))
    }
}

/// Runs `ask` with an operation; fails if the operation is not valid, because MLIR's queries do not check
/// that.
fn query<R>(
    operation: &Bound<'_, OperationBase>,
    ask: impl for<'ctx> FnOnce(Entered<'_, 'ctx>, queries::Structure<'ctx>) -> PyResult<R>,
) -> PyResult<R> {
    let py = operation.py();
    let base = operation.get();
    base.read(py, |_| ())?;
    let context = base.context_of(py)?;
    // A query may change the operation: MLIR caches its indexing maps in an attribute.
    reentrancy::refuse_change(context.get())?;
    let verify = || base.read(py, |op| mlirOperationVerify(op));
    let (valid, errors) = ErrorCapture::run(py, &context, verify)?;
    if !valid? {
        return Err(errors.into_error(py, "The operation is not valid"));
    }
    Context::enter(py, &context, |ctx| {
        ask(ctx, queries::Structure::of(base.within(ctx)?))
    })
}

/// Returns whether an operation is a contraction.
#[pyfunction]
fn isa_contraction_op(op: &Bound<'_, OperationBase>) -> PyResult<bool> {
    query(op, |_, op| Ok(op.is_contraction()))
}

/// The loops of a contraction; none for another operation.
#[pyfunction]
fn infer_contraction_dimensions(
    op: &Bound<'_, OperationBase>,
) -> PyResult<Option<ContractionDimensions>> {
    query(op, |ctx, op| {
        let found = op.contraction();
        found
            .map(|dimensions| ContractionDimensions::of(ctx, dimensions))
            .transpose()
    })
}

/// The loops of a contraction with these maps; none where there is no such contraction.
#[pyfunction]
fn infer_contraction_dimensions_from_maps(
    indexing_maps: &Bound<'_, PyAny>,
) -> PyResult<Option<ContractionDimensions>> {
    let py = indexing_maps.py();
    let mut maps: Vec<Bound<'_, AffineMap>> = Vec::new();
    each(indexing_maps, |element| {
        let map = element
            .cast_into::<AffineMap>()
            .map_err(|_| PyTypeError::new_err("indexing_maps must be a sequence of AffineMap"))?;
        maps.push(map);
        Ok(())
    })?;
    let Some(first) = maps.first() else {
        return Ok(None);
    };
    Context::enter(py, &first.get().context_of(py), |ctx| {
        let maps = maps.iter().map(|map| map.get().within(ctx));
        let maps = maps.collect::<PyResult<Vec<_>>>()?;
        let found = c::ContractionDimensions::of_maps(&maps);
        found
            .map(|dimensions| ContractionDimensions::of(ctx, dimensions))
            .transpose()
    })
}

/// Returns whether an operation is a convolution.
#[pyfunction]
fn isa_convolution_op(op: &Bound<'_, OperationBase>) -> PyResult<bool> {
    query(op, |_, op| Ok(op.is_convolution()))
}

/// The loops of a convolution; none for another operation.
#[pyfunction]
fn infer_convolution_dimensions(
    op: &Bound<'_, OperationBase>,
) -> PyResult<Option<ConvolutionDimensions>> {
    query(op, |ctx, op| {
        let Some(found) = op.convolution() else {
            return Ok(None);
        };
        Ok(Some(ConvolutionDimensions {
            batch: ctx.wrap(found.batch)?,
            output_image: ctx.wrap(found.output_image)?,
            output_channel: ctx.wrap(found.output_channel)?,
            filter_loop: ctx.wrap(found.filter_loop)?,
            input_channel: ctx.wrap(found.input_channel)?,
            depth: ctx.wrap(found.depth)?,
            strides: ctx.wrap(found.strides)?,
            dilations: ctx.wrap(found.dilations)?,
        }))
    })
}

/// The maps of an operation of this dialect; none for another one.
#[pyfunction]
fn get_indexing_maps(op: &Bound<'_, OperationBase>) -> PyResult<Option<Py<PyAny>>> {
    query(op, |ctx, op| {
        let maps = op.indexing_maps();
        maps.map(|maps| ctx.wrap(maps)).transpose()
    })
}

pub(super) fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    add_class(module, py.get_type::<ContractionDimensions>())?;
    add_class(module, py.get_type::<ConvolutionDimensions>())?;
    let functions = [
        wrap_pyfunction!(isa_contraction_op, module)?,
        wrap_pyfunction!(infer_contraction_dimensions, module)?,
        wrap_pyfunction!(infer_contraction_dimensions_from_maps, module)?,
        wrap_pyfunction!(isa_convolution_op, module)?,
        wrap_pyfunction!(infer_convolution_dimensions, module)?,
        wrap_pyfunction!(get_indexing_maps, module)?,
    ];
    functions
        .iter()
        .try_for_each(|function| add_function(module, function))
}
