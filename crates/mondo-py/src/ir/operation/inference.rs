//! The check of operands and attributes that the inference of result types relies on, for the operations
//! whose inference does not check them itself.

use mondo_ir::nodes::Inferred;
use pyo3::prelude::*;

use crate::ir::error;

/// Operations whose inference casts the types of operands, or reads operands or attributes, before anything
/// has verified them. `tests/python/suite/test_inference.py` finds them by trying; sorted.
const UNCHECKED: &[&str] = &[
    "amdgpu.fat_raw_buffer_cast",
    "arm_sme.extract_tile_slice",
    "arm_sme.outerproduct",
    "async.runtime.load",
    "complex.abs",
    "complex.angle",
    "complex.im",
    "complex.re",
    "gpu.subgroup_mma_extract_thread_local",
    "llvm.extractelement",
    "memref.extract_strided_metadata",
    "memref.generic_atomic_rmw",
    "memref.load",
    "ptr.ptr_add",
    "shape.add",
    "shape.const_shape",
    "shape.dim",
    "shape.div",
    "shape.max",
    "shape.min",
    "shape.mul",
    "shape.num_elements",
    "shape.rank",
    "shape.shape_of",
    "smt.apply_func",
    "smt.array.select",
    "smt.bv.concat",
    "smt.bv.constant",
    "sparse_tensor.coordinates",
    "sparse_tensor.coordinates_buffer",
    "sparse_tensor.extract_iteration_space",
    "sparse_tensor.extract_value",
    "sparse_tensor.positions",
    "sparse_tensor.values",
    "spirv.AtomicAnd",
    "spirv.AtomicCompareExchange",
    "spirv.AtomicCompareExchangeWeak",
    "spirv.AtomicExchange",
    "spirv.AtomicIAdd",
    "spirv.AtomicIDecrement",
    "spirv.AtomicIIncrement",
    "spirv.AtomicISub",
    "spirv.AtomicOr",
    "spirv.AtomicSMax",
    "spirv.AtomicSMin",
    "spirv.AtomicUMax",
    "spirv.AtomicUMin",
    "spirv.AtomicXor",
    "spirv.EXT.AtomicFAdd",
    "spirv.Image",
    "spirv.ImageSampleProjDrefImplicitLod",
    "spirv.VectorExtractDynamic",
    "tensor.extract",
    "tosa.concat",
    "tosa.reduce_all",
    "tosa.reduce_any",
    "tosa.reduce_max",
    "tosa.reduce_min",
    "tosa.reduce_product",
    "tosa.reduce_sum",
    "tosa.reshape",
    "vector.deinterleave",
    "vector.extract",
    "vector.interleave",
    "vector.shuffle",
    "vector.to_elements",
    "x86vector.avx512.vp2intersect",
];

/// Returns whether an operation of this name is one of those.
pub(crate) fn is_unchecked(name: &str) -> bool {
    UNCHECKED.binary_search(&name).is_ok()
}

/// Fails with the verifier's message if inference would rely on what is not so.
pub(crate) fn check(py: Python<'_>, parts: &Inferred<'_, '_>, regions: usize) -> PyResult<()> {
    if !is_unchecked(parts.name) {
        return Ok(());
    }
    parts
        .check(regions)
        .map_err(|message| error::plain(py, &format!("Operation creation failed: {message}")))
}
