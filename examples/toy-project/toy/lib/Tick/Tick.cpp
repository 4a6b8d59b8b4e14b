#include "tick/Tick.h"

#include "tick/TickOpsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "tick/TickOps.cpp.inc"

void tick::TickDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tick/TickOps.cpp.inc"
      >();
}
