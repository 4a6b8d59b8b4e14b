//===-- attributes.cpp - Attributes that an operation keeps in its own form ===//
//
// An inherent attribute is a property: MLIR casts what it is set to, and leaves a null where the kind is
// wrong, or where it is removed. Printers and the bytecode writer dereference some of these.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"

#include <optional>

namespace {

/// The inherent attribute of that name, which may be null; none where it would be a discardable one.
std::optional<mlir::Attribute> inherent(mlir::Operation *op, llvm::StringRef name) {
  return op->getPropertiesStorageSize() ? op->getInherentAttr(name) : std::nullopt;
}

/// Writes nothing, and notices a null where the bytecode has no form for one.
class NullFinder final : public mlir::DialectBytecodeWriter {
public:
  explicit NullFinder(int64_t version) : version(version) {}

  bool found = false;

  void writeAttribute(mlir::Attribute attribute) override { found |= !attribute; }
  void writeType(mlir::Type type) override { found |= !type; }
  void writeOptionalAttribute(mlir::Attribute) override {}
  void writeResourceHandle(const mlir::AsmDialectResourceHandle &) override {}
  void writeVarInt(uint64_t) override {}
  void writeSignedVarInt(int64_t) override {}
  void writeAPIntWithKnownWidth(const llvm::APInt &) override {}
  void writeAPFloatWithKnownSemantics(const llvm::APFloat &) override {}
  void writeOwnedString(llvm::StringRef) override {}
  void writeOwnedBlob(llvm::ArrayRef<char>) override {}
  void writeOwnedBool(bool) override {}
#if LLVM_VERSION_MAJOR >= 23
  void writeUnownedBlob(llvm::ArrayRef<char>) override {}
#endif
  int64_t getBytecodeVersion() const override { return version; }
  llvm::FailureOr<const mlir::DialectVersion *> getDialectVersion(llvm::StringRef) const override {
    return llvm::failure();
  }

private:
  int64_t version;
};

/// The version from which on bytecode has properties in the form of each operation; before, they are in a
/// dictionary, which leaves nulls out.
constexpr int64_t NativeProperties = 5;

} // namespace

extern "C" bool mondoOperationSetAttribute(MlirOperation op, MlirStringRef name,
                                           MlirAttribute attribute) {
  mlir::Operation *cppOp = unwrap(op);
  const mlir::Attribute wanted = unwrap(attribute);
  const std::optional<mlir::Attribute> before = inherent(cppOp, unwrap(name));
  if (!before) {
    // To set an attribute, MLIR makes the whole dictionary anew; to compare the old value first
    // takes a fraction of that time.
    if (cppOp->getDiscardableAttr(unwrap(name)) != wanted)
      cppOp->setDiscardableAttr(mlir::StringAttr::get(cppOp->getContext(), unwrap(name)), wanted);
    return true;
  }
  if (*before == wanted)
    return true;
  const auto key = mlir::StringAttr::get(cppOp->getContext(), unwrap(name));
  cppOp->setInherentAttr(key, wanted);
  const mlir::Attribute after = cppOp->getInherentAttr(unwrap(name)).value_or(nullptr);
  if (after && after != *before)
    return true;
  cppOp->setInherentAttr(key, *before);
  return false;
}

extern "C" bool mondoOperationRemoveAttribute(MlirOperation op, MlirStringRef name) {
  mlir::Operation *cppOp = unwrap(op);
  const bool isInherent = inherent(cppOp, unwrap(name)).has_value();
  if (!cppOp->removeAttr(unwrap(name)))
    return false;
  // No verifier checks that an attribute with a default value is there.
  if (isInherent && cppOp->isRegistered())
    cppOp->getName().populateDefaultProperties(cppOp->getPropertiesStorage());
  return true;
}

extern "C" MlirTypeID mondoAttributeKindTypeID(MlirContext context, MlirStringRef name) {
  auto kind = mlir::AbstractAttribute::lookup(unwrap(name), unwrap(context));
  return kind ? wrap(kind->get().getTypeID()) : MlirTypeID{nullptr};
}

extern "C" intptr_t mondoOperationFindLostAttribute(MlirOperation op, intptr_t count,
                                                    const MlirNamedAttribute *attributes) {
  mlir::Operation *cppOp = unwrap(op);
  if (cppOp->getPropertiesStorageSize())
    for (intptr_t i = 0; i < count; ++i)
      if (!cppOp->getInherentAttr(unwrap(attributes[i].name)).value_or(unwrap(attributes[i].attribute)))
        return i;
  return -1;
}

extern "C" MlirOperation mondoOperationFindUnwritable(MlirOperation op, int64_t version) {
  mlir::Operation *found = nullptr;
  if (version < NativeProperties)
    return wrap(found);
  unwrap(op)->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
    auto writable = llvm::dyn_cast<mlir::BytecodeOpInterface>(inner);
    NullFinder finder(version);
    if (writable)
      writable.writeProperties(finder);
    if (!finder.found)
      return mlir::WalkResult::advance();
    found = inner;
    return mlir::WalkResult::interrupt();
  });
  return wrap(found);
}
