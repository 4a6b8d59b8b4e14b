#ifndef TOY_TOY_H
#define TOY_TOY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "toy/ToyDialect.h.inc"
#include "toy/ToyEnums.h.inc"
#include "toy/ToyInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "toy/ToyAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "toy/ToyTypes.h.inc"
#define GET_OP_CLASSES
#include "toy/ToyOps.h.inc"

#endif
