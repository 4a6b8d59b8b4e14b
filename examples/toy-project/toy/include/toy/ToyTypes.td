#ifndef TOY_TYPES
#define TOY_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/EnumAttr.td"

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

#endif
