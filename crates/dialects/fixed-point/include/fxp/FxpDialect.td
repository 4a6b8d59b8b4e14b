//===-- FxpDialect.td - The fixed-point dialect ------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_DIALECT_TD
#define FXP_DIALECT_TD

include "mlir/IR/DialectBase.td"

def FxpDialect : Dialect {
  let name = "fxp";
  let summary = "Fixed-point numbers, as signal processors and FPGAs have them";
  let description = [{
    A fixed-point number is an integer of W bits with the binary point F bits
    from the right: the raw integer 384 of `!fxp.num<16, 8, signed>` is 1.5.

    Every operation has one meaning: its exact result is rounded to the fraction
    bits of the result type, and what does not fit then wraps or saturates.
    Operands and result may differ in format, as they do in `ap_fixed` of
    high-level synthesis and in the Q formats of signal processors.
  }];
  let cppNamespace = "::fxp";
  // Comparisons fold to booleans, whose constants are arith's.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // FXP_DIALECT_TD
