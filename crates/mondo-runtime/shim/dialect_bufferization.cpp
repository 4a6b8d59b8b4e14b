//===-- dialect_bufferization.cpp - Tensors that become buffers -----------===//
//
// A unit of its own, which only dialects with bufferizable operations link: it needs MLIR's dialect bufferization.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mondo;

namespace {

/// True if the operation reads what an operand refers to: one that says nothing about effects reads all.
bool readsOperand(Operation *op, OpOperand &operand) {
  const MondoSdkInterfaces &declared = entryOf(op).interfaces;
  if (!declared.hasEffects)
    return true;
  return llvm::any_of(ArrayRef(declared.effects, declared.numEffects), [&](const MondoSdkEffect &one) {
    if (one.kind != MondoSdkRead || one.on == MondoSdkResults)
      return false;
    const Row row = operandRow(op, one.group);
    const unsigned at = operand.getOperandNumber();
    return one.on == MondoSdkAllMemory || (at >= row.first && at < row.first + row.count);
  });
}

struct Bufferizable : public DstBufferizableOpInterfaceExternalModel<Bufferizable, BufferizableOpInterface> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand, const AnalysisState &) const {
    return readsOperand(op, operand);
  }

  /// The same operation on buffers. A destination takes the place of its result.
#if LLVM_VERSION_MAJOR >= 21
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &options,
                          BufferizationState &buffers) const {
    const auto bufferOf = [&](Value value) { return getBuffer(rewriter, value, options, buffers); };
#else
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options) const {
    const auto bufferOf = [&](Value value) { return getBuffer(rewriter, value, options); };
#endif
    const auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (llvm::none_of(op->getOperandTypes(), isTensor))
      return success();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
      if (!isTensor(operand.getType())) {
        operands.push_back(operand);
        continue;
      }
      const FailureOr<Value> buffer = bufferOf(operand);
      if (failed(buffer))
        return failure();
      operands.push_back(*buffer);
    }
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(operands);
    state.addAttributes(op->getAttrs());
    state.addSuccessors(op->getSuccessors());
    for (Type type : op->getResultTypes())
      if (!isTensor(type))
        state.addTypes(type);
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *made = rewriter.create(state);
    for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    const Row destinations = operandRow(op, entryOf(op).interfaces.destinations);
    SmallVector<Value> values;
    unsigned next = 0;
    for (OpResult result : op->getResults()) {
      if (isTensor(result.getType()))
        values.push_back(operands[destinations.first + result.getResultNumber()]);
      else
        values.push_back(made->getResult(next++));
    }
    replaceOpWithBufferizedValues(rewriter, op, values);
    return success();
  }
};

} // namespace

extern "C" void mondoSdkAddBufferization(MondoSdkInterfaceMap *interfaces, MlirContext context) {
  unwrap(context)->getOrLoadDialect<BufferizationDialect>();
  reinterpret_cast<mlir::detail::InterfaceMap *>(interfaces)->insertModels<Bufferizable>();
}
