//===-- Passes.td - Passes of the dialect tinyc ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TINYC_PASSES_TD
#define TINYC_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTinycToArith : Pass<"convert-tinyc-to-arith"> {
  let summary = "Turns powers into as few multiplications as squaring needs";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TINYC_PASSES_TD
