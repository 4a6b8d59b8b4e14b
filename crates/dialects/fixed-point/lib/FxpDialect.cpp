//===-- FxpDialect.cpp - The fixed-point dialect --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fxp/Fxp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fxp;

#include "fxp/FxpDialect.cpp.inc"

void FxpDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "fxp/FxpOps.cpp.inc"
      >();
}

Operation *FxpDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  if (auto number = dyn_cast<ValueAttr>(value))
    return number.getType() == type ? ConstantOp::create(builder, loc, type, number) : nullptr;
  // The constants that comparisons and conversions to floats and integers fold to.
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
