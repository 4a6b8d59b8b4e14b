#ifndef TOY_OPS
#define TOY_OPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "toy/ToyInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
  let summary = "Values that are made of others.";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

def Toy_StructType : TypeDef<Toy_Dialect, "Struct", [MemRefElementTypeInterface]> {
  let mnemonic = "struct";
  let summary = "Values side by side.";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$fields);
  let assemblyFormat = "`<` $fields `>`";
}

def Toy_Red : I32EnumAttrCase<"Red", 0, "red">;
def Toy_Green : I32EnumAttrCase<"Green", 1, "green">;
def Toy_Color : I32EnumAttr<"Color", "A colour.", [Toy_Red, Toy_Green]> {
  let cppNamespace = "::toy";
  let genSpecializedAttr = 0;
}
def Toy_ColorAttr : EnumAttr<Toy_Dialect, Toy_Color, "color">;

def Toy_TagAttr : AttrDef<Toy_Dialect, "Tag"> {
  let mnemonic = "tag";
  let summary = "A colour with a text.";
  let parameters = (ins "::toy::Color":$color, StringRefParameter<>:$text);
  let assemblyFormat = "`<` $color `,` $text `>`";
}

class Toy_Op<string mnemonic, list<Trait> traits = []> : Op<Toy_Dialect, mnemonic, traits>;

def Toy_MakeOp : Toy_Op<"make", [Pure, DeclareOpInterfaceMethods<CountableOpInterface>]> {
  let summary = "Makes a struct of values.";
  let arguments = (ins Variadic<AnyType>:$values, OptionalAttr<Toy_TagAttr>:$tag);
  let results = (outs Toy_StructType:$result);
  let assemblyFormat = "$values attr-dict `:` functional-type($values, $result)";
  let hasVerifier = 1;
}

def Toy_GetOp : Toy_Op<"get", [Pure]> {
  let summary = "A value of a struct.";
  let arguments = (ins Toy_StructType:$input, I64Attr:$index);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input `[` $index `]` attr-dict `:` type($input) `->` type($result)";
}

def Toy_PaintOp : Toy_Op<"paint"> {
  let summary = "Gives a value a colour.";
  let arguments = (ins AnyType:$input, Toy_ColorAttr:$color);
  let assemblyFormat = "$input $color attr-dict `:` type($input)";
}

#endif
