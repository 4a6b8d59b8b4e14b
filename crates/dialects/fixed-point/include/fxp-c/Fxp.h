//===-- Fxp.h - C API of the fixed-point dialect ----------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_C_FXP_H
#define FXP_C_FXP_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Fxp, fxp);

/// Registers every pass of the dialect: `convert-fxp-to-arith`.
MLIR_CAPI_EXPORTED void mlirRegisterFxpPasses(void);

//===----------------------------------------------------------------------===//
// NumType
//===----------------------------------------------------------------------===//

/// True if the type is `!fxp.num`.
MLIR_CAPI_EXPORTED bool mlirTypeIsAFxpNum(MlirType type);

/// The TypeID of the type `!fxp.num`.
MLIR_CAPI_EXPORTED MlirTypeID mlirFxpNumTypeGetTypeID(void);

/// `!fxp.num<width, frac, signed>`. Where there is no such type, the result is
/// null and the reason a diagnostic at `loc`.
MLIR_CAPI_EXPORTED MlirType mlirFxpNumTypeGetChecked(MlirLocation loc, unsigned width,
                                                     unsigned frac, bool isSigned);

/// The width of a number in bits.
MLIR_CAPI_EXPORTED unsigned mlirFxpNumTypeGetWidth(MlirType type);

/// The number of bits behind the binary point.
MLIR_CAPI_EXPORTED unsigned mlirFxpNumTypeGetFrac(MlirType type);

/// True if numbers have a sign.
MLIR_CAPI_EXPORTED bool mlirFxpNumTypeIsSigned(MlirType type);

//===----------------------------------------------------------------------===//
// ValueAttr
//===----------------------------------------------------------------------===//

/// True if the attribute is `#fxp.value`.
MLIR_CAPI_EXPORTED bool mlirAttributeIsAFxpValue(MlirAttribute attr);

/// The TypeID of the attribute `#fxp.value`.
MLIR_CAPI_EXPORTED MlirTypeID mlirFxpValueAttrGetTypeID(void);

/// The constant of `type`, a number or a vector or tensor of them, whose raw
/// integer is the low bits of `raw`; bits above the type's width are left out.
/// If there is no such constant, the result is null and the reason a
/// diagnostic at `loc`.
MLIR_CAPI_EXPORTED MlirAttribute mlirFxpValueAttrGetChecked(MlirLocation loc, MlirType type,
                                                            uint64_t raw);

/// The raw integer, extended to 64 bits with its sign if the type has one.
MLIR_CAPI_EXPORTED int64_t mlirFxpValueAttrGetRaw(MlirAttribute attr);

/// The type of the number, or of the elements that it is the value of.
MLIR_CAPI_EXPORTED MlirType mlirFxpValueAttrGetNumType(MlirAttribute attr);

#ifdef __cplusplus
}
#endif

#endif // FXP_C_FXP_H
