//===-- dialect_patterns.cpp - Rewrite patterns of dialects in Rust -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/CAPI/Rewrite.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mondo;

thread_local Rewriting *mondo::rewriting = nullptr;

namespace {

class DefinedPattern : public RewritePattern {
public:
  DefinedPattern(const MondoSdkPattern &entry, MLIRContext *context)
      : RewritePattern(unwrap(entry.root), PatternBenefit(entry.benefit), context), entry(entry) {
    setDebugName(unwrap(entry.name));
  }

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const final {
    // The pass fails, so that nothing more need be changed.
    if (rewriting && (rewriting->hasFailed || rewriting->left <= 0))
      return failure();
    switch (entry.callbacks->rewrite(entry.definition, wrap(op), MlirPatternRewriter{&rewriter})) {
    case MondoSdkMatched:
      if (rewriting)
        --rewriting->left;
      return success();
    case MondoSdkNotMatched:
      return failure();
    case MondoSdkFailed:
      break;
    }
    // Nothing has been changed. A pass of our own fails; one of MLIR's cannot be told, so the next verification fails.
    if (rewriting)
      rewriting->hasFailed = true;
    else
      mondoSdkFailNextVerification(wrap(op));
    return failure();
  }

private:
  const MondoSdkPattern &entry;
};

} // namespace

extern "C" MlirOperation mondoSdkIsolatedAncestor(MlirOperation op) {
  Operation *around = unwrap(op)->getParentOp();
  while (around && around->getParentOp() && !around->hasTrait<OpTrait::IsIsolatedFromAbove>())
    around = around->getParentOp();
  return wrap(around);
}

void mondo::addPatterns(RewritePatternSet &patterns, ArrayRef<MondoSdkPattern> entries) {
  for (const MondoSdkPattern &entry : entries)
    patterns.add(std::make_unique<DefinedPattern>(entry, patterns.getContext()));
}
