/*===-- Tally.h - C API of the dialect tally ---------------------*- C -*-===//
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

#ifndef TALLY_C_TALLY_H
#define TALLY_C_TALLY_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of bits that are set. */
int64_t tallyBits(uint64_t value);

/* The names of the operations, with a blank between two. */
const char *tallyOperationNames(void);

/* Whether the dialect was extended in this context, which loads it. */
bool tallyIsExtended(MlirContext context);

#ifdef __cplusplus
}
#endif

#endif
