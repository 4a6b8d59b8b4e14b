//===-- dialect_op.cpp - Operations made from tables ----------------------===//
//
// The operations of dialects that are defined in Rust. mlir::DynamicOpDefinition does not do for them,
// as it has no traits and no interfaces: MLIR's folder would not recognise constants, no operation
// would be free of effects, and no two operations would be equal.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"
#include "properties.h"

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mondo;

namespace {

struct NoEffects : public MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(Operation *,
                  SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) const {}
};

struct Speculatable : public ConditionallySpeculatable::FallbackModel<Speculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const {
    return Speculation::Speculatable;
  }
};

detail::InterfaceMap interfacesOf(const MondoSdkOp &op) {
  detail::InterfaceMap interfaces;
  if (op.pure)
    interfaces.insertModels<NoEffects, Speculatable>();
  if (op.infers)
    addInference(interfaces, op);
  return interfaces;
}

/// An operation's entry in the context's registry. Its attributes are in the operation's dictionary;
/// it has no properties.
class DefinedOp : public OperationName::Impl {
public:
  // The address of the operation's entry in the table is its TypeID: it is the same in every
  // context, and the table stays as long as the process.
  DefinedOp(DefinedDialect &dialect, const MondoSdkOp &op)
      : Impl(StringAttr::get(dialect.getContext(), unwrap(op.name)), &dialect,
             TypeID::getFromOpaquePointer(&op), interfacesOf(op)),
        defined(dialect), op(op), callbacks(*dialect.getTable().callbacks) {}

  LogicalResult foldHook(Operation *operation, ArrayRef<Attribute> constants,
                         SmallVectorImpl<OpFoldResult> &results) final {
    if (op.folds && callbacks.fold(op.definition, wrap(operation), constants.size(), toC(constants),
                                   toOpaque<MondoSdkFolded>(&results)))
      return success();
    if (op.commutative)
      return OpTrait::impl::foldCommutative(operation, constants, results);
    return failure();
  }

  void getCanonicalizationPatterns(RewritePatternSet &, MLIRContext *) final {}

  bool hasTrait(TypeID trait) final {
    if (trait == TypeID::get<OpTrait::ZeroRegions>() ||
        trait == TypeID::get<OpTrait::ZeroSuccessors>())
      return true;
    if (trait == TypeID::get<OpTrait::IsCommutative>())
      return op.commutative;
    if (trait == TypeID::get<OpTrait::ConstantLike>() ||
        trait == TypeID::get<OpTrait::ZeroOperands>() ||
        trait == TypeID::get<OpTrait::OneResult>())
      return op.constantLike;
    return false;
  }

  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return [this](OpAsmParser &parser, OperationState &state) -> ParseResult {
      if (!op.hasAssembly)
        return parser.emitError(parser.getNameLoc())
               << "'" << unwrap(op.name) << "' is only written in the generic form, in quotes";
      OpParser session{parser, state, op, {}};
      return success(callbacks.parseOp(op.definition, wrap(parser.getContext()),
                                       toOpaque<MondoSdkOpParser>(&session)));
    };
  }

  void printAssembly(Operation *operation, OpAsmPrinter &printer, StringRef defaultDialect) final {
    if (!op.hasAssembly)
      return printer.printGenericOp(operation);
    StringRef shown = unwrap(op.name);
    // Within a region of the same dialect, and where no further dot could be misread.
    if (defaultDialect == defined.getNamespace() && shown.count('.') == 1)
      shown = shown.drop_front(defaultDialect.size() + 1);
    printer << shown;
    callbacks.printOp(op.definition, wrap(operation), toOpaque<MondoSdkOpPrinter>(&printer));
  }

  LogicalResult verifyInvariants(Operation *operation) final {
    if (defined.failNextVerification.exchange(false))
      return operation->emitOpError()
             << "cannot be relied on: a callback of the dialect '" << defined.getNamespace()
             << "' went wrong before";
    if (failed(OpTrait::impl::verifyZeroRegions(operation)) ||
        failed(OpTrait::impl::verifyZeroSuccessors(operation)) ||
        !callbacks.verifyOp(op.definition, wrap(operation)))
      return failure();
    return op.infers ? detail::verifyInferredResultTypes(operation) : success();
  }

  LogicalResult verifyRegionInvariants(Operation *) final { return success(); }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}

  std::optional<Attribute> getInherentAttr(Operation *operation, StringRef attribute) final {
    return operation->getDiscardableAttr(attribute);
  }
  void setInherentAttr(Operation *operation, StringAttr attribute, Attribute value) final {
    operation->setDiscardableAttr(attribute, value);
  }
  void populateInherentAttrs(Operation *, NamedAttrList &) final {}
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                    function_ref<InFlightDiagnostic()>) final {
    return success();
  }

  int getOpPropertyByteSize() final { return 0; }
  void initProperties(OperationName, mondo::PropertyRef, mondo::PropertyRef) final {}
  void deleteProperties(mondo::PropertyRef) final {}
  void populateDefaultProperties(OperationName, mondo::PropertyRef) final {}
  LogicalResult setPropertiesFromAttr(OperationName, mondo::PropertyRef, Attribute,
                                      function_ref<InFlightDiagnostic()> emitError) final {
    return emitError() << "'" << unwrap(op.name) << "' has no properties";
  }
  Attribute getPropertiesAsAttr(Operation *) final { return {}; }
  void copyProperties(mondo::PropertyRef, mondo::PropertyRef) final {}
  // Operations of these dialects have no properties, so that two of them always agree in these.
  bool compareProperties(mondo::PropertyRef, mondo::PropertyRef) final { return true; }
  llvm::hash_code hashProperties(mondo::PropertyRef) final { return {}; }

private:
  DefinedDialect &defined;
  const MondoSdkOp &op;
  const MondoSdkCallbacks &callbacks;
};

} // namespace

std::unique_ptr<OperationName::Impl> mondo::makeOp(DefinedDialect &dialect, const MondoSdkOp &op) {
  return std::make_unique<DefinedOp>(dialect, op);
}
