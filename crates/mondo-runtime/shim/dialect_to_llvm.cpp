//===-- dialect_to_llvm.cpp - Dialects that convert-to-llvm lowers --------===//
//
// A unit of its own, which only dialects with such patterns link: it needs MLIR's dialect llvm.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion.h"
#include "dialect.h"

#include "mlir/CAPI/Rewrite.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mondo;

namespace {

class LoweringPattern final : public ConversionPattern {
public:
  LoweringPattern(const TypeConverter &types, const MondoSdkLoweringPattern &entry,
                  const MondoSdkCallbacks &callbacks, MLIRContext *context)
      : ConversionPattern(types, unwrap(entry.root), PatternBenefit(entry.benefit), context),
        entry(entry), callbacks(callbacks) {}

  LogicalResult matchAndRewrite(Operation *op, ConvertedOperands operands,
                                ConversionPatternRewriter &rewriter) const final {
    // The pass would leave placeholders.
    return callPattern(operands, {*getTypeConverter(), rewriter, nullptr}, [&](auto... arguments) {
      return callbacks.lower(entry.definition, wrap(op), arguments...);
    });
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
