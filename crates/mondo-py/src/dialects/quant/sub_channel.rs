//! `UniformQuantizedSubChannelType`.

use mondo_ir::dialects::quant::sub_channel as c;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::quantized::QuantizedType;
use super::storage::Storage;
use crate::dialects::type_publication::refused;
use crate::ir::arguments::{Int, Ints, each, integer};
use crate::ir::attribute::Attribute;
use crate::ir::derived_class::{checked, read_type, type_kind, with_type};
use crate::ir::types::Type;
use crate::ownership::context::Context;

/// Numbers that are stored as multiples of a scale, with a scale and a zero for each block.
#[pyclass(frozen, subclass, extends = QuantizedType)]
pub(super) struct UniformQuantizedSubChannelType;

type_kind!(
    UniformQuantizedSubChannelType: c::SubChannel,
    type_id: c::mlirUniformQuantizedSubChannelTypeGetTypeID,
    name: c::mlirUniformQuantizedSubChannelTypeGetName
);

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
        let (min, max) = (storage_type_min, storage_type_max);
        let storage = Storage::new(flags, storage_type, expressed_type, min, max);
        let context = storage.context(context)?;
        // The shared parameters are checked by making an `AnyQuantizedType` from them, for which MLIR reports
        // errors.
        Context::enter(py, &context, |ctx| {
            let quant = ctx.with_dialect();
            let storage = storage.within(ctx)?;
            checked(ctx, "Invalid type", || storage.any(quant)).map(drop)
        })?;
        let mut dimensions: Vec<i32> = Vec::new();
        each(quantized_dimensions, |dimension| {
            dimensions.push(integer(&dimension)?);
            Ok(())
        })?;
        let blocks = c::Blocks::new(&dimensions, block_sizes.as_slice());
        let blocks = blocks.map_err(|cause| refused(&cause))?;
        Context::enter(py, &context, |ctx| {
            let quant = ctx.with_dialect();
            let storage = storage.within(ctx)?;
            let scales = scales.get().within(ctx)?;
            let zeros = zero_points.get().within(ctx)?;
            let mut cause = None;
            let ty = checked(ctx, "Invalid type", || {
                let ty = storage.sub_channel(quant, scales, zeros, blocks);
                ty.unwrap_or_else(|error| {
                    cause = Some(error);
                    None
                })
            });
            match cause {
                Some(cause) => Err(refused(&cause)),
                None => ctx.wrap(ty?),
            }
        })
    }

    /// The dimensions that are cut into blocks.
    #[getter]
    fn quantized_dimensions(slf: &Bound<'_, Self>) -> PyResult<Vec<i32>> {
        read_type(slf, |ty| ty.dimensions())
    }

    /// The sizes of the blocks along those dimensions.
    #[getter]
    fn block_sizes(slf: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        read_type(slf, |ty| ty.block_sizes())
    }

    /// The scales of the blocks.
    #[getter]
    fn scales(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| {
            ctx.wrap(c::mlirUniformQuantizedSubChannelTypeGetScales(ty))
        })
    }

    /// The integers that stand for zero in the blocks.
    #[getter]
    fn zero_points(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        with_type(slf, |ctx, ty| {
            ctx.wrap(c::mlirUniformQuantizedSubChannelTypeGetZeroPoints(ty))
        })
    }
}
