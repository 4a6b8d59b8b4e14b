//===-- floor.h - What older C libraries lack -------------------*- C++ -*-===//
//
// Each source of this folder defines functions that glibc has since some version. The link takes
// one only where something asks for a function that the manifest's glibc floor does not have, and
// nothing of them leaves the image.
//
// The tests define MONDO_FLOOR_TEST and get the functions under other names, beside the real ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MONDO_FLOOR_H
#define MONDO_FLOOR_H

#ifdef MONDO_FLOOR_TEST
#define MONDO_FLOOR(name) mondo_floor_##name
#else
#define MONDO_FLOOR(name) name
#endif

#endif // MONDO_FLOOR_H
