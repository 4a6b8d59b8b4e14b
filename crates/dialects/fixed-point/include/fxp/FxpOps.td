//===-- FxpOps.td - Operations on fixed-point numbers ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_OPS_TD
#define FXP_OPS_TD

include "fxp/FxpAttributes.td"
include "fxp/FxpDialect.td"
include "fxp/FxpTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fxp_Op<string mnemonic, list<Trait> traits = []>
    : Op<FxpDialect, mnemonic, !listconcat([Pure], traits)> {
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def Fxp_ConstantOp : Fxp_Op<"constant", [
    ConstantLike, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>
  ]> {
  let summary = "a fixed-point constant";
  let description = [{
    ```mlir
    %half = fxp.constant 0.5 : !fxp.num<16, 15, signed>
    %least = fxp.constant raw -32768 : !fxp.num<16, 15, signed>
    %ones = fxp.constant 1.0 : vector<4x!fxp.num<16, 8, signed>>
    ```
  }];
  let arguments = (ins Fxp_ValueAttr:$value);
  let results = (outs Fxp_NumLike:$result);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// The types are written once where they are all one, else as a function's.
class Fxp_BinaryOp<string mnemonic, list<Trait> traits = []>
    : Fxp_Op<mnemonic, !listconcat([
        SameOperandsAndResultShape,
        // Only builders infer. The verifier takes any format for the result.
        DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>
      ], ElementwiseMappable.traits, traits)> {
  let arguments = (ins
    Fxp_NumLike:$lhs, Fxp_NumLike:$rhs,
    DefaultValuedAttr<Fxp_RoundingAttr, "::fxp::Rounding::Floor">:$rounding,
    DefaultValuedAttr<Fxp_OverflowAttr, "::fxp::Overflow::Wrap">:$overflow
  );
  let results = (outs Fxp_NumLike:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`rounding` `` $rounding^)? (`overflow` `` $overflow^)?
    attr-dict `:` custom<BinaryTypes>(type($lhs), type($rhs), type($result))
  }];
}

def Fxp_AddOp : Fxp_BinaryOp<"add", [Commutative]> {
  let summary = "the sum of two numbers";
  let description = [{
    ```mlir
    %0 = fxp.add %a, %b overflow<saturate> : !fxp.num<16, 8, signed>
    %1 = fxp.add %a, %b : (!fxp.num<16, 8, signed>, !fxp.num<8, 0, unsigned>)
                           -> !fxp.num<18, 8, signed>
    ```
    Without `rounding` it is `floor`, without `overflow` it is `wrap`: what
    hardware does if nothing is spent on it.
  }];
}

def Fxp_SubOp : Fxp_BinaryOp<"sub"> {
  let summary = "the difference of two numbers";
}

def Fxp_MulOp : Fxp_BinaryOp<"mul", [Commutative]> {
  let summary = "the product of two numbers";
  let description = [{
    The product is exact before it is rounded, whatever the width of the result.
  }];
}

def Fxp_CmpOp : Fxp_Op<"cmp", !listconcat([
    SameOperandsAndResultShape,
    DeclareOpInterfaceMethods<InferTypeOpInterface>
  ], ElementwiseMappable.traits)> {
  let summary = "compares two numbers, whatever their formats";
  let description = [{
    ```mlir
    %0 = fxp.cmp lt, %a, %b : !fxp.num<16, 8, signed>, !fxp.num<8, 8, unsigned>
    ```
  }];
  let arguments = (ins Fxp_PredicateAttr:$predicate, Fxp_NumLike:$lhs, Fxp_NumLike:$rhs);
  let results = (outs BoolLike:$result);
  let assemblyFormat = [{
    `` $predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)
  }];
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

class Fxp_CastOp<string mnemonic, list<Trait> traits = []>
    : Fxp_Op<mnemonic, !listconcat([SameOperandsAndResultShape],
                                   ElementwiseMappable.traits, traits)>;

class Fxp_RoundingCastOp<string mnemonic, Type from, Type to, dag extra = (ins)>
    : Fxp_CastOp<mnemonic> {
  let arguments = !con((ins from:$input), extra, (ins
    DefaultValuedAttr<Fxp_RoundingAttr, "::fxp::Rounding::Floor">:$rounding,
    DefaultValuedAttr<Fxp_OverflowAttr, "::fxp::Overflow::Wrap">:$overflow
  ));
  let results = (outs to:$result);
  let assemblyFormat = [{
    $input (`rounding` `` $rounding^)? (`overflow` `` $overflow^)?
    attr-dict `:` type($input) `to` type($result)
  }];
}

def Fxp_ConvertOp : Fxp_RoundingCastOp<"convert", Fxp_NumLike, Fxp_NumLike> {
  let summary = "a number in another format";
  let description = [{
    ```mlir
    %0 = fxp.convert %x rounding<nearest_even> overflow<saturate>
           : !fxp.num<32, 16, signed> to !fxp.num<16, 8, signed>
    ```
  }];
}

def Fxp_FromFloatOp : Fxp_RoundingCastOp<"from_float", Fxp_FloatLike, Fxp_NumLike> {
  let summary = "a float as a fixed-point number";
  let description = [{
    NaN becomes zero. An infinity saturates; where numbers wrap, it is zero.
  }];
}

def Fxp_ToFloatOp : Fxp_CastOp<"to_float"> {
  let summary = "a fixed-point number as a float";
  let description = [{
    The nearest float, and of two the even one, as floats round everywhere.
  }];
  let arguments = (ins Fxp_NumLike:$input);
  let results = (outs Fxp_FloatLike:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}

def Fxp_FromIntOp : Fxp_CastOp<"from_int"> {
  let summary = "an integer as a fixed-point number";
  let description = [{
    The integer is signed unless the operation says `unsigned`. Nothing is ever
    rounded, since a number has no fewer fraction bits than an integer.
    ```mlir
    %0 = fxp.from_int %i unsigned overflow<saturate> : i8 to !fxp.num<16, 8, signed>
    ```
  }];
  let arguments = (ins
    SignlessIntegerLike:$input, UnitAttr:$is_unsigned,
    DefaultValuedAttr<Fxp_OverflowAttr, "::fxp::Overflow::Wrap">:$overflow
  );
  let results = (outs Fxp_NumLike:$result);
  let assemblyFormat = [{
    $input (`unsigned` $is_unsigned^)? (`overflow` `` $overflow^)?
    attr-dict `:` type($input) `to` type($result)
  }];
}

def Fxp_ToIntOp : Fxp_RoundingCastOp<"to_int", Fxp_NumLike, SignlessIntegerLike,
                                     (ins UnitAttr:$is_unsigned)> {
  let summary = "a fixed-point number as an integer";
  let description = [{
    The integer is signed unless the operation says `unsigned`, which matters to
    what saturates.
    ```mlir
    %0 = fxp.to_int %x unsigned rounding<nearest_up> overflow<saturate>
           : !fxp.num<16, 8, signed> to i8
    ```
  }];
  let assemblyFormat = [{
    $input (`unsigned` $is_unsigned^)? (`rounding` `` $rounding^)?
    (`overflow` `` $overflow^)? attr-dict `:` type($input) `to` type($result)
  }];
}

def Fxp_BitcastOp : Fxp_CastOp<"bitcast"> {
  let summary = "the raw integer of a number, or the number of a raw integer";
  let description = [{
    Nothing happens to the bits; both sides are equally wide.
    ```mlir
    %raw = fxp.bitcast %x : !fxp.num<16, 8, signed> to i16
    %q15 = fxp.bitcast %raw : i16 to !fxp.num<16, 15, signed>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Fxp_NumLike, SignlessIntegerLike]>:$input);
  let results = (outs AnyTypeOf<[Fxp_NumLike, SignlessIntegerLike]>:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
}

#endif // FXP_OPS_TD
