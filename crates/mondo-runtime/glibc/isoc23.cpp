//===-- isoc23.cpp - Numbers as C23 reads them, in glibc since 2.38 -------===//
//
// Headers of glibc 2.38 and later rename `strtol` and others to functions that also read binary numbers, `0b101`, where
// the base is 2 or determined by the text. LLVM reads none in this way, so that the older functions do.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "replacement.h"

#include <cstdarg>
#include <cstdio>

// The headers would rename the older functions too.
extern "C" {
long oldStrtol(const char *, char **, int) noexcept __asm__("strtol");
long long oldStrtoll(const char *, char **, int) noexcept __asm__("strtoll");
unsigned long oldStrtoul(const char *, char **, int) noexcept __asm__("strtoul");
unsigned long long oldStrtoull(const char *, char **, int) noexcept __asm__("strtoull");
int oldVfscanf(FILE *, const char *, va_list) __asm__("vfscanf");
int oldVsscanf(const char *, const char *, va_list) noexcept __asm__("vsscanf");
}

extern "C" long MONDO_REPLACEMENT(__isoc23_strtol)(const char *text, char **end,
                                                   int base) noexcept {
  return oldStrtol(text, end, base);
}

extern "C" long long MONDO_REPLACEMENT(__isoc23_strtoll)(const char *text, char **end,
                                                         int base) noexcept {
  return oldStrtoll(text, end, base);
}

extern "C" unsigned long MONDO_REPLACEMENT(__isoc23_strtoul)(const char *text, char **end,
                                                             int base) noexcept {
  return oldStrtoul(text, end, base);
}

extern "C" unsigned long long MONDO_REPLACEMENT(__isoc23_strtoull)(const char *text, char **end,
                                                                   int base) noexcept {
  return oldStrtoull(text, end, base);
}

extern "C" int MONDO_REPLACEMENT(__isoc23_fscanf)(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = oldVfscanf(file, format, arguments);
  va_end(arguments);
  return count;
}

extern "C" int MONDO_REPLACEMENT(__isoc23_sscanf)(const char *text, const char *format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const int count = oldVsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}
