//===-- ConvertToArith.cpp - The pass convert-fxp-to-arith ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "fxp/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace fxp;

namespace fxp {
#define GEN_PASS_DEF_CONVERTFXPTOARITH
#include "fxp/Passes.h.inc"
} // namespace fxp

namespace {

IntegerType rawType(NumType type) {
  return IntegerType::get(type.getContext(), type.getWidth());
}

/// Puts integers in the place of numbers, however deep in a type or attribute:
/// `memref<4x!fxp.num<…>>`, the type of a function, the value of a constant.
void addReplacements(AttrTypeReplacer &replacer) {
  replacer.addReplacement([](NumType type) -> std::optional<Type> { return rawType(type); });
  replacer.addReplacement([](ValueAttr attr) -> std::optional<Attribute> {
    IntegerType element = rawType(attr.getNumType());
    Attribute raw = IntegerAttr::get(element, attr.getRaw());
    if (auto shaped = dyn_cast<ShapedType>(attr.getType()))
      return DenseElementsAttr::get(cast<ShapedType>(shaped.clone(element)), raw);
    return raw;
  });
}

bool isLegal(Operation *op, const TypeConverter &converter, AttrTypeReplacer &replacer) {
  if (isa_and_present<FxpDialect>(op->getDialect()) || !converter.isLegal(op))
    return false;
  for (Region &region : op->getRegions())
    if (!converter.isLegal(&region))
      return false;
  return replacer.replace(op->getAttrDictionary()) == op->getAttrDictionary();
}

/// Any operation of another dialect, with integers where it has numbers: what
/// it does to them it does to any element, or it is not ours to convert.
class ConvertTypes : public ConversionPattern {
public:
  ConvertTypes(const TypeConverter &converter, AttrTypeReplacer &replacer, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1, context),
        replacer(replacer) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const final {
    if (isa_and_present<FxpDialect>(op->getDialect()))
      return failure();
    Operation *converted = op->cloneWithoutRegions();
    converted->setOperands(operands);
    for (OpResult result : converted->getResults())
      result.setType(getTypeConverter()->convertType(result.getType()));
    replacer.replaceElementsIn(converted, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                               /*replaceTypes=*/false);
    rewriter.insert(converted);
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), converted->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      if (failed(rewriter.convertRegionTypes(&to, *getTypeConverter())))
        return failure();
    }
    rewriter.replaceOp(op, converted->getResults());
    return success();
  }

private:
  AttrTypeReplacer &replacer;
};

struct ConvertFxpToArith : ::fxp::impl::ConvertFxpToArithBase<ConvertFxpToArith> {
  void runOnOperation() final {
    AttrTypeReplacer replacer;
    addReplacements(replacer);
    TypeConverter converter;
    converter.addConversion([&](Type type) { return replacer.replace(type); });

    RewritePatternSet patterns(&getContext());
    populateIntegerPatterns(converter, patterns);
    populateFloatPatterns(converter, patterns);
    patterns.add<ConvertTypes>(converter, replacer, &getContext());

    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return isLegal(op, converter, replacer); });
    // The module's own statement about numbers is not a signature that anything
    // depends on; the root of a conversion stays.
    target.addDynamicallyLegalOp<ModuleOp>([&](ModuleOp module) {
      return module == getOperation() || isLegal(module, converter, replacer);
    });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
