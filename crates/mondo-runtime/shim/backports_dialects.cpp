//===-- backports_dialects.cpp - Dialects that only a newer C API names ---===//
//
// The C API of an older LLVM registers these dialects only together with all others. This file defines
// the functions by which the newer C API registers each, so that a bundle can pick them; the catalogue
// has `c-api-since` for each. Only the bundle's registration tables refer to these functions, and a
// function that no table refers to is not linked.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR < 22

#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ArmNeon/ArmNeonDialect.h"
#include "mlir/Dialect/ArmSME/IR/ArmSME.h"
#include "mlir/Dialect/ArmSVE/IR/ArmSVEDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/MPI/IR/MPI.h"
#include "mlir/Dialect/Mesh/IR/MeshDialect.h"
#include "mlir/Dialect/OpenACC/OpenACC.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Polynomial/IR/PolynomialDialect.h"
#include "mlir/Dialect/Ptr/IR/PtrDialect.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Dialect/XeGPU/IR/XeGPU.h"

extern "C" {
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(AMX, amx, mlir::amx::AMXDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Affine, affine, mlir::affine::AffineDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(ArmNeon, arm_neon, mlir::arm_neon::ArmNeonDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(ArmSME, arm_sme, mlir::arm_sme::ArmSMEDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(ArmSVE, arm_sve, mlir::arm_sve::ArmSVEDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Bufferization, bufferization,
                                      mlir::bufferization::BufferizationDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Complex, complex, mlir::complex::ComplexDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(DLTI, dlti, mlir::DLTIDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(EmitC, emitc, mlir::emitc::EmitCDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Index, index, mlir::index::IndexDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MPI, mpi, mlir::mpi::MPIDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Mesh, mesh, mlir::mesh::MeshDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(OpenACC, acc, mlir::acc::OpenACCDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(PDLInterp, pdl_interp, mlir::pdl_interp::PDLInterpDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Polynomial, polynomial, mlir::polynomial::PolynomialDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Ptr, ptr, mlir::ptr::PtrDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tosa, tosa, mlir::tosa::TosaDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(UB, ub, mlir::ub::UBDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(X86Vector, x86vector, mlir::x86vector::X86VectorDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(XeGPU, xegpu, mlir::xegpu::XeGPUDialect)
}

#endif // LLVM_VERSION_MAJOR < 22
