//===-- FxpAttributes.td - Constants and modes -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FXP_ATTRIBUTES_TD
#define FXP_ATTRIBUTES_TD

include "fxp/FxpDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

def Fxp_Rounding : I32EnumAttr<"Rounding", "what becomes of bits that are dropped", [
    I32EnumAttrCase<"Floor", 0, "floor">,
    I32EnumAttrCase<"Ceil", 1, "ceil">,
    I32EnumAttrCase<"TowardZero", 2, "toward_zero">,
    I32EnumAttrCase<"NearestEven", 3, "nearest_even">,
    I32EnumAttrCase<"NearestAway", 4, "nearest_away">,
    I32EnumAttrCase<"NearestUp", 5, "nearest_up">
  ]> {
  let cppNamespace = "::fxp";
  // The attribute has the storage, the enum only the cases.
  let genSpecializedAttr = 0;
}

def Fxp_Overflow : I32EnumAttr<"Overflow", "what becomes of a number out of range", [
    I32EnumAttrCase<"Wrap", 0, "wrap">,
    I32EnumAttrCase<"Saturate", 1, "saturate">
  ]> {
  let cppNamespace = "::fxp";
  let genSpecializedAttr = 0;
}

def Fxp_Predicate : I32EnumAttr<"Predicate", "what a comparison asks", [
    I32EnumAttrCase<"EQ", 0, "eq">,
    I32EnumAttrCase<"NE", 1, "ne">,
    I32EnumAttrCase<"LT", 2, "lt">,
    I32EnumAttrCase<"LE", 3, "le">,
    I32EnumAttrCase<"GT", 4, "gt">,
    I32EnumAttrCase<"GE", 5, "ge">
  ]> {
  let cppNamespace = "::fxp";
  let genSpecializedAttr = 0;
}

class Fxp_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<FxpDialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Fxp_RoundingAttr : Fxp_EnumAttr<Fxp_Rounding, "rounding">;
def Fxp_OverflowAttr : Fxp_EnumAttr<Fxp_Overflow, "overflow">;
// A comparison reads better without brackets around its predicate.
def Fxp_PredicateAttr : EnumAttr<FxpDialect, Fxp_Predicate, "predicate">;

def Fxp_ValueAttr : AttrDef<FxpDialect, "Value", [TypedAttrInterface]> {
  let mnemonic = "value";
  let summary = "a fixed-point constant";
  let description = [{
    `#fxp.value<1.5> : !fxp.num<16, 8, signed>`. The number is written exactly,
    and read only if the type has it. `raw 384` says the raw integer instead,
    which an unsigned type takes without a sign and a signed type with one.

    Of a vector or tensor type with a static shape it is the value of every
    element.
  }];
  let parameters = (ins
    AttributeSelfTypeParameter<"">:$type,
    APIntParameter<"the raw integer, as wide as the type">:$raw
  );
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::Type":$type,
                                        "const ::llvm::APInt &":$raw), [{
      return $_get(type.getContext(), type, raw);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The type of the number, or of the elements that it is the value of.
    ::fxp::NumType getNumType();
  }];
}

#endif // FXP_ATTRIBUTES_TD
