//===-- Passes.td - Passes of the fixed-point dialect ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_PASSES_TD
#define FXP_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFxpToArith : Pass<"convert-fxp-to-arith", "::mlir::ModuleOp"> {
  let summary = "Turns fixed-point numbers into integers, and what is done with them into arith";
  let description = [{
    `!fxp.num<W, F, s>` becomes `iW`, wherever it stands: in signatures of
    functions, in memrefs, vectors, tensors and attributes, in operations of any
    dialect. Intermediate results are as wide as they have to be to be exact, and
    no wider than the result where nothing is rounded and overflow wraps.

    Operations on tensors whose shape is not static stay as they are, which is an
    error: run `convert-elementwise-to-linalg` before this pass.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // FXP_PASSES_TD
