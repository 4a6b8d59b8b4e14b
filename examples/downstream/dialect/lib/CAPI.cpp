//===-- CAPI.cpp - C API of the dialect tinyc -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tinyc-c/Tinyc.h"
#include "tinyc/Tinyc.h"

#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Tinyc, tinyc, tinyc::TinycDialect)

void tinycRegisterPasses(void) { tinyc::registerTinycPasses(); }
