//===-- runner.h - Functions that compiled modules call ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions for modules that the execution engine compiled, with the names and the ABI of MLIR's runner
// libraries. They need no header of MLIR's: what they take is the C form of memrefs.
//
// A bundle has those that its registration table names, and the linker drops the others. The engine finds
// them through that table, by the names that MLIR gives them. Their linker names have a prefix, so that
// they take nobody's place, and are hidden.
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_RUNNERS_RUNNER_H
#define MONDO_RUNNERS_RUNNER_H

#include <cstdint>

/// The linker name of the function that a module calls `name`, as `dialect.toml` lists it.
#define RUNNER(name) mondo_runner_##name

namespace mondo {

/// A memref of a known rank: the descriptor that `memref<...>` is lowered to, without the array lengths.
template <typename T> struct MemRef {
  T *data;
  int64_t rank;
  int64_t offset;
  const int64_t *sizes;
  const int64_t *strides;
};

/// The beginning of a descriptor, whatever its rank. `rank` sizes and as many strides follow.
template <typename T> struct Descriptor {
  T *allocated;
  T *aligned;
  int64_t offset;

  int64_t *extents() { return reinterpret_cast<int64_t *>(this + 1); }

  MemRef<T> withRank(int64_t rank) { return {aligned, rank, offset, extents(), extents() + rank}; }
};

/// The lowered form of `memref<*x...>`.
template <typename T> struct UnrankedMemRef {
  int64_t rank;
  Descriptor<T> *descriptor;

  MemRef<T> ranked() const { return descriptor->withRank(rank); }
};

/// The bits of an `f16`.
struct Half {
  uint16_t bits;
};

/// The bits of a `bf16`.
struct BFloat {
  uint16_t bits;
};

float toFloat(Half value);
float toFloat(BFloat value);

} // namespace mondo

#endif // MONDO_RUNNERS_RUNNER_H
