//===-- models.cpp - The premises of operations, asked before MLIR --------===//
//
// MLIR registers each operation of a dialect with a model, by which it is verified and printed. The link
// (`--wrap`) puts a function before the registration, which gives those operations that have premises a model
// that asks for them first. So they are asked for whoever verifies or prints an operation, and others pay nothing.
//
// Verifiers of dialects' attributes are called by no model. Another function is put before MLIR's verifier
// for these.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "premises.h"
#include "properties.h"

#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/IR/Visitors.h"

#include <memory>
#include <utility>

using namespace mlir;

namespace {

using Attributes = llvm::ArrayRef<llvm::StringRef>;
using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// A model that asks for the premises, and leaves the rest to MLIR's.
class Guarded final : public OperationName::Impl {
public:
  Guarded(std::unique_ptr<OperationName::Impl> of, const mondo::Premises *premises,
          llvm::ArrayRef<mondo::Row> rows)
      : Impl(of->getName(), of->getDialect(), of->getTypeID(), std::move(of->getInterfaceMap())),
        model(std::move(of)), premises(premises), rows(rows) {
#if LLVM_VERSION_MAJOR >= 23
    propertiesTypeID = model->getPropertiesTypeID();
#endif
  }

  LogicalResult verifyInvariants(Operation *op) override {
    return waits() ? success() : verifyAsPremised(op);
  }
  LogicalResult verifyRegionInvariants(Operation *op) override {
    if (waits() && failed(verifyAsPremised(op)))
      return failure();
    return model->verifyRegionInvariants(op);
  }
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef dialect) override {
    const bool isSound = !premises || !premises->toPrint || premises->toPrint(op);
    if (!isSound || !mondo::canPrintRows(op, rows))
      printer.printGenericOp(op);
    else
      model->printAssembly(op, printer, dialect);
  }

  LogicalResult foldHook(Operation *op, ArrayRef<Attribute> operands,
                         SmallVectorImpl<OpFoldResult> &results) override {
    return model->foldHook(op, operands, results);
  }
  void getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) override {
    model->getCanonicalizationPatterns(patterns, context);
  }
  bool hasTrait(TypeID trait) override { return model->hasTrait(trait); }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override {
    if (!premises || !premises->misreads)
      return model->getParseAssemblyFn();
    return [parse = model->getParseAssemblyFn()](OpAsmParser &parser,
                                                 OperationState &state) mutable -> ParseResult {
      const unsigned before = mondo::misreadsHere();
      if (failed(parse(parser, state)))
        return failure();
      if (before == mondo::misreadsHere())
        return success();
      return parser.emitError(parser.getNameLoc(), "has an attribute of the wrong kind");
    };
  }
  void populateDefaultAttrs(const OperationName &name, NamedAttrList &attributes) override {
    model->populateDefaultAttrs(name, attributes);
  }
  std::optional<Attribute> getInherentAttr(Operation *op, StringRef name) override {
    return model->getInherentAttr(op, name);
  }
  void setInherentAttr(Operation *op, StringAttr name, Attribute value) override {
    model->setInherentAttr(op, name, value);
  }
#ifdef MONDO_WALKS_INHERENT_ATTRIBUTES
  void walkInherentAttrs(Operation *op, OperationName::InherentAttrVisitor visitor) override {
    model->walkInherentAttrs(op, visitor);
  }
#else
  void populateInherentAttrs(Operation *op, NamedAttrList &attributes) override {
    model->populateInherentAttrs(op, attributes);
  }
#endif
  LogicalResult verifyInherentAttrs(OperationName name, NamedAttrList &attributes,
                                    EmitError emitError) override {
    return model->verifyInherentAttrs(name, attributes, emitError);
  }
  int getOpPropertyByteSize() override { return model->getOpPropertyByteSize(); }
  void initProperties(OperationName name, mondo::PropertyRef storage,
                      mondo::PropertyRef init) override {
    model->initProperties(name, storage, init);
  }
  void deleteProperties(mondo::PropertyRef properties) override {
    model->deleteProperties(properties);
  }
  void populateDefaultProperties(OperationName name, mondo::PropertyRef properties) override {
    model->populateDefaultProperties(name, properties);
  }
  LogicalResult setPropertiesFromAttr(OperationName name, mondo::PropertyRef properties,
                                      Attribute attribute, EmitError emitError) override {
    return model->setPropertiesFromAttr(name, properties, attribute, emitError);
  }
  Attribute getPropertiesAsAttr(Operation *op) override { return model->getPropertiesAsAttr(op); }
  void copyProperties(mondo::PropertyRef to, mondo::PropertyRef from) override {
    model->copyProperties(to, from);
  }
  bool compareProperties(mondo::PropertyRef one, mondo::PropertyRef other) override {
    return model->compareProperties(one, other);
  }
  llvm::hash_code hashProperties(mondo::PropertyRef properties) override {
    return model->hashProperties(properties);
  }

  /// Whether the operation is verified after what is in it.
  bool waits() const { return mondo::waits(premises); }

private:
  LogicalResult verifyAsPremised(Operation *op) {
    if (failed(mondo::verifyRows(op, rows)))
      return failure();
    if (premises && premises->toVerify && failed(premises->toVerify(op)))
      return failure();
    return model->verifyInvariants(op);
  }

  std::unique_ptr<OperationName::Impl> model;
  /// The premises of the operation; null if it has none.
  const mondo::Premises *premises;
  llvm::ArrayRef<mondo::Row> rows;
};

} // namespace

// MLIR's own RegisteredOperationName::insert and mlir::verify, by the names that `--wrap` gives
// them.
void registerInMlir(std::unique_ptr<OperationName::Impl> model, Attributes attributes) __asm__(
    "__real__ZN4mlir23RegisteredOperationName6insertESt10unique_ptrINS_13OperationName4ImplESt14"
    "default_deleteIS3_EEN4llvm8ArrayRefINS7_9StringRefEEE");
LogicalResult verifyInMlir(Operation *op, bool recursively) __asm__(
    "__real__ZN4mlir6verifyEPNS_9OperationEb");

// The functions that `--wrap` has callers of those two reach instead.
void registerOperation(std::unique_ptr<OperationName::Impl> model, Attributes attributes) __asm__(
    "__wrap__ZN4mlir23RegisteredOperationName6insertESt10unique_ptrINS_13OperationName4ImplESt14"
    "default_deleteIS3_EEN4llvm8ArrayRefINS7_9StringRefEEE");
LogicalResult verifyOperation(Operation *op, bool recursively) __asm__(
    "__wrap__ZN4mlir6verifyEPNS_9OperationEb");

void registerOperation(std::unique_ptr<OperationName::Impl> model, Attributes attributes) {
  const llvm::StringRef name = model->getName().getValue();
  const mondo::Premises *premises = mondo::premisesOf(name);
  const llvm::ArrayRef<mondo::Row> rows = mondo::rowsOf(name);
  if (premises || !rows.empty())
    model = std::make_unique<Guarded>(std::move(model), premises, rows);
  registerInMlir(std::move(model), attributes);
}

/// Refuses an operation whose verifier misreads an attribute or a type, and returns success. It is verified again for that,
/// in this thread.
static WalkResult refuseMisread(Operation *op) {
  const unsigned before = mondo::misreadsHere();
  (void)op->getName().verifyInvariants(op);
  (void)op->getName().verifyRegionInvariants(op);
  if (before == mondo::misreadsHere())
    return WalkResult::advance();
  return op->emitOpError("has an attribute or a type of the wrong kind");
}

LogicalResult verifyOperation(Operation *op, bool recursively) {
  MLIRContext *context = op->getContext();
  if ((context->getLoadedDialect("gpu") || context->getLoadedDialect("shape")) &&
      failed(mondo::verifyContainers(op)))
    return failure();
  // The dialect `transform` verifies the sequences of a module alone, before what is in them.
  if (!recursively)
    recursively = mondo::waits(mondo::premisesOf(op->getName().getStringRef()));
  const unsigned before = mondo::misreadsAnywhere();
  if (failed(verifyInMlir(op, recursively)))
    return failure();
  if (before == mondo::misreadsAnywhere())
    return success();
  return failure(op->walk(refuseMisread).wasInterrupted());
}
