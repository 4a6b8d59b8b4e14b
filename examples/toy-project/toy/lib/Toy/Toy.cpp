#include "toy/Toy.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace limits {
#include "toy/Limits.h.inc"
} // namespace limits

#include "toy/ToyDialect.cpp.inc"
#include "toy/ToyEnums.cpp.inc"
#include "toy/ToyInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "toy/ToyAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "toy/ToyTypes.cpp.inc"
#define GET_OP_CLASSES
#include "toy/ToyOps.cpp.inc"

void toy::ToyDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "toy/ToyTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "toy/ToyAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "toy/ToyOps.cpp.inc"
      >();
}

LogicalResult toy::MakeOp::verify() {
  if (getValues().size() > limits::max_fields)
    return emitOpError("has more than ") << limits::max_fields << " fields";
  if (getResult().getType().getFields() != ArrayRef<Type>(SmallVector<Type>(getValues().getTypes())))
    return emitOpError("has fields of other types than its struct");
  return success();
}

unsigned toy::MakeOp::countParts() { return getValues().size(); }
