//===-- dialect_storage.cpp - Interfaces of views and destinations --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mondo;

namespace {

struct View : public ViewLikeOpInterface::ExternalModel<View, ViewLikeOpInterface> {
  /// The definition has exactly one operand in the group, and a result.
  Value getViewSource(Operation *op) const {
    const OperandRange viewed = operandsOf(op, entryOf(op).interfaces.viewed);
    return viewed.empty() ? Value() : viewed.front();
  }
  /// Passes ask since LLVM 22.
  Value getViewDest(Operation *op) const { return op->getResult(0); }
};

struct Destinations
    : public DestinationStyleOpInterface::ExternalModel<Destinations, DestinationStyleOpInterface> {
  MutableOperandRange getDpsInitsMutable(Operation *op) const {
    return mutableOperandsOf(op, entryOf(op).interfaces.destinations);
  }
};

} // namespace

void mondo::addStorage(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op) {
  if (op.interfaces.viewed >= 0)
    interfaces.insertModels<View>();
  if (op.interfaces.destinations >= 0)
    interfaces.insertModels<Destinations>();
}

/// The rank of a tensor or memref, if it has one.
static std::optional<int64_t> rankOf(Value value) {
  const auto shaped = dyn_cast<ShapedType>(value.getType());
  if (!shaped || !shaped.hasRank() || !isa<TensorType, MemRefType>(value.getType()))
    return std::nullopt;
  return shaped.getRank();
}

unsigned mondo::countLoops(Operation *op) {
  const MondoSdkInterfaces &declared = entryOf(op).interfaces;
  if (declared.numIndexings > 0)
    return declared.numLoops;
  const OperandRange destinations = operandsOf(op, declared.destinations);
  return destinations.empty() ? 0 : rankOf(destinations.front()).value_or(0);
}

std::optional<SmallVector<intptr_t>> mondo::loopsOf(Operation *op, unsigned operand) {
  const MondoSdkInterfaces &declared = entryOf(op).interfaces;
  if (declared.numIndexings == 0) {
    if (!rankOf(op->getOperand(operand)))
      return std::nullopt;
    return llvm::to_vector(llvm::seq<intptr_t>(0, countLoops(op)));
  }
  for (const MondoSdkIndexing &one : ArrayRef(declared.indexings, declared.numIndexings)) {
    const Row row = operandRow(op, one.group);
    if (operand >= row.first && operand < row.first + row.count)
      return llvm::to_vector(ArrayRef(one.loops, one.rank));
  }
  return std::nullopt;
}

/// Each operand that is sliced has a dimension for each of its loops.
static LogicalResult verifyTiling(Operation *op) {
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    const auto loops = loopsOf(op, i);
    if (loops && rankOf(op->getOperand(i)) != static_cast<int64_t>(loops->size()))
      return op->emitOpError() << "needs a tensor or memref of rank " << loops->size()
                               << " in operand #" << i << ", but got '"
                               << op->getOperand(i).getType() << "'";
  }
  return success();
}

LogicalResult mondo::verifyStorage(Operation *op, const MondoSdkOp &entry) {
  if (entry.interfaces.destinations < 0)
    return success();
  // MLIR's verifier takes the result of an operand's own index for granted.
  const Row row = operandRow(op, entry.interfaces.destinations);
  for (unsigned i = op->getNumResults(); i < row.count; ++i)
    if (isa<TensorType>(op->getOperand(row.first + i).getType()))
      return op->emitOpError() << "has no result for the tensor in operand #" << row.first + i;
  if (failed(mlir::detail::verifyDestinationStyleOpInterface(op)))
    return failure();
  return entry.interfaces.addTiling ? verifyTiling(op) : success();
}
