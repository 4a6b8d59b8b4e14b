//===-- premises_loops.cpp - Loops that omp's transformations refer to ----===//
//
// The verifier of `omp.new_cli` asks each user of its result which loop it transforms, and that of `omp.tile` asks the
// loops that its operands refer to for their variables. Neither looks at what these operations are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"
#include "premises_symbols.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "mlir/IR/Value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"

#include <cstddef>

using namespace mlir;
using llvm::LogicalResult;
using mondo::isNamed;

namespace {

/// The operations that take such a value are those of LLVM 22 and later.
constexpr bool HasThreeUsers = LLVM_VERSION_MAJOR >= 22;

/// The operands of an `omp.tile` before the loops that it transforms, and before its sizes: those that it makes come first.
struct Tile {
  explicit Tile(Operation *op) {
    const auto groups = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
    if (!groups || groups.size() != 3 || groups[0] < 0 || groups[1] < 0)
      return;
    first = static_cast<size_t>(groups[0]);
    end = first + static_cast<size_t>(groups[1]);
  }
  size_t first = 0;
  size_t end = 0;
};

/// True if an operation takes the value for a loop that it is, makes or transforms.
bool takesLoop(OpOperand &use) {
  Operation *op = use.getOwner();
  const size_t number = use.getOperandNumber();
  if (!op->isRegistered())
    return false;
  if (isNamed(op, "omp.canonical_loop"))
    return number >= 1;
  if (isNamed(op, "omp.unroll_heuristic"))
    return number == 0;
  return isNamed(op, "omp.tile") && number < Tile(op).end;
}

/// True if an operation that takes the value for the loop that it makes has the loop's variable. Other uses say nothing.
bool mayHaveVariable(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isNamed(op, "omp.canonical_loop"))
    return op->getNumRegions() != 0 && op->getRegion(0).getNumArguments() != 0;
  return !isNamed(op, "omp.tile") || use.getOperandNumber() >= Tile(op).first;
}

} // namespace

LogicalResult mondo::symbols::verifyLoopInfo(Operation *op) {
  if (!HasThreeUsers || op->getNumResults() == 0 ||
      llvm::all_of(op->getResult(0).getUses(), takesLoop))
    return success();
  return op->emitOpError("is used by an operation that transforms no loop");
}

LogicalResult mondo::symbols::verifyTile(Operation *op) {
  const Tile tile(op);
  // MLIR looks at none where there is only one, and refuses groups that are more than the operands.
  if (!HasThreeUsers || tile.end - tile.first < 2 || tile.end > op->getNumOperands())
    return success();
  for (size_t number = tile.first; number < tile.end; ++number) {
    const auto uses = op->getOperand(static_cast<unsigned>(number)).getUses();
    // Nobody asks for the variable of the innermost loop.
    const bool isInnermost = number + 1 == tile.end;
    if (!llvm::all_of(uses, takesLoop) || !(isInnermost || llvm::all_of(uses, mayHaveVariable)))
      return op->emitOpError("currently only supports omp.canonical_loop as applyee");
  }
  return success();
}
