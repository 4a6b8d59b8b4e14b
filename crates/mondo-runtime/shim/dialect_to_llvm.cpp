//===-- dialect_to_llvm.cpp - Dialects that convert-to-llvm lowers --------===//
//
// A unit of its own, which only dialects with such patterns link: it needs MLIR's dialect llvm.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/CAPI/Rewrite.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mondo;

namespace {

/// What a callback `lower` gets.
struct Lowering {
  const TypeConverter &types;
  ConversionPatternRewriter &rewriter;
};

Lowering &unwrapped(MondoSdkLowering *lowering) { return *reinterpret_cast<Lowering *>(lowering); }

#if LLVM_VERSION_MAJOR >= 20
using ConvertedOperands = ArrayRef<ValueRange>;
#else
using ConvertedOperands = ArrayRef<Value>;
#endif

class LoweringPattern final : public ConversionPattern {
public:
  LoweringPattern(const TypeConverter &types, const MondoSdkLoweringPattern &entry,
                  const MondoSdkCallbacks &callbacks, MLIRContext *context)
      : ConversionPattern(types, unwrap(entry.root), PatternBenefit(entry.benefit), context),
        entry(entry), callbacks(callbacks) {}

  LogicalResult matchAndRewrite(Operation *op, ConvertedOperands operands,
                                ConversionPatternRewriter &rewriter) const final {
    SmallVector<MlirValue> values;
    SmallVector<intptr_t> counts;
    for (const ValueRange one : operands) {
      counts.push_back(static_cast<intptr_t>(one.size()));
      for (Value value : one)
        values.push_back(wrap(value));
    }
    Lowering lowering{*getTypeConverter(), rewriter};
    return success(callbacks.lower(entry.definition, wrap(op), counts.size(), counts.data(),
                                   values.data(), toOpaque<MondoSdkLowering>(&lowering)));
  }

private:
  const MondoSdkLoweringPattern &entry;
  const MondoSdkCallbacks &callbacks;
};

class ToLlvm final : public ConvertToLLVMPatternInterface {
public:
  ToLlvm(Dialect *dialect, const MondoSdkDialect &table)
      : ConvertToLLVMPatternInterface(dialect), table(table) {}

  void populateConvertToLLVMConversionPatterns(ConversionTarget &target, LLVMTypeConverter &types,
                                               RewritePatternSet &patterns) const final {
    const MondoSdkToLlvm &toLlvm = table.toLlvm;
    if (toLlvm.convertsTypes)
      types.addConversion([&table = table](Type type) -> std::optional<Type> {
        MlirType lowered = {nullptr};
        switch (table.callbacks->lowerType(table.toLlvm.definition, wrap(type), &lowered)) {
        case MondoSdkTypeUnknown:
          return std::nullopt;
        case MondoSdkTypeLowered:
          return unwrap(lowered);
        case MondoSdkTypeFailed:
          break;
        }
        return Type();
      });
    for (const MondoSdkLoweringPattern &entry : ArrayRef(toLlvm.patterns, toLlvm.numPatterns)) {
      patterns.add(std::make_unique<LoweringPattern>(types, entry, *table.callbacks, getContext()));
      // Else the pass would leave what no pattern matches, without a word.
      target.setOpAction(OperationName(unwrap(entry.root), getContext()),
                         ConversionTarget::LegalizationAction::Illegal);
    }
  }

private:
  const MondoSdkDialect &table;
};

} // namespace

//===----------------------------------------------------------------------===//
// dialect_sdk.h
//===----------------------------------------------------------------------===//

extern "C" void mondoSdkAddToLlvm(void *dialect, const MondoSdkDialect *table) {
  auto *into = static_cast<Dialect *>(dialect);
  into->addInterface(std::make_unique<ToLlvm>(into, *table));
}

extern "C" bool mondoSdkLoweringConvertType(MondoSdkLowering *lowering, MlirType type,
                                            void (*callback)(MlirType, void *), void *data) {
  SmallVector<Type> results;
  if (failed(unwrapped(lowering).types.convertType(unwrap(type), results)))
    return false;
  for (Type one : results)
    callback(wrap(one), data);
  return true;
}

extern "C" MlirRewriterBase mondoSdkLoweringAsBase(MondoSdkLowering *lowering) {
  return MlirRewriterBase{static_cast<RewriterBase *>(&unwrapped(lowering).rewriter)};
}

extern "C" bool mondoSdkLoweringMoveRegion(MondoSdkLowering *lowering, MlirRegion from,
                                           MlirRegion to) {
  auto &[types, rewriter] = unwrapped(lowering);
  Region &target = *unwrap(to);
  rewriter.inlineRegionBefore(*unwrap(from), target, target.end());
  return succeeded(rewriter.convertRegionTypes(&target, types));
}

extern "C" void mondoSdkLoweringReplace(MondoSdkLowering *lowering, MlirOperation raw,
                                        const intptr_t *counts, const MlirValue *values) {
  ConversionPatternRewriter &rewriter = unwrapped(lowering).rewriter;
  Operation *op = unwrap(raw);
  SmallVector<SmallVector<Value>> groups;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    SmallVector<Value> &group = groups.emplace_back();
    for (intptr_t j = 0; j < counts[i]; ++j)
      group.push_back(unwrap(*values++));
  }
#if LLVM_VERSION_MAJOR >= 21
  rewriter.replaceOpWithMultiple(op, std::move(groups));
#elif LLVM_VERSION_MAJOR >= 20
  const SmallVector<ValueRange> ranges(groups.begin(), groups.end());
  rewriter.replaceOpWithMultiple(op, ranges);
#else
  SmallVector<Value> single;
  for (const SmallVector<Value> &group : groups)
    single.push_back(group.front());
  rewriter.replaceOp(op, single);
#endif
}
