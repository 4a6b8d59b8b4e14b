//===-- arc4random.cpp - arc4random, in glibc since 2.36 ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" {

int MONDO_REPLACEMENT(getentropy)(void *, size_t);

uint32_t MONDO_REPLACEMENT(arc4random)() noexcept {
  uint32_t number;
  // arc4random has no way to report a failure, and a number that is not random is worse than an
  // abort.
  if (MONDO_REPLACEMENT(getentropy)(&number, sizeof number) != 0)
    abort();
  return number;
}

} // extern "C"
