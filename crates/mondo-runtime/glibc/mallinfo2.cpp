//===-- mallinfo2.cpp - mallinfo2, in glibc since 2.33 --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cstddef>
#include <dlfcn.h>
#include <malloc.h>

namespace {

#if __GLIBC_PREREQ(2, 33)
using Info = struct mallinfo2;
#else
struct Info {
  size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks,
      fordblks, keepcost;
};
#endif

// The older function counts in 32 bits; read as unsigned they are right up to 4 GiB.
size_t widened(int count) { return static_cast<unsigned>(count); }

} // namespace

extern "C" Info MONDO_REPLACEMENT(mallinfo2)() noexcept {
#ifndef MONDO_REPLACEMENT_TEST
  // A C library that has the function counts without a limit.
  if (void *real = dlsym(RTLD_DEFAULT, "mallinfo2"))
    return reinterpret_cast<Info (*)()>(real)();
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo old = mallinfo();
#pragma GCC diagnostic pop
  Info info;
  info.arena = widened(old.arena);
  info.ordblks = widened(old.ordblks);
  info.smblks = widened(old.smblks);
  info.hblks = widened(old.hblks);
  info.hblkhd = widened(old.hblkhd);
  info.usmblks = widened(old.usmblks);
  info.fsmblks = widened(old.fsmblks);
  info.uordblks = widened(old.uordblks);
  info.fordblks = widened(old.fordblks);
  info.keepcost = widened(old.keepcost);
  return info;
}
