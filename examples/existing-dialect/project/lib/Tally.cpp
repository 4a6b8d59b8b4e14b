//===-- Tally.cpp - The dialect tally -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tally/Tally.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tally;

#include "tally/TallyDialect.cpp.inc"
#include "tally/TallyEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tally/TallyTypes.cpp.inc"

#define GET_OP_CLASSES
#include "tally/TallyOps.cpp.inc"

void TallyDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tally/TallyTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tally/TallyOps.cpp.inc"
      >();
}

void tally::registerExtensions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TallyDialect *dialect) { dialect->extended = true; });
}
