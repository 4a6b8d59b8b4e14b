//===-- getentropy.cpp - getentropy, in glibc since 2.25 ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The most bytes that one call of getentropy gives, by its definition.
static const size_t Longest = 256;

// Reads the bytes from a device: Linux before 3.17 has no system call for random bytes.
static int fromDevice(char *into, size_t length) {
  int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return -1;
  while (length > 0) {
    ssize_t got = read(file, into, length);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0) {
      close(file);
      errno = EIO;
      return -1;
    }
    into += got;
    length -= static_cast<size_t>(got);
  }
  close(file);
  return 0;
}

extern "C" int MONDO_REPLACEMENT(getentropy)(void *buffer, size_t length) {
  if (length > Longest) {
    errno = EIO;
    return -1;
  }
  char *into = static_cast<char *>(buffer);
  while (length > 0) {
    long got = syscall(SYS_getrandom, into, length, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno == ENOSYS)
      return fromDevice(into, length);
    if (got < 0)
      return -1;
    into += got;
    length -= static_cast<size_t>(got);
  }
  return 0;
}
