#ifndef TICK_TICK_H
#define TICK_TICK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "tick/TickOpsDialect.h.inc"
#define GET_OP_CLASSES
#include "tick/TickOps.h.inc"

#endif
