//===-- dialect_models.cpp - Interfaces for operations of other dialects --===//
//
// They are added when the dialect with the models is loaded, after the dialects that it depends on. MLIR loads no dialect
// while passes run in several threads, so that none looks for an interface meanwhile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mondo;

namespace {

/// The entry of the model that is made next. MLIR constructs models without arguments.
thread_local const MondoSdkModel *attached = nullptr;

struct ModelledEffects : public MemoryEffectOpInterface::Concept {
  using Interface = MemoryEffectOpInterface;
  ModelledEffects() : Concept{getEffects}, model(*attached) {}

  static void getEffects(const Concept *impl, Operation *op, Effects &effects) {
    const MondoSdkModel &model = static_cast<const ModelledEffects *>(impl)->model;
    for (const MondoSdkEffect &one : ArrayRef(model.effects, model.numEffects)) {
      MemoryEffects::Effect *effect = effectOf(one.kind);
      if (one.on == MondoSdkAllMemory)
        effects.emplace_back(effect);
      else if (one.on == MondoSdkOperands && one.group < op->getNumOperands())
        effects.emplace_back(effect, &op->getOpOperand(one.group));
      else if (one.on == MondoSdkResults && one.group < op->getNumResults())
        effects.emplace_back(effect, op->getOpResult(one.group));
    }
  }

  const MondoSdkModel &model;
};

struct ModelledSpeculatable : public ConditionallySpeculatable::FallbackModel<ModelledSpeculatable> {
  Speculation::Speculatability getSpeculatability(Operation *) const {
    return Speculation::Speculatable;
  }
};

/// Lets some operations of a dialect be inlined that has no such interface itself.
class ModelledInliner : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    return llvm::is_contained(operations, op->getName().getStringRef());
  }
  SmallVector<StringRef> operations;
};

/// Adds an interface to an operation. False if it has one, or its dialect says that it will get one.
template <typename Model>
bool attach(RegisteredOperationName name, const MondoSdkModel &model) {
  // Promises first: MLIR takes a question for an interface that was promised and is missing for a mistake.
  const TypeID interface = Model::Interface::getInterfaceID();
  if (dialect_extension_detail::hasPromisedInterface(name.getDialect(), name.getTypeID(), interface) ||
      name.hasInterface(interface))
    return false;
  attached = &model;
  name.attachInterface<Model>();
  return true;
}

/// Adds what the entry says. Returns the reason if that cannot be done.
StringRef addModel(MLIRContext *context, const MondoSdkModel &model,
                   SmallVectorImpl<std::pair<Dialect *, ModelledInliner *>> &inliners) {
  Dialect *dialect = context->getLoadedDialect(unwrap(model.operation).split('.').first);
  if (!dialect)
    return "its dialect is not loaded";
  const std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(unwrap(model.operation), context);
  if (!name)
    return "there is no such operation";
  if (model.hasEffects && !attach<ModelledEffects>(*name, model))
    return "it has effects of its own";
  if (model.speculatable && !attach<ModelledSpeculatable>(*name, model))
    return "it says itself whether it can be executed at any time";
  if (!model.inlinable)
    return "";
  // MLIR asks the interface what becomes of a terminator.
  if (name->hasTrait<OpTrait::IsTerminator>())
    return "a terminator cannot be inlined by a model";
  auto *known = llvm::find_if(inliners, [&](auto &one) { return one.first == dialect; });
  if (known == inliners.end()) {
    if (dialect->getRegisteredInterface<DialectInlinerInterface>())
      return "its dialect says itself what may be inlined";
    inliners.emplace_back(dialect, &dialect->addInterface<ModelledInliner>());
    known = std::prev(inliners.end());
  }
  known->second->operations.push_back(unwrap(model.operation));
  return "";
}

} // namespace

void mondo::attachModels(DefinedDialect &dialect) {
  const MondoSdkDialect &table = dialect.getTable();
  MLIRContext *context = dialect.getContext();
  SmallVector<std::pair<Dialect *, ModelledInliner *>> inliners;
  for (const MondoSdkModel &model : ArrayRef(table.models, table.numModels)) {
    const StringRef reason = addModel(context, model, inliners);
    if (reason.empty())
      continue;
    const std::string refusal = ("the dialect '" + dialect.getNamespace() + "' has a model for '" +
                                 unwrap(model.operation) + "', but " + reason)
                                    .str();
    emitError(UnknownLoc::get(context)) << refusal;
    dialect.refusal = refusal;
  }
}
