//===-- FxpTypes.td - The type of fixed-point numbers ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_TYPES_TD
#define FXP_TYPES_TD

include "fxp/FxpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"

def Fxp_NumType : TypeDef<FxpDialect, "Num", [
    MemRefElementTypeInterface, VectorElementTypeInterface
  ]> {
  let mnemonic = "num";
  let summary = "a fixed-point number";
  let description = [{
    `!fxp.num<W, F, signed>` has W bits in all, 1 to 64, of which F, 0 to W, are
    behind the binary point; it is two's complement. `unsigned` has no sign bit.

    Q notation and `ap_fixed` count otherwise: Q7.8 of a 16-bit word and
    `ap_fixed<16, 8>` are both `!fxp.num<16, 8, signed>`.
  }];
  let parameters = (ins "unsigned":$width, "unsigned":$frac, "bool":$isSigned);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The widest type. One operation's exact result then fits in 130 bits, and
    /// a conversion to any float type rounds only once.
    static constexpr unsigned kMaxWidth = 64;

    /// The least and the greatest raw integer, in `getWidth()` bits.
    ::llvm::APInt getMin();
    ::llvm::APInt getMax();
  }];
}

/// A number, or a vector or tensor of them: what an elementwise operation takes.
def Fxp_NumLike : TypeOrValueSemanticsContainer<Fxp_NumType, "fixed-point-like">;

/// Floats that one rounding reaches from 64 bits by way of double precision.
def Fxp_Float : AnyTypeOf<[F16, BF16, F32, F64]>;
def Fxp_FloatLike : TypeOrValueSemanticsContainer<Fxp_Float, "f16, bf16, f32 or f64-like">;

#endif // FXP_TYPES_TD
