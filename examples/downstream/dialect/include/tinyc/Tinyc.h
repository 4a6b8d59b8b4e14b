//===-- Tinyc.h - The dialect tinyc -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TINYC_TINYC_H
#define TINYC_TINYC_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#include "tinyc/TinycDialect.h.inc"

#define GET_OP_CLASSES
#include "tinyc/TinycOps.h.inc"

namespace tinyc {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "tinyc/Passes.h.inc"

} // namespace tinyc

#endif // TINYC_TINYC_H
