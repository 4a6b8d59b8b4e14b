//===-- replacement.h - What older C libraries lack -------------------*- C++ -*-===//
//
// Each source of this folder defines functions that glibc has since some version. The link takes
// one only where something asks for a function that the manifest's minimum glibc does not have, and
// nothing of them leaves the image.
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
