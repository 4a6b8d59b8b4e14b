//===-- Tally.h - The dialect tally ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TALLY_TALLY_H
#define TALLY_TALLY_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tally/TallyDialect.h.inc"
#include "tally/TallyEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tally/TallyTypes.h.inc"

#define GET_OP_CLASSES
#include "tally/TallyOps.h.inc"

namespace tally {

/// Registers `tally-canonical-width`.
void registerPasses();

/// Adds to the dialect what this project keeps apart from it.
void registerExtensions(mlir::DialectRegistry &registry);

} // namespace tally

#endif
