//===-- replacement.h - What older C libraries lack -------------------*- C++ -*-===//
//
// Replacements of functions of newer versions of glibc. Each source file of this folder defines
// functions that glibc has since some version. The link takes a file only if an object refers to
// such a function and the manifest's minimum glibc lacks it. The library does not export
// replacements.
//
// The tests define MONDO_REPLACEMENT_TEST and get the functions under other names, beside the real ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_REPLACEMENT_H
#define MONDO_REPLACEMENT_H

#ifdef MONDO_REPLACEMENT_TEST
#define MONDO_REPLACEMENT(name) mondo_replacement_##name
#else
#define MONDO_REPLACEMENT(name) name
#endif

#endif // MONDO_REPLACEMENT_H
