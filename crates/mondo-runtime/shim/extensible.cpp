//===-- extensible.cpp - Traits and types of dialects made at run time ----===//
//
// An operation that is defined at run time (by IRDL) has no traits before LLVM 23: its entry in the context's registry
// says no to each. Operations and names point to that entry, so that another one cannot take its place. Therefore an
// entry with traits is put where the first one was, and forwards to it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"
#include "properties.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include <atomic>
#include <memory>
#include <new>
#include <vector>

using namespace mlir;

namespace {

using Callbacks = MondoDynamicTraitCallbacks;

/// The number of calls of verifiers that the caller wrote. Lists of traits are not changed meanwhile.
std::atomic<unsigned> verifying{0};

/// A trait whose checks the caller wrote.
struct CalledTrait {
  CalledTrait(TypeID id, const Callbacks &callbacks) : id(id), callbacks(callbacks) {}
  CalledTrait(const CalledTrait &) = delete;
  ~CalledTrait() {
    if (callbacks.release)
      callbacks.release(callbacks.data);
  }

  LogicalResult verify(Operation *op, bool regions) const {
    if (callbacks.verify) {
      ++verifying;
      const bool valid = callbacks.verify(wrap(op), regions, callbacks.data);
      --verifying;
      return success(valid);
    }
    return success(regions || id != TypeID::get<OpTrait::IsTerminator>() ||
                   succeeded(OpTrait::impl::verifyIsTerminator(op)));
  }

  const TypeID id;
  const Callbacks callbacks;
};

#if LLVM_VERSION_MAJOR >= 23

struct Trait final : DynamicOpTrait {
  Trait(TypeID id, const Callbacks &callbacks) : called(id, callbacks) {}
  LogicalResult verifyTrait(Operation *op) const override { return called.verify(op, false); }
  LogicalResult verifyRegionTrait(Operation *op) const override { return called.verify(op, true); }
  TypeID getTypeID() const override { return called.id; }

  const CalledTrait called;
};

bool addTrait(OperationName::Impl *impl, TypeID id, const Callbacks &callbacks) {
  return static_cast<DynamicOpDefinition *>(impl)->addTrait(std::make_unique<Trait>(id, callbacks));
}

#else

/// The address of this is the trait by which an entry with traits is known.
alignas(8) const char hasTraits = 0;
const TypeID kHasTraits = TypeID::getFromOpaquePointer(&hasTraits);

/// The parts of an entry with traits.
struct TraitedParts : OperationName::Impl {
  explicit TraitedParts(DynamicOpDefinition &&first)
      : Impl(first.getName(), first.getDialect(), first.getTypeID(), std::move(first.getInterfaceMap())),
        first(std::make_unique<DynamicOpDefinition>(std::move(first))),
        traits(std::make_unique<std::vector<std::unique_ptr<CalledTrait>>>()) {}

  std::unique_ptr<DynamicOpDefinition> first;
  std::unique_ptr<std::vector<std::unique_ptr<CalledTrait>>> traits;
};

/// An entry with traits. It is as large as the one in whose memory it is, which is freed by that size.
struct Traited final : TraitedParts {
  using TraitedParts::TraitedParts;

  bool hasTrait(TypeID id) final {
    return id == kHasTraits ||
           llvm::any_of(*traits, [id](const auto &trait) { return trait->id == id; });
  }
  LogicalResult verifyInvariants(Operation *op) final {
    return success(verify(op, false) && succeeded(first->verifyInvariants(op)));
  }
  LogicalResult verifyRegionInvariants(Operation *op) final {
    return success(verify(op, true) && succeeded(first->verifyRegionInvariants(op)));
  }

  LogicalResult foldHook(Operation *op, ArrayRef<Attribute> constants, SmallVectorImpl<OpFoldResult> &results) final {
    return first->foldHook(op, constants, results);
  }
  void getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) final {
    first->getCanonicalizationPatterns(patterns, context);
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() final { return first->getParseAssemblyFn(); }
  void populateDefaultAttrs(const OperationName &name, NamedAttrList &attributes) final {
    first->populateDefaultAttrs(name, attributes);
  }
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef dialect) final {
    first->printAssembly(op, printer, dialect);
  }

  // It has no properties, and so no inherent attributes. The first entry ends the process if it is asked for one.
  std::optional<Attribute> getInherentAttr(Operation *, StringRef) final { return std::nullopt; }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) final { op->setDiscardableAttr(name, value); }
#ifdef MONDO_WALKS_INHERENT_ATTRIBUTES
  void walkInherentAttrs(Operation *, OperationName::InherentAttrVisitor) final {}
#else
  void populateInherentAttrs(Operation *, NamedAttrList &) final {}
#endif
  LogicalResult verifyInherentAttrs(OperationName, NamedAttrList &, function_ref<InFlightDiagnostic()>) final {
    return success();
  }
  int getOpPropertyByteSize() final { return 0; }
  void initProperties(OperationName, mondo::PropertyRef, mondo::PropertyRef) final {}
  void deleteProperties(mondo::PropertyRef) final {}
  void populateDefaultProperties(OperationName, mondo::PropertyRef) final {}
  LogicalResult setPropertiesFromAttr(OperationName name, mondo::PropertyRef storage, Attribute attribute,
                                      function_ref<InFlightDiagnostic()> emitError) final {
    return first->setPropertiesFromAttr(name, storage, attribute, emitError);
  }
  Attribute getPropertiesAsAttr(Operation *) final { return {}; }
  void copyProperties(mondo::PropertyRef, mondo::PropertyRef) final {}
  // The first entry says that two operations are never equal, as LLVM 23's does not.
  bool compareProperties(mondo::PropertyRef, mondo::PropertyRef) final { return true; }
  llvm::hash_code hashProperties(mondo::PropertyRef properties) final { return first->hashProperties(properties); }

private:
  bool verify(Operation *op, bool regions) const {
    return llvm::all_of(*traits, [&](const auto &trait) { return succeeded(trait->verify(op, regions)); });
  }

  char rest[sizeof(DynamicOpDefinition) - sizeof(TraitedParts)];
};
static_assert(sizeof(Traited) == sizeof(DynamicOpDefinition), "one is put in the other's memory");
static_assert(alignof(Traited) <= alignof(DynamicOpDefinition), "one is put in the other's memory");

/// The entry with traits in place of another one.
Traited *withTraits(OperationName::Impl *impl) {
  if (impl->hasTrait(kHasTraits))
    return static_cast<Traited *>(impl);
  auto *first = static_cast<DynamicOpDefinition *>(impl);
  DynamicOpDefinition moved(std::move(*first));
  first->~DynamicOpDefinition();
  return new (first) Traited(std::move(moved));
}

bool addTrait(OperationName::Impl *impl, TypeID id, const Callbacks &callbacks) {
  auto trait = std::make_unique<CalledTrait>(id, callbacks);
  if (impl->hasTrait(id))
    return false;
  withTraits(impl)->traits->push_back(std::move(trait));
  return true;
}

#endif

/// The entry of an operation, which the name keeps to itself.
struct OpenName : OperationName {
  using Unregistered = UnregisteredOpModel;
  static Impl *entry(OperationName name) { return static_cast<OpenName &>(name).getImpl(); }
};
using Unregistered = OpenName::Unregistered;

/// An entry for an unregistered operation whose memory stays when it is deleted.
struct KeptEntry final : Unregistered {
  using Unregistered::Unregistered;
  static void operator delete(void *) {}
};
static_assert(sizeof(KeptEntry) == sizeof(Unregistered), "one is put in the other's memory");

/// Puts an entry of another class where one is that has not been registered.
template <typename Entry> void putEntry(void *at, StringAttr name) {
  new (at) Entry(name, nullptr, TypeID::get<void>(), detail::InterfaceMap());
}

/// The address of this is the kind of interface below.
alignas(8) const char keepsEntries = 0;

/// Owns the entries by which operations that are older than their dialect are known.
struct EntriesOfOld final : DialectInterface {
  explicit EntriesOfOld(Dialect *dialect) : DialectInterface(dialect, TypeID::getFromOpaquePointer(&keepsEntries)) {}
  std::vector<std::unique_ptr<OperationName::Impl>> entries;
};

/// The name of an operation that was defined at run time.
std::optional<RegisteredOperationName> dynamicName(MlirContext context, MlirStringRef name) {
  auto known = RegisteredOperationName::lookup(unwrap(name), unwrap(context));
  // Others, like those of the dialect `transform`, may be in an extensible dialect, too.
  if (known && !isa<DynamicDialect>(&known->getDialect()))
    return std::nullopt;
  return known;
}

struct NoEffects : MemoryEffectOpInterface::FallbackModel<NoEffects> {
  void getEffects(Operation *, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) const {}
};

struct AlwaysSpeculatable : ConditionallySpeculatable::FallbackModel<AlwaysSpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const { return Speculation::Speculatable; }
};

ExtensibleDialect *extensible(MlirContext context, MlirStringRef dialect) {
  return dyn_cast_or_null<ExtensibleDialect>(unwrap(context)->getLoadedDialect(unwrap(dialect)));
}

intptr_t copyTo(ArrayRef<Attribute> parameters, intptr_t capacity, MlirAttribute *copies) {
  for (auto [index, parameter] : llvm::enumerate(parameters.take_front(capacity)))
    copies[index] = wrap(parameter);
  return parameters.size();
}

template <typename Thing, typename Definition>
Thing checked(MlirLocation at, Definition *definition, intptr_t count, const MlirAttribute *parameters) {
  SmallVector<Attribute> unwrapped;
  (void)unwrapList(count, parameters, unwrapped);
  return Thing::getChecked([&] { return emitError(unwrap(at)); }, definition, unwrapped);
}

} // namespace

/// The entries of names that are about to be registered.
struct MondoKeptNames {
  MLIRContext *context;
  SmallVector<std::pair<StringAttr, OperationName::Impl *>> entries;
};

extern "C" MondoKeptNames *mondoKeptNamesCreate(MlirContext context) { return new MondoKeptNames{unwrap(context), {}}; }

extern "C" void mondoKeptNamesAdd(MondoKeptNames *names, MlirStringRef name) {
  const OperationName known(unwrap(name), names->context);
  if (known.isRegistered())
    return;
  OperationName::Impl *entry = OpenName::entry(known);
  const StringAttr identifier = known.getIdentifier();
  entry->~Impl();
  putEntry<KeptEntry>(entry, identifier);
  names->entries.emplace_back(identifier, entry);
}

extern "C" void mondoKeptNamesDestroy(MondoKeptNames *names) {
  llvm::SmallDenseMap<Dialect *, std::unique_ptr<EntriesOfOld>> owners;
  for (auto [name, entry] : names->entries) {
    const OperationName now(name.getValue(), names->context);
    const bool isOurs = OpenName::entry(now) == entry;
    if (isOurs)
      entry->~Impl();
    putEntry<Unregistered>(entry, name);
    if (isOurs)
      continue;
    Dialect *dialect = now.getDialect();
    auto &owner = owners[dialect];
    if (!owner)
      owner = std::make_unique<EntriesOfOld>(dialect);
    owner->entries.emplace_back(entry);
  }
  for (auto &[dialect, owner] : owners)
    dialect->addInterface(std::move(owner));
  delete names;
}

extern "C" bool mondoDynamicOperationCanChange(MlirContext context, MlirStringRef name) {
  return verifying == 0 && dynamicName(context, name).has_value();
}

extern "C" bool mondoDynamicOperationAddTrait(MlirContext context, MlirStringRef name, MlirTypeID trait,
                                              MondoDynamicTraitCallbacks callbacks) {
  return addTrait(OpenName::entry(*dynamicName(context, name)), unwrap(trait), callbacks);
}

extern "C" void mondoDynamicOperationMakePure(MlirContext context, MlirStringRef name) {
#if LLVM_VERSION_MAJOR < 23
  // So that equal operations are merged.
  withTraits(OpenName::entry(*dynamicName(context, name)));
#endif
  dynamicName(context, name)->attachInterface<NoEffects, AlwaysSpeculatable>();
}

extern "C" bool mondoOperationNameHasTrait(MlirContext context, MlirStringRef name, MlirTypeID trait) {
  return OperationName(unwrap(name), unwrap(context)).hasTrait(unwrap(trait));
}

extern "C" MlirTypeID mondoIsTerminatorTraitTypeID(void) { return wrap(TypeID::get<OpTrait::IsTerminator>()); }

extern "C" MlirTypeID mondoNoTerminatorTraitTypeID(void) { return wrap(TypeID::get<OpTrait::NoTerminator>()); }

extern "C" MlirTypeID mondoDynamicKindTypeID(MlirContext context, MlirStringRef dialect, MlirStringRef name,
                                             bool attribute) {
  ExtensibleDialect *found = extensible(context, dialect);
  const SelfOwningTypeID *definition = nullptr;
  if (found && attribute)
    definition = found->lookupAttrDefinition(unwrap(name));
  else if (found)
    definition = found->lookupTypeDefinition(unwrap(name));
  return definition ? wrap(definition->getTypeID()) : MlirTypeID{nullptr};
}

extern "C" MlirType mondoDynamicTypeGet(MlirLocation location, MlirTypeID kind, MlirStringRef dialect, intptr_t count,
                                        const MlirAttribute *parameters) {
  ExtensibleDialect *found = extensible(mlirLocationGetContext(location), dialect);
  return wrap(checked<DynamicType>(location, found->lookupTypeDefinition(unwrap(kind)), count, parameters));
}

extern "C" MlirAttribute mondoDynamicAttributeGet(MlirLocation location, MlirTypeID kind, MlirStringRef dialect,
                                                  intptr_t count, const MlirAttribute *parameters) {
  ExtensibleDialect *found = extensible(mlirLocationGetContext(location), dialect);
  return wrap(checked<DynamicAttr>(location, found->lookupAttrDefinition(unwrap(kind)), count, parameters));
}

extern "C" bool mondoTypeIsDynamic(MlirType type) { return isa<DynamicType>(unwrap(type)); }

extern "C" bool mondoAttributeIsDynamic(MlirAttribute attribute) { return isa<DynamicAttr>(unwrap(attribute)); }

extern "C" intptr_t mondoDynamicTypeGetParameters(MlirType type, intptr_t capacity, MlirAttribute *parameters) {
  return copyTo(cast<DynamicType>(unwrap(type)).getParams(), capacity, parameters);
}

extern "C" intptr_t mondoDynamicAttributeGetParameters(MlirAttribute attribute, intptr_t capacity,
                                                       MlirAttribute *parameters) {
  return copyTo(cast<DynamicAttr>(unwrap(attribute)).getParams(), capacity, parameters);
}

extern "C" MlirStringRef mondoDynamicTypeGetName(MlirType type) {
  return wrap(cast<DynamicType>(unwrap(type)).getTypeDef()->getName());
}

extern "C" MlirStringRef mondoDynamicAttributeGetName(MlirAttribute attribute) {
  return wrap(cast<DynamicAttr>(unwrap(attribute)).getAttrDef()->getName());
}
