//===-- Passes.cpp - Passes of the dialect tally --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tally/Tally.h"

#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
/// Makes every counter 64 bits wide.
struct CanonicalWidth : PassWrapper<CanonicalWidth, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalWidth)

  StringRef getArgument() const final { return "tally-canonical-width"; }
  StringRef getDescription() const final { return "Makes every counter 64 bits wide"; }

  void runOnOperation() final {
    auto wide = tally::CounterType::get(&getContext(), 64);
    getOperation()->walk([&](tally::CountOp op) { op.getCount().setType(wide); });
  }
};
} // namespace

void tally::registerPasses() { PassRegistration<CanonicalWidth>(); }
