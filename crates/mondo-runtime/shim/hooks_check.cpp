//===-- hooks_check.cpp - Self-test of the hooks at load ------------------===//
//
// The check at load that the hooks work: it makes and destroys something at each place in
// MLIR's objects that object patching changes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hooks.h"
#include "properties.h"

#include "mondo.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace {

/// Hands out observers and notes which of them were announced.
class Ledger final : public mondo::DeathListener {
public:
  /// A new observer, of something that lives.
  void *open() {
    deaths.push_back(0);
    return reinterpret_cast<void *>(deaths.size());
  }

  void onDeath(void *observer) override {
    uintptr_t index = reinterpret_cast<uintptr_t>(observer) - 1;
    if (index < deaths.size())
      ++deaths[index];
    else
      strangers = true;
  }

  /// True if every opened observer was announced exactly once, and no other was.
  bool balanced() const {
    for (unsigned count : deaths)
      if (count != 1)
        return false;
    return !strangers;
  }

private:
  llvm::SmallVector<unsigned, 32> deaths;
  bool strangers = false;
};

class Check {
public:
  Check() : context(mlir::MLIRContext::Threading::DISABLED), location(mlir::UnknownLoc::get(&context)) {
    context.allowUnregisteredDialects();
  }

  bool run() {
    // Without a header no operation may be destroyed: mondo_op_free would end the process. The
    // numbers of results are none, some, and more than fit in the short form.
    for (unsigned results : {0u, 1u, 6u, 7u, 9u}) {
      mlir::Operation *op = create(results, 0);
      if (!mondo::hasHeader(op))
        return false;
      observe(op);
      op->destroy();
    }
    eraseFromBlock();
    dieWithParents();
    eraseArguments();
    return sound && ledger.balanced();
  }

private:
  mlir::Operation *create(unsigned results, unsigned regions) {
    llvm::SmallVector<mlir::Type, 9> types(results, mlir::IndexType::get(&context));
    return mlir::Operation::create(location, mlir::OperationName("mondo.check", &context), types,
                                   mlir::ValueRange(), mlir::DictionaryAttr::get(&context),
                                   mondo::noProperties(), mlir::BlockRange(), regions);
  }

  void observe(mlir::Operation *op) {
    void *observer = ledger.open();
    mondoOperationSetObserver(wrap(op), observer);
    sound &= mondoOperationGetObserver(wrap(op)) == observer;
  }

  void observe(mlir::Block *block) {
    void *observer = ledger.open();
    mondoBlockSetObserver(wrap(block), observer);
    sound &= mondoBlockGetObserver(wrap(block)) == observer;
  }

  /// Adds arguments to the block and observes them.
  void addArguments(mlir::Block &block, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      mlir::Value argument = block.addArgument(mlir::IndexType::get(&context), location);
      void *observer = ledger.open();
      mondoBlockArgumentSetObserver(wrap(argument), observer);
      sound &= mondoBlockArgumentGetObserver(wrap(argument)) == observer;
    }
  }

  void eraseFromBlock() {
    mlir::Block block;
    observe(&block);
    for (unsigned i = 0; i < 3; ++i) {
      block.push_back(create(1, 0));
      observe(&block.back());
    }
    block.front().erase();
    // Erased by the list itself, which is the path that Block::clear takes as well.
    block.getOperations().pop_back();
  }

  void dieWithParents() {
    mlir::Operation *parent = create(1, 2);
    observe(parent);
    for (mlir::Region &region : parent->getRegions()) {
      for (unsigned i = 0; i < 2; ++i) {
        region.push_back(new mlir::Block);
        mlir::Block &block = region.back();
        observe(&block);
        addArguments(block, 2);
        block.push_back(create(7, 0));
        observe(&block.back());
      }
    }
    parent->getRegion(0).front().erase();
    parent->destroy();
  }

  void eraseArguments() {
    mlir::Block block;
    addArguments(block, 6);
    block.eraseArgument(0);
    block.eraseArguments(0, 2);
    // The first dead argument and those after it are deleted in two places.
    block.eraseArguments([](mlir::BlockArgument argument) { return argument.getArgNumber() != 1; });
    sound &= block.getNumArguments() == 1;

    // The same, by a set of bits: two more places since LLVM 23.
    addArguments(block, 4);
    llvm::BitVector dead(5);
    dead.set(1);
    dead.set(3);
    block.eraseArguments(dead);
    sound &= block.getNumArguments() == 3;
  }

  mlir::MLIRContext context;
  mlir::Location location;
  Ledger ledger;
  bool sound = true;
};

} // namespace

extern "C" bool mondoHooksWork(void) { return Check().run(); }
