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
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/IR/Visitors.h"
#include "mlir/Parser/Parser.h"

#include <cstdint>

namespace {

/// The names in the dictionaries of a file's operations, in the order in which the file has these.
struct Names {
  intptr_t left;
  const MondoBytecodeName *next;
  intptr_t operation;

  /// The first name of the next operation that is not the name of an attribute of it. MLIR sets properties
  /// from a dictionary, and those to null whose attribute is of the wrong kind.
  const MondoBytecodeName *lost(mlir::Operation *op) {
    const MondoBytecodeName *lost = nullptr;
    for (; left != 0 && next->operation == operation; ++next, --left)
      if (!lost && !op->getAttr(unwrap(next->name)))
        lost = next;
    ++operation;
    return lost;
  }
};

} // namespace

template <typename Container>
static MlirOperation read(MlirContext context, MlirStringRef bytes, MlirStringRef name,
                          intptr_t count, const MondoBytecodeName *all) {
  // The verifier must not see the operations before they were looked at.
  const mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  mlir::Block block;
  mlir::LocationAttr location;
  if (mlir::failed(mlir::parseSourceString(unwrap(bytes), &block, config, unwrap(name), &location)))
    return MlirOperation{nullptr};
  Names names{count, all, 0};
  auto look = [&names](mlir::Operation *op) {
    const MondoBytecodeName *lost = names.lost(op);
    if (!lost)
      return mlir::WalkResult::advance();
    mlir::emitError(op->getLoc()) << "the bytecode is damaged: the attribute '" << unwrap(lost->name)
                                  << "' of '" << op->getName() << "' is of the wrong kind";
    return mlir::WalkResult::interrupt();
  };
  for (mlir::Operation &op : block)
    if (op.walk<mlir::WalkOrder::PreOrder>(look).wasInterrupted())
      return MlirOperation{nullptr};
  for (mlir::Operation &op : block)
    if (mlir::failed(mlir::verify(&op)))
      return MlirOperation{nullptr};
  // A module around the operations is verified there.
  mlir::OwningOpRef<Container> made =
      mlir::detail::constructContainerOpForParserIfNecessary<Container>(
          &block, config.getContext(), location);
  if (!made)
    return MlirOperation{nullptr};
  mlir::Operation *root = made.get();
  made.release();
  return wrap(root);
}

extern "C" MlirOperation mondoOperationReadBytecode(MlirContext context, MlirStringRef bytes,
                                                    MlirStringRef name, intptr_t count,
                                                    const MondoBytecodeName *names) {
  return read<mlir::Operation *>(context, bytes, name, count, names);
}

extern "C" MlirOperation mondoModuleReadBytecode(MlirContext context, MlirStringRef bytes,
                                                 MlirStringRef name, intptr_t count,
                                                 const MondoBytecodeName *names) {
  return read<mlir::ModuleOp>(context, bytes, name, count, names);
}
