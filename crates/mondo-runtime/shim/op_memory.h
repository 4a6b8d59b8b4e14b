//===-- op_memory.h - Memory of operations --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_SHIM_OP_MEMORY_H
#define MONDO_SHIM_OP_MEMORY_H

#include <cstddef>

namespace mondo {

/// Memory for an operation, aligned as malloc's; null where there is none. `kind` is what
/// deleteOperationMemory has to be told, less than 256.
void *newOperationMemory(size_t size, unsigned &kind);

/// Takes it back, in any thread. Overwrites the first 16 bytes, whose second half becomes 0.
void deleteOperationMemory(void *memory, unsigned kind);

} // namespace mondo

#endif // MONDO_SHIM_OP_MEMORY_H
