//===-- structure.cpp - Where an object stands in its tree ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

extern "C" MlirOperation mondoOperationGetRoot(MlirOperation op) {
  mlir::Operation *root = unwrap(op);
  while (mlir::Operation *parent = root->getParentOp())
    root = parent;
  return wrap(root);
}

extern "C" MlirOperation mondoRegionGetParentOperation(MlirRegion region) {
  return wrap(unwrap(region)->getParentOp());
}

extern "C" intptr_t mondoRegionGetNumber(MlirRegion region) {
  mlir::Region *cppRegion = unwrap(region);
  // The number is the distance to the first region of the parent.
  return cppRegion->getParentOp() ? static_cast<intptr_t>(cppRegion->getRegionNumber()) : -1;
}

extern "C" MlirOperation mondoBlockGetUser(MlirBlock block, intptr_t index) {
  auto use = unwrap(block)->use_begin(), end = unwrap(block)->use_end();
  for (; use != end && index > 0; --index)
    ++use;
  return wrap(use == end ? nullptr : use->getOwner());
}

extern "C" MlirRegion mondoBlockGetParentRegionOrNull(MlirBlock block) {
  return wrap(unwrap(block)->getParent());
}
