//===-- dialect.cpp - Dialects made from tables ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mondo;

namespace mondo {
/// Stands for a type whose TypeID is known only when it runs, where MLIR wants a class: see
/// `attachMemRefElement`.
class AnyDefinedType : public Type::TypeBase<AnyDefinedType, Type, TypeStorage> {
public:
  using Base::Base;
  static constexpr StringLiteral name = "mondo.any_defined_type";
};

/// The TypeID that `AnyDefinedType` stands for, in this thread and for now.
static thread_local const void *standsFor = nullptr;
} // namespace mondo

namespace mlir::detail {
template <>
class TypeIDResolver<mondo::AnyDefinedType> {
public:
  static TypeID resolveTypeID() { return TypeID::getFromOpaquePointer(mondo::standsFor); }
};
} // namespace mlir::detail

namespace {

struct MemRefElement : public MemRefElementTypeInterface::FallbackModel<MemRefElement> {};

/// MLIR attaches interfaces to types by their class, and every dynamic type has the same one.
void attachMemRefElement(TypeID type, MLIRContext *context) {
  standsFor = type.getAsOpaquePointer();
  AnyDefinedType::attachInterface<MemRefElement>(*context);
  standsFor = nullptr;
}

/// The callbacks of a type or attribute, for either kind of definition.
template <typename Definition>
std::unique_ptr<Definition> define(DefinedDialect *dialect, const MondoSdkParameterized &entry) {
  const MondoSdkCallbacks *callbacks = dialect->getTable().callbacks;
  MlirContext context = wrap(dialect->getContext());
  const void *definition = entry.definition;
  return Definition::get(
      unwrap(entry.name), dialect,
      [=](function_ref<InFlightDiagnostic()> emitError, ArrayRef<Attribute> parameters) {
        return success(callbacks->verifyParameters(definition,
                                                   toOpaque<MondoSdkDiagnostics>(&emitError),
                                                   parameters.size(), toC(parameters)));
      },
      [=](AsmParser &parser, SmallVectorImpl<Attribute> &parameters) -> ParseResult {
        return success(callbacks->parseParameters(definition, context,
                                                  toOpaque<MondoSdkParser>(&parser),
                                                  toOpaque<MondoSdkAttributes>(&parameters)));
      },
      [=](AsmPrinter &printer, ArrayRef<Attribute> parameters) {
        callbacks->printParameters(definition, context, toOpaque<MondoSdkPrinter>(&printer),
                                   parameters.size(), toC(parameters));
      });
}

TypeID idOf(const MondoSdkDialect &table) { return TypeID::getFromOpaquePointer(&table); }

} // namespace

DefinedDialect::DefinedDialect(MLIRContext *context, const MondoSdkDialect &table)
    : ExtensibleDialect(unwrap(table.name), context, idOf(table)), table(table) {
  addInterfaces<IsDefined>();
  for (intptr_t i = 0; i < table.numDepends; ++i)
    context->getOrLoadDialect(unwrap(table.depends[i]));
  for (intptr_t i = 0; i < table.numTypes; ++i) {
    auto type = define<DynamicTypeDefinition>(this, table.types[i]);
    TypeID id = type->getTypeID();
    registerDynamicType(std::move(type));
    if (table.types[i].memrefElement)
      attachMemRefElement(id, context);
  }
  for (intptr_t i = 0; i < table.numAttributes; ++i)
    registerDynamicAttr(define<DynamicAttrDefinition>(this, table.attributes[i]));
  for (intptr_t i = 0; i < table.numOps; ++i) {
    const MondoSdkOp &op = table.ops[i];
    SmallVector<StringRef> attributes;
    for (intptr_t j = 0; j < op.numAttributes; ++j)
      attributes.push_back(unwrap(op.attributes[j]));
    if (hasSegments(op.operands))
      attributes.push_back(kOperandSegments);
    if (hasSegments(op.results))
      attributes.push_back(kResultSegments);
    RegisteredOperationName::insert(makeOp(*this, op), attributes);
  }
  if (llvm::any_of(ArrayRef(table.ops, table.numOps), [](const MondoSdkOp &op) { return op.inlinable; }))
    addInterface(makeInliner(this));
  if (table.toLlvm.add)
    table.toLlvm.add(static_cast<Dialect *>(this), &table);
  attachModels(*this);
}

void mondo::insertDialect(DialectRegistry &registry, const MondoSdkDialect &table) {
  auto allocate = [&table](MLIRContext *context) -> Dialect * {
    return context->getOrLoadDialect(unwrap(table.name), idOf(table), [&table, context] {
      return std::make_unique<DefinedDialect>(context, table);
    });
  };
  registry.insert(idOf(table), unwrap(table.name), allocate);
}

DefinedDialect *DefinedDialect::lookup(MLIRContext *context, StringRef name) {
  Dialect *dialect = context->getLoadedDialect(name);
  bool ours = dialect && dialect->getRegisteredInterface<IsDefined>();
  return ours ? static_cast<DefinedDialect *>(dialect) : nullptr;
}

Type DefinedDialect::parseType(DialectAsmParser &parser) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return {};
  Type type;
  OptionalParseResult result = parseOptionalDynamicType(name, parser, type);
  if (!result.has_value()) {
    parser.emitError(loc) << "the dialect '" << getNamespace() << "' has no type '" << name << "'";
    return {};
  }
  return succeeded(*result) ? type : Type();
}

void DefinedDialect::printType(Type type, DialectAsmPrinter &printer) const {
  // All types of such a dialect are dynamic.
  (void)printIfDynamicType(type, printer);
}

Attribute DefinedDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return {};
  Attribute attribute;
  OptionalParseResult result = parseOptionalDynamicAttr(name, parser, attribute);
  if (!result.has_value()) {
    parser.emitError(loc) << "the dialect '" << getNamespace() << "' has no attribute '" << name
                          << "'";
    return {};
  }
  return succeeded(*result) ? attribute : Attribute();
}

void DefinedDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  // As with types.
  (void)printIfDynamicAttr(attribute, printer);
}

Operation *DefinedDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                               Location loc) {
  if (table.constantOp.length == 0 ||
      !table.callbacks->acceptsConstant(table.definition, wrap(value), wrap(type)))
    return nullptr;
  OperationState state(loc, unwrap(table.constantOp));
  state.addAttribute(unwrap(table.constantAttribute), value);
  state.addTypes(type);
  return builder.create(state);
}

//===----------------------------------------------------------------------===//
// dialect_sdk.h
//===----------------------------------------------------------------------===//

extern "C" bool mondoSdkRegisterDialect(MlirDialectRegistry registry,
                                        const MondoSdkDialect *table) {
  for (intptr_t i = 0; i < table->numOps; ++i)
    if (table->ops[i].infers && !reserveInference(table->ops[i], *table->callbacks))
      return false;
  registerPasses(*table);
  insertDialect(*unwrap(registry), *table);
  return true;
}

extern "C" MlirType mondoSdkTypeGet(MlirContext context, MlirLocation location,
                                    MlirStringRef dialect, MlirStringRef name, intptr_t count,
                                    const MlirAttribute *parameters) {
  DefinedDialect *ours = DefinedDialect::lookup(unwrap(context), unwrap(dialect));
  DynamicTypeDefinition *definition = ours ? ours->lookupTypeDefinition(unwrap(name)) : nullptr;
  if (!definition)
    return {nullptr};
  Location loc = unwrap(location);
  return wrap(Type(DynamicType::getChecked([&] { return emitError(loc); }, definition,
                                           fromC(count, parameters))));
}

extern "C" bool mondoSdkTypeIs(MlirType type, MlirStringRef dialect, MlirStringRef name) {
  auto dynamic = dyn_cast_or_null<DynamicType>(unwrap(type));
  return dynamic && dynamic.getTypeDef()->getName() == unwrap(name) &&
         dynamic.getDialect().getNamespace() == unwrap(dialect);
}

extern "C" intptr_t mondoSdkTypeGetNumParameters(MlirType type) {
  return cast<DynamicType>(unwrap(type)).getParams().size();
}

extern "C" MlirAttribute mondoSdkTypeGetParameter(MlirType type, intptr_t index) {
  return wrap(cast<DynamicType>(unwrap(type)).getParams()[index]);
}

extern "C" MlirAttribute mondoSdkAttributeGet(MlirContext context, MlirLocation location,
                                              MlirStringRef dialect, MlirStringRef name,
                                              intptr_t count, const MlirAttribute *parameters) {
  DefinedDialect *ours = DefinedDialect::lookup(unwrap(context), unwrap(dialect));
  DynamicAttrDefinition *definition = ours ? ours->lookupAttrDefinition(unwrap(name)) : nullptr;
  if (!definition)
    return {nullptr};
  Location loc = unwrap(location);
  return wrap(Attribute(DynamicAttr::getChecked([&] { return emitError(loc); }, definition,
                                                fromC(count, parameters))));
}

extern "C" bool mondoSdkAttributeIs(MlirAttribute attribute, MlirStringRef dialect,
                                    MlirStringRef name) {
  auto dynamic = dyn_cast_or_null<DynamicAttr>(unwrap(attribute));
  return dynamic && dynamic.getAttrDef()->getName() == unwrap(name) &&
         dynamic.getDialect().getNamespace() == unwrap(dialect);
}

extern "C" intptr_t mondoSdkAttributeGetNumParameters(MlirAttribute attribute) {
  return cast<DynamicAttr>(unwrap(attribute)).getParams().size();
}

extern "C" MlirAttribute mondoSdkAttributeGetParameter(MlirAttribute attribute, intptr_t index) {
  return wrap(cast<DynamicAttr>(unwrap(attribute)).getParams()[index]);
}

extern "C" void mondoSdkAttributesPush(MondoSdkAttributes *attributes, MlirAttribute attribute) {
  reinterpret_cast<SmallVectorImpl<Attribute> *>(attributes)->push_back(unwrap(attribute));
}

extern "C" void mondoSdkAttributesPushNothing(MondoSdkAttributes *attributes) {
  reinterpret_cast<SmallVectorImpl<Attribute> *>(attributes)->push_back(nullptr);
}

extern "C" void mondoSdkTypesPush(MondoSdkTypes *types, MlirType type) {
  reinterpret_cast<SmallVectorImpl<Type> *>(types)->push_back(unwrap(type));
}

extern "C" void mondoSdkFoldedPushAttribute(MondoSdkFolded *folded, MlirAttribute attribute) {
  reinterpret_cast<SmallVectorImpl<OpFoldResult> *>(folded)->push_back(unwrap(attribute));
}

extern "C" void mondoSdkFoldedPushValue(MondoSdkFolded *folded, MlirValue value) {
  reinterpret_cast<SmallVectorImpl<OpFoldResult> *>(folded)->push_back(unwrap(value));
}

extern "C" void mondoSdkEmit(MondoSdkDiagnostics *diagnostics, MlirStringRef message) {
  (*reinterpret_cast<function_ref<InFlightDiagnostic()> *>(diagnostics))() << unwrap(message);
}

extern "C" void mondoSdkEmitOpError(MlirOperation op, MlirStringRef message) {
  unwrap(op)->emitOpError() << unwrap(message);
}

extern "C" void mondoSdkEmitError(MlirLocation location, MlirStringRef message) {
  emitError(unwrap(location)) << unwrap(message);
}

extern "C" void mondoSdkFailNextVerification(MlirOperation op) {
  Dialect *dialect = unwrap(op)->getDialect();
  if (DefinedDialect *ours =
          DefinedDialect::lookup(unwrap(op)->getContext(), dialect->getNamespace()))
    ours->failNextVerification = true;
}
