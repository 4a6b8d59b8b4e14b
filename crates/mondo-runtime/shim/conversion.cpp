//===-- conversion.cpp - Dialect conversion for closures ------------------===//
//
// MLIR's driver of dialect conversion, whose rules, type conversions and patterns are callbacks. A pattern's callback
// has decided on all of its changes before it makes the first one; if it fails afterwards, the driver takes them back.
//
// An operation with results that a pattern erases is replaced by a placeholder, since MLIR leaves uses of freed memory
// where something still uses such a result in the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion.h"

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <utility>

using namespace mlir;

namespace {

using ValueGroups = llvm::SmallVector<llvm::SmallVector<Value>>;

struct Session {
  const MondoConversion &conversion;
  TypeConverter types;
  /// True if a pattern has erased an operation with results.
  bool hasPlaceholders = false;
};

ActivePattern &unwrapped(MondoConversionRewriter *rewriter) { return *reinterpret_cast<ActivePattern *>(rewriter); }

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Value materialize(const MondoConversion &conversion, bool toSource, OpBuilder &builder, Type type, ValueRange inputs,
                  Location location) {
  llvm::SmallVector<MlirValue> values;
  for (Value input : inputs)
    values.push_back(wrap(input));
  MlirOperation made = {};
  const MlirValue value = conversion.materialize(conversion.data, toSource, wrap(type), values.size(), values.data(),
                                                 wrap(location), &made);
  if (made.ptr)
    builder.insert(unwrap(made));
  return unwrap(value);
}

void addConversions(Session &session) {
  const MondoConversion &conversion = session.conversion;
  TypeConverter &types = session.types;
  types.addConversion([&](Type type, llvm::SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
    llvm::SmallVector<Type> converted;
    if (!conversion.convertType(conversion.data, wrap(type), reinterpret_cast<MondoConversionTypes *>(&converted)))
      return failure();
    results.append(converted.begin(), converted.end());
    return success();
  });
  if (!conversion.materializes)
    return;
  const auto toSource = [&](OpBuilder &builder, Type type, ValueRange inputs, Location location) -> Value {
    return materialize(conversion, true, builder, type, inputs, location);
  };
  const auto toTarget = [&](OpBuilder &builder, Type type, ValueRange inputs, Location location) -> Value {
    return materialize(conversion, false, builder, type, inputs, location);
  };
  types.addSourceMaterialization(toSource);
#if LLVM_VERSION_MAJOR < 21
  types.addArgumentMaterialization(toSource);
#endif
  types.addTargetMaterialization(toTarget);
}

/// The attribute with the types in it converted. Null if that is not possible.
Attribute convertAttribute(const TypeConverter &types, Attribute attribute) {
  const auto type = dyn_cast<TypeAttr>(attribute);
  if (!type)
    return attribute;
  const auto function = dyn_cast<FunctionType>(type.getValue());
  if (!function) {
    const Type converted = types.convertType(type.getValue());
    return converted ? Attribute(TypeAttr::get(converted)) : Attribute();
  }
  llvm::SmallVector<Type> inputs, results;
  if (failed(types.convertTypes(function.getInputs(), inputs)) ||
      failed(types.convertTypes(function.getResults(), results)))
    return {};
  return TypeAttr::get(FunctionType::get(function.getContext(), inputs, results));
}

/// True if all types of the operation are as they should be: of its values, of its blocks' arguments, and in its attributes.
bool hasConvertedTypes(const TypeConverter &types, Operation *op) {
  const auto isConverted = [&](NamedAttribute one) {
    return convertAttribute(types, one.getValue()) == one.getValue();
  };
  const auto isLegal = [&](Region &region) { return types.isLegal(&region); };
  return types.isLegal(op) && llvm::all_of(op->getRegions(), isLegal) &&
         llvm::all_of(op->getAttrDictionary().getValue(), isConverted);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void replaceOp(ConversionPatternRewriter &rewriter, Operation *op, ValueGroups values) {
#if LLVM_VERSION_MAJOR >= 21
  rewriter.replaceOpWithMultiple(op, std::move(values));
#elif LLVM_VERSION_MAJOR >= 20
  const llvm::SmallVector<ValueRange> ranges(values.begin(), values.end());
  rewriter.replaceOpWithMultiple(op, ranges);
#else
  llvm::SmallVector<Value> single;
  for (const llvm::SmallVector<Value> &one : values)
    single.push_back(one.front());
  rewriter.replaceOp(op, single);
#endif
}

class ClosurePattern final : public ConversionPattern {
public:
  ClosurePattern(Session &session, intptr_t index, MLIRContext *context)
      : ConversionPattern(session.types, unwrap(session.conversion.patterns[index].root),
                          PatternBenefit(session.conversion.patterns[index].benefit), context),
        session(session), index(index) {}

  LogicalResult matchAndRewrite(Operation *op, ConvertedOperands operands,
                                ConversionPatternRewriter &rewriter) const final {
    const MondoConversion &conversion = session.conversion;
    return callPattern(operands, {session.types, rewriter, &session.hasPlaceholders}, [&](auto... arguments) {
      return conversion.rewrite(conversion.data, index, wrap(op), arguments...);
    });
  }

private:
  Session &session;
  intptr_t index;
};

/// Gives an operation the converted types, and changes nothing else.
class RetypePattern final : public ConversionPattern {
public:
  RetypePattern(const TypeConverter &types, StringRef root, MLIRContext *context)
      : ConversionPattern(types, root, 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ConvertedOperands operands,
                                ConversionPatternRewriter &rewriter) const final {
    llvm::SmallVector<Value> values;
    bool isOneToOne = true;
    for (const ValueRange one : operands) {
      isOneToOne &= one.size() == 1;
      values.append(one.begin(), one.end());
    }
    // The attributes count operands, and only the operation knows which.
    if (!isOneToOne && op->getAttrDictionary().get("operandSegmentSizes"))
      return failure();
    llvm::SmallVector<NamedAttribute> attributes;
    for (NamedAttribute one : op->getAttrDictionary()) {
      const Attribute converted = convertAttribute(*getTypeConverter(), one.getValue());
      if (!converted)
        return failure();
      attributes.emplace_back(one.getName(), converted);
    }
    if (op->getNumResults() == 0)
      return inPlace(op, values, attributes, rewriter);
    return anew(op, values, attributes, rewriter);
  }

private:
  LogicalResult inPlace(Operation *op, ValueRange operands, ArrayRef<NamedAttribute> attributes,
                        ConversionPatternRewriter &rewriter) const {
    for (Region &region : op->getRegions())
      if (failed(rewriter.convertRegionTypes(&region, *getTypeConverter())))
        return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      for (NamedAttribute one : attributes)
        if (op->getAttr(one.getName()) != one.getValue())
          op->setAttr(one.getName(), one.getValue());
    });
    return success();
  }

  LogicalResult anew(Operation *op, ValueRange operands, ArrayRef<NamedAttribute> attributes,
                     ConversionPatternRewriter &rewriter) const {
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addAttributes(attributes);
    state.addSuccessors(op->getSuccessors());
    llvm::SmallVector<size_t> counts;
    for (Type type : op->getResultTypes()) {
      const size_t before = state.types.size();
      if (failed(getTypeConverter()->convertType(type, state.types)))
        return failure();
      counts.push_back(state.types.size() - before);
    }
    if (state.types.size() != op->getNumResults() && op->getAttrDictionary().get("resultSegmentSizes"))
      return failure();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = rewriter.create(state);
    for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
      rewriter.inlineRegionBefore(from, to, to.end());
      if (failed(rewriter.convertRegionTypes(&to, *getTypeConverter())))
        return failure();
    }
    ValueGroups values;
    size_t next = 0;
    for (const size_t count : counts) {
      values.emplace_back(made->result_begin() + next, made->result_begin() + next + count);
      next += count;
    }
    replaceOp(rewriter, op, std::move(values));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

void addRules(Session &session, ConversionTarget &target) {
  const MondoConversion &conversion = session.conversion;
  MLIRContext *context = unwrap(conversion.context);
  for (intptr_t i = 0; i < conversion.numRules; ++i) {
    const MondoLegalityRule &rule = conversion.rules[i];
    const StringRef name = unwrap(rule.name);
    const auto asked = [&conversion, i](Operation *op) -> std::optional<bool> {
      return conversion.isLegal(conversion.data, i, wrap(op));
    };
    if (rule.isDialect) {
      if (rule.legality == MondoDynamic)
        target.addDynamicallyLegalDialect(asked, name);
      else if (rule.legality == MondoLegal)
        target.addLegalDialect(name);
      else
        target.addIllegalDialect(name);
      continue;
    }
    const OperationName op(name, context);
    switch (rule.legality) {
    case MondoLegal:
      target.setOpAction(op, ConversionTarget::LegalizationAction::Legal);
      break;
    case MondoIllegal:
      target.setOpAction(op, ConversionTarget::LegalizationAction::Illegal);
      break;
    case MondoDynamic:
      target.addDynamicallyLegalOp(op, asked);
      break;
    case MondoConvertedTypes:
      target.addDynamicallyLegalOp(op, [&session](Operation *op) -> std::optional<bool> {
        return hasConvertedTypes(session.types, op);
      });
      break;
    }
    if (rule.isRecursive)
      target.markOpRecursivelyLegal(op, {});
  }
  allowPlaceholders(target, context);
}

} // namespace

//===----------------------------------------------------------------------===//
// mondo.h
//===----------------------------------------------------------------------===//

extern "C" bool mondoApplyConversion(MlirOperation op, const MondoConversion *conversion) {
  Operation *top = unwrap(op);
  MLIRContext *context = top->getContext();
  Session session{*conversion, {}, false};
  addConversions(session);
  ConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  addRules(session, target);
  RewritePatternSet patterns(context);
  for (intptr_t i = 0; i < conversion->numPatterns; ++i) {
    const MondoConversionPattern &pattern = conversion->patterns[i];
    if (pattern.retypes)
      patterns.add(std::make_unique<RetypePattern>(session.types, unwrap(pattern.root), context));
    else
      patterns.add(std::make_unique<ClosurePattern>(session, i, context));
  }
  const FrozenRewritePatternSet frozen(std::move(patterns));
  ConversionConfig config;
#if LLVM_VERSION_MAJOR >= 20
  config.buildMaterializations = !conversion->keepsCasts;
#endif
  const LogicalResult done = conversion->isFull ? applyFullConversion(top, target, frozen, config)
                                                : applyPartialConversion(top, target, frozen, config);
  return (!session.hasPlaceholders || removePlaceholders(top)) && succeeded(done);
}

extern "C" void mondoConversionTypesPush(MondoConversionTypes *types, MlirType type) {
  reinterpret_cast<llvm::SmallVector<Type> *>(types)->push_back(unwrap(type));
}

extern "C" bool mondoConversionConvertType(MondoConversionRewriter *rewriter, MlirType type,
                                           MondoConversionTypeCallback callback, void *data) {
  llvm::SmallVector<Type> results;
  if (failed(unwrapped(rewriter).types.convertType(unwrap(type), results)))
    return false;
  for (Type one : results)
    callback(wrap(one), data);
  return true;
}

extern "C" MlirRewriterBase mondoConversionRewriterAsBase(MondoConversionRewriter *rewriter) {
  return MlirRewriterBase{static_cast<RewriterBase *>(&unwrapped(rewriter).rewriter)};
}

extern "C" bool mondoConversionMoveRegion(MondoConversionRewriter *rewriter, MlirRegion from, MlirRegion to) {
  const ActivePattern &active = unwrapped(rewriter);
  Region &target = *unwrap(to);
  active.rewriter.inlineRegionBefore(*unwrap(from), target, target.end());
  return succeeded(active.rewriter.convertRegionTypes(&target, active.types));
}

extern "C" void mondoConversionReplace(MondoConversionRewriter *rewriter, MlirOperation op, const intptr_t *counts,
                                       const MlirValue *values) {
  ValueGroups all;
  for (unsigned i = 0; i < unwrap(op)->getNumResults(); ++i) {
    llvm::SmallVector<Value> &one = all.emplace_back();
    for (intptr_t j = 0; j < counts[i]; ++j)
      one.push_back(unwrap(*values++));
  }
  replaceOp(unwrapped(rewriter).rewriter, unwrap(op), std::move(all));
}

extern "C" bool mondoConversionErase(MondoConversionRewriter *rewriter, MlirOperation op) {
  const ActivePattern &active = unwrapped(rewriter);
  if (!active.hasPlaceholders && unwrap(op)->getNumResults() > 0)
    return false;
  if (eraseOrReplace(active.rewriter, unwrap(op)))
    *active.hasPlaceholders = true;
  return true;
}
