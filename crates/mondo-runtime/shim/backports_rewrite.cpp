//===-- backports_rewrite.cpp - Newer functions over rewriting ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo_backports.h"

#if LLVM_VERSION_MAJOR < 22

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <utility>

using namespace mlir;

// The older CAPI/Rewrite.h keeps these in its own source file.
DEFINE_C_API_PTR_METHODS(MlirFrozenRewritePatternSet, mlir::FrozenRewritePatternSet)
DEFINE_C_API_PTR_METHODS(MlirGreedyRewriteDriverConfig, mlir::GreedyRewriteConfig)
DEFINE_C_API_PTR_METHODS(MlirPatternRewriter, mlir::PatternRewriter)
DEFINE_C_API_PTR_METHODS(MlirPDLPatternModule, mlir::PDLPatternModule)
DEFINE_C_API_PTR_METHODS(MlirPDLResultList, mlir::PDLResultList)
DEFINE_C_API_PTR_METHODS(MlirPDLValue, const mlir::PDLValue)
DEFINE_C_API_PTR_METHODS(MlirRewritePattern, const mlir::RewritePattern)
DEFINE_C_API_PTR_METHODS(MlirRewritePatternSet, mlir::RewritePatternSet)

//===----------------------------------------------------------------------===//
// Greedy rewriting
//===----------------------------------------------------------------------===//

extern "C" MlirGreedyRewriteDriverConfig mlirGreedyRewriteDriverConfigCreate(void) {
  return wrap(new GreedyRewriteConfig());
}

extern "C" void mlirGreedyRewriteDriverConfigDestroy(MlirGreedyRewriteDriverConfig config) {
  delete unwrap(config);
}

extern "C" int64_t
mlirGreedyRewriteDriverConfigGetMaxIterations(MlirGreedyRewriteDriverConfig config) {
  return unwrap(config)->maxIterations;
}

extern "C" void
mlirGreedyRewriteDriverConfigSetMaxIterations(MlirGreedyRewriteDriverConfig config,
                                              int64_t maxIterations) {
  unwrap(config)->maxIterations = maxIterations;
}

extern "C" int64_t
mlirGreedyRewriteDriverConfigGetMaxNumRewrites(MlirGreedyRewriteDriverConfig config) {
  return unwrap(config)->maxNumRewrites;
}

extern "C" void
mlirGreedyRewriteDriverConfigSetMaxNumRewrites(MlirGreedyRewriteDriverConfig config,
                                               int64_t maxNumRewrites) {
  unwrap(config)->maxNumRewrites = maxNumRewrites;
}

extern "C" bool
mlirGreedyRewriteDriverConfigGetUseTopDownTraversal(MlirGreedyRewriteDriverConfig config) {
  return unwrap(config)->useTopDownTraversal;
}

extern "C" void
mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(MlirGreedyRewriteDriverConfig config,
                                                    bool useTopDownTraversal) {
  unwrap(config)->useTopDownTraversal = useTopDownTraversal;
}

// The enumerators of C and of C++ stand in one order.
extern "C" MlirGreedyRewriteStrictness
mlirGreedyRewriteDriverConfigGetStrictness(MlirGreedyRewriteDriverConfig config) {
  return static_cast<MlirGreedyRewriteStrictness>(unwrap(config)->strictMode);
}

extern "C" void
mlirGreedyRewriteDriverConfigSetStrictness(MlirGreedyRewriteDriverConfig config,
                                           MlirGreedyRewriteStrictness strictness) {
  unwrap(config)->strictMode = static_cast<GreedyRewriteStrictness>(strictness);
}

extern "C" MlirGreedySimplifyRegionLevel
mlirGreedyRewriteDriverConfigGetRegionSimplificationLevel(MlirGreedyRewriteDriverConfig config) {
  return static_cast<MlirGreedySimplifyRegionLevel>(unwrap(config)->enableRegionSimplification);
}

extern "C" void mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(
    MlirGreedyRewriteDriverConfig config, MlirGreedySimplifyRegionLevel level) {
  unwrap(config)->enableRegionSimplification = static_cast<GreedySimplifyRegionLevel>(level);
}

extern "C" MlirLogicalResult
mlirApplyPatternsAndFoldGreedilyWithOp(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                       MlirGreedyRewriteDriverConfig config) {
  return wrap(applyPatternsAndFoldGreedily(unwrap(op), *unwrap(patterns), *unwrap(config)));
}

//===----------------------------------------------------------------------===//
// Rewriters and patterns
//===----------------------------------------------------------------------===//

extern "C" MlirRewriterBase mlirPatternRewriterAsBase(MlirPatternRewriter rewriter) {
  return wrap(static_cast<RewriterBase *>(unwrap(rewriter)));
}

extern "C" MlirOperation mlirRewriterBaseGetOperationAfterInsertion(MlirRewriterBase rewriter) {
  Block *block = unwrap(rewriter)->getInsertionBlock();
  Block::iterator point = unwrap(rewriter)->getInsertionPoint();
  return wrap(block && point != block->end() ? &*point : nullptr);
}

namespace {

/// A pattern that is made of functions.
class CallbackPattern : public RewritePattern {
public:
  CallbackPattern(MlirRewritePatternCallbacks callbacks, void *userData, StringRef rootName,
                  PatternBenefit benefit, MLIRContext *context, ArrayRef<StringRef> generatedNames)
      : RewritePattern(rootName, benefit, context, generatedNames), callbacks(callbacks),
        userData(userData) {
    if (callbacks.construct)
      callbacks.construct(userData);
  }

  ~CallbackPattern() override {
    if (callbacks.destruct)
      callbacks.destruct(userData);
  }

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    const RewritePattern *self = this;
    return unwrap(callbacks.matchAndRewrite(wrap(self), wrap(op), wrap(&rewriter), userData));
  }

private:
  MlirRewritePatternCallbacks callbacks;
  void *userData;
};

} // namespace

extern "C" MlirRewritePattern
mlirOpRewritePatternCreate(MlirStringRef rootName, unsigned benefit, MlirContext context,
                           MlirRewritePatternCallbacks callbacks, void *userData,
                           size_t nGeneratedNames, MlirStringRef *generatedNames) {
  llvm::SmallVector<StringRef> names;
  for (size_t i = 0; i < nGeneratedNames; ++i)
    names.push_back(unwrap(generatedNames[i]));
  const RewritePattern *pattern =
      new CallbackPattern(callbacks, userData, unwrap(rootName),
                          PatternBenefit(static_cast<unsigned short>(benefit)), unwrap(context), names);
  return wrap(pattern);
}

extern "C" MlirRewritePatternSet mlirRewritePatternSetCreate(MlirContext context) {
  return wrap(new RewritePatternSet(unwrap(context)));
}

extern "C" void mlirRewritePatternSetDestroy(MlirRewritePatternSet set) { delete unwrap(set); }

extern "C" void mlirRewritePatternSetAdd(MlirRewritePatternSet set, MlirRewritePattern pattern) {
  // The set owns the pattern from here on. The pattern was made as a non-const object, so that
  // the cast is allowed.
  auto *owned = const_cast<RewritePattern *>(unwrap(pattern));
  unwrap(set)->add(std::unique_ptr<RewritePattern>(owned));
}

//===----------------------------------------------------------------------===//
// PDL
//===----------------------------------------------------------------------===//

/// The value as one of a kind; null if it is of another.
template <typename T>
static T as(MlirPDLValue value) {
  return unwrap(value)->isa<T>() ? unwrap(value)->cast<T>() : T();
}

extern "C" MlirValue mlirPDLValueAsValue(MlirPDLValue value) {
  return wrap(as<Value>(value));
}

extern "C" MlirType mlirPDLValueAsType(MlirPDLValue value) {
  return wrap(as<Type>(value));
}

extern "C" MlirOperation mlirPDLValueAsOperation(MlirPDLValue value) {
  return wrap(as<Operation *>(value));
}

extern "C" MlirAttribute mlirPDLValueAsAttribute(MlirPDLValue value) {
  return wrap(as<Attribute>(value));
}

extern "C" void mlirPDLResultListPushBackValue(MlirPDLResultList results, MlirValue value) {
  unwrap(results)->push_back(unwrap(value));
}

extern "C" void mlirPDLResultListPushBackType(MlirPDLResultList results, MlirType value) {
  unwrap(results)->push_back(unwrap(value));
}

extern "C" void mlirPDLResultListPushBackOperation(MlirPDLResultList results, MlirOperation value) {
  unwrap(results)->push_back(unwrap(value));
}

extern "C" void mlirPDLResultListPushBackAttribute(MlirPDLResultList results, MlirAttribute value) {
  unwrap(results)->push_back(unwrap(value));
}

/// A constraint and a rewrite are called alike.
static auto calling(MlirPDLRewriteFunction function, void *userData) {
  return [function, userData](PatternRewriter &rewriter, PDLResultList &results,
                              ArrayRef<PDLValue> values) -> LogicalResult {
    llvm::SmallVector<MlirPDLValue> wrapped;
    for (const PDLValue &value : values)
      wrapped.push_back(wrap(&value));
    return unwrap(
        function(wrap(&rewriter), wrap(&results), wrapped.size(), wrapped.data(), userData));
  };
}

extern "C" void mlirPDLPatternModuleRegisterRewriteFunction(MlirPDLPatternModule pdlModule,
                                                            MlirStringRef name,
                                                            MlirPDLRewriteFunction function,
                                                            void *userData) {
  unwrap(pdlModule)->registerRewriteFunction(unwrap(name), calling(function, userData));
}

extern "C" void mlirPDLPatternModuleRegisterConstraintFunction(MlirPDLPatternModule pdlModule,
                                                               MlirStringRef name,
                                                               MlirPDLConstraintFunction function,
                                                               void *userData) {
  unwrap(pdlModule)->registerConstraintFunction(unwrap(name), calling(function, userData));
}

#endif // LLVM_VERSION_MAJOR < 22
