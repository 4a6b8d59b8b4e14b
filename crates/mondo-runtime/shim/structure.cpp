//===-- structure.cpp - Positions of objects in their tree ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/Visitors.h"

/// True if a block is in the operation.
static bool isIn(mlir::Block *block, mlir::Operation *root) {
  while (block) {
    mlir::Operation *parent = block->getParentOp();
    if (!parent || parent == root)
      return parent == root;
    block = parent->getBlock();
  }
  return false;
}

// The trait IsolatedFromAbove would say the same, but only of a verified operation.
extern "C" bool mondoOperationIsClosed(MlirOperation op) {
  mlir::Operation *root = unwrap(op);
  auto look = [root](mlir::Operation *inner) {
    // The operation that defines an operand of the root may be in no block either: equal blocks,
    // both null, do not say that an operand is of the operation.
    mlir::Block *here = inner == root ? nullptr : inner->getBlock();
    auto isBeside = [&](mlir::Value operand) {
      return here ? operand.getParentBlock() == here : operand.getDefiningOp() == root;
    };
    for (mlir::Value operand : inner->getOperands())
      if (operand && !isBeside(operand) && !isIn(operand.getParentBlock(), root))
        return mlir::WalkResult::interrupt();
    for (mlir::Block *successor : inner->getSuccessors())
      if (!isIn(successor, root))
        return mlir::WalkResult::interrupt();
    return mlir::WalkResult::advance();
  };
  return !root->walk<mlir::WalkOrder::PreOrder>(look).wasInterrupted();
}

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
