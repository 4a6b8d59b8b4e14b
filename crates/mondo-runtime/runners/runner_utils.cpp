//===-- runner_utils.cpp - Printing and comparing memrefs -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is that of MLIR's own runner library, which its tests compare, but that elements of type i8 are
// numbers here and characters there. C's streams write it, so that no part of C++'s is linked, and the two
// kinds of output of a program keep their order.
//
//===----------------------------------------------------------------------===//

#include "runner.h"

#include <chrono>
#include <cinttypes>
#include <cmath>
#include <complex>
#include <cstdio>

using namespace mondo;

namespace {

using Complex32 = std::complex<float>;
using Complex64 = std::complex<double>;

/// `vector<4x4xf32>`.
struct Vector4x4 {
  float rows[4][4];
};

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void put(FILE *out, int8_t value) { fprintf(out, "%d", value); }
void put(FILE *out, int16_t value) { fprintf(out, "%d", value); }
void put(FILE *out, int32_t value) { fprintf(out, "%" PRId32, value); }
void put(FILE *out, int64_t value) { fprintf(out, "%" PRId64, value); }
void put(FILE *out, uint64_t value) { fprintf(out, "%" PRIu64, value); }
void put(FILE *out, double value) { fprintf(out, "%g", value); }
void put(FILE *out, float value) { put(out, double(value)); }
void put(FILE *out, Half value) { put(out, toFloat(value)); }
void put(FILE *out, BFloat value) { put(out, toFloat(value)); }

template <typename T> void put(FILE *out, std::complex<T> value) {
  fprintf(out, "(%g,%g)", double(value.real()), double(value.imag()));
}

void put(FILE *out, const Vector4x4 &value) {
  for (int row = 0; row < 4; ++row) {
    const float *cells = value.rows[row];
    const char *const before[] = {"((", ",   (", ",   (", ",  ("};
    fprintf(out, "%s%g, %g, %g, %g)", before[row], cells[0], cells[1], cells[2], cells[3]);
  }
  fputc(')', out);
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

void putList(FILE *out, const char *name, const int64_t *values, int64_t count) {
  fprintf(out, " %s = [", name);
  for (int64_t i = 0; i < count; ++i)
    fprintf(out, i ? ", %" PRId64 : "%" PRId64, values[i]);
  fputc(']', out);
}

template <typename T> void putLayout(FILE *out, const MemRef<T> &memref) {
  fprintf(out, "base@ = %#" PRIxPTR " rank = %" PRId64 " offset = %" PRId64,
          reinterpret_cast<uintptr_t>(memref.data), memref.rank, memref.offset);
  putList(out, "sizes", memref.sizes, memref.rank);
  putList(out, "strides", memref.strides, memref.rank);
}

/// Writes the elements of the dimensions from `dimension` on, the first of which is at `offset`.
template <typename T>
void putElements(FILE *out, const MemRef<T> &memref, int64_t dimension, int64_t offset) {
  if (dimension == memref.rank) {
    put(out, memref.data[offset]);
    return;
  }
  const int64_t size = memref.sizes[dimension];
  fputc('[', out);
  for (int64_t i = 0; i < size; ++i) {
    if (i > 0)
      fprintf(out, ", %s%*s", dimension + 1 < memref.rank ? "\n" : "", int(dimension + 1), "");
    putElements(out, memref, dimension + 1, offset + i * memref.strides[dimension]);
  }
  fputc(']', out);
}

template <typename T> void print(const char *kind, const MemRef<T> &memref) {
  fputs(kind, stdout);
  putLayout(stdout, memref);
  fputs(" data = \n", stdout);
  // A single element has brackets too.
  if (memref.rank == 0)
    fputc('[', stdout);
  putElements(stdout, memref, 0, memref.offset);
  fputs(memref.rank == 0 ? "]\n" : "\n", stdout);
  fflush(stdout);
}

template <typename T> void printUnranked(UnrankedMemRef<T> *memref) {
  print("Unranked Memref ", memref->ranked());
}

template <typename T> void printRanked(Descriptor<T> *memref, int64_t rank) {
  print("Memref ", memref->withRank(rank));
}

template <typename T> void printShape(UnrankedMemRef<T> *memref) {
  fputs("Unranked Memref ", stdout);
  putLayout(stdout, memref->ranked());
  fputc('\n', stdout);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// The number of different elements that are printed.
constexpr int64_t PRINTED = 10;

template <typename T> bool isClose(T actual, T expected, T epsilon) {
  return std::isfinite(actual) && std::isfinite(expected) &&
         std::abs(actual - expected) <= epsilon * std::abs(expected);
}

template <typename T> bool same(T actual, T expected) { return actual == expected; }
template <> bool same(float actual, float expected) { return isClose(actual, expected, 1e-6f); }
template <> bool same(double actual, double expected) { return isClose(actual, expected, 1e-12); }
template <> bool same(Half actual, Half expected) { return actual.bits == expected.bits; }
template <> bool same(BFloat actual, BFloat expected) { return actual.bits == expected.bits; }

/// Returns how many elements differ in the dimensions from `dimension` on.
template <typename T>
int64_t differences(const MemRef<T> &actual, const MemRef<T> &expected, int64_t dimension,
                    int64_t offset, int64_t &printed) {
  if (dimension < actual.rank) {
    int64_t found = 0;
    for (int64_t i = 0; i < actual.sizes[dimension]; ++i)
      found += differences(actual, expected, dimension + 1,
                           offset + i * actual.strides[dimension], printed);
    return found;
  }
  const T value = actual.data[offset];
  if (same(value, expected.data[offset]))
    return 0;
  if (printed++ < PRINTED) {
    put(stderr, value);
    fputs(" != ", stderr);
    put(stderr, expected.data[offset]);
    fprintf(stderr, " offset = %" PRId64 "\n", offset);
  }
  return 1;
}

/// Returns how many elements differ; -1 for memrefs of different layouts.
template <typename T> int64_t verify(const MemRef<T> &actual, const MemRef<T> &expected) {
  bool alike = actual.rank == expected.rank && actual.offset == expected.offset;
  for (int64_t i = 0; alike && i < actual.rank; ++i)
    alike = actual.sizes[i] == expected.sizes[i] && actual.strides[i] == expected.strides[i];
  if (!alike) {
    putLayout(stderr, actual);
    putLayout(stderr, expected);
    return -1;
  }
  int64_t printed = 0;
  return differences(actual, expected, 0, actual.offset, printed);
}

template <typename T>
int64_t verifyUnranked(UnrankedMemRef<T> *actual, UnrankedMemRef<T> *expected) {
  return verify(actual->ranked(), expected->ranked());
}

template <typename T> UnrankedMemRef<T> unranked(int64_t rank, void *descriptor) {
  return {rank, static_cast<Descriptor<T> *>(descriptor)};
}

} // namespace

// The functions for one type of element. Modules call the first two kinds by a C interface, and the third
// with the two words of an unranked memref.
#define SHAPE(name, type)                                                                          \
  void RUNNER(_mlir_ciface_printMemrefShape##name)(UnrankedMemRef<type> *memref) {                 \
    printShape(memref);                                                                            \
  }
#define UNRANKED(name, type)                                                                       \
  void RUNNER(_mlir_ciface_printMemref##name)(UnrankedMemRef<type> *memref) {                      \
    printUnranked(memref);                                                                         \
  }                                                                                                \
  int64_t RUNNER(_mlir_ciface_verifyMemRef##name)(UnrankedMemRef<type> * actual,                   \
                                                  UnrankedMemRef<type> * expected) {               \
    return verifyUnranked(actual, expected);                                                       \
  }
#define PRINT_WORDS(name, type)                                                                    \
  void RUNNER(printMemref##name)(int64_t rank, void *descriptor) {                                 \
    auto memref = unranked<type>(rank, descriptor);                                                \
    printUnranked(&memref);                                                                        \
  }
#define VERIFY_WORDS(name, type)                                                                   \
  int64_t RUNNER(verifyMemRef##name)(int64_t rank, void *actual, void *expected) {                 \
    auto one = unranked<type>(rank, actual), other = unranked<type>(rank, expected);               \
    return verifyUnranked(&one, &other);                                                           \
  }
#define RANKED(rank, name, type)                                                                   \
  void RUNNER(_mlir_ciface_printMemref##rank##d##name)(Descriptor<type> *memref) {                 \
    printRanked(memref, rank);                                                                     \
  }

extern "C" {

SHAPE(I8, int8_t)
SHAPE(I32, int32_t)
SHAPE(I64, int64_t)
SHAPE(F32, float)
SHAPE(F64, double)
SHAPE(Ind, uint64_t)
SHAPE(C32, Complex32)
SHAPE(C64, Complex64)

UNRANKED(I8, int8_t)
UNRANKED(I16, int16_t)
UNRANKED(I32, int32_t)
UNRANKED(I64, int64_t)
UNRANKED(F16, Half)
UNRANKED(BF16, BFloat)
UNRANKED(F32, float)
UNRANKED(F64, double)
UNRANKED(Ind, uint64_t)
UNRANKED(C32, Complex32)
UNRANKED(C64, Complex64)

PRINT_WORDS(I32, int32_t)
PRINT_WORDS(I64, int64_t)
PRINT_WORDS(F32, float)
PRINT_WORDS(F64, double)
PRINT_WORDS(Ind, uint64_t)
PRINT_WORDS(C32, Complex32)
PRINT_WORDS(C64, Complex64)

VERIFY_WORDS(I32, int32_t)
VERIFY_WORDS(F32, float)
VERIFY_WORDS(F64, double)
VERIFY_WORDS(Ind, uint64_t)
VERIFY_WORDS(C32, Complex32)
VERIFY_WORDS(C64, Complex64)

RANKED(0, F32, float)
RANKED(1, F32, float)
RANKED(2, F32, float)
RANKED(3, F32, float)
RANKED(4, F32, float)
RANKED(1, I8, int8_t)
RANKED(1, I32, int32_t)
RANKED(1, I64, int64_t)
RANKED(1, F64, double)
RANKED(1, Ind, uint64_t)
RANKED(1, C32, Complex32)
RANKED(1, C64, Complex64)

void RUNNER(_mlir_ciface_printMemrefVector4x4xf32)(Descriptor<Vector4x4> *memref) {
  printRanked(memref, 2);
}

int64_t RUNNER(_mlir_ciface_nanoTime)() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

} // extern "C"
