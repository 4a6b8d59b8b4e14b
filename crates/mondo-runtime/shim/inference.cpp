//===-- inference.cpp - Operands that an inference of types may cast ------===//
//
// The inference of result types runs before an operation exists, and so before its verifier. Some
// operations cast their operands' types there, or read operands and attributes that need not be there:
// that is undefined behaviour for parts that the verifier would refuse.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"
#include "premises.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OperationSupport.h"

#include <string>
#include <utility>

using namespace mlir;

namespace {

/// The part of a verifier's message that follows the operation's name.
llvm::StringRef withoutName(llvm::StringRef message) {
  const size_t name = message.find("' op ");
  return name == llvm::StringRef::npos ? message : message.drop_front(name + 5);
}

/// The number of results that the verifier's message says there have to be, at the least; 0 if it is about
/// something else.
unsigned wantedResults(llvm::StringRef message) {
  message = withoutName(message);
  if (message.starts_with("requires one result"))
    return 1;
  unsigned count = 0;
  if (!message.consume_front("expected ") || message.consumeInteger(10, count))
    return 0;
  return message.starts_with(" results") || message.starts_with(" or more results") ? count : 0;
}

/// Returns whether the verifier's message is about what inference sees: all but the results. The
/// verifier looks at numbers, attributes, operands and results, in this order.
bool isAboutParts(llvm::StringRef message) {
  message = withoutName(message);
  for (llvm::StringRef start :
       {"operand #", "requires attribute", "attribute '", "requires a single operand",
        "requires zero operands", "requires one region", "requires zero regions",
        "requires 0 successors", "'operandSegmentSizes'", "operand count", "operand group"})
    if (message.starts_with(start))
      return true;
  return message.starts_with("expected ") && message.contains("operand");
}

/// The first error of the verifier about an operation of these parts with so many results, whose types are
/// placeholders; empty if there is none.
std::string verify(OperationState state, unsigned results) {
  MLIRContext *context = state.getContext();
  state.types.append(results, NoneType::get(context));
  std::string first;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (first.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = diagnostic.str();
    return success();
  });
  Operation *op = Operation::create(state);
  (void)op->getName().verifyInvariants(op);
  // A verifier that looks into its operation waits for the contents (`models.cpp`). Here it has none.
  if (first.empty() && mondo::waits(mondo::premisesOf(op->getName().getStringRef())))
    (void)op->getName().verifyRegionInvariants(op);
  op->destroy();
  return first;
}

} // namespace

extern "C" MlirLogicalResult
mondoInferenceCheck(MlirStringRef name, MlirLocation location, intptr_t nOperands,
                    const MlirValue *operands, MlirAttribute attributes, intptr_t nRegions,
                    MlirStringCallback callback, void *userData) {
  const auto message = [&](unsigned results) {
    OperationState state(unwrap(location), unwrap(name));
    for (intptr_t i = 0; i < nOperands; ++i)
      state.operands.push_back(unwrap(operands[i]));
    if (auto all = llvm::dyn_cast_or_null<DictionaryAttr>(unwrap(attributes)))
      state.addAttributes(all.getValue());
    for (intptr_t i = 0; i < nRegions; ++i)
      state.addRegion();
    return state.name.isRegistered() ? verify(std::move(state), results) : std::string();
  };
  std::string first = message(1);
  if (const unsigned results = wantedResults(first); results > 1)
    first = message(results);
  if (first.empty() || !isAboutParts(first))
    return mlirLogicalResultSuccess();
  callback(mlirStringRefCreate(first.data(), first.size()), userData);
  return mlirLogicalResultFailure();
}
