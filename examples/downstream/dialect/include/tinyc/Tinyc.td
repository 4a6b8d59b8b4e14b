//===-- Tinyc.td - The dialect tinyc -----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TINYC_TD
#define TINYC_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TinycDialect : Dialect {
  let name = "tinyc";
  let summary = "What is in a sum and is not in MLIR";
  let cppNamespace = "::tinyc";
}

def Tinyc_PowerOp : Op<TinycDialect, "power", [Pure, SameOperandsAndResultType]> {
  let summary = "an integer to the power of a constant";
  let description = [{
    ```mlir
    %cube = tinyc.power %x, 3 : i64
    ```
    It wraps around as multiplications do.
  }];
  let arguments = (ins
    SignlessIntegerLike:$base,
    ConfinedAttr<I64Attr, [IntNonNegative]>:$exponent
  );
  let results = (outs SignlessIntegerLike:$result);
  let assemblyFormat = "$base `,` $exponent attr-dict `:` type($base)";
  let hasFolder = 1;
}

#endif // TINYC_TD
