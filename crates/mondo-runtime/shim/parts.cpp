//===-- parts.cpp - The parts that an operation is made of ----------------===//
//
// An operation of MLIR is made of any parts, and its verifier refuses those that do not fit. Programs that build IR learn of it
// long after, so that the parts whose numbers and names are wrong are refused when the operation is made.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/Threading.h"

#include <string>

using namespace mlir;

namespace {

/// Returns whether the verifier's message is about the number of parts or about an attribute that is missing. What it says about
/// types and about the place of the operation does not count, as both may still change.
bool isAboutNumbers(llvm::StringRef message) {
  const size_t name = message.find("' op ");
  if (name != llvm::StringRef::npos)
    message = message.drop_front(name + 5);
  for (llvm::StringRef start :
       {"requires attribute '", "requires a single operand", "requires zero operands",
        "requires a single result", "requires one result", "requires zero results",
        "requires zero regions", "requires one region", "requires 0 successors", "requires 1 successor",
        "'operandSegmentSizes'", "'resultSegmentSizes'", "operand count", "operand group"})
    if (message.starts_with(start))
      return true;
  unsigned count = 0;
  if (!message.consume_front("expected ") && !message.consume_front("expects "))
    return false;
  message.consume_front("at least ");
  if (message.consumeInteger(10, count))
    return false;
  message.consume_front(" or more");
  for (llvm::StringRef what : {" operand", " result", " region", " successor"})
    if (message.starts_with(what))
      return true;
  return false;
}

} // namespace

extern "C" bool mondoOperationHasParts(MlirOperation op, MlirStringCallback callback, void *userData) {
  Operation *cppOp = unwrap(op);
  if (!cppOp->isRegistered())
    return true;
  std::string first;
  const uint64_t here = llvm::get_threadid();
  ScopedDiagnosticHandler handler(cppOp->getContext(), [&](Diagnostic &diagnostic) {
    if (llvm::get_threadid() != here)
      return failure();
    if (first.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      first = diagnostic.str();
    return success();
  });
  (void)cppOp->getName().verifyInvariants(cppOp);
  if (first.empty() || !isAboutNumbers(first))
    return true;
  callback(wrap(llvm::StringRef(first)), userData);
  return false;
}

extern "C" void mondoOperationNames(MlirContext context, MlirStringRef name,
                                    MlirStringCallback callback, void *userData) {
  const auto known = RegisteredOperationName::lookup(unwrap(name), unwrap(context));
  if (!known)
    return;
  for (StringAttr attribute : known->getAttributeNames()) {
    callback(wrap(attribute.getValue()), userData);
    callback(wrap(llvm::StringRef("\n")), userData);
  }
}

extern "C" MlirOperation mondoOperationGetPrevious(MlirOperation op) {
  return wrap(unwrap(op)->getBlock() ? unwrap(op)->getPrevNode() : nullptr);
}
