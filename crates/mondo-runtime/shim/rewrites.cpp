//===-- rewrites.cpp - Rewrites in which patterns may erase anything ------===//
//
// MLIR takes for granted that a pattern erases no operation whose results something uses, and in a walk none but
// the one that it matched. A pattern of the PDL dialect can erase any operation that it names. Then MLIR leaves
// null operands, which cannot be folded or printed, or in a walk goes on with freed memory. So rewriters get a
// listener here, by which the users of what is erased get placeholders, and a walk passes over it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace {

/// Puts a placeholder before each user of a result that ends with its operation.
class Keeper : public RewriterBase::Listener {
public:
  void notifyOperationErased(Operation *op) override {
    for (OpResult result : op->getResults())
      keepUsers(result);
  }

  /// MLIR gives the users the new values before it erases the operation, and drops the uses of arguments of the blocks
  /// inside of it without a word.
  void notifyOperationReplaced(Operation *op, ValueRange values) override {
    for (auto [result, value] : llvm::zip_first(op->getResults(), values))
      if (auto argument = dyn_cast<BlockArgument>(value))
        if (Operation *owner = argument.getOwner()->getParentOp(); owner && op->isAncestor(owner))
          keepUsers(result);
  }

private:
  static void keepUsers(OpResult result) {
    while (!result.use_empty()) {
      OpOperand &use = *result.use_begin();
      const MlirType type = wrap(use.get().getType());
      MondoOperationParts parts = {};
      parts.name = wrap(UnrealizedConversionCastOp::getOperationName());
      parts.location = wrap(result.getLoc());
      parts.nResults = 1;
      parts.results = &type;
      Operation *placeholder = unwrap(mondoOperationCreate(&parts));
      Operation *user = use.getOwner();
      if (Block *block = user->getBlock())
        block->getOperations().insert(user->getIterator(), placeholder);
      use.set(placeholder->getResult(0));
    }
  }
};

/// A rewriter that tells a listener. MLIR's own cannot be made in every LLVM.
struct Rewriter final : PatternRewriter {
  Rewriter(MLIRContext *context, RewriterBase::Listener *to) : PatternRewriter(context) { setListener(to); }
};

/// A walk over the operations that can be reached, those inside of an operation before it.
class Walk final : public Keeper {
public:
  Walk(MLIRContext *context, const FrozenRewritePatternSet &patterns)
      : rewriter(context, this), applicator(patterns) {
    applicator.applyDefaultCostModel();
  }

  void walk(Operation *op) {
    for (Region &region : op->getRegions())
      walk(region);
  }

private:
  /// The place of the walk in a region. It looks at these next; `isGone` says that what it looked at was erased.
  struct Place {
    Block *block;
    Operation *op;
    bool isGone;
  };

  void notifyOperationErased(Operation *op) override {
    Keeper::notifyOperationErased(op);
    for (Place &place : places)
      if (place.op == op) {
        place.op = op->getNextNode();
        place.isGone = true;
      }
  }

  void notifyBlockErased(Block *block) override {
    for (Place &place : places)
      if (place.block == block)
        place.block = block->getNextNode();
  }

  void walk(Region &region) {
    if (region.empty())
      return;
    llvm::SmallPtrSet<Block *, 8> reached{&region.front()};
    llvm::SmallVector<Block *> pending{&region.front()};
    while (!pending.empty()) {
      Block *block = pending.pop_back_val();
      if (!block->empty())
        for (Block *next : block->back().getSuccessors())
          if (reached.insert(next).second)
            pending.push_back(next);
    }
    const size_t depth = places.size();
    places.push_back({&region.front(), nullptr, false});
    while (Block *block = places[depth].block) {
      places[depth].block = block->getNextNode();
      if (reached.contains(block))
        walk(block, depth);
    }
    places.pop_back();
  }

  void walk(Block *block, size_t depth) {
    places[depth].op = block->empty() ? nullptr : &block->front();
    while (Operation *op = places[depth].op) {
      places[depth].isGone = false;
      walk(op);
      if (places[depth].isGone)
        continue;
      places[depth].op = op->getNextNode();
      rewriter.setInsertionPoint(op);
      (void)applicator.matchAndRewrite(op, rewriter);
    }
  }

  Rewriter rewriter;
  PatternApplicator applicator;
  /// A place for each region that the walk is in.
  llvm::SmallVector<Place> places;
};

} // namespace

extern "C" bool mondoApplyPatternsGreedily(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                           MlirGreedyRewriteDriverConfig config) {
  Keeper keeper;
  GreedyRewriteConfig listening = *static_cast<const GreedyRewriteConfig *>(config.ptr);
#if LLVM_VERSION_MAJOR >= 22
  listening.setListener(&keeper);
#else
  listening.listener = &keeper;
#endif
  return mlirApplyPatternsAndFoldGreedilyWithOp(op, patterns, {&listening}).value != 0;
}

extern "C" void mondoWalkAndApplyPatterns(MlirOperation op, MlirFrozenRewritePatternSet patterns) {
  // The older CAPI/Rewrite.h has no `unwrap` for these.
  const auto &set = *static_cast<const FrozenRewritePatternSet *>(patterns.ptr);
  Walk(unwrap(op)->getContext(), set).walk(unwrap(op));
}
