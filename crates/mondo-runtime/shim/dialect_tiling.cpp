//===-- dialect_tiling.cpp - Operations that are tiled --------------------===//
//
// A unit of its own, which only dialects with operations that are tiled link: it needs MLIR's dialects memref and tensor.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace mondo;

namespace {

using Folds = ArrayRef<OpFoldResult>;

/// The entries of a list for the loops of an operand.
SmallVector<OpFoldResult> chosen(ArrayRef<intptr_t> loops, Folds of) {
  return llvm::map_to_vector(loops, [&](intptr_t loop) { return of[loop]; });
}

/// The part of a tensor or memref at these offsets.
Value sliceOf(OpBuilder &builder, Location location, Value value, Folds offsets, Folds sizes) {
  const SmallVector<OpFoldResult> strides(offsets.size(), builder.getIndexAttr(1));
#if LLVM_VERSION_MAJOR >= 21
  if (isa<TensorType>(value.getType()))
    return tensor::ExtractSliceOp::create(builder, location, value, offsets, sizes, strides);
  return memref::SubViewOp::create(builder, location, value, offsets, sizes, strides);
#else
  if (isa<TensorType>(value.getType()))
    return builder.create<tensor::ExtractSliceOp>(location, value, offsets, sizes, strides);
  return builder.create<memref::SubViewOp>(location, value, offsets, sizes, strides);
#endif
}

TilingResult resultOf(Operation *op, ValueRange values, ArrayRef<Operation *> slices) {
#if LLVM_VERSION_MAJOR >= 20
  return TilingResult{{op}, llvm::to_vector(values), llvm::to_vector(slices)};
#else
  (void)slices;
  return TilingResult{{op}, llvm::to_vector(values)};
#endif
}

/// The verifier has checked the ranks of all operands that are sliced.
struct Tiled : public TilingInterface::ExternalModel<Tiled, TilingInterface> {
#if LLVM_VERSION_MAJOR >= 23
  // Those with hints do without them.
  using Defaults = TilingInterface::ExternalModel<Tiled, TilingInterface>;
  using Defaults::generateResultTileValue;
  using Defaults::getTiledImplementation;
#endif
  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    SmallVector<utils::IteratorType> types(countLoops(op), utils::IteratorType::parallel);
    for (intptr_t i = 0; i < declared.numLoops; ++i)
      if (declared.reductions[i])
        types[i] = utils::IteratorType::reduction;
    return types;
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &builder) const {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    const OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
    // A loop that no operand has a dimension for runs once.
    SmallVector<Range> domain(countLoops(op), Range{zero, one, one});
    SmallVector<bool> isKnown(domain.size());
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      const Value value = op->getOperand(i);
      for (auto [dimension, loop] : llvm::enumerate(loopsOf(op, i).value_or(SmallVector<intptr_t>()))) {
        if (isKnown[loop])
          continue;
        isKnown[loop] = true;
        domain[loop].size = isa<TensorType>(value.getType())
                                ? tensor::getMixedSize(builder, op->getLoc(), value, dimension)
                                : memref::getMixedSize(builder, op->getLoc(), value, dimension);
      }
    }
    return domain;
  }

  FailureOr<TilingResult> getTiledImplementation(Operation *op, OpBuilder &builder, Folds offsets,
                                                 Folds sizes) const {
    if (offsets.size() != countLoops(op) || sizes.size() != offsets.size())
      return failure();
    SmallVector<Value> operands;
    SmallVector<Operation *> slices;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Value value = op->getOperand(i);
      if (const auto loops = loopsOf(op, i)) {
        value = sliceOf(builder, op->getLoc(), value, chosen(*loops, offsets), chosen(*loops, sizes));
        slices.push_back(value.getDefiningOp());
      }
      operands.push_back(value);
    }
    const Row destinations = operandRow(op, entryOf(op).interfaces.destinations);
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addAttributes(op->getAttrs());
    for (OpResult result : op->getResults())
      state.addTypes(isa<TensorType>(result.getType())
                         ? operands[destinations.first + result.getResultNumber()].getType()
                         : result.getType());
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = builder.create(state);
    IRMapping mapping;
    for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
      from.cloneInto(&to, mapping);
    return resultOf(made, made->getResults(), slices);
  }

  LogicalResult getResultTilePosition(Operation *op, OpBuilder &, unsigned result, Folds offsets,
                                      Folds sizes, SmallVector<OpFoldResult> &resultOffsets,
                                      SmallVector<OpFoldResult> &resultSizes) const {
    const auto loops = loopsOfResult(op, result);
    if (!loops || offsets.size() != countLoops(op) || sizes.size() != offsets.size())
      return failure();
    resultOffsets = chosen(*loops, offsets);
    resultSizes = chosen(*loops, sizes);
    return success();
  }

  LogicalResult getIterationDomainTileFromResultTile(Operation *op, OpBuilder &builder, unsigned result,
                                                     Folds offsets, Folds sizes,
                                                     SmallVectorImpl<OpFoldResult> &domainOffsets,
                                                     SmallVectorImpl<OpFoldResult> &domainSizes) const {
    const auto loops = loopsOfResult(op, result);
    if (!loops || loops->size() != offsets.size() || sizes.size() != offsets.size())
      return failure();
    for (const Range &range : getIterationDomain(op, builder)) {
      domainOffsets.push_back(range.offset);
      domainSizes.push_back(range.size);
    }
    for (auto [dimension, loop] : llvm::enumerate(*loops)) {
      domainOffsets[loop] = offsets[dimension];
      domainSizes[loop] = sizes[dimension];
    }
    return success();
  }

  FailureOr<TilingResult> generateResultTileValue(Operation *op, OpBuilder &builder, unsigned result,
                                                  Folds offsets, Folds sizes) const {
    SmallVector<OpFoldResult> domainOffsets, domainSizes;
    if (failed(getIterationDomainTileFromResultTile(op, builder, result, offsets, sizes, domainOffsets,
                                                    domainSizes)))
      return failure();
    FailureOr<TilingResult> tiled = getTiledImplementation(op, builder, domainOffsets, domainSizes);
    if (failed(tiled))
      return failure();
    tiled->tiledValues = {tiled->tiledValues[result]};
    return tiled;
  }

private:
  /// The loops of a result are those of its destination.
  static std::optional<SmallVector<intptr_t>> loopsOfResult(Operation *op, unsigned result) {
    const Row destinations = operandRow(op, entryOf(op).interfaces.destinations);
    return result < destinations.count ? loopsOf(op, destinations.first + result) : std::nullopt;
  }
};

} // namespace

extern "C" void mondoSdkAddTiling(MondoSdkInterfaceMap *interfaces, MlirContext context) {
  unwrap(context)->getOrLoadDialect<memref::MemRefDialect>();
  unwrap(context)->getOrLoadDialect<tensor::TensorDialect>();
  reinterpret_cast<mlir::detail::InterfaceMap *>(interfaces)->insertModels<Tiled>();
}
