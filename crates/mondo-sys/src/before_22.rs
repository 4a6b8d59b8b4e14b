//! The functions that LLVM 22 has and the LLVM before it that the catalogue describes has not, written
//! with the older C API. Those that need C++ are in mondo-runtime's `mondo_backports.h`.
//!
//! Everything is called as the newer functions are. Those of them that the older LLVM has with fewer
//! parameters are named in the build script, which leaves out their older declarations.

use std::ffi::{CStr, c_void};

use crate::{
    MlirAttribute, MlirContext, MlirDialectHandle, MlirFrozenRewritePatternSet,
    MlirGreedyRewriteDriverConfig, MlirLocation, MlirLogicalResult, MlirModule,
    MlirOpPrintingFlags, MlirPassManager, MlirRegion, MlirShapedTypeComponentsCallback,
    MlirSparseTensorLevelPropertyNondefault, MlirStringRef, MlirTypeID, MlirTypesCallback,
    MlirValue, mlirApplyPatternsAndFoldGreedilyWithOp, mlirContextCreateWithThreading,
    mlirContextDestroy, mlirDialectHandleLoadDialect, mlirGPUObjectAttrGet,
    mlirGetDialectHandle__llvm__, mlirGetDialectHandle__pdl__, mlirGetDialectHandle__quant__,
    mlirModuleGetOperation, mlirTypeGetTypeID, mlirTypeParseGet, mondoOperandCountFits,
    mondoPassManagerEnableIRPrinting,
};

/// MLIR's own value of what the older C API leaves out.
pub const MLIR_SPARSE_PROPERTY_SOA: MlirSparseTensorLevelPropertyNondefault = 0x0004;

/// MLIR's names of types and attributes, which the older C API has no functions for.
macro_rules! names {
    ($($function:ident = $name:literal;)+) => {
        $(
            #[inline]
            pub unsafe extern "C" fn $function() -> MlirStringRef {
                static_string($name)
            }
        )+
    };
}

names! {
    mlirAffineMapAttrGetName = c"builtin.affine_map";
    mlirAnyQuantizedTypeGetName = c"quant.any";
    mlirArrayAttrGetName = c"builtin.array";
    mlirBF16TypeGetName = c"builtin.bf16";
    mlirCalibratedQuantizedTypeGetName = c"quant.calibrated";
    mlirComplexTypeGetName = c"builtin.complex";
    mlirDenseResourceElementsAttrGetName = c"builtin.dense_resource_elements";
    mlirDictionaryAttrGetName = c"builtin.dictionary";
    mlirF16TypeGetName = c"builtin.f16";
    mlirF32TypeGetName = c"builtin.f32";
    mlirF64TypeGetName = c"builtin.f64";
    mlirFlatSymbolRefAttrGetName = c"builtin.symbol_ref";
    mlirFloat8E4M3B11FNUZTypeGetName = c"builtin.f8E4M3B11FNUZ";
    mlirFloat8E4M3FNTypeGetName = c"builtin.f8E4M3FN";
    mlirFloat8E4M3FNUZTypeGetName = c"builtin.f8E4M3FNUZ";
    mlirFloat8E4M3TypeGetName = c"builtin.f8E4M3";
    mlirFloat8E5M2FNUZTypeGetName = c"builtin.f8E5M2FNUZ";
    mlirFloat8E5M2TypeGetName = c"builtin.f8E5M2";
    mlirFloatAttrGetName = c"builtin.float";
    mlirFunctionTypeGetName = c"builtin.function";
    mlirGPUAsyncTokenTypeGetName = c"gpu.async_token";
    mlirGPUObjectAttrGetName = c"gpu.object";
    mlirIndexTypeGetName = c"builtin.index";
    mlirIntegerAttrGetName = c"builtin.integer";
    mlirIntegerSetAttrGetName = c"builtin.integer_set";
    mlirIntegerTypeGetName = c"builtin.integer";
    mlirLLVMPointerTypeGetName = c"llvm.ptr";
    mlirLLVMStructTypeGetName = c"llvm.struct";
    mlirMemRefTypeGetName = c"builtin.memref";
    mlirNVGPUTensorMapDescriptorTypeGetName = c"nvgpu.tensormap.descriptor";
    mlirNoneTypeGetName = c"builtin.none";
    mlirOpaqueAttrGetName = c"builtin.opaque";
    mlirOpaqueTypeGetName = c"builtin.opaque";
    mlirPDLAttributeTypeGetName = c"pdl.attribute";
    mlirPDLOperationTypeGetName = c"pdl.operation";
    mlirPDLRangeTypeGetName = c"pdl.range";
    mlirPDLTypeTypeGetName = c"pdl.type";
    mlirPDLValueTypeGetName = c"pdl.value";
    mlirRankedTensorTypeGetName = c"builtin.tensor";
    mlirSparseTensorEncodingAttrGetName = c"sparse_tensor.encoding";
    mlirStridedLayoutAttrGetName = c"builtin.strided_layout";
    mlirStringAttrGetName = c"builtin.string";
    mlirSymbolRefAttrGetName = c"builtin.symbol_ref";
    mlirTF32TypeGetName = c"builtin.tf32";
    mlirTransformAnyOpTypeGetName = c"transform.any_op";
    mlirTransformAnyParamTypeGetName = c"transform.any_param";
    mlirTransformAnyValueTypeGetName = c"transform.any_value";
    mlirTransformOperationTypeGetName = c"transform.op";
    mlirTransformParamTypeGetName = c"transform.param";
    mlirTupleTypeGetName = c"builtin.tuple";
    mlirTypeAttrGetName = c"builtin.type";
    mlirUniformQuantizedPerAxisTypeGetName = c"quant.uniform_per_axis";
    mlirUniformQuantizedTypeGetName = c"quant.uniform";
    mlirUnitAttrGetName = c"builtin.unit";
    mlirUnrankedMemRefTypeGetName = c"builtin.unranked_memref";
    mlirUnrankedTensorTypeGetName = c"builtin.unranked_tensor";
    mlirVectorTypeGetName = c"builtin.vector";
}

fn static_string(text: &'static CStr) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr(),
        length: text.count_bytes(),
    }
}

/// The `TypeID`s of types, each of a type that is written so.
macro_rules! type_ids {
    ($($function:ident = $handle:ident, $text:literal;)+) => {
        $(
            #[inline]
            pub unsafe extern "C" fn $function() -> MlirTypeID {
                // SAFETY: the handle's getter has no precondition.
                unsafe { type_id_of($handle(), $text) }
            }
        )+
    };
}

type_ids! {
    mlirAnyQuantizedTypeGetTypeID = mlirGetDialectHandle__quant__, c"!quant.any<i8:f32>";
    mlirCalibratedQuantizedTypeGetTypeID = mlirGetDialectHandle__quant__,
        c"!quant.calibrated<f32<-1.0:1.0>>";
    mlirLLVMPointerTypeGetTypeID = mlirGetDialectHandle__llvm__, c"!llvm.ptr";
    mlirLLVMStructTypeGetTypeID = mlirGetDialectHandle__llvm__, c"!llvm.struct<()>";
    mlirPDLAttributeTypeGetTypeID = mlirGetDialectHandle__pdl__, c"!pdl.attribute";
    mlirPDLOperationTypeGetTypeID = mlirGetDialectHandle__pdl__, c"!pdl.operation";
    mlirPDLRangeTypeGetTypeID = mlirGetDialectHandle__pdl__, c"!pdl.range<type>";
    mlirPDLTypeTypeGetTypeID = mlirGetDialectHandle__pdl__, c"!pdl.type";
    mlirPDLValueTypeGetTypeID = mlirGetDialectHandle__pdl__, c"!pdl.value";
    mlirUniformQuantizedPerAxisTypeGetTypeID = mlirGetDialectHandle__quant__,
        c"!quant.uniform<i8:f32:0, {1.0}>";
    mlirUniformQuantizedTypeGetTypeID = mlirGetDialectHandle__quant__, c"!quant.uniform<i8:f32, 1.0>";
}

/// A property that a type knows itself, read from one that is made in a context of its own.
///
/// # Safety
///
/// The handle is that of the dialect that `text` is a type of.
unsafe fn type_id_of(handle: MlirDialectHandle, text: &'static CStr) -> MlirTypeID {
    // SAFETY: the context is ours alone, and is destroyed once. The text is a type of the dialect,
    // which is loaded. What a `TypeID` points to is static.
    unsafe {
        let context = mlirContextCreateWithThreading(false);
        mlirDialectHandleLoadDialect(handle, context);
        let id = mlirTypeGetTypeID(mlirTypeParseGet(context, static_string(text)));
        mlirContextDestroy(context);
        id
    }
}

/// The older functions that infer, by the names that the newer ones have.
macro_rules! inferring {
    ($($function:ident = $older:ident, $callback:ident;)+) => {
        $(
            unsafe extern "C" {
                #[link_name = stringify!($function)]
                fn $older(
                    name: MlirStringRef,
                    context: MlirContext,
                    location: MlirLocation,
                    operand_count: isize,
                    operands: *mut MlirValue,
                    attributes: MlirAttribute,
                    properties: *mut c_void,
                    region_count: isize,
                    regions: *mut MlirRegion,
                    callback: $callback,
                    user_data: *mut c_void,
                ) -> MlirLogicalResult;
            }

            /// Infers types, and fails if the number of operands is not one that the operation can
            /// have; the older function accesses the operands unchecked.
            ///
            /// # Safety
            ///
            /// As of the newer one.
            #[expect(clippy::too_many_arguments, reason = "the newer function has them")]
            #[inline]
            pub unsafe extern "C" fn $function(
                name: MlirStringRef,
                context: MlirContext,
                location: MlirLocation,
                operand_count: isize,
                operands: *mut MlirValue,
                attributes: MlirAttribute,
                properties: *mut c_void,
                region_count: isize,
                regions: *mut MlirRegion,
                callback: $callback,
                user_data: *mut c_void,
            ) -> MlirLogicalResult {
                // SAFETY: the caller vouches for all of them.
                unsafe {
                    if !mondoOperandCountFits(context, name, operand_count) {
                        return MlirLogicalResult { value: 0 };
                    }
                    $older(
                        name,
                        context,
                        location,
                        operand_count,
                        operands,
                        attributes,
                        properties,
                        region_count,
                        regions,
                        callback,
                        user_data,
                    )
                }
            }
        )+
    };
}

inferring! {
    mlirInferTypeOpInterfaceInferReturnTypes = infer_types, MlirTypesCallback;
    mlirInferShapedTypeOpInterfaceInferReturnTypes = infer_shapes, MlirShapedTypeComponentsCallback;
}

/// Applies the patterns with the given configuration, which the older function of this name
/// ignores.
///
/// # Safety
///
/// As of the newer one: all three are live.
#[inline]
pub unsafe extern "C" fn mlirApplyPatternsAndFoldGreedily(
    op: MlirModule,
    patterns: MlirFrozenRewritePatternSet,
    config: MlirGreedyRewriteDriverConfig,
) -> MlirLogicalResult {
    // SAFETY: the caller vouches for all three.
    unsafe { mlirApplyPatternsAndFoldGreedilyWithOp(mlirModuleGetOperation(op), patterns, config) }
}

/// Changes nothing: the older printer cannot do it.
///
/// # Safety
///
/// There is no precondition; the newer one has that the flags are live.
#[inline]
pub unsafe extern "C" fn mlirOpPrintingFlagsPrintNameLocAsPrefix(_flags: MlirOpPrintingFlags) {}

/// The older greedy driver always folds.
///
/// # Safety
///
/// There is no precondition; the newer one has that the configuration is live.
#[inline]
pub unsafe extern "C" fn mlirGreedyRewriteDriverConfigIsFoldingEnabled(
    _config: MlirGreedyRewriteDriverConfig,
) -> bool {
    true
}

/// Changes nothing: see [`mlirGreedyRewriteDriverConfigIsFoldingEnabled`].
///
/// # Safety
///
/// As of that.
#[inline]
pub unsafe extern "C" fn mlirGreedyRewriteDriverConfigEnableFolding(
    _config: MlirGreedyRewriteDriverConfig,
    _enable: bool,
) {
}

/// The older greedy driver always makes one of equal constants.
///
/// # Safety
///
/// There is no precondition; the newer one has that the configuration is live.
#[inline]
pub unsafe extern "C" fn mlirGreedyRewriteDriverConfigIsConstantCSEEnabled(
    _config: MlirGreedyRewriteDriverConfig,
) -> bool {
    true
}

/// Changes nothing: see [`mlirGreedyRewriteDriverConfigIsConstantCSEEnabled`].
///
/// # Safety
///
/// As of that.
#[inline]
pub unsafe extern "C" fn mlirGreedyRewriteDriverConfigEnableConstantCSE(
    _config: MlirGreedyRewriteDriverConfig,
    _enable: bool,
) {
}

/// Prints the IR between passes.
///
/// # Safety
///
/// The pass manager and the flags are live.
#[expect(clippy::too_many_arguments, reason = "the newer function has them")]
#[inline]
pub unsafe extern "C" fn mlirPassManagerEnableIRPrinting(
    pass_manager: MlirPassManager,
    print_before_all: bool,
    print_after_all: bool,
    print_module_scope: bool,
    print_after_only_on_change: bool,
    print_after_only_on_failure: bool,
    flags: MlirOpPrintingFlags,
    tree_printing_path: MlirStringRef,
) {
    // SAFETY: the caller vouches for the pass manager and the flags.
    unsafe {
        mondoPassManagerEnableIRPrinting(
            pass_manager,
            print_before_all,
            print_after_all,
            print_module_scope,
            print_after_only_on_change,
            print_after_only_on_failure,
            flags,
            tree_printing_path,
        );
    }
}

/// An object without kernels: older ones never have any, nor is there an attribute to say so.
///
/// # Safety
///
/// As of the newer one; `kernels` is null.
#[inline]
pub unsafe extern "C" fn mlirGPUObjectAttrGetWithKernels(
    context: MlirContext,
    target: MlirAttribute,
    format: u32,
    object: MlirStringRef,
    properties: MlirAttribute,
    _kernels: MlirAttribute,
) -> MlirAttribute {
    // SAFETY: the caller vouches for all of them.
    unsafe { mlirGPUObjectAttrGet(context, target, format, object, properties) }
}

/// No.
///
/// # Safety
///
/// There is no precondition.
#[inline]
pub unsafe extern "C" fn mlirGPUObjectAttrHasKernels(_attribute: MlirAttribute) -> bool {
    false
}

/// Null: see [`mlirGPUObjectAttrHasKernels`].
///
/// # Safety
///
/// There is no precondition.
#[inline]
pub unsafe extern "C" fn mlirGPUObjectAttrGetKernels(_attribute: MlirAttribute) -> MlirAttribute {
    MlirAttribute {
        ptr: std::ptr::null(),
    }
}
