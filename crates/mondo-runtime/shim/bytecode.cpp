//===-- bytecode.cpp - Reading bytecode that may be damaged ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mondo.h"

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeReaderConfig.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Types.h"
#include "mlir/IR/Verifier.h"
#include "mlir/IR/Visitors.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <pthread.h>

namespace {

/// The names in the dictionaries of a file's operations, in the order in which the file has these.
struct Names {
  intptr_t left;
  const MondoBytecodeName *next;
  intptr_t operation;

  /// The first name of the next operation that is not the name of an attribute of it. MLIR sets properties
  /// from the dictionary, and sets a property to null if its attribute is of the wrong kind.
  const MondoBytecodeName *lost(mlir::Operation *op) {
    const MondoBytecodeName *lost = nullptr;
    for (; left != 0 && next->operation == operation; ++next, --left)
      if (!lost && !op->getAttr(unwrap(next->name)))
        lost = next;
    ++operation;
    return lost;
  }
};

/// Ends the reading of attributes and types that refer to themselves. Those of dialects are encoded as each
/// dialect likes, so that nobody but its reader knows what an entry refers to.
///
/// MLIR calls this before each entry that it begins to read. An entry that was read is kept, so that a
/// reader without a cycle gets on: it recurses at most as deep as entries refer to each other, and where it
/// puts one off until others are there, it comes to a new entry or finishes one in each round over those that
/// wait.
class Progress {
public:
  explicit Progress(size_t size)
      : top(static_cast<const char *>(__builtin_frame_address(0))), untracked(size) {}

  /// False where the entry cannot be read: it would need more stack than there is, or the reader goes round in
  /// circles. `entry` is null until it has been read, and stays where it is.
  template <typename T>
  bool mayRead(const T &entry) {
    // `getsOn` reads the entry as a pointer.
    static_assert(sizeof(T) == sizeof(void *));
    if (ended)
      return false;
    if (stackIsShort())
      ended = true;
    // The file has fewer entries than bytes, so that the first attempts, as many as it has
    // bytes, need no check.
    else if (untracked != 0)
      --untracked;
    else
      ended = !getsOn(&entry);
    return !ended;
  }

private:
  /// The stack that a reader of an entry and what it calls take, at most, without another entry.
  static constexpr size_t Needed = size_t{256} << 10;
  /// The stack below which its end is not looked for.
  static constexpr size_t Shallow = size_t{128} << 10;
  /// MLIR reads entries in an entry up to a depth of 5 before it puts one off: each attempt of one that waits
  /// begins so many others at most.
  static constexpr size_t Attempts = 8;

  const char *top;
  const char *end = nullptr;
  size_t untracked;
  bool ended = false;
  /// The entries that were begun and not read, and the attempts since one was new or had been read.
  llvm::DenseSet<const void *> waiting;
  size_t attempts = 0;

  bool stackIsShort() {
    const char *here = static_cast<const char *>(__builtin_frame_address(0));
    if (static_cast<size_t>(top - here) < Shallow)
      return false;
    if (!end)
      findEnd();
    return here < end + Needed;
  }

  void findEnd() {
    pthread_attr_t attributes;
    end = top - (size_t{8} << 20);
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return;
    void *lowest = nullptr;
    size_t size = 0;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
      end = static_cast<const char *>(lowest);
    pthread_attr_destroy(&attributes);
  }

  bool getsOn(const void *entry) {
    if (waiting.insert(entry).second) {
      attempts = 0;
      return true;
    }
    if (++attempts <= Attempts * (waiting.size() + 1))
      return true;
    const size_t before = waiting.size();
    llvm::SmallVector<const void *> read;
    for (const void *one : waiting)
      if (*static_cast<const void *const *>(one))
        read.push_back(one);
    for (const void *one : read)
      waiting.erase(one);
    attempts = 0;
    return waiting.size() < before;
  }
};

/// Asks `progress` before each entry.
template <typename T>
class Guard : public mlir::AttrTypeBytecodeReader<T> {
public:
  explicit Guard(Progress &progress) : progress(progress) {}

  llvm::LogicalResult read(mlir::DialectBytecodeReader &reader, llvm::StringRef dialect,
                           T &entry) override {
    if (progress.mayRead(entry))
      return llvm::success();
    return reader.emitError() << "the bytecode is damaged: the attributes and types of '" << dialect
                              << "' refer to themselves, or to each other too deeply";
  }

private:
  Progress &progress;
};

} // namespace

template <typename Container>
static MlirOperation read(MlirContext context, MlirStringRef bytes, MlirStringRef name,
                          intptr_t count, const MondoBytecodeName *all) {
  // The verifier must not see the operations before they were looked at.
  const mlir::ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  Progress progress(bytes.length);
  config.getBytecodeReaderConfig().attachAttributeCallback(
      std::make_unique<Guard<mlir::Attribute>>(progress));
  config.getBytecodeReaderConfig().attachTypeCallback(
      std::make_unique<Guard<mlir::Type>>(progress));
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

extern "C" MlirOperation mondoModuleParse(MlirContext context, MlirStringRef text,
                                          MlirStringRef name) {
  const mlir::ParserConfig config(unwrap(context));
  mlir::OwningOpRef<mlir::ModuleOp> made =
      mlir::parseSourceString<mlir::ModuleOp>(unwrap(text), config, unwrap(name));
  return wrap(made ? made.release().getOperation() : nullptr);
}
