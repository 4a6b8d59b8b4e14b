//===-- bytecode.cpp - Reading bytecode that may be damaged ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/SmallVector.h"

#include <cstddef>

/// True if an attribute that has a default value is missing among the operation's properties. MLIR creates
/// an operation with the defaults, and then sets what the file's dictionary has; an attribute of the wrong
/// kind becomes null there. Verifiers and printers take for granted that it is not.
static bool lacksDefault(mlir::Operation *op) {
  const int size = op->getPropertiesStorageSize();
  if (size == 0 || !op->isRegistered())
    return false;
  const mlir::OperationName name = op->getName();
  const mlir::OpaqueProperties present = op->getPropertiesStorage();
  llvm::SmallVector<std::max_align_t, 32> storage;
  storage.resize_for_overwrite(size / sizeof(std::max_align_t) + 1);
  mlir::OpaqueProperties complete(storage.data());
  // The copy gets the defaults that are missing.
  name.initOpProperties(complete, present);
  const bool lacks = !name.compareOpProperties(present, complete);
  name.destroyOpProperties(complete);
  return lacks;
}

template <typename Container>
static MlirOperation read(MlirContext context, MlirStringRef bytes, MlirStringRef name) {
  // The verifier must not see the operations before they were looked at.
  const mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  mlir::OwningOpRef<Container> parsed =
      mlir::parseSourceString<Container>(unwrap(bytes), config, unwrap(name));
  if (!parsed)
    return MlirOperation{nullptr};
  mlir::Operation *root = parsed.get();
  auto look = [](mlir::Operation *op) {
    if (!lacksDefault(op))
      return mlir::WalkResult::advance();
    mlir::emitError(op->getLoc())
        << "the bytecode is damaged: an attribute of '" << op->getName() << "' is of the wrong kind";
    return mlir::WalkResult::interrupt();
  };
  if (root->walk(look).wasInterrupted() || mlir::failed(mlir::verify(root)))
    return MlirOperation{nullptr};
  parsed.release();
  return wrap(root);
}

extern "C" MlirOperation mondoOperationReadBytecode(MlirContext context, MlirStringRef bytes,
                                                    MlirStringRef name) {
  return read<mlir::Operation *>(context, bytes, name);
}

extern "C" MlirOperation mondoModuleReadBytecode(MlirContext context, MlirStringRef bytes,
                                                 MlirStringRef name) {
  return read<mlir::ModuleOp>(context, bytes, name);
}
