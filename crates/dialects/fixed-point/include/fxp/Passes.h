//===-- Passes.h - Passes of the fixed-point dialect ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_PASSES_H
#define FXP_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fxp {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fxp/Passes.h.inc"

} // namespace fxp

#endif // FXP_PASSES_H
