//===-- dialect_control_flow.cpp - Interfaces of branches and loops -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mondo;

namespace {

struct Branch : public BranchOpInterface::ExternalModel<Branch, BranchOpInterface> {
  SuccessorOperands getSuccessorOperands(Operation *op, unsigned index) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    const intptr_t group = index < declared.numBranches ? declared.branches[index] : -1;
    return SuccessorOperands(mutableOperandsOf(op, group));
  }
  std::optional<BlockArgument> getSuccessorBlockArgument(Operation *op, unsigned operand) const {
    for (unsigned i = 0, end = op->getNumSuccessors(); i < end; ++i)
      if (auto argument = mlir::detail::getBranchSuccessorArgument(getSuccessorOperands(op, i), operand,
                                                             op->getSuccessor(i)))
        return argument;
    return std::nullopt;
  }
};

/// The place of an edge that a region is; -1 if it is the operation.
intptr_t placeOf(Region *region) {
  return region ? static_cast<intptr_t>(region->getRegionNumber()) : -1;
}

/// The region at the end of an edge; null for the operation, and for a region that was left out, which is passed by.
Region *targetOf(Operation *op, intptr_t to) {
  const bool isThere = to >= 0 && to < op->getNumRegions() && !op->getRegion(to).empty();
  return isThere ? &op->getRegion(to) : nullptr;
}

/// The arguments of a region that an edge hands values to.
Block::BlockArgListType inputsOf(Region &region, const MondoSdkEdge &edge) {
  return region.getArguments().drop_front(
      std::min<size_t>(edge.skipped, region.getNumArguments()));
}

/// The results that an edge hands values to.
Operation::result_range resultsOf(Operation *op, const MondoSdkEdge &edge) {
  const size_t skipped = edge.to < 0 ? std::min<size_t>(edge.skipped, op->getNumResults()) : 0;
  return op->getResults().drop_front(skipped);
}

/// The successor at the end of an edge. LLVM 23 asks for its inputs apart.
RegionSuccessor successorOf(Operation *op, const MondoSdkEdge &edge) {
  Region *region = targetOf(op, edge.to);
#if LLVM_VERSION_MAJOR >= 23
  return region ? RegionSuccessor(region) : RegionSuccessor(op);
#elif LLVM_VERSION_MAJOR >= 22
  return region ? RegionSuccessor(region, inputsOf(*region, edge))
                : RegionSuccessor(op, resultsOf(op, edge));
#else
  return region ? RegionSuccessor(region, inputsOf(*region, edge))
                : RegionSuccessor(resultsOf(op, edge));
#endif
}

#if LLVM_VERSION_MAJOR >= 22
using EntryPoint = RegionSuccessor;
intptr_t placeOf(RegionBranchPoint point) {
  Operation *end = point.getTerminatorPredecessorOrNull();
  return placeOf(end ? end->getParentRegion() : nullptr);
}
intptr_t placeOf(RegionSuccessor successor) { return placeOf(successor.getSuccessor()); }
#else
using EntryPoint = RegionBranchPoint;
intptr_t placeOf(RegionBranchPoint point) { return placeOf(point.getRegionOrNull()); }
#endif

struct RegionBranch : public RegionBranchOpInterface::ExternalModel<RegionBranch, RegionBranchOpInterface> {
  OperandRange getEntrySuccessorOperands(Operation *op, EntryPoint to) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    for (const MondoSdkEdge &edge : ArrayRef(declared.edges, declared.numEdges))
      if (edge.from < 0 && edge.to == placeOf(to) && edge.operands >= 0)
        return operandsOf(op, edge.operands);
    return OperandRange(op->operand_end(), op->operand_end());
  }
#if LLVM_VERSION_MAJOR >= 23
  using Defaults = RegionBranchOpInterface::ExternalModel<RegionBranch, RegionBranchOpInterface>;
  using Defaults::getSuccessorRegions;
  ValueRange getSuccessorInputs(Operation *op, RegionSuccessor to) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    for (const MondoSdkEdge &edge : ArrayRef(declared.edges, declared.numEdges))
      if (edge.to == placeOf(to))
        return to.getSuccessor() ? ValueRange(inputsOf(*to.getSuccessor(), edge))
                                 : ValueRange(resultsOf(op, edge));
    return to.getSuccessor() ? ValueRange() : ValueRange(op->getResults());
  }
#endif
  void getSuccessorRegions(Operation *op, RegionBranchPoint from,
                           SmallVectorImpl<RegionSuccessor> &successors) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    for (const MondoSdkEdge &edge : ArrayRef(declared.edges, declared.numEdges))
      if (edge.from == placeOf(from))
        successors.push_back(successorOf(op, edge));
  }
};

struct RegionTerminator
    : public RegionBranchTerminatorOpInterface::ExternalModel<RegionTerminator,
                                                              RegionBranchTerminatorOpInterface> {
  MutableOperandRange getMutableSuccessorOperands(Operation *op, EntryPoint) const {
    const MondoSdkOp &entry = entryOf(op);
    if (entry.interfaces.forwards)
      return mutableOperandsOf(op, entry.interfaces.forwarded);
    return MutableOperandRange(op);
  }
};

struct Loop : public LoopLikeOpInterface::ExternalModel<Loop, LoopLikeOpInterface> {
  static Block *bodyOf(Operation *op) {
    return op->getNumRegions() == 0 || op->getRegion(0).empty() ? nullptr
                                                               : &op->getRegion(0).front();
  }
  SmallVector<Region *> getLoopRegions(Operation *op) const { return {&op->getRegion(0)}; }
  std::optional<SmallVector<Value>> getLoopInductionVars(Operation *op) const {
    Block *body = bodyOf(op);
    const size_t count = entryOf(op).interfaces.inductionVariables;
    if (!body || count == 0 || body->getNumArguments() < count)
      return std::nullopt;
    return llvm::to_vector_of<Value>(body->getArguments().take_front(count));
  }
  MutableArrayRef<OpOperand> getInitsMutable(Operation *op) const {
    const Row row = operandRow(op, entryOf(op).interfaces.inits);
    return op->getOpOperands().slice(row.first, row.count);
  }
  Block::BlockArgListType getRegionIterArgs(Operation *op) const {
    Block *body = bodyOf(op);
    const size_t count = entryOf(op).interfaces.inductionVariables;
    if (!body || entryOf(op).interfaces.inits < 0 || body->getNumArguments() < count)
      return {};
    return body->getArguments().drop_front(count);
  }
  std::optional<MutableArrayRef<OpOperand>> getYieldedValuesMutable(Operation *op) const {
    Block *body = bodyOf(op);
    if (!body || entryOf(op).interfaces.inits < 0 || !body->mightHaveTerminator())
      return std::nullopt;
    return body->getTerminator()->getOpOperands();
  }
  std::optional<ResultRange> getLoopResults(Operation *op) const {
    if (entryOf(op).interfaces.inits < 0)
      return std::nullopt;
    return op->getResults();
  }
};

} // namespace

void mondo::addControlFlow(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op) {
  if (op.interfaces.numBranches > 0)
    interfaces.insertModels<Branch>();
  if (op.interfaces.numEdges > 0)
    interfaces.insertModels<RegionBranch>();
  if (op.interfaces.forwards || has(op, MondoSdkTraitReturnLike))
    interfaces.insertModels<RegionTerminator>();
  if (op.interfaces.loops)
    interfaces.insertModels<Loop>();
}

LogicalResult mondo::verifyInterfaces(Operation *op, const MondoSdkOp &entry) {
  for (unsigned i = 0; i < entry.interfaces.numBranches && i < op->getNumSuccessors(); ++i)
    if (failed(mlir::detail::verifyBranchSuccessorOperands(
            op, i, SuccessorOperands(mutableOperandsOf(op, entry.interfaces.branches[i])))))
      return failure();
  return verifyFunction(op, entry);
}

LogicalResult mondo::verifyRegionInterfaces(Operation *op, const MondoSdkOp &entry) {
  if (entry.interfaces.numEdges > 0) {
#if LLVM_VERSION_MAJOR >= 22
    const LogicalResult valid = mlir::detail::verifyRegionBranchOpInterface(op);
#else
    const LogicalResult valid = mlir::detail::verifyTypesAlongControlFlowEdges(op);
#endif
    if (failed(valid))
      return failure();
  }
  if (entry.interfaces.loops && failed(mlir::detail::verifyLoopLikeOpInterface(op)))
    return failure();
  return verifyStorage(op, entry);
}
