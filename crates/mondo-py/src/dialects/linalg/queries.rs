//! Queries about the kind of an operation, and about its loops.

use mondo_sys::*;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyModule};

use crate::affine::AffineMap;
use crate::interop::submodules::{add_class, add_function};
use crate::ir::arguments::each;
use crate::ir::attribute;
use crate::ir::error::ErrorCapture;
use crate::ownership::context::Context;
use crate::ownership::operation::OperationBase;
use crate::ownership::reentrancy;

/// The loops of a contraction, each kind as an attribute with their numbers.
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
    /// None where there are none: MLIR could not infer them.
    ///
    /// # Safety
    ///
    /// The attributes are of `context`.
    unsafe fn new(
        py: Python<'_>,
        context: &Py<Context>,
        raw: MlirLinalgContractionDimensions,
    ) -> PyResult<Option<Self>> {
        if raw.batch.ptr.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller vouches for the attributes; all are there, or none.
        unsafe {
            Ok(Some(Self {
                batch: attribute::wrap(py, context, raw.batch)?,
                m: attribute::wrap(py, context, raw.m)?,
                n: attribute::wrap(py, context, raw.n)?,
                k: attribute::wrap(py, context, raw.k)?,
            }))
        }
    }
}

/// The loops of a convolution, each kind as an attribute with their numbers; and how far apart
/// windows, and elements of a window, are.
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
    /// The distance of two windows in each dimension of an image.
    strides: Py<PyAny>,
    /// The distance of neighbours in a window, in each dimension.
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

/// An operation that is valid, which MLIR takes for granted here, and its context.
fn valid(operation: &Bound<'_, OperationBase>) -> PyResult<(MlirOperation, Py<Context>)> {
    let py = operation.py();
    let base = operation.get();
    let op = base.get(py)?;
    let context = base.context_of(py)?;
    // MLIR remembers the maps of an operation as an attribute of it.
    reentrancy::refuse_change(context.get())?;
    // SAFETY: the operation is live.
    let (valid, errors) = ErrorCapture::run(py, &context, || unsafe { mlirOperationVerify(op) })?;
    if valid {
        Ok((op, context))
    } else {
        Err(errors.into_error(py, "The operation is not valid"))
    }
}

/// Returns whether an operation is a contraction.
#[pyfunction]
fn isa_contraction_op(op: &Bound<'_, OperationBase>) -> PyResult<bool> {
    let (op, _) = valid(op)?;
    // SAFETY: the operation is live and valid.
    Ok(unsafe { mlirLinalgIsAContractionOp(op) })
}

/// The loops of a contraction; none for another operation.
#[pyfunction]
fn infer_contraction_dimensions(
    op: &Bound<'_, OperationBase>,
) -> PyResult<Option<ContractionDimensions>> {
    let py = op.py();
    let (op, context) = valid(op)?;
    // SAFETY: the operation is live and valid, and the attributes are of its context.
    unsafe { ContractionDimensions::new(py, &context, mlirLinalgInferContractionDimensions(op)) }
}

/// The loops of a contraction with these maps; none where there is no such contraction.
#[pyfunction]
fn infer_contraction_dimensions_from_maps(
    indexing_maps: &Bound<'_, PyAny>,
) -> PyResult<Option<ContractionDimensions>> {
    let py = indexing_maps.py();
    let mut maps: Vec<MlirAffineMap> = Vec::new();
    let mut first: Option<Py<Context>> = None;
    each(indexing_maps, |element| {
        let map = element
            .cast::<AffineMap>()
            .map_err(|_| PyTypeError::new_err("indexing_maps must be a sequence of AffineMap"))?
            .get();
        let context = first.get_or_insert_with(|| map.context_of(py));
        maps.push(map.handle_in(py, context)?);
        Ok(())
    })?;
    let Some(context) = first else {
        return Ok(None);
    };
    // SAFETY: the maps are live and of one context, as are the attributes.
    unsafe {
        let inputs = mlirAffineMapGetNumInputs(maps[0]);
        if maps
            .iter()
            .any(|map| mlirAffineMapGetNumInputs(*map) != inputs)
        {
            return Ok(None);
        }
        let raw = mlirLinalgInferContractionDimensionsFromMaps(maps.as_ptr(), maps.len());
        ContractionDimensions::new(py, &context, raw)
    }
}

/// Returns whether an operation is a convolution.
#[pyfunction]
fn isa_convolution_op(op: &Bound<'_, OperationBase>) -> PyResult<bool> {
    let (op, _) = valid(op)?;
    // SAFETY: the operation is live and valid.
    Ok(unsafe { mlirLinalgIsAConvolutionOp(op) })
}

/// The loops of a convolution; none for another operation.
#[pyfunction]
fn infer_convolution_dimensions(
    op: &Bound<'_, OperationBase>,
) -> PyResult<Option<ConvolutionDimensions>> {
    let py = op.py();
    let (op, context) = valid(op)?;
    // SAFETY: the operation is live and valid.
    let raw = unsafe { mlirLinalgInferConvolutionDimensions(op) };
    if raw.batch.ptr.is_null() {
        return Ok(None);
    }
    // SAFETY: the attributes are of the operation's context; all are there, or none.
    unsafe {
        Ok(Some(ConvolutionDimensions {
            batch: attribute::wrap(py, &context, raw.batch)?,
            output_image: attribute::wrap(py, &context, raw.outputImage)?,
            output_channel: attribute::wrap(py, &context, raw.outputChannel)?,
            filter_loop: attribute::wrap(py, &context, raw.filterLoop)?,
            input_channel: attribute::wrap(py, &context, raw.inputChannel)?,
            depth: attribute::wrap(py, &context, raw.depth)?,
            strides: attribute::wrap(py, &context, raw.strides)?,
            dilations: attribute::wrap(py, &context, raw.dilations)?,
        }))
    }
}

/// The maps of an operation of this dialect; none for another one.
#[pyfunction]
fn get_indexing_maps(op: &Bound<'_, OperationBase>) -> PyResult<Option<Py<PyAny>>> {
    let py = op.py();
    let (op, context) = valid(op)?;
    // SAFETY: the operation is live and valid.
    let maps = unsafe { mlirLinalgGetIndexingMapsAttribute(op) };
    if maps.ptr.is_null() {
        return Ok(None);
    }
    // SAFETY: the attribute is of the operation's context.
    unsafe { attribute::wrap(py, &context, maps).map(Some) }
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
