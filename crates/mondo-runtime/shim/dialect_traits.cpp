//===-- dialect_traits.cpp - Traits of operations in tables ---------------===//
//
// A trait of MLIR is a template over the class of its operation, and passes ask for it by the TypeID of the
// template. Operations of a table have no class, so their traits are lists of these TypeIDs, and the checks that the
// template adds to an operation are called here.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mondo;

namespace {

/// Calls `add` with the TypeID of each trait that follows from how many values a group list has.
template <template <typename> class Zero, template <typename> class One>
void addCounted(const MondoSdkGroups &groups, SmallVectorImpl<TypeID> &ids) {
  if (groups.count == 0)
    ids.push_back(TypeID::get<Zero>());
  if (groups.count == 1 && groups.groups[0].count == MondoSdkOne)
    ids.push_back(TypeID::get<One>());
}

void addTrait(MondoSdkTrait trait, SmallVectorImpl<TypeID> &ids) {
  switch (trait) {
  case MondoSdkTraitTerminator:
    return ids.push_back(TypeID::get<OpTrait::IsTerminator>());
  case MondoSdkTraitIsolatedFromAbove:
    return ids.push_back(TypeID::get<OpTrait::IsIsolatedFromAbove>());
  case MondoSdkTraitSingleBlock:
    return ids.push_back(TypeID::get<OpTrait::SingleBlock>());
  case MondoSdkTraitNoTerminator:
    return ids.push_back(TypeID::get<OpTrait::NoTerminator>());
  case MondoSdkTraitNoRegionArguments:
    return ids.push_back(TypeID::get<OpTrait::NoRegionArguments>());
  case MondoSdkTraitSymbolTable:
    return ids.push_back(TypeID::get<OpTrait::SymbolTable>());
  case MondoSdkTraitCommutative:
    return ids.push_back(TypeID::get<OpTrait::IsCommutative>());
  case MondoSdkTraitIdempotent:
    return ids.push_back(TypeID::get<OpTrait::IsIdempotent>());
  case MondoSdkTraitInvolution:
    return ids.push_back(TypeID::get<OpTrait::IsInvolution>());
  case MondoSdkTraitReturnLike:
    return ids.push_back(TypeID::get<OpTrait::ReturnLike>());
  case MondoSdkTraitConstantLike:
    return ids.push_back(TypeID::get<OpTrait::ConstantLike>());
  case MondoSdkTraitPure:
  case MondoSdkTraitAlwaysSpeculatable:
    return ids.push_back(TypeID::get<OpTrait::AlwaysSpeculatableImplTrait>());
  case MondoSdkTraitRecursiveMemoryEffects:
    return ids.push_back(TypeID::get<OpTrait::HasRecursiveMemoryEffects>());
  case MondoSdkTraitRecursivelySpeculatable:
    return ids.push_back(TypeID::get<OpTrait::RecursivelySpeculatableImplTrait>());
  case MondoSdkTraitAffineScope:
    return ids.push_back(TypeID::get<OpTrait::AffineScope>());
  case MondoSdkTraitAutomaticAllocationScope:
    return ids.push_back(TypeID::get<OpTrait::AutomaticAllocationScope>());
  case MondoSdkTraitSameTypeOperands:
    return ids.push_back(TypeID::get<OpTrait::SameTypeOperands>());
  case MondoSdkTraitSameOperandsAndResultType:
    return ids.push_back(TypeID::get<OpTrait::SameOperandsAndResultType>());
  case MondoSdkTraitElementwise:
    return ids.push_back(TypeID::get<OpTrait::Elementwise>());
  case MondoSdkTraitScalarizable:
    return ids.push_back(TypeID::get<OpTrait::Scalarizable>());
  case MondoSdkTraitVectorizable:
    return ids.push_back(TypeID::get<OpTrait::Vectorizable>());
  case MondoSdkTraitTensorizable:
    return ids.push_back(TypeID::get<OpTrait::Tensorizable>());
  // These are interfaces.
  case MondoSdkTraitSymbol:
  case MondoSdkTraitNoMemoryEffects:
  case MondoSdkTraitGraphRegion:
    return;
  }
}

LogicalResult verifyTrait(Operation *op, MondoSdkTrait trait) {
  using namespace OpTrait::impl;
  switch (trait) {
  case MondoSdkTraitTerminator:
    return verifyIsTerminator(op);
  case MondoSdkTraitNoRegionArguments:
    return verifyNoRegionArguments(op);
  case MondoSdkTraitIdempotent:
    return verifyIsIdempotent(op);
  case MondoSdkTraitInvolution:
    return verifyIsInvolution(op);
  case MondoSdkTraitSymbol:
    return detail::verifySymbol(op);
  case MondoSdkTraitSameTypeOperands:
    return verifySameTypeOperands(op);
  case MondoSdkTraitSameOperandsAndResultType:
    return verifySameOperandsAndResultType(op);
  case MondoSdkTraitElementwise:
    return verifyElementwise(op);
  default:
    return success();
  }
}

/// What the template of the trait checks, which has no function of its own.
LogicalResult verifySingleBlocks(Operation *op, bool wantsTerminator) {
  for (unsigned i = 0, end = op->getNumRegions(); i < end; ++i) {
    Region &region = op->getRegion(i);
    if (region.empty())
      continue;
    if (!llvm::hasSingleElement(region))
      return op->emitOpError("expects region #") << i << " to have 0 or 1 blocks";
    if (wantsTerminator && region.front().empty())
      return op->emitOpError() << "expects a non-empty block";
  }
  return success();
}

} // namespace

SmallVector<TypeID> mondo::traitsOf(const MondoSdkOp &op) {
  SmallVector<TypeID> ids = {TypeID::get<OpTrait::OpInvariants>()};
  for (intptr_t i = 0; i < op.numTraits; ++i)
    addTrait(op.traits[i], ids);
  addCounted<OpTrait::ZeroOperands, OpTrait::OneOperand>(op.operands, ids);
  addCounted<OpTrait::ZeroResults, OpTrait::OneResult>(op.results, ids);
  addCounted<OpTrait::ZeroRegions, OpTrait::OneRegion>(op.regions, ids);
  addCounted<OpTrait::ZeroSuccessors, OpTrait::OneSuccessor>(op.successors, ids);
  if (hasSegments(op.operands))
    ids.push_back(TypeID::get<OpTrait::AttrSizedOperandSegments>());
  if (hasSegments(op.results))
    ids.push_back(TypeID::get<OpTrait::AttrSizedResultSegments>());
  return ids;
}

LogicalResult mondo::verifyTraits(Operation *op, const MondoSdkOp &entry) {
  if (has(entry, MondoSdkTraitSingleBlock) &&
      failed(verifySingleBlocks(op, !has(entry, MondoSdkTraitNoTerminator))))
    return failure();
  for (intptr_t i = 0; i < entry.numTraits; ++i)
    if (failed(verifyTrait(op, entry.traits[i])))
      return failure();
  return success();
}

LogicalResult mondo::verifyRegionTraits(Operation *op, const MondoSdkOp &entry) {
  if (has(entry, MondoSdkTraitIsolatedFromAbove) &&
      failed(OpTrait::impl::verifyIsIsolatedFromAbove(op)))
    return failure();
  if (has(entry, MondoSdkTraitSymbolTable) && failed(detail::verifySymbolTable(op)))
    return failure();
  return success();
}
