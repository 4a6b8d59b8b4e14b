#ifndef GARDEN_OPS
#define GARDEN_OPS

include "mlir/IR/OpBase.td"
include "toy/ToyInterfaces.td"
include "toy/ToyTypes.td"

def Garden_Dialect : Dialect {
  let name = "garden";
  let cppNamespace = "::garden";
  let summary = "Where structs of the toy dialect are planted.";
  let dependentDialects = ["::toy::ToyDialect"];
}

def Garden_PlantOp : Op<Garden_Dialect, "plant", [DeclareOpInterfaceMethods<CountableOpInterface>]> {
  let summary = "Plants a struct of the toy dialect.";
  let arguments = (ins Toy_StructType:$seed);
  let results = (outs Toy_StructType:$plant);
  let assemblyFormat = "$seed attr-dict `:` type($seed) `->` type($plant)";
}

#endif
