#include "garden/Garden.h"

#include "mlir/IR/Builders.h"

#include "garden/GardenOpsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "garden/GardenOps.cpp.inc"

void garden::GardenDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "garden/GardenOps.cpp.inc"
      >();
}

unsigned garden::PlantOp::countParts() { return getSeed().getType().getFields().size(); }
