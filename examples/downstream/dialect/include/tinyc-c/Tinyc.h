//===-- Tinyc.h - C API of the dialect tinyc ----------------------*- C -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TINYC_C_TINYC_H
#define TINYC_C_TINYC_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Tinyc, tinyc);

/// Registers `convert-tinyc-to-arith`.
MLIR_CAPI_EXPORTED void tinycRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif // TINYC_C_TINYC_H
