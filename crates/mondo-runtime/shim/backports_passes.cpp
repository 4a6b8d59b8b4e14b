//===-- backports_passes.cpp - Passes that only a newer C API names -------===//
//
// The functions by which the newer C API registers each group of passes, and each pass of the
// group `llvm`. backports_dialects.cpp says why.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR < 22

#include "mlir/Dialect/AMDGPU/Transforms/Passes.h"
#include "mlir/Dialect/Affine/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ArmSME/Transforms/Passes.h"
#include "mlir/Dialect/ArmSVE/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/EmitC/Transforms/Passes.h"
#include "mlir/Dialect/Func/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MLProgram/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Mesh/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/Transforms/Passes.h"
#include "mlir/Dialect/OpenACC/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/SPIRV/Transforms/Passes.h"
#include "mlir/Dialect/Shape/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"

using namespace mlir;

extern "C" {
void mlirRegisterAMDGPUPasses() { amdgpu::registerAMDGPUPasses(); }
void mlirRegisterAffinePasses() { affine::registerAffinePasses(); }
void mlirRegisterArithPasses() { arith::registerArithPasses(); }
void mlirRegisterArmSMEPasses() { arm_sme::registerArmSMEPasses(); }
void mlirRegisterArmSVEPasses() { arm_sve::registerArmSVEPasses(); }
void mlirRegisterBufferizationPasses() { bufferization::registerBufferizationPasses(); }
void mlirRegisterEmitCPasses() { emitc::registerEmitCPasses(); }
void mlirRegisterFuncPasses() { func::registerFuncPasses(); }
void mlirRegisterLLVMPasses() { LLVM::registerLLVMPasses(); }
void mlirRegisterLLVMDIScopeForLLVMFuncOp() { LLVM::registerDIScopeForLLVMFuncOp(); }
void mlirRegisterLLVMLLVMAddComdats() { LLVM::registerLLVMAddComdats(); }
void mlirRegisterLLVMLLVMLegalizeForExport() { LLVM::registerLLVMLegalizeForExport(); }
void mlirRegisterLLVMLLVMRequestCWrappers() { LLVM::registerLLVMRequestCWrappers(); }
void mlirRegisterMLProgramPasses() { ml_program::registerMLProgramPasses(); }
void mlirRegisterMathPasses() { math::registerMathPasses(); }
void mlirRegisterMemRefPasses() { memref::registerMemRefPasses(); }
void mlirRegisterMeshPasses() { mesh::registerMeshPasses(); }
void mlirRegisterNVGPUPasses() { registerNVGPUPasses(); }
void mlirRegisterOpenACCPasses() { acc::registerOpenACCPasses(); }
void mlirRegisterSCFPasses() { registerSCFPasses(); }
void mlirRegisterSPIRVPasses() { spirv::registerSPIRVPasses(); }
void mlirRegisterShapePasses() { registerShapePasses(); }
void mlirRegisterTensorPasses() { tensor::registerTensorPasses(); }
void mlirRegisterTosaPasses() { tosa::registerTosaOptPasses(); }
void mlirRegisterTransformPasses() { transform::registerTransformPasses(); }
void mlirRegisterVectorPasses() { vector::registerVectorPasses(); }
}

#endif // LLVM_VERSION_MAJOR < 22
