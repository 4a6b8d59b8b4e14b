//===-- structure.cpp - Positions of objects in their tree ----------------===//
//
// Programs build IR of any depth, so nothing here recurses, and nothing takes more than time in proportion to the IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "structure.h"

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <iterator>

using namespace mlir;
using mondo::Descent;
using mondo::mostLevels;

/// Returns whether a region is in `root`. The user, which is in `root`, is mostly near to the region; constants are near
/// to the root. So one search goes up from each, and the first that ends has the answer.
static bool isIn(Region *region, Operation *user, Operation *root) {
  Region *aroundUser = user == root ? nullptr : user->getParentRegion();
  for (Region *above = region; above;) {
    if (aroundUser == region)
      return true;
    Operation *parent = above->getParentOp();
    if (parent == root)
      return true;
    above = parent ? parent->getParentRegion() : nullptr;
    if (aroundUser) {
      Operation *around = aroundUser->getParentOp();
      aroundUser = around == root ? nullptr : around->getParentRegion();
    }
  }
  return false;
}

/// Returns whether an operation in `root`, or `root` itself, uses a value or a block that is not in `root`. The trait
/// IsolatedFromAbove would say the same, but only of a verified operation.
static bool usesOthers(Operation *op, Operation *root) {
  // The operation that defines an operand of the root may be in no block either: equal blocks, both null, do not say
  // that an operand is of the operation.
  Block *here = op == root ? nullptr : op->getBlock();
  for (Value operand : op->getOperands()) {
    if (!operand || (here ? operand.getParentBlock() == here : operand.getDefiningOp() == root))
      continue;
    if (!isIn(operand.getParentRegion(), op, root))
      return true;
  }
  return llvm::any_of(op->getSuccessors(), [&](Block *successor) {
    return successor && !isIn(successor->getParent(), op, root);
  });
}

extern "C" bool mondoOperationIsClosed(MlirOperation op) {
  Operation *root = unwrap(op);
  for (Descent descent(root); Operation *inner = descent.operation(); descent.advance())
    if (usesOthers(inner, root))
      return false;
  return true;
}

extern "C" bool mondoOperationIsClosedInside(MlirOperation op) {
  Operation *root = unwrap(op), *top = unwrap(mondoOperationGetRoot(op));
  for (Descent descent(root); Operation *inner = descent.operation(); descent.advance())
    if (usesOthers(inner, inner == root ? top : root))
      return false;
  return true;
}

template <typename UseList> static size_t countUses(UseList &of) {
  return static_cast<size_t>(std::distance(of.use_begin(), of.use_end()));
}

extern "C" MondoTreeState mondoOperationGetTreeState(MlirOperation op) {
  Operation *root = unwrap(op);
  // If every operand is a value of the tree, the values have more uses than there are operands if and only if
  // something outside uses one; likewise for successors. So no user has to be searched for its root.
  size_t operands = 0, uses = 0, successors = 0, branches = 0;
  for (Descent descent(root); Operation *inner = descent.operation(); descent.advance()) {
    if (descent.depth() > mostLevels)
      return MondoTreeIsTooDeep;
    if (usesOthers(inner, root))
      return MondoTreeUsesOthers;
    operands += llvm::count_if(inner->getOperands(), [](Value operand) { return bool(operand); });
    successors += llvm::count_if(inner->getSuccessors(), [](Block *block) { return block != nullptr; });
    for (Value result : inner->getResults())
      uses += countUses(result);
    for (Region &region : inner->getRegions())
      for (Block &block : region) {
        branches += countUses(block);
        for (Value argument : block.getArguments())
          uses += countUses(argument);
      }
  }
  return uses == operands && branches == successors ? MondoTreeIsClosed : MondoTreeIsUsed;
}

extern "C" bool mondoOperationIsTooDeep(MlirOperation op) {
  Operation *root = unwrap(op);
  for (Descent descent(root); descent.operation(); descent.advance())
    if (descent.depth() > mostLevels)
      return true;
  return false;
}

extern "C" MlirOperation mondoOperationGetRoot(MlirOperation op) {
  Operation *root = unwrap(op);
  while (Operation *parent = root->getParentOp())
    root = parent;
  return wrap(root);
}

extern "C" MlirOperation mondoOperationClone(MlirOperation op) {
  Operation *root = unwrap(op);
  llvm::SmallVector<OpOperand *> operands;
  llvm::SmallVector<BlockOperand *> successors;
  for (Descent descent(root); Operation *inner = descent.operation(); descent.advance()) {
    for (OpOperand &operand : inner->getOpOperands())
      if (!operand.get())
        operands.push_back(&operand);
    for (BlockOperand &successor : inner->getBlockOperands())
      if (!successor.get())
        successors.push_back(&successor);
  }
  if (operands.empty() && successors.empty())
    return wrap(root->clone());
  // A new operand cannot be null, so that the copy of one that is gets a placeholder first.
  MLIRContext *context = root->getContext();
  Block nowhere;
  Value nothing = nowhere.addArgument(NoneType::get(context), UnknownLoc::get(context));
  for (OpOperand *operand : operands)
    operand->set(nothing);
  for (BlockOperand *successor : successors)
    successor->set(&nowhere);
  Operation *copy = root->clone();
  nothing.dropAllUses();
  nowhere.dropAllUses();
  return wrap(copy);
}

extern "C" MlirOperation mondoRegionGetParentOperation(MlirRegion region) {
  return wrap(unwrap(region)->getParentOp());
}

extern "C" intptr_t mondoRegionGetNumber(MlirRegion region) {
  Region *cppRegion = unwrap(region);
  // The number is the distance to the first region of the parent.
  return cppRegion->getParentOp() ? static_cast<intptr_t>(cppRegion->getRegionNumber()) : -1;
}

extern "C" intptr_t mondoBlockGetUsers(MlirBlock block, intptr_t capacity, MlirOperation *users) {
  intptr_t count = 0;
  for (BlockOperand &use : unwrap(block)->getUses()) {
    if (count < capacity)
      users[count] = wrap(use.getOwner());
    ++count;
  }
  return count;
}

extern "C" MlirRegion mondoBlockGetParentRegionOrNull(MlirBlock block) {
  return wrap(unwrap(block)->getParent());
}
