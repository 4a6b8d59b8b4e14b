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

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <memory>

using namespace mlir;
using namespace mondo;

namespace {

detail::InterfaceMap interfacesOf(const MondoSdkOp &op, MLIRContext *context) {
  detail::InterfaceMap interfaces;
  addInterfaces(interfaces, op, context);
  if (op.infers)
    addInference(interfaces, op);
  return interfaces;
}

/// An operation's entry in the context's registry. Its properties are an array with one attribute for each that it
/// is defined with, which is null where there is none.
class DefinedOp : public OperationName::Impl {
public:
  // The address of the operation's entry in the table is its TypeID: it is the same in every
  // context, and the table stays as long as the process.
  DefinedOp(DefinedDialect &dialect, const MondoSdkOp &op)
      : Impl(StringAttr::get(dialect.getContext(), unwrap(op.name)), &dialect,
             TypeID::getFromOpaquePointer(&op), interfacesOf(op, dialect.getContext())),
        defined(dialect), op(op), callbacks(*op.callbacks), traits(traitsOf(op)),
        names(propertyNames(dialect.getContext(), op)) {
    if (op.hasDefaults)
      callbacks.defaults(op.definition, wrap(dialect.getContext()),
                         toOpaque<MondoSdkAttributes>(
                             static_cast<SmallVectorImpl<Attribute> *>(&defaults)));
    defaults.resize(names.size());
  }

  LogicalResult foldHook(Operation *operation, ArrayRef<Attribute> constants,
                         SmallVectorImpl<OpFoldResult> &results) final {
    if (op.folds && callbacks.fold(op.definition, wrap(operation), constants.size(), toC(constants),
                                   toOpaque<MondoSdkFolded>(&results)))
      return success();
    if (has(op, MondoSdkTraitCommutative) &&
        succeeded(OpTrait::impl::foldCommutative(operation, constants, results)))
      return success();
    OpFoldResult folded;
    if (has(op, MondoSdkTraitIdempotent))
      folded = OpTrait::impl::foldIdempotent(operation);
    if (!folded && has(op, MondoSdkTraitInvolution))
      folded = OpTrait::impl::foldInvolution(operation);
    // One that was folded to itself has changed in place.
    if (!folded)
      return failure();
    if (folded.template dyn_cast<Value>() != operation->getResult(0))
      results.push_back(folded);
    return success();
  }

  void getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) final {
    addPatterns(patterns, ArrayRef(op.patterns, op.numPatterns));
  }

  bool hasTrait(TypeID trait) final { return llvm::is_contained(traits, trait); }

  OperationName::ParseAssemblyFn getParseAssemblyFn() final {
    return [this](OpAsmParser &parser, OperationState &state) -> ParseResult {
      if (!op.hasAssembly)
        return parser.emitError(parser.getNameLoc())
               << "'" << unwrap(op.name) << "' is only written in the generic form, in quotes";
      OpParser session{parser, state, op, {}, {}};
      if (!callbacks.parseOp(op.definition, wrap(parser.getContext()),
                             toOpaque<MondoSdkOpParser>(&session)))
        return failure();
      return completeRegions(session);
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
    if (!defined.refusal.empty())
      return operation->emitOpError() << "cannot be relied on: " << defined.refusal;
    if (defined.failNextVerification.exchange(false))
      return operation->emitOpError()
             << "cannot be relied on: a callback of the dialect '" << defined.getNamespace()
             << "' went wrong before";
    if (op.regions.count == 0 && failed(OpTrait::impl::verifyZeroRegions(operation)))
      return failure();
    if (op.successors.count == 0 && failed(OpTrait::impl::verifyZeroSuccessors(operation)))
      return failure();
    if (!verified(operation, MondoSdkVerifyParts) || failed(verifyTraits(operation, op)) ||
        failed(verifyInterfaces(operation, op)) || !verified(operation, MondoSdkVerifyWhole))
      return failure();
    return op.infers ? detail::verifyInferredResultTypes(operation) : success();
  }

  LogicalResult verifyRegionInvariants(Operation *operation) final {
    if (failed(verifyRegionTraits(operation, op)) || failed(verifyRegionInterfaces(operation, op)))
      return failure();
    return success(op.regions.count == 0 || verified(operation, MondoSdkVerifyRegions));
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) final {}

  std::optional<Attribute> getInherentAttr(Operation *operation, StringRef attribute) final {
    const std::optional<size_t> index = find(attribute);
    if (!index)
      return std::nullopt;
    return slots(operation->getPropertiesStorage())[*index];
  }
  void setInherentAttr(Operation *operation, StringAttr attribute, Attribute value) final {
    if (const std::optional<size_t> index = find(attribute.getValue()))
      slots(operation->getPropertiesStorage())[*index] = value;
  }
#ifdef MONDO_WALKS_INHERENT_ATTRIBUTES
  void walkInherentAttrs(Operation *operation, OperationName::InherentAttrVisitor visitor) final {
    for (auto [name, value] : llvm::zip(names, slots(operation->getPropertiesStorage())))
      if (value)
        visitor(name, value);
  }
#else
  void populateInherentAttrs(Operation *operation, NamedAttrList &attributes) final {
    collectInherentAttributes(operation, attributes);
  }
#endif
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &,
                                    function_ref<InFlightDiagnostic()>) final {
    return success();
  }

  int getOpPropertyByteSize() final { return names.size() * sizeof(Attribute); }
  void initProperties(OperationName, mondo::PropertyRef storage, mondo::PropertyRef init) final {
    const ArrayRef<Attribute> from = init ? ArrayRef<Attribute>(slots(init)) : defaults;
    std::uninitialized_copy(from.begin(), from.end(), slots(storage).begin());
  }
  void deleteProperties(mondo::PropertyRef) final {}
  void populateDefaultProperties(OperationName, mondo::PropertyRef storage) final {
    for (auto [value, usual] : llvm::zip(slots(storage), defaults))
      if (!value)
        value = usual;
  }
  LogicalResult setPropertiesFromAttr(OperationName, mondo::PropertyRef storage, Attribute attribute,
                                      function_ref<InFlightDiagnostic()> emitError) final {
    auto all = dyn_cast_or_null<DictionaryAttr>(attribute);
    if (!all)
      return emitError() << "expected DictionaryAttr to set properties";
    for (auto [name, value] : llvm::zip(names, slots(storage)))
      if (Attribute given = all.get(name))
        value = given;
    return success();
  }
  Attribute getPropertiesAsAttr(Operation *operation) final {
    NamedAttrList all;
    collectInherentAttributes(operation, all);
    return all.empty() ? DictionaryAttr() : all.getDictionary(operation->getContext());
  }
  void copyProperties(mondo::PropertyRef to, mondo::PropertyRef from) final {
    llvm::copy(slots(from), slots(to).begin());
  }
  bool compareProperties(mondo::PropertyRef one, mondo::PropertyRef other) final {
    return slots(one) == slots(other);
  }
  llvm::hash_code hashProperties(mondo::PropertyRef properties) final {
    const MutableArrayRef<Attribute> all = slots(properties);
    return llvm::hash_combine_range(all.begin(), all.end());
  }

private:
  bool verified(Operation *operation, MondoSdkVerification when) {
    return callbacks.verifyOp(op.definition, wrap(operation), when);
  }

  void collectInherentAttributes(Operation *operation, NamedAttrList &attributes) {
    for (auto [name, value] : llvm::zip(names, slots(operation->getPropertiesStorage())))
      if (value)
        attributes.set(name, value);
  }

  MutableArrayRef<Attribute> slots(mondo::PropertyRef properties) const {
    return {properties.as<Attribute *>(), names.size()};
  }

  std::optional<size_t> find(StringRef attribute) const {
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].getValue() == attribute)
        return i;
    return std::nullopt;
  }

  DefinedDialect &defined;
  const MondoSdkOp &op;
  const MondoSdkCallbacks &callbacks;
  const SmallVector<TypeID> traits;
  const SmallVector<StringAttr> names;
  /// The default of each attribute, or null.
  SmallVector<Attribute> defaults;
};

} // namespace

SmallVector<StringAttr> mondo::propertyNames(MLIRContext *context, const MondoSdkOp &op) {
  SmallVector<StringAttr> names;
  for (intptr_t i = 0; i < op.numAttributes; ++i)
    names.push_back(StringAttr::get(context, unwrap(op.attributes[i])));
  if (hasSegments(op.operands))
    names.push_back(StringAttr::get(context, kOperandSegments));
  if (hasSegments(op.results))
    names.push_back(StringAttr::get(context, kResultSegments));
  return names;
}

std::unique_ptr<OperationName::Impl> mondo::makeOp(DefinedDialect &dialect, const MondoSdkOp &op) {
  return std::make_unique<DefinedOp>(dialect, op);
}
