//===-- Tally.td - The dialect tally -----------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TALLY_TD
#define TALLY_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tally_Dialect : Dialect {
  let name = "tally";
  let summary = "Counts of things";
  let cppNamespace = "::tally";
  let useDefaultTypePrinterParser = 1;
  // Set by what is registered beside the dialect.
  let extraClassDeclaration = "bool extended = false;";
}

def Tally_CounterType : TypeDef<Tally_Dialect, "Counter"> {
  let mnemonic = "counter";
  let summary = "A count of bits of some width";
  let parameters = (ins "unsigned":$width);
  let assemblyFormat = "`<` $width `>`";
}

def Tally_Unit : I32EnumAttr<"Unit", "What is counted", [
    I32EnumAttrCase<"One", 0, "one">, I32EnumAttrCase<"Dozen", 1, "dozen">]> {
  let cppNamespace = "::tally";
}

class Tally_Op<string mnemonic, list<Trait> traits = []> : Op<Tally_Dialect, mnemonic, traits>;

def Tally_CountOp : Tally_Op<"count", [Pure]> {
  let summary = "Counts the bits of a number";
  let arguments = (ins I64:$value, DefaultValuedAttr<Tally_Unit, "Unit::One">:$unit);
  let results = (outs Tally_CounterType:$count);
  let assemblyFormat = "$value attr-dict `:` type($count)";
}

def Tally_ReadOp : Tally_Op<"read", [Pure]> {
  let summary = "The number in a counter";
  let arguments = (ins Tally_CounterType:$count);
  let results = (outs I64:$value);
  let assemblyFormat = "$count attr-dict `:` type($count)";
}

#endif
