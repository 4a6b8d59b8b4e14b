//===-- single_threaded.cpp - __libc_single_threaded, in glibc since 2.32 -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

// libstdc++ counts references without atomic operations as long as this variable says that the
// process has one thread. The value 0, "perhaps several threads", is always right.
extern "C" {
extern char MONDO_REPLACEMENT(__libc_single_threaded);
char MONDO_REPLACEMENT(__libc_single_threaded) = 0;
}
