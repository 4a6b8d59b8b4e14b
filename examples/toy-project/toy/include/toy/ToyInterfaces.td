#ifndef TOY_INTERFACES
#define TOY_INTERFACES

include "mlir/IR/OpBase.td"

def CountableOpInterface : OpInterface<"CountableOpInterface"> {
  let cppNamespace = "::toy";
  let description = "An operation that has a number of parts.";
  let methods = [InterfaceMethod<"The number of parts.", "unsigned", "countParts">];
}

#endif
