//===-- dialect_interfaces.cpp - Interfaces of operations in tables -------===//
//
// Each model finds the entry of its operation by the operation's TypeID, and answers by what the entry says: no
// function of a dialect is called, so that a pass may ask at any time, in any thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mondo;

MemoryEffects::Effect *mondo::effectOf(MondoSdkEffectKind kind) {
  switch (kind) {
  case MondoSdkRead:
    return MemoryEffects::Read::get();
  case MondoSdkWrite:
    return MemoryEffects::Write::get();
  case MondoSdkAllocate:
    return MemoryEffects::Allocate::get();
  case MondoSdkFree:
    return MemoryEffects::Free::get();
  }
  llvm_unreachable("the table has one of these");
}

namespace {

struct NoEffects : public MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(Operation *, Effects &) const {}
};

struct DeclaredEffects : public MemoryEffectOpInterface::FallbackModel<DeclaredEffects> {
  void getEffects(Operation *op, Effects &effects) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    for (intptr_t i = 0; i < declared.numEffects; ++i) {
      const MondoSdkEffect &one = declared.effects[i];
      MemoryEffects::Effect *effect = effectOf(one.kind);
      if (one.on == MondoSdkAllMemory) {
        effects.emplace_back(effect);
      } else if (one.on == MondoSdkOperands) {
        const Row row = operandRow(op, one.group);
        // An operation that writes to tensors makes new ones; only buffers are memory.
        for (unsigned at = row.first; at < row.first + row.count; ++at)
          if (declared.destinations < 0 || !isa<TensorType>(op->getOperand(at).getType()))
            effects.emplace_back(effect, &op->getOpOperand(at));
      } else {
        const Row row = resultRow(op, one.group);
        for (unsigned at = row.first; at < row.first + row.count; ++at)
          effects.emplace_back(effect, op->getOpResult(at));
      }
    }
  }
};

struct AlwaysSpeculatable : public ConditionallySpeculatable::FallbackModel<AlwaysSpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const {
    return Speculation::Speculatable;
  }
};

struct RecursivelySpeculatable
    : public ConditionallySpeculatable::FallbackModel<RecursivelySpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const {
    return Speculation::RecursivelySpeculatable;
  }
};

// MLIR's own defaults need an operation's class. These do what they do.
struct Symbol : public SymbolOpInterface::FallbackModel<Symbol> {
  using Visibility = SymbolTable::Visibility;

  StringAttr getNameAttr(Operation *op) const { return SymbolTable::getSymbolName(op); }
  void setName(Operation *op, StringAttr name) const { SymbolTable::setSymbolName(op, name); }
  /// The name of the function above since LLVM 24.
  void setSymbolName(Operation *op, StringAttr name) const { SymbolTable::setSymbolName(op, name); }
  Visibility getVisibility(Operation *op) const { return SymbolTable::getSymbolVisibility(op); }
  bool isNested(Operation *op) const { return getVisibility(op) == Visibility::Nested; }
  bool isPrivate(Operation *op) const { return getVisibility(op) == Visibility::Private; }
  bool isPublic(Operation *op) const { return getVisibility(op) == Visibility::Public; }
  void setVisibility(Operation *op, Visibility visibility) const {
    SymbolTable::setSymbolVisibility(op, visibility);
  }
  void setNested(Operation *op) const { setVisibility(op, Visibility::Nested); }
  void setPrivate(Operation *op) const { setVisibility(op, Visibility::Private); }
  void setPublic(Operation *op) const { setVisibility(op, Visibility::Public); }
  std::optional<SymbolTable::UseRange> getSymbolUses(Operation *op, Operation *from) const {
    return SymbolTable::getSymbolUses(op, from);
  }
  bool symbolKnownUseEmpty(Operation *op, Operation *from) const {
    return SymbolTable::symbolKnownUseEmpty(op, from);
  }
  LogicalResult replaceAllSymbolUses(Operation *op, StringAttr name, Operation *from) const {
    return SymbolTable::replaceAllSymbolUses(op, name, from);
  }
  bool isOptionalSymbol(Operation *) const { return false; }
  bool canDiscardOnUseEmpty(Operation *op) const { return !isPublic(op); }
  // Without a region that could have something in it, it is defined elsewhere.
  bool isDeclaration(Operation *op) const {
    return op->getNumRegions() > 0 &&
           llvm::all_of(op->getRegions(), [](Region &region) { return region.empty(); });
  }
};

/// Bytecode has an operation's attributes one after another, as it has those of C++. Each may be missing, as the operation need
/// not be valid.
struct Bytecode : public BytecodeOpInterface::FallbackModel<Bytecode> {
  static LogicalResult readProperties(DialectBytecodeReader &reader, OperationState &state) {
    NamedAttrList all;
    for (StringAttr name : propertyNames(state.getContext(), entryOf(state.name))) {
      Attribute value;
      if (failed(reader.readOptionalAttribute(value)))
        return failure();
      if (value)
        all.set(name, value);
    }
    if (!all.empty())
      state.propertiesAttr = all.getDictionary(state.getContext());
    return success();
  }
  void writeProperties(Operation *op, DialectBytecodeWriter &writer) const {
    for (StringAttr name : propertyNames(op->getContext(), entryOf(op)))
      writer.writeOptionalAttribute(op->getInherentAttr(name).value_or(nullptr));
  }
};

struct GraphRegions : public RegionKindInterface::FallbackModel<GraphRegions> {
  static RegionKind getRegionKind(unsigned) { return RegionKind::Graph; }
  static bool hasSSADominance(unsigned) { return false; }
};

} // namespace

void mondo::addInterfaces(detail::InterfaceMap &interfaces, const MondoSdkOp &op,
                          MLIRContext *context) {
  const bool pure = has(op, MondoSdkTraitPure);
  if (pure || has(op, MondoSdkTraitNoMemoryEffects))
    interfaces.insertModels<NoEffects>();
  else if (op.interfaces.hasEffects)
    interfaces.insertModels<DeclaredEffects>();
  if (pure || has(op, MondoSdkTraitAlwaysSpeculatable))
    interfaces.insertModels<AlwaysSpeculatable>();
  else if (has(op, MondoSdkTraitRecursivelySpeculatable))
    interfaces.insertModels<RecursivelySpeculatable>();
  if (has(op, MondoSdkTraitSymbol))
    interfaces.insertModels<Symbol>();
  if (op.numAttributes > 0 || hasSegments(op.operands) || hasSegments(op.results))
    interfaces.insertModels<Bytecode>();
  if (has(op, MondoSdkTraitGraphRegion))
    interfaces.insertModels<GraphRegions>();
  addControlFlow(interfaces, op);
  addCalls(interfaces, op);
  addStorage(interfaces, op);
  for (MondoSdkAddInterface add : {op.interfaces.addBufferization, op.interfaces.addTiling})
    if (add)
      add(toOpaque<MondoSdkInterfaceMap>(&interfaces), wrap(context));
}
