//! `UniformQuantizedSubChannelType`.

use mondo_sys::*;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::Storage;
use crate::ir::arguments::{Int, Ints, each, integer};
use crate::ir::attribute::{self, Attribute};
use crate::ir::derived_class::{type_in, type_kind, type_of};
use crate::ir::types::{self, Type};
use crate::ownership::context::Context;

/// Numbers that are stored as multiples of a scale, with a scale and a zero for each block.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedSubChannelType;

type_kind!(
    UniformQuantizedSubChannelType,
    mlirTypeIsAUniformQuantizedSubChannelType,
    Some(mlirUniformQuantizedSubChannelTypeGetTypeID),
    Some(mlirUniformQuantizedSubChannelTypeGetName)
);

/// The type of a tensor of constants; anything else is a `ValueError`.
fn constants(what: &str, given: &Bound<'_, Attribute>, raw: MlirAttribute) -> PyResult<MlirType> {
    // SAFETY: the attribute is live.
    unsafe {
        if mlirAttributeIsADenseElements(raw) {
            return Ok(mlirAttributeGetType(raw));
        }
    }
    Err(PyValueError::new_err(format!(
        "{what} must be a DenseElementsAttr, not {}",
        given.get().__str__(given.py())?
    )))
}

/// The sizes of a tensor of constants.
fn shape(r#type: MlirType) -> Vec<i64> {
    // SAFETY: the type is that of constants, which have a shape.
    unsafe {
        (0..mlirShapedTypeGetRank(r#type))
            .map(|dim| mlirShapedTypeGetDimSize(r#type, dim as isize))
            .collect()
    }
}

/// Makes sure of what MLIR's verifier says about scales and zeros.
fn check_constants(
    scales: MlirType,
    zeros: MlirType,
    expressed: MlirType,
    storage: MlirType,
) -> PyResult<()> {
    // SAFETY: both are types of constants.
    let (of_scales, of_zeros) = unsafe {
        (
            mlirShapedTypeGetElementType(scales),
            mlirShapedTypeGetElementType(zeros),
        )
    };
    if of_scales.ptr != expressed.ptr {
        return Err(PyValueError::new_err(
            "the type of the scales must match the expressed type",
        ));
    }
    if of_zeros.ptr != storage.ptr {
        return Err(PyValueError::new_err(
            "the type of the zero points must match the storage type",
        ));
    }
    let (of_scales, of_zeros) = (shape(scales), shape(zeros));
    if of_scales != of_zeros {
        return Err(PyValueError::new_err(format!(
            "the shape of scales and zero points ({of_scales:?} and {of_zeros:?}) does not match"
        )));
    }
    Ok(())
}

/// Makes sure of what MLIR's verifier says about blocks.
fn check_blocks(dimensions: &[i32], sizes: &[i64]) -> PyResult<()> {
    if dimensions.len() != sizes.len() {
        return Err(PyValueError::new_err(format!(
            "the number of quantized dimensions and block sizes ({} and {}) does not match",
            dimensions.len(),
            sizes.len()
        )));
    }
    if let Some(dimension) = dimensions.iter().find(|dimension| **dimension < 0) {
        return Err(PyValueError::new_err(format!(
            "illegal quantized dimension: {dimension}"
        )));
    }
    if let Some(size) = sizes.iter().find(|size| **size <= 0) {
        return Err(PyValueError::new_err(format!("illegal block size: {size}")));
    }
    Ok(())
}

#[pymethods]
impl UniformQuantizedSubChannelType {
    /// The type for such numbers; raises `MLIRError` or `ValueError` if there is none.
    #[staticmethod]
    #[pyo3(signature = (
        flags, storage_type, expressed_type, scales, zero_points, quantized_dimensions, block_sizes,
        storage_type_min, storage_type_max, context = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are what upstream's takes")]
    fn get(
        flags: Int<u32>,
        storage_type: &Bound<'_, Type>,
        expressed_type: &Bound<'_, Type>,
        scales: &Bound<'_, Attribute>,
        zero_points: &Bound<'_, Attribute>,
        quantized_dimensions: &Bound<'_, PyAny>,
        block_sizes: Ints,
        storage_type_min: Int<i64>,
        storage_type_max: Int<i64>,
        context: Option<Bound<'_, Context>>,
    ) -> PyResult<Py<PyAny>> {
        let py = storage_type.py();
        let storage = Storage {
            flags: flags.0,
            storage: storage_type,
            expressed: expressed_type,
            min: storage_type_min.0,
            max: storage_type_max.0,
        };
        // The other parameters of this kind are checked below.
        let it = storage.check(context, "any", "")?;
        let mut dimensions: Vec<i32> = Vec::new();
        each(quantized_dimensions, |dimension| {
            dimensions.push(integer(&dimension)?);
            Ok(())
        })?;
        let mut sizes = block_sizes.as_slice().to_vec();
        check_blocks(&dimensions, &sizes)?;
        let raw_scales = scales.get().get_in(py, &it.context)?;
        let raw_zeros = zero_points.get().get_in(py, &it.context)?;
        check_constants(
            constants("scales", scales, raw_scales)?,
            constants("zero_points", zero_points, raw_zeros)?,
            it.expressed,
            it.storage,
        )?;
        // SAFETY: MLIR has such a type, in this context; there are as many dimensions and sizes as is
        // said, which are only read.
        unsafe {
            let raw = mlirUniformQuantizedSubChannelTypeGet(
                flags.0,
                it.storage,
                it.expressed,
                raw_scales,
                raw_zeros,
                sizes.len() as isize,
                dimensions.as_mut_ptr(),
                sizes.as_mut_ptr(),
                storage_type_min.0,
                storage_type_max.0,
            );
            types::wrap(py, &it.context, raw)
        }
    }

    /// The dimensions that are cut into blocks.
    #[getter]
    fn quantized_dimensions(slf: &Bound<'_, Self>) -> PyResult<Vec<i32>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live type per block, which has these dimensions.
        unsafe {
            Ok((0..mlirUniformQuantizedSubChannelTypeGetNumBlockSizes(raw))
                .map(|at| mlirUniformQuantizedSubChannelTypeGetQuantizedDimension(raw, at))
                .collect())
        }
    }

    /// The sizes of the blocks along those dimensions.
    #[getter]
    fn block_sizes(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        let raw = type_of(slf)?;
        // SAFETY: the type is a live type per block, which has these sizes.
        unsafe {
            Ok((0..mlirUniformQuantizedSubChannelTypeGetNumBlockSizes(raw))
                .map(|at| mlirUniformQuantizedSubChannelTypeGetBlockSize(raw, at))
                .collect())
        }
    }

    /// The scales of the blocks.
    #[getter]
    fn scales(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live type per block.
        unsafe {
            let scales = mlirUniformQuantizedSubChannelTypeGetScales(raw);
            attribute::wrap(slf.py(), &context, scales)
        }
    }

    /// The integers that stand for zero in the blocks.
    #[getter]
    fn zero_points(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let (raw, context) = type_in(slf)?;
        // SAFETY: the type is a live type per block.
        unsafe {
            let zeros = mlirUniformQuantizedSubChannelTypeGetZeroPoints(raw);
            attribute::wrap(slf.py(), &context, zeros)
        }
    }
}
