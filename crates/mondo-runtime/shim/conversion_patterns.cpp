//===-- conversion_patterns.cpp - Dialect conversion by sets of patterns --===//
//
// Patterns that are callbacks, each with a type converter. As they change the IR while they run, the driver is told of
// what they insert without its rewriter.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "conversion.h"

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <utility>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Placeholders
//===----------------------------------------------------------------------===//

/// The attribute of a placeholder: the name of the operation that was erased.
static constexpr llvm::StringLiteral kErased = "mondo.erased";

void allowPlaceholders(ConversionTarget &target, MLIRContext *context) {
  using Action = ConversionTarget::LegalizationAction;
  const OperationName cast(UnrealizedConversionCastOp::getOperationName(), context);
  const std::optional<Action> others = target.getOpAction(cast);
  if (others == Action::Legal)
    return;
  target.addDynamicallyLegalOp(cast, [others](Operation *op) -> std::optional<bool> {
    if (op->hasAttr(kErased))
      return true;
    return others == Action::Illegal ? std::optional<bool>(false) : std::nullopt;
  });
}

bool eraseOrReplace(ConversionPatternRewriter &rewriter, Operation *op) {
  if (op->getNumResults() == 0) {
    rewriter.eraseOp(op);
    return false;
  }
  rewriter.setInsertionPoint(op);
  OperationState state(op->getLoc(), UnrealizedConversionCastOp::getOperationName());
  state.addTypes(op->getResultTypes());
  state.addAttribute(kErased, StringAttr::get(op->getContext(), op->getName().getStringRef()));
  rewriter.replaceOp(op, rewriter.create(state)->getResults());
  return true;
}

bool removePlaceholders(Operation *top) {
  llvm::SmallVector<Operation *> found;
  top->walk([&](UnrealizedConversionCastOp op) {
    if (op->hasAttr(kErased))
      found.push_back(op);
  });
  bool isUnused = true;
  for (Operation *op : found) {
    if (op->use_empty()) {
      op->erase();
      continue;
    }
    isUnused = false;
    InFlightDiagnostic error = op->emitError()
                               << "a conversion has erased '" << cast<StringAttr>(op->getAttr(kErased)).getValue()
                               << "', whose results are still used";
    for (Operation *user : op->getUsers())
      error.attachNote(user->getLoc()) << "by '" << user->getName() << "'";
  }
  return isUnused;
}

//===----------------------------------------------------------------------===//
// Types and patterns
//===----------------------------------------------------------------------===//

namespace {

/// A type converter, which is made anew where it is to forget what types became. Patterns refer to it.
class CallbackTypes {
public:
  CallbackTypes(MondoTypeConversion convert, void *data) : convert(convert), data(data) { reset(); }

  void reset() {
    types.emplace();
    types->addConversion([this](Type type) -> std::optional<Type> {
      MlirType converted = {};
      // Where the callback has failed, it is asked again the next time.
      if (!convert(data, wrap(type), &converted))
        return std::nullopt;
      return unwrap(converted);
    });
  }

  const TypeConverter &get() const { return *types; }

private:
  MondoTypeConversion convert;
  void *data;
  std::optional<TypeConverter> types;
};

const TypeConverter &unwrapped(const MondoTypeConverter *converter) {
  return reinterpret_cast<const CallbackTypes *>(converter)->get();
}

ConversionPatternRewriter &unwrapped(MlirPatternRewriter rewriter) {
  return *static_cast<ConversionPatternRewriter *>(static_cast<PatternRewriter *>(rewriter.ptr));
}

RewriterBase::Listener &driver(MlirPatternRewriter rewriter) {
  return *static_cast<RewriterBase::Listener *>(unwrapped(rewriter).getListener());
}

/// A pattern that is a callback.
class SetPattern final : public ConversionPattern {
public:
  SetPattern(StringRef root, unsigned benefit, MLIRContext *context, const TypeConverter &types,
             MondoConvertOperation convert, void (*destroy)(void *), void *data)
      : ConversionPattern(types, root, PatternBenefit(benefit), context), convert(convert), destroy(destroy),
        data(data) {}
  ~SetPattern() final { destroy(data); }

  LogicalResult matchAndRewrite(Operation *op, llvm::ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const final {
    llvm::SmallVector<MlirValue> values;
    for (Value value : operands)
      values.push_back(wrap(value));
    return success(convert(data, wrap(op), static_cast<intptr_t>(values.size()), values.data(),
                           MlirPatternRewriter{static_cast<PatternRewriter *>(&rewriter)}));
  }

private:
  MondoConvertOperation convert;
  void (*destroy)(void *);
  void *data;
};

} // namespace

extern "C" MondoTypeConverter *mondoTypeConverterCreate(MondoTypeConversion convert, void *data) {
  return reinterpret_cast<MondoTypeConverter *>(new CallbackTypes(convert, data));
}

extern "C" void mondoTypeConverterDestroy(MondoTypeConverter *converter) {
  delete reinterpret_cast<CallbackTypes *>(converter);
}

extern "C" void mondoTypeConverterForget(MondoTypeConverter *converter) {
  reinterpret_cast<CallbackTypes *>(converter)->reset();
}

extern "C" void mondoRewritePatternSetAddConversion(MlirRewritePatternSet set, MlirStringRef root, unsigned benefit,
                                                    const MondoTypeConverter *converter, MondoConvertOperation convert,
                                                    void (*destroy)(void *data), void *data) {
  auto &patterns = *static_cast<RewritePatternSet *>(set.ptr);
  patterns.add(std::make_unique<SetPattern>(unwrap(root), benefit, patterns.getContext(), unwrapped(converter), convert,
                                            destroy, data));
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {

/// The operations that patterns have made in a conversion of this thread.
class MadeOperations {
public:
  explicit MadeOperations(Operation *top) : outer(current) {
    while (Operation *parent = top->getParentOp())
      top = parent;
    this->top = top;
    current = this;
  }
  ~MadeOperations() { current = outer; }
  MadeOperations(const MadeOperations &) = delete;
  MadeOperations &operator=(const MadeOperations &) = delete;

  bool contains(Operation *op) const { return operations.contains(op); }

  /// Adds an operation to the conversion of its tree.
  static void add(Operation *op) {
    Operation *top = op;
    while (Operation *parent = top->getParentOp())
      top = parent;
    for (MadeOperations *made = current; made; made = made->outer)
      if (made->top == top)
        return static_cast<void>(made->operations.insert(op));
  }

private:
  static thread_local MadeOperations *current;
  MadeOperations *outer;
  Operation *top;
  llvm::SmallPtrSet<Operation *, 16> operations;
};

thread_local MadeOperations *MadeOperations::current = nullptr;

} // namespace

extern "C" bool mondoApplyConversionPatterns(MlirOperation op, MlirFrozenRewritePatternSet patterns,
                                             const MondoConversionOptions *options) {
  Operation *top = unwrap(op);
  MLIRContext *context = top->getContext();
  ConversionTarget target(*context);
  for (intptr_t i = 0; i < options->numRules; ++i) {
    const MondoLegalityRule &rule = options->rules[i];
    const auto action = rule.legality == MondoLegal ? ConversionTarget::LegalizationAction::Legal
                                                    : ConversionTarget::LegalizationAction::Illegal;
    if (rule.isDialect)
      target.setDialectAction({unwrap(rule.name)}, action);
    else
      target.setOpAction(OperationName(unwrap(rule.name), context), action);
  }
  // What a pattern makes may stay, unless there is a rule for it.
  MadeOperations made(top);
  if (target.getOpAction(OperationName(UnrealizedConversionCastOp::getOperationName(), context)))
    allowPlaceholders(target, context);
  target.markUnknownOpDynamicallyLegal([&made](Operation *op) -> std::optional<bool> {
    if (made.contains(op) || op->hasAttr(kErased))
      return true;
    return std::nullopt;
  });
  ConversionConfig config;
#if LLVM_VERSION_MAJOR >= 22
  config.buildMaterializations = options->buildsMaterializations;
  config.foldingMode = static_cast<DialectConversionFoldingMode>(options->foldingMode);
#endif
  const auto &set = *static_cast<const FrozenRewritePatternSet *>(patterns.ptr);
  const LogicalResult done = options->isFull ? applyFullConversion(top, target, set, config)
                                             : applyPartialConversion(top, target, set, config);
  return removePlaceholders(top) && succeeded(done);
}

/// Tells the driver of the blocks and operations in an operation, from the outside in: it takes back in reverse order.
static void insertedIn(RewriterBase::Listener &driver, Operation *op);

static void inserted(RewriterBase::Listener &driver, Operation *op) {
  MadeOperations::add(op);
  driver.notifyOperationInserted(op, {});
  insertedIn(driver, op);
}

static void inserted(RewriterBase::Listener &driver, Block *block) {
  driver.notifyBlockInserted(block, nullptr, {});
  for (Operation &op : *block)
    inserted(driver, &op);
}

static void insertedIn(RewriterBase::Listener &driver, Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      inserted(driver, &block);
}

extern "C" void mondoConversionInserted(MlirPatternRewriter rewriter, MlirOperation op) {
  inserted(driver(rewriter), unwrap(op));
}

extern "C" void mondoConversionBlockInserted(MlirPatternRewriter rewriter, MlirBlock block) {
  inserted(driver(rewriter), unwrap(block));
}

extern "C" void mondoConversionMoveBlock(MlirPatternRewriter rewriter, MlirBlock block, MlirRegion to, MlirBlock before) {
  Region &region = *unwrap(to);
  unwrapped(rewriter).moveBlockBefore(unwrap(block), &region,
                                      before.ptr ? unwrap(before)->getIterator() : region.end());
}

extern "C" void mondoConversionModifies(MlirPatternRewriter rewriter, MlirOperation op) {
  // Where a modification is finalized, the driver asks the target whether the operation is legal. A pattern that changes in
  // place what it has matched has no means to say so.
  unwrapped(rewriter).startOpModification(unwrap(op));
#if LLVM_ENABLE_ABI_BREAKING_CHECKS
  // With assertions, each modification has to be finalized.
  unwrapped(rewriter).finalizeOpModification(unwrap(op));
#endif
}

extern "C" void mondoConversionErases(MlirPatternRewriter rewriter, MlirOperation op) {
  eraseOrReplace(unwrapped(rewriter), unwrap(op));
}

extern "C" bool mondoConversionConvertRegion(MlirPatternRewriter rewriter, MlirRegion region,
                                             const MondoTypeConverter *converter) {
  return succeeded(unwrapped(rewriter).convertRegionTypes(unwrap(region), unwrapped(converter)));
}

extern "C" bool mondoValueDominates(MlirValue raw, MlirOperation rawUser) {
  Value value = unwrap(raw);
  Operation *user = unwrap(rawUser);
  Block *block = value.getParentBlock();
  Region *region = block ? block->getParent() : nullptr;
  if (!region)
    return false;
  Operation *around = region->findAncestorOpInRegion(*user);
  if (!around)
    return false;
  if (around->getBlock() == block) {
    // Also where the order does not matter to MLIR, as two operations must not come before each other.
    Operation *definition = value.getDefiningOp();
    return !definition || (definition != around && definition->isBeforeInBlock(around));
  }
  DominanceInfo dominance;
  return dominance.hasSSADominance(region) && dominance.properlyDominates(block, around->getBlock());
}
