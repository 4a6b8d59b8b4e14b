//===-- hooks.h - Functions that MLIR's patched objects call --------------===//
//
// The patch phase of the build (mondo-link/src/patch) points relocations in two of MLIR's
// objects at these functions. Their names are known there too.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_HOOKS_H
#define MONDO_SHIM_HOOKS_H

#include <cstddef>

namespace mlir {
class Block;
class Operation;
} // namespace mlir

extern "C" {

/// Operation::create calls this in place of malloc.
void *mondo_op_alloc(size_t size);

/// MLIR calls this in place of free wherever it destroys an operation; `memory` is what
/// mondo_op_alloc returned.
void mondo_op_free(void *memory);

/// MLIR calls this in place of the sized operator delete wherever a block argument may be
/// destroyed. Some of these calls free a vector's storage instead: an address without an observer.
void mondo_block_argument_delete(void *memory, size_t size);

/// MLIR's own Block::~Block, under the name that object patching gave it.
void mondo_block_destructor(mlir::Block *block);
}

namespace mondo {

/// True if mondo_op_alloc's header is before the operation. Reads the memory there.
bool hasHeader(mlir::Operation *op);

/// An RAII guard: as long as it lives, it receives the observers of nodes that this thread
/// destroys, in place of the process's callback. So the check at load sees the deaths that it
/// causes, whoever has set a callback.
class DeathListener {
public:
  DeathListener();
  ~DeathListener();
  DeathListener(const DeathListener &) = delete;
  DeathListener &operator=(const DeathListener &) = delete;

  virtual void onDeath(void *observer) = 0;

private:
  DeathListener *previous;
};

} // namespace mondo

#endif // MONDO_SHIM_HOOKS_H
