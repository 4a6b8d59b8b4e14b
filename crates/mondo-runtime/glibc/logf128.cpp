//===-- logf128.cpp - logf128, in glibc since 2.26 ------------------------===//
//
// LLVM folds logarithms of constants with 128 bits. It keeps the operation if the function reports an error, which
// is what this one does with a C library that lacks it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cerrno>
#include <dlfcn.h>

extern "C" __float128 MONDO_REPLACEMENT(logf128)(__float128 value) noexcept {
#ifndef MONDO_REPLACEMENT_TEST
  // The C library may have it in `libm`, which is loaded beside this library.
  if (void *real = dlsym(RTLD_DEFAULT, "logf128"))
    return reinterpret_cast<__float128 (*)(__float128)>(real)(value);
#endif
  errno = EDOM;
  return value;
}
