#ifndef TOY_OPS
#define TOY_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "toy/ToyInterfaces.td"
include "toy/ToyTypes.td"

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
