//===-- Dialect.cpp - The dialect tinyc -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tinyc/Tinyc.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tinyc;

#include "tinyc/TinycDialect.cpp.inc"

#define GET_OP_CLASSES
#include "tinyc/TinycOps.cpp.inc"

void TinycDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tinyc/TinycOps.cpp.inc"
      >();
}

OpFoldResult PowerOp::fold(FoldAdaptor) {
  return getExponent() == 1 ? OpFoldResult(getBase()) : OpFoldResult();
}
