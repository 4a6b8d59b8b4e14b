//===-- dialect_calls.cpp - Interfaces of calls, functions and inlining ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mondo;

namespace {

/// The attribute of that index of the operation's own.
Attribute attributeOf(Operation *op, intptr_t index) {
  const MondoSdkOp &entry = entryOf(op);
  return index >= 0 && index < entry.numAttributes ? op->getAttr(unwrap(entry.attributes[index]))
                                                   : Attribute();
}

constexpr StringLiteral kArgumentAttributes = "arg_attrs";
constexpr StringLiteral kResultAttributes = "res_attrs";

/// The attributes of arguments and results, under the names that MLIR's own functions have for them.
template <typename Model>
struct WithAttributes : public Model {
  ArrayAttr getArgAttrsAttr(Operation *op) const {
    return op->getAttrOfType<ArrayAttr>(kArgumentAttributes);
  }
  ArrayAttr getResAttrsAttr(Operation *op) const {
    return op->getAttrOfType<ArrayAttr>(kResultAttributes);
  }
  void setArgAttrsAttr(Operation *op, ArrayAttr attributes) const {
    op->setAttr(kArgumentAttributes, attributes);
  }
  void setResAttrsAttr(Operation *op, ArrayAttr attributes) const {
    op->setAttr(kResultAttributes, attributes);
  }
  Attribute removeArgAttrsAttr(Operation *op) const { return op->removeAttr(kArgumentAttributes); }
  Attribute removeResAttrsAttr(Operation *op) const { return op->removeAttr(kResultAttributes); }
};

#if LLVM_VERSION_MAJOR >= 20
struct Attributes
    : public WithAttributes<ArgAndResultAttrsOpInterface::FallbackModel<Attributes>> {};
#endif

struct Call : public CallOpInterface::ExternalModel<Call, CallOpInterface> {
  CallInterfaceCallable getCallableForCallee(Operation *op) const {
    const MondoSdkInterfaces &declared = entryOf(op).interfaces;
    if (declared.callee >= 0)
      return dyn_cast_or_null<SymbolRefAttr>(attributeOf(op, declared.callee));
    const OperandRange callee = operandsOf(op, declared.calleeOperand);
    return callee.empty() ? Value() : callee.front();
  }
  void setCalleeFromCallable(Operation *op, CallInterfaceCallable callee) const {
    const MondoSdkOp &entry = entryOf(op);
    if (entry.interfaces.callee >= 0) {
      if (auto symbol = dyn_cast<SymbolRefAttr>(callee))
        op->setAttr(unwrap(entry.attributes[entry.interfaces.callee]), symbol);
    } else if (auto value = dyn_cast<Value>(callee)) {
      const Row row = operandRow(op, entry.interfaces.calleeOperand);
      if (row.count == 1)
        op->setOperand(row.first, value);
    }
  }
  Operation::operand_range getArgOperands(Operation *op) const {
    return operandsOf(op, entryOf(op).interfaces.callArguments);
  }
  MutableOperandRange getArgOperandsMutable(Operation *op) const {
    return mutableOperandsOf(op, entryOf(op).interfaces.callArguments);
  }
};

FunctionType typeOf(Operation *op) {
  auto type = dyn_cast_or_null<TypeAttr>(attributeOf(op, entryOf(op).interfaces.functionType));
  return type ? dyn_cast<FunctionType>(type.getValue()) : FunctionType();
}

template <typename Model>
struct WithBody : public Model {
  Region *getCallableRegion(Operation *op) const {
    return op->getNumRegions() == 0 || op->getRegion(0).empty() ? nullptr : &op->getRegion(0);
  }
  ArrayRef<Type> getArgumentTypes(Operation *op) const {
    const FunctionType type = typeOf(op);
    return type ? type.getInputs() : ArrayRef<Type>();
  }
  ArrayRef<Type> getResultTypes(Operation *op) const {
    const FunctionType type = typeOf(op);
    return type ? type.getResults() : ArrayRef<Type>();
  }
};

#if LLVM_VERSION_MAJOR >= 20
struct Callable : public WithBody<CallableOpInterface::FallbackModel<Callable>> {};
#else
struct Callable
    : public WithAttributes<WithBody<CallableOpInterface::FallbackModel<Callable>>> {};
#endif

struct Function : public FunctionOpInterface::ExternalModel<Function, FunctionOpInterface> {
  Type getFunctionType(Operation *op) const { return typeOf(op); }
  void setFunctionTypeAttr(Operation *op, TypeAttr type) const {
    const MondoSdkOp &entry = entryOf(op);
    op->setAttr(unwrap(entry.attributes[entry.interfaces.functionType]), type);
  }
  Type cloneTypeWith(Operation *op, TypeRange inputs, TypeRange results) const {
    return FunctionType::get(op->getContext(), inputs, results);
  }
};

/// What may be inlined is said by the entries of the dialect's operations; a call by the entry of the call.
class Inliner : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callable, bool) const final {
    return mayInline(call) && mayInline(callable);
  }
  bool isLegalToInline(Region *, Region *source, bool, IRMapping &) const final {
    return mayInline(source->getParentOp());
  }
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return mayInline(op);
  }
  void handleTerminator(Operation *, Block *) const final {}
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, value] : llvm::zip(results, op->getOperands()))
      result.replaceAllUsesWith(value);
  }

private:
  /// Operations of other dialects have interfaces of their own.
  bool mayInline(Operation *op) const {
    return op->getDialect() != getDialect() || (op->isRegistered() && entryOf(op).inlinable);
  }
};

} // namespace

void mondo::addCalls(mlir::detail::InterfaceMap &interfaces, const MondoSdkOp &op) {
#if LLVM_VERSION_MAJOR >= 20
  // The base of the two others, which look it up when they are added.
  if (op.interfaces.calls || op.interfaces.callable)
    interfaces.insertModels<Attributes>();
#endif
  if (op.interfaces.calls)
    interfaces.insertModels<Call>();
  if (op.interfaces.callable)
    interfaces.insertModels<Callable>();
  if (op.interfaces.function)
    interfaces.insertModels<Function>();
}

LogicalResult mondo::verifyFunction(Operation *op, const MondoSdkOp &entry) {
  if (!entry.interfaces.function)
    return success();
  // What follows, and each pass, takes it for granted.
  if (!typeOf(op))
    return op->emitOpError() << "has no type of a function in its attribute '"
                             << unwrap(entry.attributes[entry.interfaces.functionType]) << "'";
  return function_interface_impl::verifyTrait(cast<FunctionOpInterface>(op));
}

std::unique_ptr<DialectInterface> mondo::makeInliner(Dialect *dialect) {
  return std::make_unique<Inliner>(dialect);
}
