//===-- stat.cpp - stat and mknod, functions since glibc 2.33 -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <sys/stat.h>
#include <sys/types.h>

// Before glibc 2.33, stat and its relatives were inline functions of a header, which called
// __xstat and its relatives; glibc still exports the latter. Their first argument is the version
// of the layout of struct stat, which the header called _STAT_VER_LINUX.
#if defined(__x86_64__) || defined(__s390x__) || defined(__powerpc64__)
static const int Layout = 1;
#else
static const int Layout = 0;
#endif
static const int DeviceLayout = 0;

extern "C" {

int __xstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);
int __xstat64(int, const char *, struct stat64 *);
int __fxstat64(int, int, struct stat64 *);
int __lxstat64(int, const char *, struct stat64 *);
int __fxstatat64(int, int, const char *, struct stat64 *, int);
int __xmknod(int, const char *, mode_t, dev_t *);
int __xmknodat(int, int, const char *, mode_t, dev_t *);

int MONDO_REPLACEMENT(stat)(const char *path, struct stat *into) noexcept {
  return __xstat(Layout, path, into);
}

int MONDO_REPLACEMENT(fstat)(int file, struct stat *into) noexcept {
  return __fxstat(Layout, file, into);
}

int MONDO_REPLACEMENT(lstat)(const char *path, struct stat *into) noexcept {
  return __lxstat(Layout, path, into);
}

int MONDO_REPLACEMENT(fstatat)(int dir, const char *path, struct stat *into,
                         int flags) noexcept {
  return __fxstatat(Layout, dir, path, into, flags);
}

int MONDO_REPLACEMENT(stat64)(const char *path, struct stat64 *into) noexcept {
  return __xstat64(Layout, path, into);
}

int MONDO_REPLACEMENT(fstat64)(int file, struct stat64 *into) noexcept {
  return __fxstat64(Layout, file, into);
}

int MONDO_REPLACEMENT(lstat64)(const char *path, struct stat64 *into) noexcept {
  return __lxstat64(Layout, path, into);
}

int MONDO_REPLACEMENT(fstatat64)(int dir, const char *path, struct stat64 *into,
                           int flags) noexcept {
  return __fxstatat64(Layout, dir, path, into, flags);
}

int MONDO_REPLACEMENT(mknod)(const char *path, mode_t mode, dev_t device) noexcept {
  return __xmknod(DeviceLayout, path, mode, &device);
}

int MONDO_REPLACEMENT(mknodat)(int dir, const char *path, mode_t mode,
                         dev_t device) noexcept {
  return __xmknodat(DeviceLayout, dir, path, mode, &device);
}

} // extern "C"
