//===-- structure.h - Going through IR without recursion ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_STRUCTURE_H
#define MONDO_SHIM_STRUCTURE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"

#include <cstddef>

namespace mondo {

/// The levels that regions may nest: MLIR verifies, prints, copies and destroys them by recursion. mondo-bytecode has the
/// same number for bytecode.
constexpr size_t mostLevels = 1000;

/// An operation and all that is in it, each before what is in it. The place is found by the pointers of the IR alone,
/// which must not change meanwhile.
class Descent {
public:
  explicit Descent(mlir::Operation *root) : root(root), current(root) {}

  /// The present operation; null at the end.
  mlir::Operation *operation() const { return current; }
  /// The regions of the root that are around it.
  size_t depth() const { return levels; }

  void advance() {
    if (mlir::Operation *inner = firstFrom(current, 0)) {
      ++levels;
      current = inner;
      return;
    }
    while (current != root) {
      if (mlir::Operation *next = current->getNextNode()) {
        current = next;
        return;
      }
      mlir::Block *block = current->getBlock();
      mlir::Region *region = block->getParent();
      if (mlir::Operation *next = firstFrom(block->getNextNode())) {
        current = next;
        return;
      }
      mlir::Operation *parent = region->getParentOp();
      if (mlir::Operation *next = firstFrom(parent, region->getRegionNumber() + 1)) {
        current = next;
        return;
      }
      current = parent;
      --levels;
    }
    current = nullptr;
  }

private:
  /// The first operation in a block or one after it.
  static mlir::Operation *firstFrom(mlir::Block *block) {
    for (; block; block = block->getNextNode())
      if (!block->empty())
        return &block->front();
    return nullptr;
  }

  /// The first operation in the regions from that number on.
  static mlir::Operation *firstFrom(mlir::Operation *op, unsigned number) {
    for (mlir::Region &region : op->getRegions().drop_front(number))
      if (!region.empty())
        if (mlir::Operation *first = firstFrom(&region.front()))
          return first;
    return nullptr;
  }

  mlir::Operation *root;
  mlir::Operation *current;
  size_t levels = 0;
};

} // namespace mondo

#endif // MONDO_SHIM_STRUCTURE_H
