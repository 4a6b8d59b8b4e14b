//===-- c_runner_utils.cpp - Printing, copying, memory, numbers -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

using namespace mondo;

namespace {

/// Copies the elements of the dimensions from `dimension` on. `run` is the number of bytes that follow one
/// another in both memrefs, from dimension `last` on.
struct Copy {
  const MemRef<char> from;
  const MemRef<char> to;
  const int64_t elementSize;
  int64_t last;
  int64_t run;

  Copy(int64_t elementSize, MemRef<char> from, MemRef<char> to)
      : from(from), to(to), elementSize(elementSize), last(from.rank), run(elementSize) {
    int64_t elements = 1;
    while (last > 0 && from.strides[last - 1] == elements && to.strides[last - 1] == elements)
      elements *= from.sizes[--last];
    run *= elements;
  }

  void copy(int64_t dimension, const char *source, char *destination) const {
    if (dimension == last) {
      memmove(destination, source, run);
      return;
    }
    for (int64_t i = 0; i < from.sizes[dimension]; ++i) {
      copy(dimension + 1, source, destination);
      source += from.strides[dimension] * elementSize;
      destination += to.strides[dimension] * elementSize;
    }
  }
};

/// Sorts the first `count` elements of a memref of rank 1.
template <typename T> void sort(uint64_t count, Descriptor<T> *descriptor) {
  const MemRef<T> memref = descriptor->withRank(1);
  T *first = memref.data + memref.offset;
  const int64_t stride = memref.strides[0];
  if (stride == 1) {
    std::sort(first, first + count);
    return;
  }
  std::vector<T> values(count);
  for (uint64_t i = 0; i < count; ++i)
    values[i] = first[int64_t(i) * stride];
  std::sort(values.begin(), values.end());
  for (uint64_t i = 0; i < count; ++i)
    first[int64_t(i) * stride] = values[i];
}

} // namespace

extern "C" {

void RUNNER(memrefCopy)(int64_t elementSize, UnrankedMemRef<char> *source,
                        UnrankedMemRef<char> *destination) {
  const MemRef<char> from = source->ranked();
  const MemRef<char> to = destination->ranked();
  // Of a memref without elements not even the addresses have to be valid.
  if (std::find(from.sizes, from.sizes + from.rank, 0) != from.sizes + from.rank)
    return;
  Copy(elementSize, from, to)
      .copy(0, from.data + from.offset * elementSize, to.data + to.offset * elementSize);
}

void RUNNER(printI64)(int64_t value) { printf("%" PRId64, value); }
void RUNNER(printU64)(uint64_t value) { printf("%" PRIu64, value); }
void RUNNER(printF32)(float value) { printf("%g", double(value)); }
void RUNNER(printF64)(double value) { printf("%g", value); }
void RUNNER(printString)(const char *text) { fputs(text, stdout); }
void RUNNER(printOpen)() { fputs("( ", stdout); }
void RUNNER(printClose)() { fputs(" )", stdout); }
void RUNNER(printComma)() { fputs(", ", stdout); }
void RUNNER(printNewline)() { fputc('\n', stdout); }

void *RUNNER(mlirAlloc)(uint64_t size) { return malloc(size); }

void *RUNNER(mlirAlignedAlloc)(uint64_t alignment, uint64_t size) {
  void *memory = nullptr;
  const uint64_t least = sizeof(void *);
  return posix_memalign(&memory, std::max(alignment, least), size) == 0 ? memory : nullptr;
}

void RUNNER(mlirFree)(void *memory) { free(memory); }
void RUNNER(mlirAlignedFree)(void *memory) { free(memory); }

double RUNNER(rtclock)() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

void RUNNER(printFlops)(double flops) { fprintf(stderr, "%lf GFLOPS\n", flops / 1e9); }

void *RUNNER(rtsrand)(uint64_t seed) { return new std::mt19937(seed); }

uint64_t RUNNER(rtrand)(void *generator, uint64_t limit) {
  std::uniform_int_distribution<uint64_t> distribution(0, limit);
  return distribution(*static_cast<std::mt19937 *>(generator));
}

void RUNNER(rtdrand)(void *generator) { delete static_cast<std::mt19937 *>(generator); }

void RUNNER(_mlir_ciface_shuffle)(Descriptor<uint64_t> *descriptor, void *generator) {
  const MemRef<uint64_t> memref = descriptor->withRank(1);
  std::vector<uint64_t> numbers(memref.sizes[0]);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), *static_cast<std::mt19937 *>(generator));
  for (size_t i = 0; i < numbers.size(); ++i)
    memref.data[memref.offset + int64_t(i) * memref.strides[0]] = numbers[i];
}

void RUNNER(_mlir_ciface_stdSortI64)(uint64_t count, Descriptor<int64_t> *memref) {
  sort(count, memref);
}
void RUNNER(_mlir_ciface_stdSortF64)(uint64_t count, Descriptor<double> *memref) {
  sort(count, memref);
}
void RUNNER(_mlir_ciface_stdSortF32)(uint64_t count, Descriptor<float> *memref) {
  sort(count, memref);
}

} // extern "C"
